//! Our schemas against the published ones: generated documents, valid and broken
//! in every way that comes to mind, must get the same verdict from both.
//!
//! The published schemas are not part of this repository; where they are absent
//! the comparison is skipped, loudly. Everything is seeded, so a failure repeats.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "helpers of tests fail by panicking"
)]

#[path = "schema_equivalence/documents.rs"]
mod documents;
#[path = "schema_equivalence/published.rs"]
mod published;

use documents::Documents;
use jsonschema::Validator;
use protocol::{Artifact, Dialect, Operation, Protocol, profile, schema, wire};
use published::{Published, compile, skip};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Documents for each comparison.
const DOCUMENTS: usize = 1_200;

/// The published folders and the dialect that each of them describes.
const FOLDERS: [(&str, Dialect); 3] = [
    ("ucp/2026-08-25", Dialect::UCP_2026_08_25),
    ("ucp/2026-04-08", Dialect::UCP_2026_04_08),
    ("bcp/2026-07-28", Dialect::BCP_2026_07_28),
];

/// Compares two validators on documents generated from the published schema, and
/// returns how many of them were accepted.
fn compare(
    what: &str,
    published: &Published,
    pointer: &str,
    ours: &Validator,
    strip: bool,
) -> usize {
    let theirs = published.validator(pointer);
    let mut documents = Documents::new(published, what);
    let mut accepted = 0;
    for _ in 0..DOCUMENTS {
        let mut document = documents.next(pointer);
        if strip {
            without_own_filters(&mut document);
        }
        let verdict = theirs.is_valid(&document);
        accepted += usize::from(verdict);
        if verdict != ours.is_valid(&document) {
            let validator = if verdict { ours } else { &theirs };
            let errors: Vec<String> = validator
                .iter_errors(&document)
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            panic!(
                "{what}: the published schema says {verdict}, ours {}\n{document:#}\n{}",
                !verdict,
                errors.join("\n")
            );
        }
    }
    // Neither a generator that only ever succeeds nor one that only ever fails shows anything.
    assert!(accepted > DOCUMENTS / 5, "{what}: only {accepted} of {DOCUMENTS} accepted");
    assert!(accepted < DOCUMENTS * 7 / 8, "{what}: as many as {accepted} of {DOCUMENTS} accepted");
    accepted
}

/// The filters of rule C5 are our own addition and outside the comparison.
fn without_own_filters(document: &mut Value) {
    if let Some(Value::Object(filters)) = document.get_mut("filters") {
        for own in ["available", "brand", "condition", "tags", "rating", "options", "location"] {
            filters.remove(own);
        }
    }
}

const fn pointers(operation: Operation) -> (&'static str, &'static str) {
    match operation {
        Operation::SearchCatalog => (
            "schemas/shopping/catalog_search.json#/$defs/search_request",
            "schemas/shopping/catalog_search.json#/$defs/search_response",
        ),
        Operation::LookupCatalog => (
            "schemas/shopping/catalog_lookup.json#/$defs/lookup_request",
            "schemas/shopping/catalog_lookup.json#/$defs/lookup_response",
        ),
        Operation::GetProduct => (
            "schemas/shopping/catalog_lookup.json#/$defs/get_product_request",
            "schemas/shopping/catalog_lookup.json#/$defs/get_product_response",
        ),
        Operation::SearchLocations => (
            "schemas/common/location_search.json#/$defs/search_request",
            "schemas/common/location_search.json#/$defs/search_response",
        ),
        Operation::LookupLocations => (
            "schemas/common/location_lookup.json#/$defs/lookup_request",
            "schemas/common/location_lookup.json#/$defs/lookup_response",
        ),
    }
}

fn error_pointer(dialect: &Dialect) -> &'static str {
    match dialect.version {
        "2026-08-25" => "schemas/common/types/error_response.json#",
        _ => "schemas/shopping/types/error_response.json#",
    }
}

fn each_folder(test: impl Fn(&Published, &Dialect)) {
    for (folder, dialect) in FOLDERS {
        match Published::load(folder) {
            Some(published) => test(&published, &dialect),
            None => skip(folder),
        }
    }
}

#[test]
fn rule_m8_requests_get_the_verdict_of_the_published_schema() {
    each_folder(|published, dialect| {
        for &operation in dialect.operations() {
            let ours = compile(&schema::request_schema(operation, dialect));
            let what = format!("{} {} request", dialect.version, operation.tool());
            let strip = operation.argument() == "catalog";
            compare(&what, published, pointers(operation).0, &ours, strip);
        }
    });
}

