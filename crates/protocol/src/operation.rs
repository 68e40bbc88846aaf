//! The operations of Catalog and Location, and the members of a tool call.
//!
//! An operation is a tool of the MCP binding. Its name, its capability and the
//! member that carries its request all derive from here; what it does belongs to
//! the application.

use crate::dialect::Service;

/// The member of a tool's arguments that carries protocol metadata (rule N1).
pub const META: &str = "meta";
/// The member of [`META`] that names the calling platform, in every dialect (rule P2).
pub const AGENT: &str = "ucp-agent";
/// The header in which a platform sends the API key that the merchant gave it (rule S6).
pub const API_KEY: &str = "x-api-key";
/// The header in which an automated client says where its keys are (rule S2).
pub const SIGNATURE_AGENT: &str = "signature-agent";
/// The member of [`AGENT`] that holds the URL of the platform's profile (rule N1).
pub const PROFILE: &str = "profile";
/// The member of [`META`] that some platforms send with reads too; accepted and ignored.
pub const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// One tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operation {
    /// Search products by text and filters.
    SearchCatalog,
    /// Resolve many product or variant identifiers.
    LookupCatalog,
    /// One product in full, with option selection.
    GetProduct,
    /// Search Locations by text, distance, service target and filters.
    SearchLocations,
    /// Resolve many Location identifiers.
    LookupLocations,
}

impl Operation {
    /// All operations, in the order in which tools are listed (rule M8).
    pub const ALL: [Self; 5] = [
        Self::SearchCatalog,
        Self::LookupCatalog,
        Self::GetProduct,
        Self::SearchLocations,
        Self::LookupLocations,
    ];

    /// The tool's name on the wire.
    pub const fn tool(self) -> &'static str {
        match self {
            Self::SearchCatalog => "search_catalog",
            Self::LookupCatalog => "lookup_catalog",
            Self::GetProduct => "get_product",
            Self::SearchLocations => "search_locations",
            Self::LookupLocations => "lookup_locations",
        }
    }

    /// The operation whose tool is exactly `name`.
    pub fn from_tool(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| operation.tool() == name)
    }

    /// A short human title for the tool.
    pub const fn title(self) -> &'static str {
        match self {
            Self::SearchCatalog => "Search products",
            Self::LookupCatalog => "Look up products by id",
            Self::GetProduct => "Get one product",
            Self::SearchLocations => "Search store locations",
            Self::LookupLocations => "Look up store locations by id",
        }
    }

    /// What the tool does, written for a language model (rule M8).
    pub const fn description(self) -> &'static str {
        match self {
            Self::SearchCatalog => {
                "Finds products of this store by free text, by filters, or both; send at least one \
                 of them. Every amount is an integer in the minor unit of its currency (1999 with \
                 USD is 19.99). Set context.currency whenever you filter by price. Results come \
                 in pages: while pagination.has_next_page is true, call again with the same \
                 arguments and pagination.cursor set to the cursor you received."
            }
            Self::LookupCatalog => {
                "Resolves product ids, variant ids, SKUs, barcodes, handles or product URLs that \
                 you already have, many in one call. Each returned variant lists in `inputs` the \
                 ids that led to it. Ids that are not found are reported in messages and do not \
                 fail the call. Amounts are integers in the minor unit of their currency."
            }
            Self::GetProduct => {
                "Returns one product in full by product id or variant id, to choose among its \
                 options. Send the options chosen so far in `selected`; each option value of the \
                 answer then says whether a matching variant exists and is available. Amounts are \
                 integers in the minor unit of their currency."
            }
            Self::SearchLocations => {
                "Finds physical locations of this store: by text, within a distance in metres of \
                 a point, able to serve an address or a point, open at an instant, with given \
                 amenities, or with given items in stock. All conditions must hold together. With \
                 no condition it lists all locations. Results come in pages: while \
                 pagination.has_next_page is true, call again with the same arguments and \
                 pagination.cursor set to the cursor you received."
            }
            Self::LookupLocations => {
                "Resolves location ids that you already have, many in one call, optionally \
                 keeping only those that meet a distance, a service target or filters. Each \
                 returned location lists in `inputs` the ids that led to it."
            }
        }
    }

    /// The capability that must be negotiated for the operation (rule N6).
    pub const fn capability(self) -> Capability {
        match self {
            Self::SearchCatalog => Capability::CatalogSearch,
            Self::LookupCatalog | Self::GetProduct => Capability::CatalogLookup,
            Self::SearchLocations => Capability::LocationSearch,
            Self::LookupLocations => Capability::LocationLookup,
        }
    }

    /// The member of the tool's arguments that carries the request.
    pub const fn argument(self) -> &'static str {
        match self {
            Self::SearchCatalog | Self::LookupCatalog | Self::GetProduct => "catalog",
            Self::SearchLocations | Self::LookupLocations => "location",
        }
    }
}

/// One capability; its full name depends on the dialect, see
/// [`Dialect::capability`](crate::dialect::Dialect::capability).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Capability {
    /// Searching products.
    CatalogSearch,
    /// Resolving product identifiers, in batch and one in full (rule P5).
    CatalogLookup,
    /// Searching Locations.
    LocationSearch,
    /// Resolving Location identifiers.
    LocationLookup,
}

impl Capability {
    /// All capabilities, in the order in which profiles list them.
    pub const ALL: [Self; 4] =
        [Self::CatalogSearch, Self::CatalogLookup, Self::LocationSearch, Self::LocationLookup];

    /// The service whose endpoint answers for this capability (rule P6).
    pub const fn service(self) -> Service {
        match self {
            Self::CatalogSearch | Self::CatalogLookup => Service::Shopping,
            Self::LocationSearch | Self::LocationLookup => Service::Common,
        }
    }

    /// The capability's own part of artifact paths, such as `catalog/search`.
    pub(crate) const fn path(self) -> &'static str {
        match self {
            Self::CatalogSearch => "catalog/search",
            Self::CatalogLookup => "catalog/lookup",
            Self::LocationSearch => "location/search",
            Self::LocationLookup => "location/lookup",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_name_leads_back_to_its_operation() {
        for operation in Operation::ALL {
            assert_eq!(Operation::from_tool(operation.tool()), Some(operation));
        }
        assert_eq!(Operation::from_tool("Search_Catalog"), None);
        assert_eq!(Operation::from_tool(""), None);
    }

    #[test]
    fn rule_m8_catalog_descriptions_say_minor_units_and_searches_say_how_to_page() {
        for operation in Operation::ALL {
            let text = operation.description();
            assert_eq!(text.contains("minor unit"), operation.argument() == "catalog");
            assert_eq!(text.contains("cursor"), operation.tool().starts_with("search"));
        }
    }
}
