//! What every schema that we emit must be (rule M8), what every response that the
//! wire types can express must be, and the binding documents' own examples.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{Write, stderr};
use std::path::Path;

use jsonschema::Validator;
use proptest::prelude::*;
use protocol::negotiate::Entry;
use protocol::{
    Active, Code, Dialect, Message, Operation, Protocol, Severity, Shape, Ucp, schema, wire,
};
use serde::Serialize;
use serde_json::{Map, Value, json};

const ALL: &[&Dialect] = &[
    &Dialect::UCP_2026_08_25,
    &Dialect::UCP_2026_04_08,
    &Dialect::BCP_2026_07_28,
    &Dialect::BCP_2026_04_08,
];

fn compile(schema: &Value) -> Validator {
    jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        .should_validate_formats(true)
        .offline()
        .build(schema)
        .unwrap()
}

/// Every schema that leaves this package, with a name for it.
fn emitted() -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for dialect in ALL {
        let name = format!("{} {}", dialect.protocol.name(), dialect.version);
        all.push((format!("{name} error"), schema::error_schema(dialect)));
        for &operation in dialect.operations() {
            let name = format!("{name} {}", operation.tool());
            all.push((format!("{name} request"), schema::request_schema(operation, dialect)));
            all.push((format!("{name} response"), schema::response_schema(operation, dialect)));
        }
    }
    for protocol in Protocol::ALL {
        let dialects: Vec<&Dialect> = Dialect::of(protocol).collect();
        for operation in Operation::ALL {
            let name = format!("{} {}", protocol.name(), operation.tool());
            all.push((format!("{name} input"), schema::input_schema(operation, &dialects)));
            all.push((format!("{name} output"), schema::output_schema(operation, &dialects)));
        }
    }
    all
}

/// Calls `visit` with every object in `value` and the path to it.
fn walk(value: &Value, path: &str, visit: &mut impl FnMut(&str, &Map<String, Value>)) {
    match value {
        Value::Object(members) => {
            visit(path, members);
            for (name, member) in members {
                walk(member, &format!("{path}/{name}"), visit);
            }
        }
        Value::Array(items) => {
            items.iter().for_each(|item| walk(item, &format!("{path}/-"), visit))
        }
        _ => {}
    }
}

#[test]
fn rule_m8_schemas_are_self_contained_objects_of_2020_12() {
    for (name, schema) in emitted() {
        assert_eq!(schema["type"], "object", "{name}");
        jsonschema::draft202012::meta::validate(&schema).unwrap();
        compile(&schema);
        let definitions = schema["$defs"].as_object();
        walk(&schema, "", &mut |path, members| {
            for keyword in ["$id", "$schema", "$anchor", "$dynamicRef", "default"] {
                let data = path.ends_with("/properties");
                assert!(data || !members.contains_key(keyword), "{name}{path}: {keyword}");
            }
            if let Some(Value::String(target)) = members.get("$ref") {
                let target = target.strip_prefix("#/$defs/");
                let known = target.is_some_and(|target| definitions.unwrap().contains_key(target));
                assert!(known, "{name}{path}: {target:?}");
            }
        });
        // Nothing is carried along that nobody refers to.
        let text = schema.to_string();
        for definition in definitions.into_iter().flatten().map(|(name, _)| name) {
            assert!(text.contains(&format!("\"#/$defs/{definition}\"")), "{name}: {definition}");
        }
    }
}

#[test]
fn rule_m8_every_property_says_what_it_is() {
    for (name, schema) in emitted() {
        walk(&schema, "", &mut |path, members| {
            let properties =
                path.ends_with("/properties") && !path.ends_with("properties/properties");
            for (property, schema) in members.iter().filter(|_| properties) {
                let text = schema.get("description").and_then(Value::as_str).unwrap_or_default();
                assert!(text.len() > 5, "{name}{path}/{property}");
                // They are for language models: no rule numbers, no links of ours.
                let ours = text.contains("rule ") || text.contains("[`") || text.contains("::");
                assert!(!ours, "{name}{path}/{property}: {text}");
            }
        });
    }
}

