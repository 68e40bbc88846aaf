//! What the stateless era asks of every request (rule M4), in the rule's order.
//!
//! First `_meta`, then the headers, then the version; the method comes last and is
//! [`crate::server`]'s. The order shows: a client that probes with a version of its
//! own learns that from -32022 only when the rest of the request is well-formed.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::era::{self, Era, META_CLIENT_CAPABILITIES, META_PROTOCOL_VERSION};
use crate::fault::{Fault, excerpt};
use crate::header::{self, Headers, Transport};
use crate::server::TOOLS_CALL;
use crate::version;

/// Checks one request.
pub(crate) fn check(
    transport: &Transport<'_>,
    method: &str,
    params: &Map<String, Value>,
) -> Result<(), Fault> {
    let version = check_meta(params)?;
    if let Transport::Http(headers) = transport {
        check_headers(headers, version, method, params)?;
    }
    check_version(version)
}

/// Checks a notification, of which the revision asks nothing but that its header, if
/// any, names a version that exists.
pub(crate) fn check_notification(transport: &Transport<'_>) -> Result<(), Fault> {
    match transport.protocol_version() {
        Some(name) if version::revision(name).is_none() => Err(unsupported(name)),
        _ => Ok(()),
    }
}

fn check_meta(params: &Map<String, Value>) -> Result<&str, Fault> {
    let meta = era::meta(params);
    let member = |name| meta.and_then(|meta| meta.get(name));
    let version =
        member(META_PROTOCOL_VERSION).and_then(Value::as_str).ok_or(Fault::MetaVersion)?;
    match member(META_CLIENT_CAPABILITIES) {
        Some(Value::Object(_)) => Ok(version),
        _ => Err(Fault::MetaCapabilities),
    }
}

fn check_headers(
    headers: &Headers<'_>,
    version: &str,
    method: &str,
    params: &Map<String, Value>,
) -> Result<(), Fault> {
    // Dates need no encoding; the other two values may be sent as base64.
    let plain = |value| Some(Cow::Borrowed(header::trim(value)));
    let version_mirror = Mirror("MCP-Protocol-Version", "protocolVersion in params._meta");
    version_mirror.check(headers.protocol_version, plain, version)?;
    Mirror("Mcp-Method", "method").check(headers.method, header::decode, method)?;
    match params.get("name") {
        Some(Value::String(name)) if method == TOOLS_CALL => {
            Mirror("Mcp-Name", "params.name").check(headers.name, header::decode, name)
        }
        // A call without a name has nothing to repeat; it is refused for that later.
        _ => Ok(()),
    }
}

fn check_version(name: &str) -> Result<(), Fault> {
    match version::revision(name) {
        Some(revision) if revision.era == Era::Stateless => Ok(()),
        _ => Err(unsupported(name)),
    }
}

fn unsupported(name: &str) -> Fault {
    Fault::UnsupportedVersion { requested: excerpt(name) }
}

/// A header, and the member of the body that it must repeat.
struct Mirror(&'static str, &'static str);

impl Mirror {
    fn check<'a>(
        self,
        value: Option<&'a str>,
        decode: impl Fn(&'a str) -> Option<Cow<'a, str>>,
        expected: &str,
    ) -> Result<(), Fault> {
        let Self(header, member) = self;
        let Some(value) = value else {
            return Err(Fault::HeaderMissing { header, member, expected: excerpt(expected) });
        };
        if decode(value).is_some_and(|text| text == expected) {
            return Ok(());
        }
        let (found, expected) = (excerpt(value), excerpt(expected));
        Err(Fault::HeaderDiffers { header, member, found, expected })
    }
}
