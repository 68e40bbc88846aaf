//! What can go wrong between a call and its answer.
//!
//! Two layers, as the specification has them (rule E1): a transport failure ends
//! as a JSON-RPC error, an outcome as a result whose `ucp.status` is `error`.
//! Nothing here knows a status or a body; that is `respond`'s.

use protocol::codes::Code;
use std::borrow::Cow;

/// One thing that is wrong with the arguments of a call (rule E2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Violation {
    /// JSONPath rooted at the tool's `arguments`, such as `$.catalog.pagination.limit`.
    pub path: String,
    /// What is wrong there and what would be right.
    pub message: String,
}

/// Why a call has no ordinary answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Failure {
    /// The call could not be carried out.
    Transport(Transport),
    /// The call was carried out, and what was asked for is not to be had.
    Outcome(Outcome),
}

/// A failure of the transport layer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Transport {
    /// Which row of table E.
    pub code: Code,
    /// What happened and what the agent can do, for the client.
    pub content: String,
    /// What is wrong with the arguments, in request order.
    pub violations: Vec<Violation>,
    /// When to try again, in seconds.
    pub retry_after_s: Option<u64>,
}

/// A business outcome that is no success.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// Which code.
    pub code: Code,
    /// What the agent reads.
    pub content: String,
    /// Whether the response names the negotiated capabilities (not when there are
    /// none in common, rule N7).
    pub names_capabilities: bool,
}

impl Failure {
    /// A transport failure without violations.
    pub(crate) fn transport(code: Code, content: impl Into<String>) -> Self {
        let (violations, retry_after_s) = (Vec::new(), None);
        Self::Transport(Transport { code, content: content.into(), violations, retry_after_s })
    }

    /// A transport failure that passes by itself after some seconds.
    pub(crate) fn passing(code: Code, content: impl Into<String>, retry_after_s: u64) -> Self {
        let (violations, retry_after_s) = (Vec::new(), Some(retry_after_s));
        Self::Transport(Transport { code, content: content.into(), violations, retry_after_s })
    }

    /// Arguments that cannot be used, with every violation found; the content
    /// sums them up for clients that show nothing else (rule M10).
    pub(crate) fn arguments(code: Code, mut violations: Vec<Violation>) -> Self {
        let hidden = violations.len().saturating_sub(MOST_VIOLATIONS);
        violations.truncate(MOST_VIOLATIONS);
        let mut content = violations
            .iter()
            .take(SHOWN_IN_CONTENT)
            .map(|violation| format!("{}: {}", violation.path, violation.message))
            .collect::<Vec<_>>()
            .join("; ");
        if violations.len() > SHOWN_IN_CONTENT {
            let more = violations.len() - SHOWN_IN_CONTENT;
            content.push_str(&format!("; and {more} more, listed in errors"));
        }
        if hidden > 0 {
            content.push_str("; and others that are not listed");
        }
        Self::Transport(Transport { code, content, violations, retry_after_s: None })
    }

    /// Arguments of which one member cannot be used.
    pub(crate) fn argument(
        code: Code,
        path: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self::arguments(code, vec![Violation { path: path.into(), message: message.into() }])
    }

    /// A business outcome that names the capability it came from.
    pub(crate) fn outcome(code: Code, content: impl Into<String>) -> Self {
        Self::Outcome(Outcome { code, content: content.into(), names_capabilities: true })
    }

    /// The operation's capability was not negotiated (rule N7).
    pub(crate) fn incompatible(content: impl Into<String>) -> Self {
        Self::Outcome(Outcome {
            code: Code::CapabilitiesIncompatible,
            content: content.into(),
            names_capabilities: false,
        })
    }
}

/// The beginning of what a caller sent, for a text that repeats it: a megabyte sent
/// must not come back several times.
pub(crate) fn excerpt(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(LONGEST_ECHO) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// How many characters of a caller's text are repeated to it.
const LONGEST_ECHO: usize = 200;

/// How many violations the summing-up text repeats; all are in `errors`.
const SHOWN_IN_CONTENT: usize = 5;

/// How many violations are listed: more than any repair takes, and few enough
/// that a hostile request cannot make a large answer.
pub(crate) const MOST_VIOLATIONS: usize = 200;