#[test]
fn rule_m8_objects_stay_open() {
    for (name, schema) in emitted() {
        walk(&schema, "", &mut |path, members| {
            if members.get("additionalProperties") == Some(&json!(false)) {
                // Closed in the published schemas too.
                let closed = ["ErrorResponse", "Constraint"].iter().any(|part| path.contains(part));
                assert!(closed || name.ends_with("error") && path.is_empty(), "{name}{path}");
            }
        });
    }
}

#[test]
fn rule_m8_an_output_schema_has_a_branch_for_each_version_and_one_for_errors() {
    let branches = |operation, dialects: &[&Dialect]| {
        schema::output_schema(operation, dialects)["anyOf"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(branches(Operation::SearchCatalog, &ALL[..2]), 3);
    assert_eq!(branches(Operation::SearchCatalog, &ALL[..1]), 2);
    assert_eq!(branches(Operation::SearchLocations, &ALL[..2]), 2, "the older version has none");
    assert_eq!(branches(Operation::SearchCatalog, &ALL[2..]), 2, "both versions have one shape");
    assert_eq!(branches(Operation::SearchLocations, &ALL[2..]), 0);
    let reversed = [ALL[1], ALL[0]];
    assert_eq!(
        schema::input_schema(Operation::GetProduct, &reversed),
        schema::input_schema(Operation::GetProduct, &ALL[..1]),
        "the newest version is asked for in whatever order they come"
    );
}

#[test]
fn rule_c5_own_filters_have_their_types() {
    let request = compile(&schema::request_schema(Operation::SearchCatalog, ALL[0]));
    let fits = |filters: Value| request.is_valid(&json!({ "filters": filters }));
    for good in [
        json!({"available": true}),
        json!({"brand": "Aurora", "condition": ["new", "used"]}),
        json!({"tags": [], "options": {"Cor": ["Azul"], "Tamanho": []}}),
        json!({"rating": {"min": 4.5}, "location": "loja-1"}),
        json!({"rating": {}, "price": {}}),
        json!({"ships_to": {"country": "BR"}}),
    ] {
        assert!(fits(good.clone()), "{good}");
    }
    for bad in [
        json!({"available": false}),
        json!({"available": "true"}),
        json!({"brand": 1}),
        json!({"condition": [1]}),
        json!({"tags": "a"}),
        json!({"rating": 4}),
        json!({"options": ["Cor"]}),
        json!({"options": {"Cor": "Azul"}}),
        json!({"location": 1}),
    ] {
        assert!(!fits(bad.clone()), "{bad}");
    }
}

/// Builds wire values out of arbitrary texts and a stream of choices.
struct Maker<'a> {
    texts: &'a [String],
    choices: u64,
    shape: Shape,
}

impl<'a> Maker<'a> {
    fn below(&mut self, bound: u64) -> u64 {
        self.choices = self.choices.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.choices >> 33) % bound
    }

    fn text(&mut self) -> &'a str {
        let index = self.below(self.texts.len() as u64);
        &self.texts[usize::try_from(index).unwrap()]
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.below(2) == 0).then(|| make(self))
    }

    fn several<T>(&mut self, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(3)).map(|_| make(self)).collect()
    }

    fn price(&mut self) -> wire::Price<'a> {
        let amount = [0, 1999, 9_007_199_254_740_991][usize::try_from(self.below(3)).unwrap()];
        wire::Price { amount, currency: "BRL" }
    }

    fn description(&mut self) -> wire::Description<'a> {
        let plain = Some(self.text());
        wire::Description { plain, html: self.maybe(Self::text), markdown: self.maybe(Self::text) }
    }

    fn media(&mut self) -> wire::Media<'a> {
        wire::Media {
            kind: "image",
            url: "https://cdn.example/a.jpg",
            alt_text: self.maybe(Self::text),
            width: self.maybe(|_| 640),
            height: self.maybe(|_| 480),
        }
    }

    fn rating(&mut self) -> wire::Rating {
        wire::Rating {
            value: [4.5, 4.0][usize::try_from(self.below(2)).unwrap()],
            scale_min: self.maybe(|_| 1.0),
            scale_max: 5.0,
            count: self.maybe(|maker| maker.below(1000)),
        }
    }

    fn category(&mut self) -> wire::Category<'a> {
        wire::Category { value: self.text(), taxonomy: self.maybe(Self::text) }
    }

    fn selected(&mut self) -> wire::SelectedOption<'a> {
        wire::SelectedOption {
            name: self.text().into(),
            id: self.maybe(|maker| maker.text().into()),
            label: self.text().into(),
        }
    }

    fn unit_price(&mut self) -> wire::UnitPrice<'a> {
        let wire::Price { amount, currency } = self.price();
        match self.shape {
            Shape::V2026_08_25 => {
                let display_text = self.text();
                let measure =
                    |value| wire::Measure { value, unit: "KGM", scale: Some(3), display_text };
                let (measure, reference) = (measure(750), measure(1000));
                wire::UnitPrice::Scaled(wire::ScaledUnitPrice {
                    amount,
                    currency,
                    measure,
                    reference,
                })
            }
            Shape::V2026_04_08 => {
                let measure = wire::PlainMeasure { value: 0.75, unit: "kg" };
                let reference = wire::PlainReference { value: 1, unit: "kg" };
                wire::UnitPrice::Plain(wire::PlainUnitPrice {
                    amount,
                    currency,
                    measure,
                    reference,
                })
            }
        }
    }

    fn variant(&mut self) -> wire::Variant<'a> {
        let newest = self.shape == Shape::V2026_08_25;
        wire::Variant {
            id: self.text(),
            sku: self.maybe(Self::text),
            barcodes: self.several(|maker| wire::Barcode { kind: "EAN", value: maker.text() }),
            handle: self.maybe(Self::text),
            title: self.text(),
            description: self.description(),
            url: self.maybe(|_| "https://shop.example/v"),
            categories: self.several(Self::category),
            price: self.price(),
            quantity_unit: self
                .maybe(|maker| wire::QuantityUnit {
                    unit: "KGM",
                    scale: maker.maybe(|_| 2),
                    display_text: maker.text(),
                    increment: maker.maybe(|_| 25),
                })
                .filter(|_| newest),
            list_price: self.maybe(Self::price),
            unit_price: self.maybe(Self::unit_price),
            availability: self.maybe(|maker| wire::Availability {
                available: maker.maybe(|_| true),
                status: maker.maybe(Self::text),
            }),
            options: self.several(Self::selected),
            media: self.several(Self::media),
            rating: self.maybe(Self::rating),
            tags: self.several(Self::text),
            metadata: None,
            seller: self.maybe(|maker| wire::Seller {
                name: maker.maybe(Self::text),
                links: maker.several(|maker| wire::Link {
                    kind: "faq",
                    url: "https://shop.example/faq",
                    title: maker.maybe(Self::text),
                }),
            }),
            extensions: None,
        }
    }

    fn product<V, O>(&mut self, variant: V, options: Vec<O>) -> wire::Product<'a, V, O> {
        let range = |maker: &mut Self| wire::PriceRange { min: maker.price(), max: maker.price() };
        wire::Product {
            id: self.text(),
            handle: self.maybe(Self::text),
            title: self.text(),
            description: self.description(),
            url: self.maybe(|_| "https://shop.example/p"),
            categories: self.several(Self::category),
            price_range: range(self),
            list_price_range: self.maybe(range),
            media: self.several(Self::media),
            options,
            variants: vec![variant],
            rating: self.maybe(Self::rating),
            tags: self.several(Self::text),
            metadata: None,
            extensions: None,
        }
    }

    fn location(&mut self) -> wire::Location<'a> {
        wire::Location {
            id: self.text(),
            name: self.text(),
            address: self.maybe(|maker| wire::PostalAddress {
                street_address: maker.maybe(Self::text),
                ..Default::default()
            }),
            geo: self.maybe(|_| wire::Geo { latitude: -23.5, longitude: -46.6 }),
            amenities: self
                .several(|_| ("dev.ucp.amenity.parking", wire::Amenity { description: "Parking" }))
                .into_iter()
                .collect(),
            hours: self.maybe(|maker| {
                maker.several(|_| wire::DailyHour {
                    day: wire::Day::Monday,
                    opens: "09:00".into(),
                    closes: "18:00".into(),
                })
            }),
            exception_hours: self.several(|maker| wire::ExceptionHour {
                title: maker.maybe(Self::text),
                valid_from: "2026-12-25".into(),
                valid_through: "2026-12-25".into(),
                opens: None,
                closes: None,
            }),
            timezone: Some("America/Sao_Paulo"),
            extensions: None,
        }
    }

    fn message(&mut self) -> Message<'a> {
        match self.below(3) {
            0 => Message::error(Code::NotFound, self.text(), Severity::Unrecoverable),
            1 => Message::warning(Code::FilterNotApplied, self.text()).at("$.products[0]"),
            _ => Message::info(Code::IdNotFound, self.text()),
        }
    }

    fn pagination(&mut self) -> wire::Pagination<'a> {
        let cursor = self.maybe(|maker| maker.text().into());
        let has_next_page = cursor.is_some();
        wire::Pagination { cursor, has_next_page, total_count: self.maybe(|maker| maker.below(9)) }
    }

    /// A response to `operation` as the application would build it.
    fn response(&mut self, operation: Operation, ucp: Ucp<'a>) -> Value {
        match operation {
            Operation::SearchCatalog => {
                let option = |maker: &mut Self| wire::ProductOption {
                    name: maker.text(),
                    values: vec![wire::OptionValue { id: None, label: maker.text() }],
                };
                json(wire::SearchCatalogResponse {
                    ucp,
                    products: self.several(|maker| {
                        let (variant, options) = (maker.variant(), maker.several(option));
                        maker.product(variant, options)
                    }),
                    pagination: self.maybe(Self::pagination),
                    actions: None,
                    messages: self.several(Self::message),
                    policies: Vec::new(),
                })
            }
            Operation::LookupCatalog => json(wire::LookupCatalogResponse {
                ucp,
                products: self.several(|maker| {
                    let kind = Some(wire::Match::Featured);
                    let inputs = vec![wire::InputCorrelation { id: maker.text(), kind }];
                    let variant = wire::LookupVariant { variant: maker.variant(), inputs };
                    maker.product(variant, Vec::<wire::ProductOption<'_>>::new())
                }),
                actions: None,
                messages: self.several(Self::message),
                policies: Vec::new(),
            }),
            Operation::GetProduct => {
                let option = |maker: &mut Self| wire::ProductOption {
                    name: maker.text(),
                    values: vec![wire::DetailOptionValue {
                        id: None,
                        label: maker.text(),
                        available: Some(false),
                        exists: maker.maybe(|_| true),
                    }],
                };
                let (variant, options) = (self.variant(), self.several(option));
                let product = self.product(variant, options);
                let selected = self.maybe(|maker| maker.several(Self::selected));
                json(wire::GetProductResponse {
                    ucp,
                    product: wire::DetailProduct { product, selected },
                    actions: None,
                    messages: self.several(Self::message),
                    policies: Vec::new(),
                })
            }
            Operation::SearchLocations => json(wire::SearchLocationsResponse {
                ucp,
                locations: self.several(Self::location),
                pagination: self.maybe(Self::pagination),
                messages: self.several(Self::message),
            }),
            Operation::LookupLocations => json(wire::LookupLocationsResponse {
                ucp,
                locations: self.several(|maker| wire::LookupLocation {
                    location: maker.location(),
                    inputs: vec![wire::LocationInput { id: maker.text() }],
                }),
                messages: self.several(Self::message),
            }),
        }
    }
}

