//! One tool call, from its name to its outcome, in the order of rule E2: tool
//! name, profile, version, capability, arguments.

use super::{App, Caller, Endpoint};
use crate::failure::Failure;
use crate::ops::{self, Context};
use crate::platform::{ProfileFailure, ProofFault};
use crate::respond;
use jiff::Timestamp;
use mcp::{Call, Outcome};
use protocol::codes::Code;
use protocol::dialect::Dialect;
use protocol::negotiate::{self, Active};
use protocol::operation::{AGENT, META, Operation, PROFILE};
use protocol::profile::Platform;
use serde_json::Value;
use signature::Refusal;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;
use url::Url;

/// When a client may try again while the feeds are still being read.
const LOADING_RETRY_S: u64 = 2;

impl App {
    pub(super) async fn call(&self, endpoint: &Endpoint, call: &Call, caller: &Caller) -> Outcome {
        let started = Instant::now();
        let mut spoken = Spoken::default();
        let answer = self.answer(endpoint, call, caller, &mut spoken).await;
        let code = match &answer {
            Ok(_) => "ok",
            Err(Failure::Transport(failure)) => failure.code.name(),
            Err(Failure::Outcome(outcome)) => outcome.code.name(),
        };
        tracing::info!(
            request_id = %caller.request_id,
            protocol = endpoint.protocol().name(),
            tool = spoken.operation.map_or("-", Operation::tool),
            version = spoken.dialect.map_or("-", |dialect| dialect.version),
            platform = spoken.platform_host.as_deref().unwrap_or("-"),
            code,
            elapsed_us = started.elapsed().as_micros(),
            "call"
        );
        match answer {
            Ok(structured) => Outcome::Result { structured, is_error: false },
            Err(failure) => {
                let dialect = spoken.dialect.unwrap_or(endpoint.dialects()[0]);
                let said = respond::Said {
                    dialect,
                    capabilities: &spoken.capabilities,
                    continue_url: self.config.store.continue_url(),
                    request_id: &caller.request_id,
                };
                respond::failure(failure, &said)
            }
        }
    }

    async fn answer(
        &self,
        endpoint: &Endpoint,
        call: &Call,
        caller: &Caller,
        spoken: &mut Spoken,
    ) -> Result<String, Failure> {
        let operation = operation(endpoint, &call.tool)?;
        spoken.operation = Some(operation);
        let url = profile_url(&call.arguments)?;
        let parsed = Url::parse(url).ok();
        // For the log: never the path or the query.
        spoken.platform_host = parsed.as_ref().and_then(Url::host_str).map(str::to_owned);
        self.limits.admit(parsed.as_ref(), caller.address)?;
        let platform =
            self.platforms.platform(url, endpoint.protocol(), endpoint.dialects()).await?;
        let dialect = platform.dialect;
        spoken.dialect = Some(dialect);
        self.prove(endpoint, url, &platform, caller).await?;
        spoken.capabilities = negotiated(endpoint, operation, &platform)?;
        let snapshot = self.snapshot_for(cursor(operation, &call.arguments)).ok_or_else(|| {
            Failure::passing(
                Code::Unavailable,
                "the store is still reading its feeds",
                LOADING_RETRY_S,
            )
        })?;
        let context = Context {
            config: &self.config,
            schemas: &self.schemas,
            cursors: &self.cursors,
            snapshot: &snapshot,
            operation,
            dialect,
            capabilities: &spoken.capabilities,
            now: Timestamp::now(),
        };
        guarded(operation, caller, || ops::run(&context, &call.arguments))
    }

    /// Refuses a call that is not its platform's (rules S3, S6).
    async fn prove(
        &self,
        endpoint: &Endpoint,
        url: &str,
        platform: &Platform,
        caller: &Caller,
    ) -> Result<(), Failure> {
        let now_s = Timestamp::now().as_second();
        let check = |platform: &Platform| {
            self.proofs.check(&caller.evidence, platform, url, &caller.request_id, now_s)
        };
        let mut verdict = check(platform);
        if verdict == Err(ProofFault::Refused(Refusal::KeyNotFound)) {
            let anew =
                self.platforms.platform_anew(url, endpoint.protocol(), endpoint.dialects()).await;
            if let Some(platform) = anew {
                verdict = check(&platform);
            }
        }
        Ok(verdict?)
    }
}

/// `pagination.cursor` of an operation that has pages, as it was sent.
fn cursor(operation: Operation, arguments: &Value) -> Option<&str> {
    let has_pages = match operation {
        Operation::SearchCatalog | Operation::SearchLocations => true,
        Operation::LookupCatalog | Operation::GetProduct | Operation::LookupLocations => false,
    };
    let body = has_pages.then(|| arguments.get(operation.argument())).flatten()?;
    body.get("pagination")?.get("cursor")?.as_str()
}

/// The operation that is called `tool` at `endpoint` (rule E3).
fn operation(endpoint: &Endpoint, tool: &str) -> Result<Operation, Failure> {
    let operations = endpoint.operations();
    Operation::from_tool(tool).filter(|operation| operations.contains(operation)).ok_or_else(|| {
        let known: Vec<_> = operations.iter().map(|operation| operation.tool()).collect();
        let content = format!("there is no tool of this name; the tools are {}", known.join(", "));
        Failure::transport(Code::UnknownTool, content)
    })
}

