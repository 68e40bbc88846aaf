//! The error codes, one row each (rules E1, E2, E5, N7, C9 to C11, L11).
//!
//! A code of the transport layer goes out as a JSON-RPC error under an HTTP
//! status; a code of the outcome layer goes out as a message inside a successful
//! result. Faults of JSON-RPC itself (not JSON, no request, unknown method) have
//! no code of the protocol and belong to the package `mcp`.

use crate::message::{MessageKind, Severity};

/// Where a code is heard (rule E1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// As `error.data.code` of a JSON-RPC error.
    Transport,
    /// As the `code` of a message of this kind in a result.
    Outcome(MessageKind),
}

/// Everything that the wire needs to know about a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The code that this row is about.
    pub code: Code,
    /// The code as written on the wire.
    pub name: &'static str,
    /// Where it is heard.
    pub layer: Layer,
    /// The HTTP status of the response that carries it.
    pub http_status: u16,
    /// The JSON-RPC error code; none for outcomes.
    pub json_rpc: Option<i32>,
    /// The severity of an error message; none elsewhere.
    pub severity: Option<Severity>,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $code:ident = $name:literal, $row:ident($($column:expr),*);)+) => {
        /// A code of the protocols, by the layer in which it is heard.
        ///
        /// Two codes may share one name on the wire, once in each layer or once
        /// in each kind of message.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[$doc])* $code,)+
        }

        impl Code {
            /// The table: every code, in the order of the enum.
            pub const TABLE: &[Row] = &[$($row(Code::$code, $name, $($column),*),)+];
        }
    };
}

codes! {
    /// The platform's profile URL is missing or may not be fetched (rule N1).
    InvalidProfileUrl = "invalid_profile_url", transport(400, -32001);
    /// The platform's profile could not be fetched (rule N1).
    ProfileUnreachable = "profile_unreachable", transport(424, -32001);
    /// The platform's profile is not what a profile must be (rule N2).
    ProfileMalformed = "profile_malformed", transport(422, -32001);
    /// The platform speaks a version that this endpoint does not (rule N4).
    VersionUnsupported = "version_unsupported", transport(422, -32001);
    /// The platform is not in the registry that the shop requires (rule N3).
    ProfileNotTrusted = "profile_not_trusted", transport(403, -32001);
    /// A signature is required and there is none (rule S6).
    SignatureMissing = "signature_missing", transport(401, -32000);
    /// No signature of the request verifies (rule S1).
    SignatureInvalid = "signature_invalid", transport(401, -32000);
    /// The signature names a key that the profile does not have (rule S3).
    KeyNotFound = "key_not_found", transport(401, -32000);
    /// The body does not have the digest that was signed (rule S1).
    DigestMismatch = "digest_mismatch", transport(400, -32600);
    /// The signature uses an algorithm that is not supported (rule S1).
    AlgorithmUnsupported = "algorithm_unsupported", transport(400, -32600);
    /// Credentials are missing or wrong.
    Unauthorized = "unauthorized", transport(401, -32000);
    /// The principal may not do this, or not speak for that profile (rule S6).
    Forbidden = "forbidden", transport(403, -32000);
    /// Too many requests; `data.retry_after` is in seconds.
    RateLimited = "rate_limited", transport(429, -32000);
    /// Not now; `data.retry_after` is in seconds (rule N3).
    Unavailable = "unavailable", transport(503, -32000);
    /// The arguments do not fit the tool's schema or the rules behind it (rule E2).
    InvalidArguments = "invalid_arguments", transport(200, -32602);
    /// There is no tool of that name (rule E3).
    UnknownTool = "unknown_tool", transport(200, -32602);
    /// The cursor is not one that this query can be continued with (rule C7).
    InvalidCursor = "invalid_cursor", transport(200, -32602);
    /// More identifiers than one call may bring (rule C10).
    RequestTooLarge = "request_too_large", transport(200, -32602);
    /// A Location filter that this shop cannot evaluate (rule L8).
    UnsupportedFilter = "unsupported_filter", transport(200, -32602);
    /// A service target that this shop cannot evaluate (rule L4).
    UnsupportedTarget = "unsupported_target", transport(200, -32602);
    /// A fault of this server (rule E4).
    Internal = "internal", transport(500, -32603);
    /// The operation's capability is not in the intersection (rule N7).
    CapabilitiesIncompatible = "capabilities_incompatible", error(Severity::Unrecoverable);
    /// The one product asked for does not exist (rule C12).
    NotFound = "not_found", error(Severity::Unrecoverable);
    /// The product exists, but the filters leave no variant of it (rule C11).
    NoMatchingVariants = "no_matching_variants", error(Severity::Recoverable);
    /// One of several identifiers did not resolve (rules C9, L10).
    IdNotFound = "not_found", info();
    /// Identifiers beyond the batch maximum were not processed (rule L11).
    BatchLimitApplied = "batch_limit_applied", info();
    /// A catalog filter that this shop does not know was not applied (rule C5).
    FilterNotApplied = "unsupported_filter", warning();
    /// The price filter could not be applied in the currency asked for (rule C3).
    PriceFilterIgnored = "price_filter_ignored", warning();
    /// No product has all words of the query, so some of them were let go.
    QueryRelaxed = "query_relaxed", info();
}