fn json(value: impl Serialize) -> Value {
    serde_json::to_value(value).unwrap()
}

fn active(dialect: &Dialect, operation: Operation) -> Active {
    let name = dialect.capability(operation.capability()).to_owned();
    Active::from([(name, Entry::new(dialect.version))])
}

#[test]
fn rule_m9_what_the_wire_types_can_say_fits_the_declared_schemas() {
    let mut validators = BTreeMap::new();
    for (index, dialect) in ALL.iter().enumerate() {
        let family: Vec<&Dialect> = Dialect::of(dialect.protocol).collect();
        for &operation in dialect.operations() {
            let own = compile(&schema::response_schema(operation, dialect));
            let declared = compile(&schema::output_schema(operation, &family));
            validators.insert((index, operation), (own, declared));
        }
    }
    let config = ProptestConfig::with_cases(64);
    let texts = prop::collection::vec(any::<String>(), 1..6);
    proptest!(config, |(texts in texts, choices in any::<u64>())| {
        for ((index, operation), (own, declared)) in &validators {
            let dialect = ALL[*index];
            let mut maker = Maker { texts: &texts, choices, shape: dialect.shape };
            let active = active(dialect, *operation);
            let response = maker.response(*operation, Ucp::success(dialect, &active));
            prop_assert!(own.is_valid(&response), "{response:#}");
            prop_assert!(declared.is_valid(&response), "{response:#}");
            let failure = json(wire::ErrorResponse {
                ucp: Ucp::error(dialect, &active),
                messages: vec![maker.message()],
                continue_url: maker.maybe(|_| "https://shop.example/"),
            });
            prop_assert!(declared.is_valid(&failure), "{failure:#}");
            prop_assert!(!own.is_valid(&failure), "{failure:#}");
        }
    });
}

