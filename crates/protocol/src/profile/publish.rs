//! The profiles that we publish.
//!
//! The members come in a fixed order, so that the same store is always
//! described by the same bytes and an entity tag can stand for them (rule P4).

use serde_json::{Map, Value, json};

use super::MCP;
use crate::dialect::{Artifact, Dialect, Service};
use crate::negotiate::{Entry, Offer};
use crate::operation::Capability;

/// What a store has to show for itself (rule P5).
#[derive(Clone, Copy, Debug)]
pub struct Advertised<'a> {
    /// Scheme, host and port under which platforms see the store, without a trailing slash.
    pub origin: &'a str,
    /// Whether there is a catalog to search and look up.
    pub catalog: bool,
    /// Whether there are Locations to search and look up.
    pub locations: bool,
    /// The dialects served, the current one of each protocol before its older ones.
    pub supported: &'a [&'static Dialect],
    /// Public keys as JSON Web Keys.
    pub keys: &'a [Value],
}

impl Advertised<'_> {
    /// The capabilities to advertise in `dialect`: configured, and defined there.
    fn capabilities(&self, dialect: &Dialect) -> impl Iterator<Item = Capability> {
        let Self { catalog, locations, .. } = *self;
        dialect.capabilities().filter(move |capability| match capability.service() {
            Service::Shopping => catalog,
            Service::Common => locations,
        })
    }

    /// The dialects of the same protocol that a profile in `dialect` refers to:
    /// all the others when it is the current one, none when it is a leaf (rule P3).
    fn older(&self, dialect: &Dialect) -> impl Iterator<Item = &'static Dialect> {
        let mut same = self.supported.iter().filter(|other| other.protocol == dialect.protocol);
        let leaf = same.position(|other| *other == dialect).is_some_and(|index| index > 0);
        let (protocol, version) = (dialect.protocol, dialect.version);
        let others = self.supported.iter().copied();
        others.filter(move |other| !leaf && other.protocol == protocol && other.version != version)
    }
}

/// The business profile of the store in `dialect`.
///
/// `services` and `payment_handlers` are there even when empty; the older
/// versions are named in the current profile only (rule P3).
pub fn business(dialect: &Dialect, store: &Advertised<'_>) -> Value {
    let endpoint = format!("{}{}", store.origin, dialect.protocol.mcp_path());
    let capabilities: Vec<Capability> = store.capabilities(dialect).collect();
    let mut ucp = document(dialect, &capabilities, Some(&endpoint));
    let older: Map<String, Value> = store
        .older(dialect)
        .map(|other| {
            let path = other.protocol.leaf_path(other.version);
            (other.version.to_owned(), json!(format!("{}{path}", store.origin)))
        })
        .collect();
    if !older.is_empty() {
        ucp.insert("supported_versions".to_owned(), Value::Object(older));
    }
    let mut profile = Map::new();
    profile.insert("ucp".to_owned(), Value::Object(ucp));
    if !store.keys.is_empty() {
        profile.insert(dialect.keys_member.to_owned(), json!(store.keys));
    }
    Value::Object(profile)
}

/// What the store brings to a negotiation in `dialect`; the same capabilities
/// that [`business`] lists.
pub fn offer(dialect: &Dialect, store: &Advertised<'_>) -> Offer {
    store
        .capabilities(dialect)
        .map(|capability| {
            (dialect.capability(capability).to_owned(), vec![Entry::new(dialect.version)])
        })
        .collect()
}

/// The profile of a platform that understands everything in `dialect`; what
/// `shopkeeper call` shows of itself.
pub fn platform(dialect: &Dialect) -> Value {
    let capabilities: Vec<Capability> = dialect.capabilities().collect();
    json!({ "ucp": document(dialect, &capabilities, None) })
}

