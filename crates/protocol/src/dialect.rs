//! The dialects: one namespace, one well-known path and one dated version each.
//!
//! Everything in which two versions or two protocols differ stands here as const
//! data (rules P1, P2, P6), a later row written as its difference from an earlier
//! one. What differs in the JSON shapes themselves is applied by [`crate::schema`].

use crate::operation::{Capability, Operation};

/// A family of dialects that share a namespace, a well-known path and an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Protocol {
    /// Universal Commerce Protocol, namespace `dev.ucp`.
    Ucp,
    /// The Brazilian fork of UCP 2026-04-08, namespace `br.dev.bcp` (rule P2).
    Bcp,
}

impl Protocol {
    /// Both protocols, in a fixed order.
    pub const ALL: [Self; 2] = [Self::Ucp, Self::Bcp];

    /// The short name used in configuration: `ucp` or `bcp`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ucp => "ucp",
            Self::Bcp => "bcp",
        }
    }

    /// Where the current business profile is served (rule P1).
    pub const fn well_known_path(self) -> &'static str {
        match self {
            Self::Ucp => "/.well-known/ucp",
            Self::Bcp => "/.well-known/bcp",
        }
    }

    /// Where the leaf profile of an older `version` is served (rule P3).
    pub fn leaf_path(self, version: &str) -> String {
        format!("{}/{version}", self.well_known_path())
    }

    /// The advertised path of the MCP endpoint (rule M13).
    pub const fn mcp_path(self) -> &'static str {
        match self {
            Self::Ucp => "/ucp/mcp",
            Self::Bcp => "/bcp/mcp",
        }
    }

    /// Further paths that answer like [`Self::mcp_path`] (rule M13).
    pub const fn mcp_aliases(self) -> &'static [&'static str] {
        match self {
            Self::Ucp => &["/mcp", "/api/ucp/mcp"],
            Self::Bcp => &[],
        }
    }

    /// The HTTP headers in which a platform names its profile, in order of
    /// preference (rule P2).
    pub const fn agent_headers(self) -> &'static [&'static str] {
        match self {
            Self::Ucp => &["UCP-Agent"],
            Self::Bcp => &["BCP-Agent", "UCP-Agent"],
        }
    }

    /// The reverse-domain namespace: `dev.ucp` or `br.dev.bcp`.
    pub const fn namespace(self) -> &'static str {
        match self {
            Self::Ucp => "dev.ucp",
            Self::Bcp => "br.dev.bcp",
        }
    }
}

/// A generation of JSON shapes; several dialects may share one (rule C15).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Shape {
    /// UCP 2026-04-08 and both versions of BCP.
    V2026_04_08,
    /// UCP 2026-08-25: quantity units, scaled measures, policies, actions, Location.
    V2026_08_25,
}

/// A service: the group of capabilities that one endpoint entry of a profile stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Service {
    /// Catalog.
    Shopping,
    /// Location.
    Common,
}

impl Service {
    const fn segment(self) -> &'static str {
        match self {
            Self::Shopping => "shopping",
            Self::Common => "common",
        }
    }
}

/// A document of the specification that a profile points to (rule P6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Artifact {
    /// The overview, which is the `spec` of every service entry.
    Overview,
    /// The prose that specifies a capability.
    Spec(Capability),
    /// The JSON Schema of a capability.
    Schema(Capability),
    /// The OpenRPC document of a service's MCP binding.
    ServiceSchema(Service),
}

/// One protocol at one dated version, with everything in which it differs from the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dialect {
    /// The family.
    pub protocol: Protocol,
    /// The dated release, `YYYY-MM-DD`.
    pub version: &'static str,
    /// The JSON shapes of its requests and responses.
    pub shape: Shape,
    /// The member of a profile document that holds its public keys (rule P2).
    pub keys_member: &'static str,
    /// Where the published documents of this version live, without a trailing slash.
    artifacts: &'static str,
    /// Whether the paths of specification pages name the service first.
    sectioned: bool,
    operations: &'static [Operation],
    names: &'static Names,
}

/// The full names of a namespace, spelled out so that they can be borrowed for ever.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Names {
    shopping: &'static str,
    common: &'static str,
    catalog_search: &'static str,
    catalog_lookup: &'static str,
    location_search: &'static str,
    location_lookup: &'static str,
}

