//! Documents made by walking a published schema, most of them then damaged.
//!
//! A document need not be valid to be worth comparing; the walk aims at valid
//! ones and the damage at their edges.

use serde_json::{Map, Value, json};

use crate::published::Published;

/// A source of documents; the same name gives the same documents.
pub(crate) struct Documents<'a> {
    published: &'a Published,
    random: Random,
    /// Whether the walk now and then takes a value from the edge or beyond it.
    edgy: bool,
    noise: Vec<Value>,
}

/// A schema and the file in which its references resolve.
type Place<'a> = (&'a str, &'a Value);

impl<'a> Documents<'a> {
    pub(crate) fn new(published: &'a Published, name: &str) -> Self {
        let seed = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self { published, random: Random(seed), edgy: false, noise: noise() }
    }

    /// The next document for the schema at `pointer`: in turn as good as the walk
    /// can make it, with one fault, with values from the edges, and with both.
    pub(crate) fn next(&mut self, pointer: &str) -> Value {
        let turn = self.random.below(6);
        self.edgy = turn > 3;
        let mut document = self.make(vec![self.published.at(pointer)], 0);
        let faults = match turn {
            0 | 4 => 0,
            5 => 2,
            _ => 1,
        };
        for _ in 0..faults {
            self.damage(&mut document);
        }
        document
    }

    /// True once in `n` times, and only while values from the edges are wanted.
    fn edge(&mut self, n: u64) -> bool {
        self.edgy && self.random.below(n) == 0
    }

    /// A document that fits all the given schemas at once, as far as the walk can tell.
    fn make(&mut self, places: Vec<Place<'a>>, depth: usize) -> Value {
        let parts = self.flatten(places);
        if let Some(value) = keyword(&parts, "const") {
            return value.clone();
        }
        if let Some(Value::Array(values)) = keyword(&parts, "enum") {
            return self.random.pick(values).clone();
        }
        match keyword(&parts, "type").and_then(Value::as_str) {
            Some("object") => self.object(&parts, depth),
            Some("array") => self.array(&parts, depth),
            Some("string") => self.string(&parts),
            Some("integer") => self.integer(&parts),
            Some("number") => self.number(&parts),
            Some("boolean") => json!(self.random.below(2) == 0),
            _ if has(&parts, "properties") => self.object(&parts, depth),
            _ if has(&parts, "pattern") => self.string(&parts),
            _ => self.random.pick(&self.noise).clone(),
        }
    }