/// What is known of a call so far, for the log and for error answers.
#[derive(Default)]
struct Spoken {
    operation: Option<Operation>,
    dialect: Option<&'static Dialect>,
    platform_host: Option<String>,
    capabilities: Active,
}

/// Carries an operation out; a panic in it is this call's failure alone (rule M12).
fn guarded(
    operation: Operation,
    caller: &Caller,
    run: impl FnOnce() -> Result<String, Failure>,
) -> Result<String, Failure> {
    // Whatever the operation was looking at is immutable, so nothing is left broken.
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        tracing::error!(request_id = %caller.request_id, tool = operation.tool(), "a panic in a tool");
        Err(Failure::transport(Code::Internal, ""))
    })
}

/// `meta["ucp-agent"].profile` (rule N1).
fn profile_url(arguments: &Value) -> Result<&str, Failure> {
    let profile =
        arguments.get(META).and_then(|meta| meta.get(AGENT)).and_then(|agent| agent.get(PROFILE));
    match profile {
        Some(Value::String(url)) => Ok(url),
        Some(_) => Err(no_profile("must be a string")),
        None => Err(no_profile("is missing")),
    }
}

fn no_profile(fault: &str) -> Failure {
    let content = format!(
        "arguments.{META}[\"{AGENT}\"].{PROFILE} {fault}: send the https URL of your platform's profile with every call"
    );
    Failure::transport(Code::InvalidProfileUrl, content)
}

/// The negotiated capabilities that the answer names (rules N5 to N7).
fn negotiated(
    endpoint: &Endpoint,
    operation: Operation,
    platform: &Platform,
) -> Result<Active, Failure> {
    let dialect = platform.dialect;
    let active = negotiate::intersect(endpoint.offer(dialect), &platform.offer);
    let capability = operation.capability();
    let name = dialect.capability(capability);
    if dialect.has(capability) && active.contains_key(name) {
        return Ok(negotiate::relevant(&active, name));
    }
    Err(Failure::incompatible(if dialect.has(capability) {
        format!(
            "{name} {} is not among the capabilities of your platform's profile; add it there to use {}",
            dialect.version,
            operation.tool()
        )
    } else {
        format!(
            "{} does not exist in version {}, which your platform's profile speaks; a newer one has it",
            operation.tool(),
            dialect.version
        )
    }))
}

impl From<ProfileFailure> for Failure {
    fn from(failure: ProfileFailure) -> Self {
        let content = failure.to_string();
        match failure {
            ProfileFailure::InvalidUrl { .. } => Self::transport(Code::InvalidProfileUrl, content),
            ProfileFailure::Unreachable { .. } => {
                Self::transport(Code::ProfileUnreachable, content)
            }
            ProfileFailure::Malformed { .. } => Self::transport(Code::ProfileMalformed, content),
            ProfileFailure::VersionUnsupported { .. } => {
                Self::transport(Code::VersionUnsupported, content)
            }
            ProfileFailure::NotTrusted => Self::transport(Code::ProfileNotTrusted, content),
            ProfileFailure::Busy { retry_after_s } => {
                Self::passing(Code::Unavailable, content, retry_after_s)
            }
        }
    }
}

impl From<ProofFault> for Failure {
    fn from(fault: ProofFault) -> Self {
        let code = match &fault {
            ProofFault::Refused(Refusal::Missing) => Code::SignatureMissing,
            ProofFault::Refused(Refusal::DigestMismatch) => Code::DigestMismatch,
            ProofFault::Refused(Refusal::AlgorithmUnsupported) => Code::AlgorithmUnsupported,
            ProofFault::Refused(Refusal::KeyNotFound) => Code::KeyNotFound,
            ProofFault::UnknownKey => Code::Unauthorized,
            ProofFault::OthersKey => Code::Forbidden,
            ProofFault::Refused(_) | ProofFault::Replayed => Code::SignatureInvalid,
        };
        Self::transport(code, fault.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::{Caller, guarded};
    use crate::failure::Failure;
    use crate::respond::{self, Said};
    use protocol::codes::Code;
    use protocol::dialect::Dialect;
    use protocol::negotiate::Active;
    use protocol::operation::Operation;

    #[test]
    fn rules_m12_and_e4_a_panic_is_one_call_s_failure_and_says_nothing_of_itself() {
        let caller = Caller::new(None);
        let answer = guarded(Operation::GetProduct, &caller, || panic!("a secret of the shop"));
        let Err(failure @ Failure::Transport(_)) = answer else { panic!("a panic is a failure") };
        let said = Said {
            dialect: &Dialect::UCP_2026_08_25,
            capabilities: &Active::new(),
            continue_url: None,
            request_id: &caller.request_id,
        };
        let mcp::Outcome::Error(error) = respond::failure(failure, &said) else {
            panic!("a failure of the transport layer is an error")
        };
        assert_eq!((error.code, error.http_status), (-32603, 500));
        let data = error.data.unwrap();
        assert_eq!(data["code"], Code::Internal.name());
        assert_eq!(data["request_id"], caller.request_id.as_str());
        assert!(!format!("{}{data}", error.message).contains("secret"));
        assert_eq!(guarded(Operation::GetProduct, &caller, || Ok("next".into())).unwrap(), "next");
    }
}
