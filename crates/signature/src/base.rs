//! The signature base: the text that is signed, made from a message and the list
//! of what a signature covers (RFC 9421, section 2.5).

use std::fmt::Write;

use sfv::{InnerList, ListSerializer};

/// What a signature can cover of a request, as received.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The method, such as `POST`.
    pub method: &'a str,
    /// Host, and port unless it is the scheme's own; any case.
    pub authority: &'a str,
    /// The path, percent-encoded as sent.
    pub path: &'a str,
    /// The query without its question mark; `None` when there is none.
    pub query: Option<&'a str>,
    /// The fields in the order received, names in lower case.
    pub fields: &'a [(String, String)],
    /// The raw body.
    pub body: &'a [u8],
}

/// A message of which components are taken by name.
pub(crate) trait Message {
    /// The value of a component, or `None` when the message has none of this name.
    fn component(&self, name: &str) -> Option<String>;
}

impl Message for Request<'_> {
    fn component(&self, name: &str) -> Option<String> {
        match name {
            "@method" => Some(self.method.to_owned()),
            "@authority" => Some(self.authority.to_ascii_lowercase()),
            "@path" => Some(if self.path.is_empty() { "/" } else { self.path }.to_owned()),
            "@query" => Some(format!("?{}", self.query.unwrap_or_default())),
            name if name.starts_with('@') => None,
            name => self.field(name),
        }
    }
}

impl Request<'_> {
    /// The values of a field, trimmed and joined as RFC 9421, section 2.1, has it.
    pub(crate) fn field(&self, name: &str) -> Option<String> {
        joined(self.fields.iter().filter(|(known, _)| known == name).map(|(_, value)| &**value))
    }
}

/// The values of one field as a single one; `None` when there are none.
pub(crate) fn joined<'v>(values: impl Iterator<Item = &'v str>) -> Option<String> {
    values.map(|value| value.trim_matches([' ', '\t'])).fold(None, |all, value| match all {
        None => Some(value.to_owned()),
        Some(all) => Some(format!("{all}, {value}")),
    })
}

/// Why there is no signature base.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum BaseFault {
    /// A component is not a string, or has parameters, which are not supported.
    Unsupported,
    /// A component is named twice.
    Twice(String),
    /// The message has no such component.
    Absent(String),
}

/// The text to sign for what `covered` lists, parameters included.
pub(crate) fn signature_base(
    message: &dyn Message,
    covered: &InnerList,
) -> Result<String, BaseFault> {
    let mut base = String::new();
    let mut seen: Vec<&str> = Vec::with_capacity(covered.items.len());
    for item in &covered.items {
        let name = match item.bare_item.as_string() {
            Some(name) if item.params.is_empty() => name.as_str(),
            _ => return Err(BaseFault::Unsupported),
        };
        if seen.contains(&name) {
            return Err(BaseFault::Twice(name.to_owned()));
        }
        seen.push(name);
        let absent = || BaseFault::Absent(name.to_owned());
        let value = message.component(name).ok_or_else(absent)?;
        // A line break in a value could forge a line of the base.
        if !value.bytes().all(|byte| (b' '..=b'~').contains(&byte) || byte == b'\t') {
            return Err(BaseFault::Unsupported);
        }
        let _ = writeln!(base, "\"{name}\": {value}");
    }
    let _ = write!(base, "\"@signature-params\": {}", parameters(covered));
    Ok(base)
}

/// The serialised list of what is covered, with its parameters.
pub(crate) fn parameters(covered: &InnerList) -> String {
    let mut list = ListSerializer::new();
    let mut inner = list.inner_list();
    inner.items(&covered.items);
    inner.finish().parameters(&covered.params);
    list.finish().unwrap_or_default()
}
