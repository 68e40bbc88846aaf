//! The arguments of a tool call, checked against the operation's own schema.
//!
//! The schema that `tools/list` advertises is the one that is enforced, so an
//! agent that follows it is never refused for its shape (rules E2, M8). What a
//! schema cannot say is checked by the operations.

use super::violation;
use crate::failure::Failure;
use jsonschema::Validator;
use protocol::codes::Code;
use protocol::dialect::Dialect;
use protocol::operation::Operation;
use protocol::schema;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The compiled request schemas of every operation and version.
pub(crate) struct Schemas(Vec<(Operation, &'static Dialect, Validator)>);

/// A schema of ours that does not compile: a fault of the program.
#[derive(Debug, thiserror::Error)]
#[error("the request schema of {tool} does not compile: {text}")]
pub struct BrokenSchema {
    tool: &'static str,
    text: String,
}

impl Schemas {
    /// Compiles the request schemas of `dialects`.
    pub(crate) fn compile(
        dialects: impl IntoIterator<Item = &'static Dialect>,
    ) -> Result<Self, BrokenSchema> {
        let mut compiled = Vec::new();
        for dialect in dialects {
            for &operation in dialect.operations() {
                let schema = schema::input_schema(operation, &[dialect]);
                let validator = jsonschema::validator_for(&schema).map_err(|error| {
                    BrokenSchema { tool: operation.tool(), text: error.to_string() }
                })?;
                compiled.push((operation, dialect, validator));
            }
        }
        Ok(Self(compiled))
    }

    /// The request of `operation` in `arguments`.
    ///
    /// # Errors
    ///
    /// Every violation of the schema, in request order.
    pub(crate) fn request<T: DeserializeOwned>(
        &self,
        operation: Operation,
        dialect: &'static Dialect,
        arguments: &Value,
    ) -> Result<T, Failure> {
        let schema = self.0.iter().find(|(op, of, _)| *op == operation && *of == dialect);
        let Some((_, _, validator)) = schema else {
            return Err(internal("there is no schema for the operation"));
        };
        if !validator.is_valid(arguments) {
            let violations = violation::all(validator, arguments);
            return Err(Failure::arguments(Code::InvalidArguments, violations));
        }
        // Invariant: the schema made from the type accepted the value, so the type
        // reads it; the protocol package's tests hold the two together.
        T::deserialize(&arguments[operation.argument()])
            .map_err(|error| internal(&format!("a valid request cannot be read: {error}")))
    }
}

fn internal(log: &str) -> Failure {
    tracing::error!("{log}");
    Failure::transport(Code::Internal, "")
}

/// A member of the request body as a JSONPath rooted at the arguments.
pub(crate) fn path(operation: Operation, member: &str) -> String {
    format!("$.{}.{member}", operation.argument())
}