const UCP_NAMES: Names = Names {
    shopping: "dev.ucp.shopping",
    common: "dev.ucp.common",
    catalog_search: "dev.ucp.shopping.catalog.search",
    catalog_lookup: "dev.ucp.shopping.catalog.lookup",
    location_search: "dev.ucp.common.location.search",
    location_lookup: "dev.ucp.common.location.lookup",
};

const BCP_NAMES: Names = Names {
    shopping: "br.dev.bcp.shopping",
    common: "br.dev.bcp.common",
    catalog_search: "br.dev.bcp.shopping.catalog.search",
    catalog_lookup: "br.dev.bcp.shopping.catalog.lookup",
    location_search: "br.dev.bcp.common.location.search",
    location_lookup: "br.dev.bcp.common.location.lookup",
};

const CATALOG_ONLY: &[Operation] =
    &[Operation::SearchCatalog, Operation::LookupCatalog, Operation::GetProduct];

impl Dialect {
    /// UCP 2026-08-25, the current release.
    pub const UCP_2026_08_25: Self = Self {
        protocol: Protocol::Ucp,
        version: "2026-08-25",
        shape: Shape::V2026_08_25,
        keys_member: "keys",
        artifacts: "https://ucp.dev/2026-08-25",
        sectioned: true,
        operations: &Operation::ALL,
        names: &UCP_NAMES,
    };

    /// UCP 2026-04-08, served as a leaf: Catalog only, keys under their older name.
    pub const UCP_2026_04_08: Self = Self {
        version: "2026-04-08",
        shape: Shape::V2026_04_08,
        keys_member: "signing_keys",
        artifacts: "https://ucp.dev/2026-04-08",
        sectioned: false,
        operations: CATALOG_ONLY,
        ..Self::UCP_2026_08_25
    };

    /// BCP 2026-07-28: the shapes of UCP 2026-04-08 under its own names.
    pub const BCP_2026_07_28: Self = Self {
        protocol: Protocol::Bcp,
        version: "2026-07-28",
        keys_member: "keys",
        artifacts: "https://bcp.dev.br/draft",
        names: &BCP_NAMES,
        ..Self::UCP_2026_04_08
    };

    /// BCP 2026-04-08, served as a leaf.
    pub const BCP_2026_04_08: Self = Self {
        version: "2026-04-08",
        artifacts: "https://bcp.dev.br/2026-04-08",
        ..Self::BCP_2026_07_28
    };

    /// Every dialect, each protocol's newest first (rule P1).
    pub const ALL: [Self; 4] =
        [Self::UCP_2026_08_25, Self::UCP_2026_04_08, Self::BCP_2026_07_28, Self::BCP_2026_04_08];

    /// The dialect of `protocol` at exactly `version`.
    pub fn find(protocol: Protocol, version: &str) -> Option<&'static Self> {
        Self::of(protocol).find(|dialect| dialect.version == version)
    }

    /// The dialects of one protocol, newest first.
    pub fn of(protocol: Protocol) -> impl Iterator<Item = &'static Self> {
        const ALL: &[Dialect] = &Dialect::ALL;
        ALL.iter().filter(move |dialect| dialect.protocol == protocol)
    }

    /// The operations that this version defines, in the fixed order of [`Operation::ALL`].
    pub const fn operations(&self) -> &'static [Operation] {
        self.operations
    }

    /// Whether this version defines `capability`.
    pub fn has(&self, capability: Capability) -> bool {
        self.operations.iter().any(|operation| operation.capability() == capability)
    }

    /// The capabilities that this version defines, in a fixed order.
    pub fn capabilities(&self) -> impl Iterator<Item = Capability> {
        Capability::ALL.into_iter().filter(|&capability| self.has(capability))
    }

    /// The full name of a capability, such as `dev.ucp.shopping.catalog.search`.
    pub const fn capability(&self, capability: Capability) -> &'static str {
        match capability {
            Capability::CatalogSearch => self.names.catalog_search,
            Capability::CatalogLookup => self.names.catalog_lookup,
            Capability::LocationSearch => self.names.location_search,
            Capability::LocationLookup => self.names.location_lookup,
        }
    }

    /// The full name of the service that carries a capability, such as `dev.ucp.shopping`.
    pub const fn service(&self, capability: Capability) -> &'static str {
        match capability.service() {
            Service::Shopping => self.names.shopping,
            Service::Common => self.names.common,
        }
    }

    /// The URL of a published document; every URL that a profile names is made here (rule P6).
    pub fn artifact(&self, artifact: Artifact) -> String {
        let base = self.artifacts;
        match artifact {
            Artifact::Overview => format!("{base}/specification/overview"),
            Artifact::Spec(capability) if self.sectioned => {
                let section = capability.service().segment();
                format!("{base}/specification/{section}/{}", capability.path())
            }
            Artifact::Spec(capability) => format!("{base}/specification/{}", capability.path()),
            Artifact::Schema(capability) => {
                let section = capability.service().segment();
                let file = capability.path().replace('/', "_");
                format!("{base}/schemas/{section}/{file}.json")
            }
            Artifact::ServiceSchema(service) => {
                format!("{base}/services/{}/mcp.openrpc.json", service.segment())
            }
        }
    }
}

