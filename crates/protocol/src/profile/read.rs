//! The profiles of other parties, read without trusting them (rules N2, N9).
//!
//! What makes a whole profile useless is a fault; what makes one entry useless
//! drops that entry. Unknown members are ignored (rule N10).

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use thiserror::Error;

use super::MCP;
use crate::codes::Code;
use crate::dialect::{Dialect, is_version};
use crate::negotiate::{Entry, Offer, authority_binding};
use crate::operation::Capability;

/// How many keys of a profile are kept: more than any platform rotates through, and
/// few enough that a profile of nothing else stays small.
const MOST_KEYS: usize = 32;

/// Why a profile cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProfileFault {
    /// It is not what a profile must be; the text names the member.
    #[error("{0}")]
    Malformed(String),
    /// It speaks a version that is not among those supported here.
    #[error("version {found} is not supported; supported: {}", supported.join(", "))]
    VersionUnsupported {
        /// The version in the profile.
        found: String,
        /// The versions that would do, newest first.
        supported: Vec<&'static str>,
    },
}

impl ProfileFault {
    /// The code under which the fault goes out (rule E1).
    pub const fn code(&self) -> Code {
        match self {
            Self::Malformed(_) => Code::ProfileMalformed,
            Self::VersionUnsupported { .. } => Code::VersionUnsupported,
        }
    }
}

/// What a platform's profile says about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Platform {
    /// The dialect that its version picks (rule N4).
    pub dialect: &'static Dialect,
    /// The capabilities that it understands; only entries that pass rule N9.
    pub offer: Offer,
    /// Its public keys as JSON Web Keys, unread (rule S4).
    pub keys: Vec<Value>,
}

impl Platform {
    /// Reads the body of a platform's profile; `supported` are the dialects of
    /// the protocol at whose endpoint the call came.
    ///
    /// # Errors
    ///
    /// In the order of rule N2: [`ProfileFault::Malformed`] without an object and
    /// a dated `ucp.version`; [`ProfileFault::VersionUnsupported`];
    /// [`ProfileFault::Malformed`] when a registry is missing or of the wrong kind.
    /// `capabilities` may be missing, which is an empty offer.
    pub fn read(body: &[u8], supported: &[&'static Dialect]) -> Result<Self, ProfileFault> {
        let profile = parse(body)?;
        let ucp = envelope(&profile)?;
        let version = version(ucp)?;
        let dialect =
            supported.iter().find(|dialect| dialect.version == version).ok_or_else(|| {
                ProfileFault::VersionUnsupported {
                    found: version.to_owned(),
                    supported: supported.iter().map(|dialect| dialect.version).collect(),
                }
            })?;
        required(ucp, "services")?;
        let capabilities = registry(ucp, "capabilities")?;
        required(ucp, "payment_handlers")?;
        let bound = |name: &str, entry: &Map<String, Value>| {
            let schema = entry.get("schema").and_then(Value::as_str);
            entry.get("spec").is_some_and(Value::is_string)
                && schema.is_some_and(|url| authority_binding(name, url))
        };
        Ok(Self { dialect, offer: offer(capabilities, bound), keys: keys(&profile, dialect) })
    }
}

/// What a business's profile says about it, for a caller that is a platform.
#[derive(Clone, Debug, PartialEq)]
pub struct Business {
    /// The version that the profile describes.
    pub version: String,
    /// The capabilities that it offers.
    pub capabilities: Offer,
    /// Older versions that it also speaks, and where their profiles are.
    pub supported_versions: BTreeMap<String, String>,
    endpoints: BTreeMap<String, String>,
}

impl Business {
    /// Reads the body of a business profile.
    ///
    /// # Errors
    ///
    /// [`ProfileFault::Malformed`] without an object, a dated `ucp.version` and
    /// the two registries that every profile has (rule P3).
    pub fn read(body: &[u8]) -> Result<Self, ProfileFault> {
        let profile = parse(body)?;
        let ucp = envelope(&profile)?;
        let version = version(ucp)?;
        let services = required(ucp, "services")?;
        let capabilities = registry(ucp, "capabilities")?;
        required(ucp, "payment_handlers")?;
        let leaves = registry(ucp, "supported_versions")?.into_iter().flatten();
        let supported_versions = leaves
            .filter_map(|(version, url)| Some((version.clone(), url.as_str()?.to_owned())))
            .collect();
        Ok(Self {
            version: version.to_owned(),
            capabilities: offer(capabilities, |_, _| true),
            supported_versions,
            endpoints: endpoints(services, version),
        })
    }

