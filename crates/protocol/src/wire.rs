//! The types of every schema that Catalog and Location need, one file per schema
//! file of the specification and under its name (rules C6, C15, L12).
//!
//! Responses borrow: a wire value is a view of domain values, made to be
//! serialised and dropped. Requests own what they hold. Both carry their JSON
//! Schema, in the newest shape and with the descriptions that a language model
//! reads; [`crate::schema`] turns it into each version's own.
//!
//! Requests are checked against their schema before they are read into these
//! types, so reading is lenient where a schema is: integers may be written as
//! `10.0`, members that only a newer version defines may hold anything.

pub mod actions;
pub mod amenity_type;
pub mod amount;
pub mod attribution;
pub mod availability;
pub mod catalog_lookup;
pub mod catalog_search;
pub mod category;
pub mod constraint_expression;
pub mod context;
pub mod daily_hour;
pub mod description;
pub mod detail_option_value;
pub mod error_response;
pub mod exception_hour;
pub mod geo;
pub mod input_correlation;
pub mod link;
pub mod locality;
pub mod location;
pub mod location_distance;
pub mod location_filter;
pub mod location_lookup;
pub mod location_search;
pub mod location_serves;
pub mod measure;
pub mod media;
pub mod number;
pub mod option_value;
pub mod pagination;
pub mod policy;
pub mod postal_address;
pub mod price;
pub mod price_filter;
pub mod price_range;
pub mod product;
pub mod product_option;
pub mod quantity_unit;
pub mod rating;
pub mod reverse_domain_name;
pub mod search_filters;
pub mod selected_option;
pub mod signals;
pub mod time_interval;
pub mod ucp;
pub mod unit_price;
pub mod variant;

pub use actions::{Action, Actions};
pub use attribution::Attribution;
pub use availability::Availability;
pub use catalog_lookup::{
    DetailProduct, GetProductRequest, GetProductResponse, LookupCatalogRequest,
    LookupCatalogResponse, LookupProduct, LookupVariant,
};
pub use catalog_search::{SearchCatalogRequest, SearchCatalogResponse};
pub use category::Category;
pub use context::Context;
pub use daily_hour::{DailyHour, Day};
pub use description::Description;
pub use detail_option_value::DetailOptionValue;
pub use error_response::ErrorResponse;
pub use exception_hour::ExceptionHour;
pub use geo::Geo;
pub use input_correlation::{InputCorrelation, Match};
pub use link::Link;
pub use locality::Locality;
pub use location::{Amenity, Location};
pub use location_distance::LocationDistance;
pub use location_filter::{HoursFilter, LocationFilter};
pub use location_lookup::{
    LocationInput, LookupLocation, LookupLocationsRequest, LookupLocationsResponse,
};
pub use location_search::{SearchLocationsRequest, SearchLocationsResponse};
pub use location_serves::{LocationServes, ServedAddress};
pub use measure::Measure;
pub use media::Media;
pub use number::Integer;
pub use option_value::OptionValue;
pub use pagination::{Pagination, PaginationRequest};
pub use policy::Policy;
pub use postal_address::PostalAddress;
pub use price::Price;
pub use price_filter::PriceFilter;
pub use price_range::PriceRange;
pub use product::Product;
pub use product_option::ProductOption;
pub use quantity_unit::QuantityUnit;
pub use rating::Rating;
pub use search_filters::{OneOrMany, RatingFilter, SearchFilters};
pub use selected_option::SelectedOption;
pub use signals::Signals;
pub use unit_price::{PlainMeasure, PlainReference, PlainUnitPrice, ScaledUnitPrice, UnitPrice};
pub use variant::{Barcode, Seller, Variant};

/// Declares a type that exists for its JSON Schema alone: a definition that other
/// schemas refer to by the type's name.
macro_rules! definition {
    ($(#[$doc:meta])* $name:ident($generator:pat_param) $schema:block) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        crate::wire::schema_by_hand!($name($generator) $schema);
    };
}

/// Gives a type the JSON Schema that the block makes, under the type's own name.
macro_rules! schema_by_hand {
    ($name:ident($generator:pat_param) $schema:block) => {
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                std::borrow::Cow::Borrowed(stringify!($name))
            }

            fn json_schema($generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $schema
            }
        }
    };
}

use {definition, schema_by_hand};