    /// Follows references and takes compositions apart; of alternatives one is taken.
    fn flatten(&mut self, places: Vec<Place<'a>>) -> Vec<Place<'a>> {
        let mut pending = places;
        let mut parts = Vec::new();
        while let Some((base, schema)) = pending.pop() {
            if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
                pending.push(self.published.resolve(base, reference));
            }
            for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
                pending.push((base, part));
            }
            for alternatives in ["oneOf", "anyOf"] {
                if let Some(Value::Array(branches)) = schema.get(alternatives) {
                    pending.push((base, self.random.pick(branches)));
                }
            }
            if let Some(then) = schema.get("then").filter(|_| !self.edge(3)) {
                pending.push((base, then));
            }
            parts.push((base, schema));
        }
        parts
    }

    fn object(&mut self, parts: &[Place<'a>], depth: usize) -> Value {
        let mut properties: Vec<(&'a String, Vec<Place<'a>>)> = Vec::new();
        for (base, schema) in parts {
            for (name, property) in members(schema, "properties") {
                let place = (*base, property);
                match properties.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, places)) => places.push(place),
                    None => properties.push((name, vec![place])),
                }
            }
        }
        let required: Vec<&Value> = parts
            .iter()
            .flat_map(|(_, schema)| schema.get("required").and_then(Value::as_array))
            .flatten()
            .collect();
        let appetite = [6, 4, 3, 2, 1].get(depth).copied().unwrap_or(1);
        let least = keyword(parts, "minProperties").and_then(Value::as_u64).unwrap_or(0);
        let mut object = Map::new();
        for (index, (name, places)) in properties.into_iter().enumerate() {
            let wanted = required.iter().any(|member| *member == name) || (index as u64) < least;
            if wanted || self.random.below(8) < appetite {
                object.insert(name.clone(), self.make(places, depth + 1));
            }
        }
        let others: Vec<Place<'a>> = parts
            .iter()
            .filter_map(|(base, schema)| Some((*base, schema.get("additionalProperties")?)))
            .filter(|(_, schema)| schema.is_object())
            .collect();
        if !others.is_empty() {
            let more = self.random.below(2) + if object.is_empty() { least } else { 0 };
            for _ in 0..more {
                let good = if self.edge(8) { NAMES.len() } else { 3 };
                let name = (*self.random.pick(&NAMES[..good])).to_owned();
                object.insert(name, self.make(others.clone(), depth + 1));
            }
        }
        if let Some(most) = keyword(parts, "maxProperties").and_then(Value::as_u64) {
            while object.len() as u64 > most {
                let name = self.random.pick(&object.keys().cloned().collect::<Vec<_>>()).clone();
                object.remove(&name);
            }
        }
        Value::Object(object)
    }

    fn array(&mut self, parts: &[Place<'a>], depth: usize) -> Value {
        let least = keyword(parts, "minItems").and_then(Value::as_u64).unwrap_or(0);
        let items: Vec<Place<'a>> =
            parts.iter().filter_map(|(base, schema)| Some((*base, schema.get("items")?))).collect();
        let length = least + self.random.below(3);
        let mut array: Vec<Value> = Vec::new();
        for _ in 0..length {
            let item = self.make(items.clone(), depth + 1);
            if !has(parts, "uniqueItems") || !array.contains(&item) {
                array.push(item);
            }
        }
        Value::Array(array)
    }

    fn string(&mut self, parts: &[Place<'a>]) -> Value {
        let pattern = keyword(parts, "pattern").and_then(Value::as_str).unwrap_or_default();
        let format = keyword(parts, "format").and_then(Value::as_str).unwrap_or_default();
        let pool = match (pattern, format) {
            (_, "uri") => URIS,
            (_, "date") => DATES,
            (_, "date-time") => INSTANTS,
            (pattern, _) if pattern.contains("A-Z") => &["BRL", "USD", "JPY", "brl", "BR", "BRLX"],
            (pattern, _) if pattern.contains(r"\d{4}") => DATES,
            (pattern, _) if pattern.contains("a-z0-9") => NAMES,
            (pattern, _) if pattern.contains(":[0-5]") => {
                &["09:00", "23:59", "00:00", "24:00", "9:00"]
            }
            _ => &["text", "C62", "KGM", "", "a b", "ação", "mcp", "point"],
        };
        // The first entries of a pool are good ones.
        let good = if self.edge(20) { pool.len() } else { pool.len().min(3) };
        json!(self.random.pick(&pool[..good]))
    }

    fn integer(&mut self, parts: &[Place<'a>]) -> Value {
        let least = keyword(parts, "minimum").and_then(Value::as_i64).unwrap_or(-5);
        let most = keyword(parts, "maximum").and_then(Value::as_i64);
        if !self.edge(4) {
            return json!(least + self.random.below(3) as i64);
        }
        match self.random.below(6) {
            0 => json!(least - 1),
            1 => json!(least as f64),
            2 => json!(9_007_199_254_740_991_i64),
            3 => json!(9_007_199_254_740_992_i64),
            4 => most.map_or(json!(1e20), |most| json!(most)),
            _ => json!(least as f64 + 0.5),
        }
    }

    fn number(&mut self, parts: &[Place<'a>]) -> Value {
        let least = keyword(parts, "minimum").and_then(Value::as_f64).unwrap_or(-10.0);
        let most = keyword(parts, "maximum").and_then(Value::as_f64).unwrap_or(1e9);
        if !self.edge(4) {
            return json!(least + (most - least) * (self.random.below(1000) as f64 / 1000.0));
        }
        match self.random.below(5) {
            0 => json!(least - 0.001),
            1 => json!(most + 1.0),
            2 => json!(least),
            3 => json!(most),
            _ => json!(least as i64),
        }
    }

    /// One change at a random place of the document.
    fn damage(&mut self, document: &mut Value) {
        let places = count(document);
        let target = self.random.below(places as u64) as usize;
        let place = nth(document, &mut { target }).unwrap();
        match place {
            Value::Object(members) if self.random.below(5) > 0 => {
                let names: Vec<String> = members.keys().cloned().collect();
                match self.random.below(4) {
                    0 if !names.is_empty() => {
                        members.remove(self.random.pick(&names));
                    }
                    1 => members.clear(),
                    2 if !names.is_empty() => {
                        let value = members.remove(self.random.pick(&names)).unwrap();
                        members.insert(self.random.pick(FOREIGN).to_string(), value);
                    }
                    _ => {
                        let value = self.random.pick(&self.noise).clone();
                        members.insert(self.random.pick(FOREIGN).to_string(), value);
                    }
                }
            }
            Value::Array(items) if self.random.below(5) > 0 => match self.random.below(4) {
                0 => items.clear(),
                1 => {
                    items.pop();
                }
                2 if !items.is_empty() => items.push(items[0].clone()),
                _ => items.push(self.random.pick(&self.noise).clone()),
            },
            place => *place = self.random.pick(&self.noise).clone(),
        }
    }
}

/// The first value that any part gives a keyword; of bounds, the narrowest.
fn keyword<'a>(parts: &[Place<'a>], name: &str) -> Option<&'a Value> {
    let values = parts.iter().filter_map(|(_, schema)| schema.get(name));
    match name {
        "minimum" => values.max_by(|a, b| a.as_f64().unwrap().total_cmp(&b.as_f64().unwrap())),
        _ => values.into_iter().next(),
    }
}