    /// The URL of the MCP endpoint that answers for `capability` in `dialect`;
    /// none when the profile describes another version or no such service.
    pub fn endpoint(&self, dialect: &Dialect, capability: Capability) -> Option<&str> {
        if self.version != dialect.version || !dialect.has(capability) {
            return None;
        }
        self.endpoints.get(dialect.service(capability)).map(String::as_str)
    }
}

fn malformed(what: impl Into<String>) -> ProfileFault {
    ProfileFault::Malformed(what.into())
}

fn parse(body: &[u8]) -> Result<Map<String, Value>, ProfileFault> {
    match serde_json::from_slice(body) {
        Ok(Value::Object(profile)) => Ok(profile),
        Ok(_) => Err(malformed("the profile must be a JSON object")),
        Err(error) => Err(malformed(format!("the profile is not JSON: {error}"))),
    }
}

fn envelope(profile: &Map<String, Value>) -> Result<&Map<String, Value>, ProfileFault> {
    let ucp = profile.get("ucp").ok_or_else(|| malformed("ucp is missing"))?;
    ucp.as_object().ok_or_else(|| malformed("ucp must be an object"))
}

fn version(ucp: &Map<String, Value>) -> Result<&str, ProfileFault> {
    let version = ucp.get("version").ok_or_else(|| malformed("ucp.version is missing"))?;
    let dated = version.as_str().filter(|version| is_version(version));
    dated.ok_or_else(|| malformed("ucp.version must be a date written as YYYY-MM-DD"))
}

/// The registry called `member`, if there is one.
fn registry<'a>(
    ucp: &'a Map<String, Value>,
    member: &str,
) -> Result<Option<&'a Map<String, Value>>, ProfileFault> {
    let Some(value) = ucp.get(member) else { return Ok(None) };
    let object = value.as_object();
    object.map(Some).ok_or_else(|| malformed(format!("ucp.{member} must be an object")))
}

fn required<'a>(
    ucp: &'a Map<String, Value>,
    member: &str,
) -> Result<&'a Map<String, Value>, ProfileFault> {
    registry(ucp, member)?.ok_or_else(|| malformed(format!("ucp.{member} is missing")))
}

/// The usable entries of a capability registry. A capability that is no array of
/// objects is dropped, and so is a single entry that cannot be read or that
/// `accept` refuses (rule N2).
fn offer(
    capabilities: Option<&Map<String, Value>>,
    accept: impl Fn(&str, &Map<String, Value>) -> bool,
) -> Offer {
    let mut offer = Offer::new();
    for (name, value) in capabilities.into_iter().flatten() {
        let objects = value
            .as_array()
            .and_then(|entries| entries.iter().map(Value::as_object).collect::<Option<Vec<_>>>());
        let entries: Vec<Entry> = objects
            .into_iter()
            .flatten()
            .filter(|object| accept(name, object))
            .filter_map(entry)
            .collect();
        if !entries.is_empty() {
            offer.insert(name.clone(), entries);
        }
    }
    offer
}

fn entry(object: &Map<String, Value>) -> Option<Entry> {
    let version = object.get("version")?.as_str()?.to_owned();
    let extends = match object.get("extends") {
        None => Vec::new(),
        Some(Value::String(parent)) => vec![parent.clone()],
        Some(Value::Array(parents)) => {
            let text = |parent: &Value| parent.as_str().map(str::to_owned);
            parents.iter().map(text).collect::<Option<_>>()?
        }
        Some(_) => return None,
    };
    Some(Entry { version, extends })
}

/// The keys of a profile: those under the dialect's own name, and those under
/// the name that later versions use. Anything else there is no keys, never a fault.
fn keys(profile: &Map<String, Value>, dialect: &Dialect) -> Vec<Value> {
    let later = if dialect.keys_member == "keys" { None } else { Some("keys") };
    let members = [Some(dialect.keys_member), later].into_iter().flatten();
    let arrays = members.filter_map(|member| profile.get(member)?.as_array());
    arrays.flatten().filter(|key| key.is_object()).take(MOST_KEYS).cloned().collect()
}