/// Whether `text` is a version as the protocols write them: `YYYY-MM-DD`, and a
/// day that exists in the calendar (rule N2).
pub fn is_version(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return false;
    }
    let number = |range: std::ops::Range<usize>| {
        bytes[range].iter().try_fold(0_u32, |sum, byte| {
            byte.is_ascii_digit().then(|| sum * 10 + u32::from(byte - b'0'))
        })
    };
    let (Some(year), Some(month), Some(day)) = (number(0..4), number(5..7), number(8..10)) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return false,
    };
    (1..=days).contains(&day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_p1_every_dialect_is_found_by_its_protocol_and_version_alone() {
        for dialect in Dialect::ALL {
            assert_eq!(Dialect::find(dialect.protocol, dialect.version), Some(&dialect));
        }
        assert_eq!(Dialect::find(Protocol::Ucp, "2026-07-28"), None);
        assert_eq!(Dialect::find(Protocol::Bcp, "2026-08-25"), None);
    }

    #[test]
    fn rule_p1_location_exists_in_the_current_ucp_only() {
        for dialect in Dialect::ALL {
            let current = dialect == Dialect::UCP_2026_08_25;
            assert_eq!(dialect.has(Capability::LocationSearch), current);
            assert_eq!(dialect.has(Capability::LocationLookup), current);
            assert!(
                dialect.has(Capability::CatalogSearch) && dialect.has(Capability::CatalogLookup)
            );
        }
    }

    #[test]
    fn names_stay_inside_the_namespace_of_the_protocol() {
        for dialect in Dialect::ALL {
            let prefix = format!("{}.", dialect.protocol.namespace());
            for capability in Capability::ALL {
                let name = dialect.capability(capability);
                let service = dialect.service(capability);
                assert!(service.starts_with(&prefix));
                assert_eq!(
                    name.strip_prefix(service),
                    Some(format!(".{}", capability.path().replace('/', ".")).as_str())
                );
            }
        }
    }

    #[test]
    fn rule_p6_artifact_urls() {
        let urls: Vec<String> = Dialect::ALL
            .iter()
            .flat_map(|dialect| {
                dialect
                    .capabilities()
                    .flat_map(|capability| {
                        [
                            Artifact::Spec(capability),
                            Artifact::Schema(capability),
                            Artifact::ServiceSchema(capability.service()),
                        ]
                    })
                    .chain([Artifact::Overview])
                    .map(|artifact| dialect.artifact(artifact))
            })
            .collect();
        insta::assert_snapshot!(urls.join("\n"));
    }

    #[test]
    fn rule_n2_a_version_is_a_day_of_the_calendar() {
        for good in ["2026-08-25", "2024-02-29", "2000-02-29", "0000-01-01", "9999-12-31"] {
            assert!(is_version(good), "{good}");
        }
        for bad in [
            "",
            "2026-8-25",
            "2026-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-04-31",
            "2026-04-00",
            "2026/04/08",
            "2026-04-08 ",
            "draft",
            "２０26-04",
            "+026-04-08",
        ] {
            assert!(!is_version(bad), "{bad}");
        }
    }
}