fn has(parts: &[Place<'_>], name: &str) -> bool {
    parts.iter().any(|(_, schema)| schema.get(name).is_some())
}

fn members<'a>(schema: &'a Value, name: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    schema.get(name).and_then(Value::as_object).into_iter().flatten()
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Object(members) => members.values().map(count).sum(),
        Value::Array(items) => items.iter().map(count).sum::<usize>(),
        _ => 0,
    }
}

fn nth<'a>(value: &'a mut Value, left: &mut usize) -> Option<&'a mut Value> {
    if *left == 0 {
        return Some(value);
    }
    *left -= 1;
    match value {
        Value::Object(members) => members.values_mut().find_map(|member| nth(member, left)),
        Value::Array(items) => items.iter_mut().find_map(|item| nth(item, left)),
        _ => None,
    }
}

const URIS: &[&str] =
    &["https://shop.example/a", "http://a.example", "urn:x:y", "not a uri", "", "/relative"];
const DATES: &[&str] =
    &["2026-08-25", "2026-04-08", "2024-02-29", "2026-02-30", "2026-1-1", "", "today"];
const INSTANTS: &[&str] = &[
    "2026-12-24T10:00:00-03:00",
    "2026-12-24T10:00:00Z",
    "2026-12-24t10:00:00.5z",
    "2026-12-24T10:00:00",
    "2026-12-24T25:00:00Z",
    "2026-12-24T10:00:00+24:00",
    "2026-12-24",
];
/// Reverse-domain names of both generations of the pattern, then what is none.
const NAMES: &[&str] = &[
    "dev.ucp.x",
    "com.example.gold",
    "dev.ucp.buyer_ip",
    "br.dev.bcp.buyer_ip",
    "com.2example.cart",
    "xn--p1ai.example",
    "com.example-shop.x",
    "com.example-.x",
    "single",
    "Com.example",
    "com..x",
    "",
];
/// Members that some version or some definition knows.
const FOREIGN: &[&str] = &[
    "quantity_unit",
    "unit_price",
    "actions",
    "policies",
    "location",
    "payment",
    "map_order",
    "status",
    "services",
    "payment_handlers",
    "capabilities",
    "signals",
    "attribution",
    "filters",
    "pagination",
    "serves",
    "distance",
    "point",
    "address",
    "hours",
    "exception_hours",
    "timezone",
    "opens",
    "closes",
    "amenities",
    "items",
    "cursor",
    "has_next_page",
    "total_count",
    "scale",
    "unit",
    "inputs",
    "selected",
    "options",
    "price",
    "eligibility",
    "type",
    "severity",
    "code",
    "content",
    "path",
    "continue_url",
    "com.example.gold",
    "dev.ucp.buyer_ip",
    "br.dev.bcp.buyer_ip",
    "com.2example.cart",
    "x",
    "extends",
    "constraints",
    "required",
    "properties",
    "anyOf",
    "available_instruments",
    "address_country",
    "postal_code",
    "metadata",
];

fn noise() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(-1),
        json!(1),
        json!(1.5),
        json!(2.0),
        json!(9_007_199_254_740_992_i64),
        json!(1e300),
        json!(91),
        json!(16),
        json!(""),
        json!("text"),
        json!("error"),
        json!("success"),
        json!("C62"),
        json!("2026-08-25"),
        json!("com.example.gold"),
        json!("com.2example.cart"),
        json!("https://a.example"),
        json!([]),
        json!({}),
        json!([null]),
        json!(["a", "a"]),
        json!([1]),
        json!({"x": null}),
        json!({"com.example.gold": []}),
        json!({"com.2example.cart": [{"id": "1"}]}),
        json!({"x": ["a"]}),
        json!({"x": [1]}),
        json!({"address_country": "BR"}),
        json!({"address_country": ""}),
        json!({"latitude": 1, "longitude": 2}),
        json!({"handler": "com.example.gold"}),
        json!([{"handler": "x"}]),
        json!({"unit": "C62", "display_text": "each", "scale": 1}),
        json!({"amount": 1, "currency": "BRL"}),
        json!({"const": 1}),
        json!({"enum": [1, 2]}),
        json!({"required": ["a"]}),
    ]
}

/// A small generator of random numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn pick<'b, T>(&mut self, from: &'b [T]) -> &'b T {
        &from[self.below(from.len() as u64) as usize]
    }
}