/// What our schema accepts can be read into the type that the application uses.
#[test]
fn rule_m8_requests_that_fit_their_schema_can_be_read() {
    fn read<T: DeserializeOwned>(document: &Value) -> Result<(), serde_json::Error> {
        T::deserialize(document).map(|_| ())
    }
    each_folder(|published, dialect| {
        for &operation in dialect.operations() {
            let ours = compile(&schema::request_schema(operation, dialect));
            let pointer = pointers(operation).0;
            let mut documents = Documents::new(published, pointer);
            let mut accepted = 0;
            for _ in 0..DOCUMENTS {
                let document = documents.next(pointer);
                if !ours.is_valid(&document) {
                    continue;
                }
                accepted += 1;
                let outcome = match operation {
                    Operation::SearchCatalog => read::<wire::SearchCatalogRequest>(&document),
                    Operation::LookupCatalog => read::<wire::LookupCatalogRequest>(&document),
                    Operation::GetProduct => read::<wire::GetProductRequest>(&document),
                    Operation::SearchLocations => read::<wire::SearchLocationsRequest>(&document),
                    Operation::LookupLocations => read::<wire::LookupLocationsRequest>(&document),
                };
                if let Err(error) = outcome {
                    panic!("{} {}: {error}\n{document:#}", dialect.version, operation.tool());
                }
            }
            assert!(accepted > DOCUMENTS / 5, "{}: {accepted}", operation.tool());
        }
    });
}

#[test]
fn rule_m8_responses_get_the_verdict_of_the_published_schema() {
    each_folder(|published, dialect| {
        for &operation in dialect.operations() {
            let ours = compile(&schema::response_schema(operation, dialect));
            let what = format!("{} {} response", dialect.version, operation.tool());
            compare(&what, published, pointers(operation).1, &ours, false);
        }
    });
}

#[test]
fn rule_m8_errors_get_the_verdict_of_the_published_schema() {
    each_folder(|published, dialect| {
        let ours = compile(&schema::error_schema(dialect));
        let what = format!("{} error", dialect.version);
        compare(&what, published, error_pointer(dialect), &ours, false);
    });
}

/// What every definition within reach says is compared on its own too, so that
/// rare corners of large documents are not left to chance.
#[test]
fn rule_m8_definitions_get_the_verdict_of_the_published_schema() {
    const FILES: &[(&str, &str)] = &[
        ("Variant", "variant"),
        ("UnitPrice", "unit_price"),
        ("QuantityUnit", "quantity_unit"),
        ("Context", "context"),
        ("Signals", "signals"),
        ("Pagination", "pagination.json#/$defs/response"),
        ("PaginationRequest", "pagination.json#/$defs/request"),
        ("Location", "location"),
        ("LocationServes", "location_serves"),
        ("LocationFilter", "location_filter"),
        ("LocationDistance", "location_distance"),
        ("ExceptionHour", "exception_hour"),
        ("DailyHour", "daily_hour"),
        ("Message", "message"),
        ("Actions", "actions"),
        ("Policy", "policy"),
        ("ConstraintExpression", "constraint_expression"),
        ("Ucp", "ucp.json#/$defs/base"),
        ("UcpError", "ucp.json#/$defs/error"),
        ("PaymentHandler", "payment_handler.json#/$defs/base"),
        ("CapabilityEntry", "capability.json#/$defs/base"),
        ("ServiceEntry", "service.json#/$defs/base"),
    ];
    each_folder(|published, dialect| {
        let mut definitions = serde_json::Map::new();
        for &operation in dialect.operations() {
            for schema in [
                schema::request_schema(operation, dialect),
                schema::response_schema(operation, dialect),
                schema::error_schema(dialect),
            ] {
                definitions.extend(schema["$defs"].as_object().cloned().unwrap_or_default());
            }
        }
        for (name, file) in FILES {
            let file =
                if file.contains('#') { (*file).to_owned() } else { format!("{file}.json#") };
            let pointer = ["schemas/common/types/", "schemas/shopping/types/", "schemas/"]
                .into_iter()
                .map(|folder| format!("{folder}{file}"))
                .find(|pointer| published.has(pointer));
            let (Some(pointer), true) = (pointer, definitions.contains_key(*name)) else {
                continue;
            };
            let reference = format!("#/$defs/{name}");
            let ours = compile(&json!({"$ref": reference, "$defs": definitions}));
            compare(&format!("{} {name}", dialect.version), published, &pointer, &ours, false);
        }
    });
}

/// The generator is sharp enough to tell the versions apart: a schema of the wrong
/// shape is found out.
#[test]
fn rule_c15_the_comparison_notices_a_schema_of_another_version() {
    let Some(published) = Published::load("ucp/2026-08-25") else {
        return skip("ucp/2026-08-25");
    };
    for operation in Dialect::UCP_2026_04_08.operations() {
        let (request, response) = pointers(*operation);
        let other = &Dialect::UCP_2026_04_08;
        for (pointer, ours) in [
            (request, schema::request_schema(*operation, other)),
            (response, schema::response_schema(*operation, other)),
        ] {
            let (theirs, ours) = (published.validator(pointer), compile(&ours));
            let mut documents = Documents::new(&published, pointer);
            let differing = (0..DOCUMENTS).filter(|_| {
                let document = documents.next(pointer);
                theirs.is_valid(&document) != ours.is_valid(&document)
            });
            assert!(differing.count() > 5, "{pointer}");
        }
    }
}