/// The `ucp` member of a profile.
fn document(
    dialect: &Dialect,
    capabilities: &[Capability],
    endpoint: Option<&str>,
) -> Map<String, Value> {
    let mut services = Map::new();
    let mut entries = Map::new();
    for &capability in capabilities {
        let name = dialect.service(capability).to_owned();
        services
            .entry(name)
            .or_insert_with(|| json!([service(dialect, capability.service(), endpoint)]));
        let entry = json!([{
            "version": dialect.version,
            "spec": dialect.artifact(Artifact::Spec(capability)),
            "schema": dialect.artifact(Artifact::Schema(capability)),
        }]);
        entries.insert(dialect.capability(capability).to_owned(), entry);
    }
    let members = [
        ("version", json!(dialect.version)),
        ("services", Value::Object(services)),
        ("capabilities", Value::Object(entries)),
        ("payment_handlers", json!({})),
    ];
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn service(dialect: &Dialect, service: Service, endpoint: Option<&str>) -> Value {
    let mut entry = json!({
        "version": dialect.version,
        "spec": dialect.artifact(Artifact::Overview),
        "transport": MCP,
        "schema": dialect.artifact(Artifact::ServiceSchema(service)),
    });
    if let Some(endpoint) = endpoint {
        entry["endpoint"] = json!(endpoint);
    }
    entry
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Protocol;
    use crate::profile::{Business, Platform};

    const ALL: &[&Dialect] = &[
        &Dialect::UCP_2026_08_25,
        &Dialect::UCP_2026_04_08,
        &Dialect::BCP_2026_07_28,
        &Dialect::BCP_2026_04_08,
    ];

    fn store(keys: &[Value]) -> Advertised<'_> {
        Advertised {
            origin: "https://shop.example",
            catalog: true,
            locations: true,
            supported: ALL,
            keys,
        }
    }

    #[test]
    fn rule_p3_the_four_profiles() {
        let keys = [json!({"kid": "k1", "kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"})];
        for dialect in ALL {
            let name = format!("{}_{}", dialect.protocol.name(), dialect.version);
            insta::assert_json_snapshot!(name, business(dialect, &store(&keys)));
        }
    }

    #[test]
    fn rule_p3_a_leaf_never_names_other_versions() {
        for dialect in ALL {
            let profile = business(dialect, &store(&[]));
            let current = Dialect::of(dialect.protocol).next() == Some(dialect);
            assert_eq!(profile["ucp"].get("supported_versions").is_some(), current);
            assert_eq!(profile["ucp"]["version"], dialect.version);
        }
    }

    #[test]
    fn rule_p5_nothing_is_advertised_that_is_not_configured() {
        let empty = Advertised { catalog: false, locations: false, ..store(&[]) };
        for dialect in ALL {
            let profile = business(dialect, &empty);
            assert_eq!(profile["ucp"]["services"], json!({}));
            assert_eq!(profile["ucp"]["capabilities"], json!({}));
            assert_eq!(profile["ucp"]["payment_handlers"], json!({}));
            assert!(offer(dialect, &empty).is_empty());
        }
        let stores_only = Advertised { catalog: false, ..store(&[]) };
        let profile = business(&Dialect::UCP_2026_08_25, &stores_only);
        assert!(profile["ucp"]["services"].get("dev.ucp.shopping").is_none());
        assert!(profile["ucp"]["services"].get("dev.ucp.common").is_some());
    }

    #[test]
    fn rule_p4_the_same_store_is_the_same_bytes() {
        let bytes = || serde_json::to_vec(&business(ALL[0], &store(&[]))).unwrap();
        assert_eq!(bytes(), bytes());
    }

    #[test]
    fn rule_n5_our_own_platform_profile_agrees_with_our_own_business_profile() {
        for dialect in ALL {
            let supported: Vec<&Dialect> = Dialect::of(dialect.protocol).collect();
            let body = serde_json::to_vec(&platform(dialect)).unwrap();
            let caller = Platform::read(&body, &supported).unwrap();
            assert_eq!(caller.dialect, *dialect);
            let ours = offer(dialect, &store(&[]));
            assert_eq!(caller.offer, ours);

            let body = serde_json::to_vec(&business(dialect, &store(&[]))).unwrap();
            let shop = Business::read(&body).unwrap();
            assert_eq!(shop.capabilities, ours);
            for capability in Capability::ALL {
                let path = dialect.protocol.mcp_path();
                let expected =
                    dialect.has(capability).then(|| format!("https://shop.example{path}"));
                assert_eq!(shop.endpoint(dialect, capability), expected.as_deref());
            }
            let leaves =
                if dialect.version == supported[0].version { supported.len() - 1 } else { 0 };
            assert_eq!(shop.supported_versions.len(), leaves);
        }
    }

    #[test]
    fn rule_p2_each_protocol_has_its_own_endpoint() {
        assert_ne!(Protocol::Ucp.mcp_path(), Protocol::Bcp.mcp_path());
    }
}
