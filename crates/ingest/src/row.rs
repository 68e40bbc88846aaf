//! One row on its way to a domain value: where we are in it, and what was wrong.
//!
//! A reader of a type takes a JSON value at a [`Path`] and gives the value or a
//! [`Fault`]; whoever asked decides by the method it calls on [`Members`] whether
//! the fault costs the member ([`Members::optional`], [`Members::list`]), the
//! thing around it ([`Members::required`]) or the row ([`Members::demanded`]).
//! Null is absent, and so is blank text where text is optional.

use crate::json::{self, Value};
use crate::problem::{Fault, Problem, ProblemCode, Severity, excerpt};
use serde_json::Map;
use std::collections::HashSet;
use std::fmt;

/// A place in a row, kept on the stack of whoever walks it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Path<'a> {
    /// The whole row.
    Row,
    /// A member of an object.
    Member(&'a Path<'a>, &'a str),
    /// An item of an array, from 0.
    Item(&'a Path<'a>, usize),
}

impl<'a> Path<'a> {
    pub(crate) const fn member(&'a self, name: &'a str) -> Self {
        Path::Member(self, name)
    }

    pub(crate) const fn item(&'a self, index: usize) -> Self {
        Path::Item(self, index)
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row => Ok(()),
            Self::Item(parent, index) => write!(f, "{parent}[{index}]"),
            Self::Member(parent, name) => {
                let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
                match (parent, !name.is_empty() && name.bytes().all(plain)) {
                    (Self::Row, true) => f.write_str(name),
                    (_, true) => write!(f, "{parent}.{name}"),
                    (_, false) => write!(f, "{parent}[\"{}\"]", excerpt(name)),
                }
            }
        }
    }
}

/// The row being read.
pub(crate) struct Row<'a> {
    file: &'a str,
    line: u64,
    on_problem: &'a mut dyn FnMut(Problem),
    said: HashSet<(ProblemCode, String)>,
}

impl<'a> Row<'a> {
    pub(crate) fn new(file: &'a str, line: u64, on_problem: &'a mut dyn FnMut(Problem)) -> Self {
        Self { file, line, on_problem, said: HashSet::new() }
    }

    /// Reports what costs the row, or one of its variants.
    pub(crate) fn refuse(&mut self, fault: Fault) {
        (self.on_problem)(fault.at(self.file, self.line, Severity::Refused));
    }

    /// Reports what costs less than that.
    pub(crate) fn warn(&mut self, fault: Fault) {
        (self.on_problem)(fault.at(self.file, self.line, Severity::Warning));
    }

    /// Reports once a row what is likely to repeat in it; `key` tells what is the same.
    pub(crate) fn warn_once(
        &mut self,
        key: &str,
        fault: impl FnOnce() -> Fault,
        code: ProblemCode,
    ) {
        if self.said.insert((code, key.to_owned())) {
            self.warn(fault());
        }
    }

    /// The value, or its fault as a warning.
    pub(crate) fn or_warn<T>(&mut self, read: Result<T, Fault>) -> Option<T> {
        read.map_err(|fault| self.warn(fault)).ok()
    }

    /// The value, or its fault as a refusal.
    pub(crate) fn or_refuse<T>(&mut self, read: Result<T, Fault>) -> Option<T> {
        read.map_err(|fault| self.refuse(fault)).ok()
    }
}

/// The members of an object, taken one by one; what is left over is unknown.
pub(crate) struct Members<'p, 'v> {
    at: &'p Path<'p>,
    left: json::Object<'v>,
}

impl<'p, 'v> Members<'p, 'v> {
    pub(crate) fn of(at: &'p Path<'p>, value: Value<'v>) -> Result<Self, Fault> {
        object(at, value).map(|left| Self { at, left })
    }

