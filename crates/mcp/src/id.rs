//! The id of a JSON-RPC request, kept as the text that was sent.
//!
//! Clients compare the id of an answer with their own, some by type, so it goes
//! back as it came: `1.0`, `1e2` and `12345678901234567890` survive only as text
//! (rule M6).

/// A string or a number, in the sender's own JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Id(Box<str>);

/// Why a value is not an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotAnId {
    /// JSON-RPC knows it, MCP forbids it.
    Null,
    /// A boolean, an array or an object.
    WrongType,
}

impl Id {
    /// Takes one complete JSON value, without white space around it.
    pub(crate) fn from_json(text: &str) -> Result<Self, NotAnId> {
        match text.as_bytes().first() {
            Some(b'"' | b'-' | b'0'..=b'9') => Ok(Self(text.into())),
            Some(b'n') => Err(NotAnId::Null),
            _ => Err(NotAnId::WrongType),
        }
    }

    /// The JSON text to send back.
    pub(crate) fn as_json(&self) -> &str {
        &self.0
    }
}