#[test]
fn rule_c15_passed_through_members_stand_beside_the_others() {
    let extensions = json!({"com.example.score": {"x": 1}}).as_object().cloned().unwrap();
    let texts = ["a".to_owned()];
    let mut maker = Maker { texts: &texts, choices: 7, shape: Shape::V2026_08_25 };
    let location = wire::Location { extensions: Some(&extensions), ..maker.location() };
    assert_eq!(json(&location)["com.example.score"], json!({"x": 1}));
    let variant = wire::Variant { extensions: Some(&extensions), ..maker.variant() };
    let product = maker.product(variant, Vec::<wire::ProductOption<'_>>::new());
    let product = json(wire::Product { extensions: Some(&extensions), ..product });
    assert_eq!(product["com.example.score"], json!({"x": 1}));
    assert_eq!(product["variants"][0]["com.example.score"], json!({"x": 1}));
}

/// The JSON objects in a text, skipping what only looks like one.
fn examples(text: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        let mut values = serde_json::Deserializer::from_str(&rest[start..]).into_iter::<Value>();
        match values.next() {
            Some(Ok(value)) => {
                found.push(value);
                rest = &rest[start + values.byte_offset()..];
            }
            _ => rest = &rest[start + 1..],
        }
    }
    found
}

#[test]
fn the_examples_of_the_binding_documents_fit_our_schemas() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/spec/seeds");
    for (file, protocol, expected) in [
        ("catalog-mcp-binding-bcp.txt", Protocol::Bcp, 9),
        ("location-mcp-binding.txt", Protocol::Ucp, 4),
    ] {
        let Ok(text) = fs::read_to_string(folder.join(file)) else {
            let line = format!("SKIPPED: no {file} beside the workspace\n");
            stderr().write_all(line.as_bytes()).unwrap();
            continue;
        };
        let dialects: Vec<&Dialect> = Dialect::of(protocol).collect();
        let mut checked = 0;
        for example in examples(&text) {
            if let Some(name) = example["params"]["name"].as_str() {
                let operation = Operation::from_tool(name).unwrap();
                let input = compile(&schema::input_schema(operation, &dialects));
                assert!(input.is_valid(&example["params"]["arguments"]), "{example:#}");
                checked += 1;
            }
            if let Some(result) = example["result"].get("structuredContent") {
                let fits = Operation::ALL.into_iter().any(|operation| {
                    compile(&schema::output_schema(operation, &dialects)).is_valid(result)
                });
                assert!(fits, "{example:#}");
                checked += 1;
            }
        }
        assert!(checked >= expected, "{file}: only {checked} examples found");
    }
}