    /// The value of a member; `None` when absent or null.
    pub(crate) fn take(&mut self, name: &'static str) -> Option<Value<'v>> {
        let index = self.left.iter().position(|(other, _)| other == name)?;
        // Order is kept for the report of those that stay.
        let (_, value) = self.left.remove(index);
        (value != Value::Null).then_some(value)
    }

    /// A member that the object needs.
    pub(crate) fn required<T>(
        &mut self,
        row: &mut Row<'_>,
        name: &'static str,
        read: impl FnOnce(&mut Row<'_>, &Path<'_>, Value<'v>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let value = self.take(name);
        let at = self.at.member(name);
        match value {
            Some(value) => read(row, &at, value),
            None => Err(Fault::new(at, ProblemCode::Missing, "is missing")),
        }
    }

    /// A member that may be absent but not wrong.
    pub(crate) fn if_present<T>(
        &mut self,
        row: &mut Row<'_>,
        name: &'static str,
        read: impl FnOnce(&mut Row<'_>, &Path<'_>, Value<'v>) -> Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        let Some(value) = self.take(name) else {
            return Ok(None);
        };
        read(row, &self.at.member(name), value).map(Some)
    }

    /// A member that the row or variant needs; its fault is reported as a refusal.
    pub(crate) fn demanded<T>(
        &mut self,
        row: &mut Row<'_>,
        name: &'static str,
        read: impl FnOnce(&mut Row<'_>, &Path<'_>, Value<'v>) -> Result<T, Fault>,
    ) -> Option<T> {
        let read = self.required(row, name, read);
        row.or_refuse(read)
    }

    /// A member that may be absent; its fault is reported as a warning.
    pub(crate) fn optional<T>(
        &mut self,
        row: &mut Row<'_>,
        name: &'static str,
        read: impl FnOnce(&mut Row<'_>, &Path<'_>, Value<'v>) -> Result<T, Fault>,
    ) -> Option<T> {
        let value = self.take(name)?;
        let read = read(row, &self.at.member(name), value);
        row.or_warn(read)
    }

    /// Text that may be absent or blank.
    pub(crate) fn text(&mut self, row: &mut Row<'_>, name: &'static str) -> Option<String> {
        match self.take(name)? {
            Value::String(text) => Some(text.into_owned()).filter(|text| !text.trim().is_empty()),
            other => {
                row.warn(expected(&self.at.member(name), "a string", &other));
                None
            }
        }
    }

    /// An array that may be absent; a bad item is reported as a warning and left out.
    pub(crate) fn list<T>(
        &mut self,
        row: &mut Row<'_>,
        name: &'static str,
        read: impl Fn(&mut Row<'_>, &Path<'_>, Value<'v>) -> Result<T, Fault>,
    ) -> Vec<T> {
        let Some(items) = self.optional(row, name, |_, at, value| array(at, value)) else {
            return Vec::new();
        };
        let at = self.at.member(name);
        let items = items.into_iter().enumerate();
        let items = items.filter_map(|(index, item)| {
            let read = read(row, &at.item(index), item);
            row.or_warn(read)
        });
        items.collect()
    }

    /// A member that is known and not read.
    pub(crate) fn ignore(&mut self, name: &'static str) {
        self.take(name);
    }

    /// Reports the members that nobody took (rule C15).
    pub(crate) fn finish(self, row: &mut Row<'_>) {
        for (name, _) in &self.left {
            unknown_member(row, self.at, name);
        }
    }

    /// The members that nobody took: those with reverse-domain names are the
    /// result, the others are reported (rule C15).
    pub(crate) fn extensions(self, row: &mut Row<'_>) -> Map<String, serde_json::Value> {
        let Self { at, left } = self;
        let passing = left.into_iter().filter(|(name, _)| {
            let passes = is_reverse_domain_name(name);
            if !passes {
                unknown_member(row, at, name);
            }
            passes
        });
        json::owned(passing)
    }
}

fn unknown_member(row: &mut Row<'_>, at: &Path<'_>, name: &str) {
    let fault = || {
        let text = "is no member that is known here; it is dropped";
        Fault::new(at.member(name), ProblemCode::UnknownMember, text)
    };
    row.warn_once(name, fault, ProblemCode::UnknownMember);
}

/// The items of an array.
pub(crate) fn array<'v>(at: &Path<'_>, value: Value<'v>) -> Result<Vec<Value<'v>>, Fault> {
    match value {
        Value::Array(items) => Ok(items),
        other => Err(expected(at, "an array", &other)),
    }
}

/// The members of an object whose names are data.
pub(crate) fn object<'v>(at: &Path<'_>, value: Value<'v>) -> Result<json::Object<'v>, Fault> {
    match value {
        Value::Object(map) => Ok(map),
        other => Err(expected(at, "an object", &other)),
    }
}

/// The fault of a value that is of another JSON type than it should.
pub(crate) fn expected(at: &Path<'_>, wanted: &str, value: &Value<'_>) -> Fault {
    let got = match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    };
    Fault::new(at, ProblemCode::WrongType, format!("must be {wanted}, not {got}"))
}

/// The fault of a value that is of the right type and still not right.
pub(crate) fn invalid(at: &Path<'_>, text: impl Into<String>) -> Fault {
    Fault::new(at, ProblemCode::InvalidValue, text)
}

/// Whether a name is a reverse-domain identifier as the schema
/// `common/types/reverse_domain_name.json` describes it.
pub(crate) fn is_reverse_domain_name(name: &str) -> bool {
    let lower = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let mut segments = name.split('.');
    let first = segments.next().unwrap_or_default().as_bytes();
    let first_is_good = first.first().is_some_and(u8::is_ascii_lowercase)
        && first.last().copied().is_some_and(lower)
        && first.iter().all(|&byte| lower(byte) || byte == b'-');
    let mut others = segments.map(str::as_bytes).peekable();
    first_is_good
        && others.peek().is_some()
        && others.all(|segment| {
            segment.first().copied().is_some_and(lower)
                && segment.last().is_some_and(|&byte| lower(byte) || byte == b'_')
                && segment.iter().all(|&byte| lower(byte) || byte == b'_' || byte == b'-')
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;
    use serde_json::json;

    #[test]
    fn a_path_reads_like_a_path() {
        let row = Path::Row;
        let variants = row.member("variants");
        let third = variants.item(2);
        let price = third.member("price");
        assert_eq!(price.member("amount").to_string(), "variants[2].price.amount");
        assert_eq!(row.to_string(), "");
        let translations = row.member("translations");
        assert_eq!(translations.member("pt-BR").to_string(), "translations.pt-BR");
        assert_eq!(row.member("com.example.x").to_string(), "[\"com.example.x\"]");
        assert_eq!(row.member("a\nb").to_string(), "[\"a\\nb\"]");
    }

    #[test]
    fn names_as_the_schema_has_them() {
        let good = [
            "com.example.shopping.checkout",
            "com.example.loyalty_gold",
            "com.example-shop.checkout",
            "com.2example.cart",
            "xn--p1ai.example.checkout",
            "a.b_",
        ];
        let bad = ["", "dev", "dev.", ".dev", "Dev.ucp", "dev..ucp", "2dev.x", "dev-.x", "dev.-x"];
        assert!(good.iter().all(|name| is_reverse_domain_name(name)));
        for name in bad.iter().chain(&["dev.x-", "dev._x", "dev.é", "d_v.x", "dev.x\n"]) {
            assert!(!is_reverse_domain_name(name), "{name:?}");
        }
    }

    #[test]
    fn what_is_left_over_is_said_once_a_name_rule_c15() {
        let mut said = Vec::new();
        let mut on_problem = |problem: Problem| said.push(problem.to_string());
        let mut row = Row::new("f", 1, &mut on_problem);
        let (at, value) =
            (Path::Row, parse(r#"{"a": 1, "b": null, "x": 1, "com.x": 2, "ucp": {}}"#).unwrap());
        let mut members = Members::of(&at, value).unwrap();
        assert_eq!(members.take("a"), Some(parse("1").unwrap()));
        assert_eq!(members.take("b"), None);
        assert_eq!(serde_json::Value::from(members.extensions(&mut row)), json!({"com.x": 2}));
        let below = at.member("m");
        Members::of(&below, parse(r#"{"x": 1, "com.y": 1}"#).unwrap()).unwrap().finish(&mut row);
        let text = "is no member that is known here; it is dropped";
        assert_eq!(
            said,
            [
                format!("f:1: x: {text}"),
                format!("f:1: ucp: {text}"),
                format!("f:1: m[\"com.y\"]: {text}")
            ]
        );
    }
}