impl Code {
    /// The row of this code.
    pub const fn row(self) -> &'static Row {
        // Invariant: the macro lays the table out in the order of the enum, so
        // the discriminant is the index; a test walks all of it.
        &Self::TABLE[self as usize]
    }

    /// The code as written on the wire.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The HTTP status of the response that carries it.
    pub const fn http_status(self) -> u16 {
        self.row().http_status
    }

    /// The JSON-RPC error code; none for outcomes.
    pub const fn json_rpc(self) -> Option<i32> {
        self.row().json_rpc
    }

    /// The severity of an error message; none elsewhere.
    pub const fn severity(self) -> Option<Severity> {
        self.row().severity
    }
}

const fn transport(code: Code, name: &'static str, http_status: u16, json_rpc: i32) -> Row {
    let json_rpc = Some(json_rpc);
    Row { code, name, layer: Layer::Transport, http_status, json_rpc, severity: None }
}

const fn error(code: Code, name: &'static str, severity: Severity) -> Row {
    Row { severity: Some(severity), ..outcome(code, name, MessageKind::Error) }
}

const fn warning(code: Code, name: &'static str) -> Row {
    outcome(code, name, MessageKind::Warning)
}

const fn info(code: Code, name: &'static str) -> Row {
    outcome(code, name, MessageKind::Info)
}

const fn outcome(code: Code, name: &'static str, kind: MessageKind) -> Row {
    let layer = Layer::Outcome(kind);
    Row { code, name, layer, http_status: 200, json_rpc: None, severity: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_e1_every_code_finds_its_own_row() {
        for row in Code::TABLE {
            assert_eq!(row.code.row(), row);
        }
    }

    #[test]
    fn rule_e1_layers_are_consistent() {
        for row in Code::TABLE {
            let transport = row.layer == Layer::Transport;
            let error = row.layer == Layer::Outcome(MessageKind::Error);
            assert_eq!(row.json_rpc.is_some(), transport, "{}", row.name);
            assert_eq!(row.severity.is_some(), error, "{}", row.name);
            assert!(transport || row.http_status == 200, "{}", row.name);
        }
    }

    #[test]
    fn rule_e1_a_name_is_unique_within_its_layer_and_kind() {
        for (index, row) in Code::TABLE.iter().enumerate() {
            for other in &Code::TABLE[index + 1..] {
                assert!(row.name != other.name || row.layer != other.layer, "{}", row.name);
            }
        }
    }

    #[test]
    fn rule_e1_the_table() {
        let lines: Vec<String> = Code::TABLE
            .iter()
            .map(|row| {
                let rpc = row.json_rpc.map_or("-".to_owned(), |code| code.to_string());
                format!(
                    "{:<26} {:<18} {} {:>6} {:?}",
                    row.name,
                    format!("{:?}", row.layer),
                    row.http_status,
                    rpc,
                    row.severity
                )
            })
            .collect();
        insta::assert_snapshot!(lines.join("\n"));
    }
}