fn endpoints(services: &Map<String, Value>, version: &str) -> BTreeMap<String, String> {
    let endpoint = |entry: &Value| {
        let is = |member: &str, text: &str| entry.get(member).is_some_and(|value| value == text);
        let url = entry.get("endpoint")?.as_str()?;
        (is("transport", MCP) && is("version", version)).then(|| url.to_owned())
    };
    let found = services.iter().filter_map(|(name, entries)| {
        Some((name.clone(), entries.as_array()?.iter().find_map(endpoint)?))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::dialect::Protocol;

    fn read(profile: &Value) -> Result<Platform, ProfileFault> {
        let supported: Vec<&Dialect> = Dialect::of(Protocol::Ucp).collect();
        Platform::read(&serde_json::to_vec(profile).unwrap(), &supported)
    }

    fn fault(profile: &Value) -> String {
        let fault = read(profile).unwrap_err();
        format!("{}: {fault}", fault.code().name())
    }

    #[test]
    fn rule_n2_faults_in_the_order_of_validation() {
        let faults = [
            json!([]),
            json!("profile"),
            json!({}),
            json!({"ucp": []}),
            json!({"ucp": {}}),
            json!({"ucp": {"version": 20260825}}),
            json!({"ucp": {"version": "2026-02-30"}}),
            json!({"ucp": {"version": "2099-01-01", "services": []}}),
            json!({"ucp": {"version": "2026-08-25"}}),
            json!({"ucp": {"version": "2026-08-25", "services": []}}),
            json!({"ucp": {"version": "2026-08-25", "services": {}, "capabilities": []}}),
            json!({"ucp": {"version": "2026-08-25", "services": {}, "capabilities": null}}),
            json!({"ucp": {"version": "2026-08-25", "services": {}}}),
            json!({"ucp": {"version": "2026-08-25", "services": {}, "payment_handlers": []}}),
        ];
        let lines: Vec<String> = faults.iter().map(fault).collect();
        insta::assert_snapshot!(lines.join("\n"));
    }

    #[test]
    fn rule_n2_what_is_no_json_is_malformed() {
        for body in [&b""[..], b"<html>", b"{\"ucp\":", b"\xff{}"] {
            let fault = Platform::read(body, &[]).unwrap_err();
            assert_eq!(fault.code(), Code::ProfileMalformed);
        }
        let deep = "[".repeat(200_000);
        assert_eq!(
            Platform::read(deep.as_bytes(), &[]).unwrap_err().code(),
            Code::ProfileMalformed
        );
    }

    #[test]
    fn rule_n2_an_empty_offer_is_a_profile() {
        let profile =
            json!({"ucp": {"version": "2026-04-08", "services": {}, "payment_handlers": {}}});
        let platform = read(&profile).unwrap();
        assert_eq!(*platform.dialect, Dialect::UCP_2026_04_08);
        assert!(platform.offer.is_empty() && platform.keys.is_empty());
    }

    #[test]
    fn rule_n2_a_bad_capability_or_entry_is_dropped_alone() {
        let good =
            json!({"version": "1", "spec": "https://ucp.dev/s", "schema": "https://ucp.dev/j"});
        let with = |member: &str, value: Value| {
            let mut entry = good.clone();
            entry[member] = value;
            entry
        };
        let without = |member: &str| {
            let mut entry = good.clone();
            entry.as_object_mut().unwrap().remove(member);
            entry
        };
        let profile = json!({"ucp": {
            "version": "2026-08-25", "services": {}, "payment_handlers": {},
            "capabilities": {
                "dev.ucp.a": [good],
                "dev.ucp.b": [without("spec"), without("schema"), without("version"), good],
                "dev.ucp.c": [with("schema", json!("https://evil.example/j"))],
                "dev.ucp.d": good,
                "dev.ucp.e": [good, "text"],
                "dev.ucp.f": null,
                "dev.ucp.g": [with("extends", json!("dev.ucp.a"))],
                "dev.ucp.h": [with("extends", json!(["dev.ucp.a", "dev.ucp.b"]))],
                "dev.ucp.i": [with("extends", json!([1]))],
                "dev.ucp.j": [],
                "com.other": [good],
            },
        }});
        let offer = read(&profile).unwrap().offer;
        let expected = Offer::from([
            ("dev.ucp.a".into(), vec![Entry::new("1")]),
            ("dev.ucp.b".into(), vec![Entry::new("1")]),
            ("dev.ucp.g".into(), vec![Entry::extending("1", &["dev.ucp.a"])]),
            ("dev.ucp.h".into(), vec![Entry::extending("1", &["dev.ucp.a", "dev.ucp.b"])]),
        ]);
        assert_eq!(offer, expected);
    }

    #[test]
    fn rule_s3_keys_come_from_the_members_of_the_version() {
        let profile = |version: &str, member: &str, value: Value| {
            let ucp = json!({"version": version, "services": {}, "payment_handlers": {}});
            let mut profile = json!({ "ucp": ucp });
            profile[member] = value;
            read(&profile).unwrap().keys.len()
        };
        let two = || json!([{"kid": "a"}, {"kid": "b"}, "noise"]);
        assert_eq!(profile("2026-08-25", "keys", two()), 2);
        assert_eq!(profile("2026-08-25", "signing_keys", two()), 0);
        assert_eq!(profile("2026-04-08", "signing_keys", two()), 2);
        assert_eq!(profile("2026-04-08", "keys", two()), 2);
        assert_eq!(profile("2026-08-25", "keys", json!({"kid": "a"})), 0);
        assert_eq!(profile("2026-08-25", "keys", json!(null)), 0);
    }

    #[test]
    fn rule_p3_an_endpoint_needs_the_transport_and_the_version() {
        let entry = |transport: &str, version: &str, url: &str| json!({"transport": transport, "version": version, "endpoint": url});
        let profile = json!({"ucp": {
            "version": "2026-08-25", "payment_handlers": {},
            "services": {"dev.ucp.shopping": [
                entry("rest", "2026-08-25", "https://a.example"),
                entry("mcp", "2026-04-08", "https://b.example"),
                entry("mcp", "2026-08-25", "https://c.example"),
            ]},
        }});
        let business = Business::read(&serde_json::to_vec(&profile).unwrap()).unwrap();
        let dialect = &Dialect::UCP_2026_08_25;
        let endpoint = business.endpoint(dialect, Capability::CatalogSearch);
        assert_eq!(endpoint, Some("https://c.example"));
        assert_eq!(business.endpoint(dialect, Capability::LocationSearch), None);
        assert_eq!(business.endpoint(&Dialect::UCP_2026_04_08, Capability::CatalogSearch), None);
    }
}