/// What a tool declares accepts what any of the versions behind it publishes, and nothing else.
#[test]
fn rule_m8_output_schemas_accept_the_union_of_their_versions() {
    let (Some(newer), Some(older)) =
        (Published::load("ucp/2026-08-25"), Published::load("ucp/2026-04-08"))
    else {
        return skip("ucp");
    };
    let dialects: Vec<&Dialect> = Dialect::of(Protocol::Ucp).collect();
    for &operation in Dialect::UCP_2026_04_08.operations() {
        let ours = compile(&schema::output_schema(operation, &dialects));
        let pointer = pointers(operation).1;
        let theirs = [
            newer.validator(pointer),
            older.validator(pointer),
            newer.validator(error_pointer(dialects[0])),
        ];
        for (published, pointer) in
            [(&newer, pointer), (&older, pointer), (&newer, error_pointer(dialects[0]))]
        {
            let mut documents = Documents::new(published, operation.tool());
            for _ in 0..DOCUMENTS / 3 {
                let document = documents.next(pointer);
                let verdict = theirs.iter().any(|validator| validator.is_valid(&document));
                assert_eq!(ours.is_valid(&document), verdict, "{}\n{document:#}", operation.tool());
            }
        }
    }
}

#[test]
fn rule_m8_input_schemas_ask_for_metadata_and_the_newest_request() {
    let Some(published) = Published::load("ucp/2026-08-25") else {
        return skip("ucp/2026-08-25");
    };
    let dialects: Vec<&Dialect> = Dialect::of(Protocol::Ucp).collect();
    for operation in Operation::ALL {
        let ours = compile(&schema::input_schema(operation, &dialects));
        let pointer = pointers(operation).0;
        let theirs = published.validator(pointer);
        let mut documents = Documents::new(&published, operation.tool());
        for index in 0..DOCUMENTS / 3 {
            let mut request = documents.next(pointer);
            if operation.argument() == "catalog" {
                without_own_filters(&mut request);
            }
            let meta = match index % 5 {
                0 => json!({}),
                1 => json!(null),
                2 => json!({"ucp-agent": {"profile": "https://a.example/p", "x": 1},
                            "idempotency-key": "k", "trace": [1]}),
                _ => json!({"ucp-agent": {"profile": "https://a.example/p"}}),
            };
            let verdict = index % 5 > 1 && theirs.is_valid(&request);
            let arguments = json!({"meta": meta, operation.argument(): request, "more": 1});
            assert_eq!(ours.is_valid(&arguments), verdict, "{}\n{arguments:#}", operation.tool());
        }
        assert!(!ours.is_valid(&json!({"meta": {"ucp-agent": {"profile": "https://a.example"}}})));
    }
}

#[test]
fn rule_p3_business_and_platform_profiles_fit_the_published_schemas() {
    let keys = [json!({"kid": "k", "kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"})];
    each_folder(|published, dialect| {
        let (business, platform) = match dialect.version {
            "2026-08-25" => (
                "schemas/profile.json#/$defs/business_schema",
                "schemas/profile.json#/$defs/platform_schema",
            ),
            _ => (
                "discovery/profile.json#/$defs/business_profile",
                "discovery/profile.json#/$defs/platform_profile",
            ),
        };
        let business = published.validator(business);
        let supported: Vec<&Dialect> = Dialect::of(dialect.protocol).collect();
        for (catalog, locations) in [(true, true), (true, false), (false, true), (false, false)] {
            let store = profile::Advertised {
                origin: "https://shop.example",
                catalog,
                locations,
                supported: &supported,
                keys: &keys,
            };
            let document = profile::business(dialect, &store);
            let errors: Vec<String> =
                business.iter_errors(&document).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{errors:?}\n{document:#}");
        }
        let document = profile::platform(dialect);
        assert!(published.validator(platform).is_valid(&document), "{document:#}");
        // The comparison is not vacuous: what the schema asks for is asked for.
        assert!(!business.is_valid(&json!({"ucp": {"version": dialect.version}})));
    });
}

/// The published schema of a capability lies where the artifact URL says, below the version.
#[test]
fn rule_p6_schema_urls_name_published_files() {
    each_folder(|published, dialect| {
        for capability in dialect.capabilities() {
            let url = dialect.artifact(Artifact::Schema(capability));
            let (_, path) = url.split_once("/schemas/").unwrap();
            assert!(published.has(&format!("schemas/{path}#")), "{url}");
        }
    });
}
