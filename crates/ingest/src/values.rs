//! Readers of the small values that every JSON feed has: texts, numbers,
//! addresses on the web, languages.

use crate::json::Value;
use crate::problem::{Fault, ProblemCode, excerpt};
use crate::row::{Members, Path, Row, expected, invalid};
use catalog::LanguageTag;
use catalog::money::MAX_SAFE_INTEGER;
use std::ops::RangeInclusive;

/// Text that says something.
pub(crate) fn text(_: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<String, Fault> {
    match value {
        Value::String(text) if text.trim().is_empty() => {
            Err(Fault::new(at, ProblemCode::Missing, "is blank"))
        }
        Value::String(text) => Ok(text.into_owned()),
        other => Err(expected(at, "a string", &other)),
    }
}

/// True or false.
pub(crate) fn boolean(_: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<bool, Fault> {
    match value {
        Value::Bool(said) => Ok(said),
        other => Err(expected(at, "true or false", &other)),
    }
}

/// An integer in JSON Schema's sense (`1e3` and `10.0` are some) within a range.
pub(crate) fn integer(
    at: &Path<'_>,
    value: Value<'_>,
    range: RangeInclusive<u64>,
) -> Result<u64, Fault> {
    let Value::Number(number) = value else {
        return Err(expected(at, "an integer", &value));
    };
    let whole = number.as_u64().or_else(|| {
        let float = number.as_f64()?;
        let exact = float.fract() == 0.0 && (0.0..=MAX_SAFE_INTEGER as f64).contains(&float);
        exact.then_some(float as u64)
    });
    if let Some(whole) = whole.filter(|whole| range.contains(whole)) {
        return Ok(whole);
    }
    if number.as_f64().is_some_and(|float| float.fract() != 0.0) {
        return Err(invalid(at, format!("{number} is no integer")));
    }
    let (least, most) = range.into_inner();
    Err(invalid(at, format!("{number} is not within {least} to {most}")))
}

/// A number of any kind.
pub(crate) fn number(_: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<f64, Fault> {
    let Value::Number(number) = value else {
        return Err(expected(at, "a number", &value));
    };
    number.as_f64().ok_or_else(|| invalid(at, format!("{number} is too large")))
}

/// An absolute http or https URI. Letters outside ASCII are percent-encoded,
/// with a warning, since no URI has them.
pub(crate) fn web_url(row: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<String, Fault> {
    let Value::String(url) = value else {
        return Err(expected(at, "a string", &value));
    };
    if is_http_uri(&url) {
        return Ok(url.into_owned());
    }
    let encoded = percent_encode(&url);
    if !url.is_ascii() && is_http_uri(&encoded) {
        let text = format!("`{}` has letters outside ASCII; they are encoded", excerpt(&url));
        row.warn(Fault::new(at, ProblemCode::Changed, text));
        return Ok(encoded);
    }
    Err(invalid(at, format!("`{}` is no absolute http or https URL", excerpt(&url))))
}

/// Hands over what `value` says in each language, when it is an object whose
/// names are language tags; what is not is reported as a warning.
pub(crate) fn each_language<'v>(
    row: &mut Row<'_>,
    at: &Path<'_>,
    value: Value<'v>,
    own: &LanguageTag,
    mut each: impl FnMut(&mut Row<'_>, LanguageTag, Members<'_, 'v>),
) -> Result<(), Fault> {
    for (name, value) in crate::row::object(at, value)? {
        let at = at.member(&name);
        let Some(language) = LanguageTag::new(&name) else {
            row.warn(invalid(&at, "is no language tag such as pt-BR"));
            continue;
        };
        if language == *own {
            let text = "is the feed's own language, not a translation; it is dropped";
            row.warn(Fault::new(at, ProblemCode::Repeated, text));
            continue;
        }
        let members = Members::of(&at, value);
        if let Some(members) = row.or_warn(members) {
            each(row, language, members);
        }
    }
    Ok(())
}

/// Whether a text is an absolute URI (RFC 3986) of scheme http or https.
fn is_http_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else {
        return false;
    };
    if !["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
        return false;
    }
    let cut = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(cut);
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let (host, port) = match host.strip_prefix('[').and_then(|host| host.split_once(']')) {
        Some((address, port)) => {
            let literal = |byte: u8| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.');
            let good = address.contains(':') && address.bytes().all(literal);
            (if good { "literal" } else { "" }, port)
        }
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let port_is_good = port.is_empty()
        || port.strip_prefix(':').is_some_and(|p| p.parse::<u16>().is_ok() || p.is_empty());
    let no_fragment = path.split_once('#').map_or(path, |(before, _)| before);
    let fragment = path.get(no_fragment.len() + 1..).unwrap_or_default();
    !host.is_empty()
        && port_is_good
        && has_only(user, &USER)
        && has_only(host, &HOST)
        && has_only(no_fragment, &PATH)
        && has_only(fragment, &PATH)
}

static USER: [bool; 256] = allowed(b"!$&'()*+,;=:");
static HOST: [bool; 256] = allowed(b"!$&'()*+,;=");
static PATH: [bool; 256] = allowed(b"!$&'()*+,;=:@/?");

/// The unreserved characters and `others`, by their bytes.
const fn allowed(others: &[u8]) -> [bool; 256] {
    let mut allowed = [false; 256];
    let mut byte = 0;
    while byte < allowed.len() {
        allowed[byte] =
            (byte as u8).is_ascii_alphanumeric() || matches!(byte as u8, b'-' | b'.' | b'_' | b'~');
        byte += 1;
    }
    let mut index = 0;
    while index < others.len() {
        allowed[others[index] as usize] = true;
        index += 1;
    }
    allowed
}

/// Whether a text has characters that are allowed and percent-encoded bytes only.
fn has_only(text: &str, allowed: &[bool; 256]) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().all(|(index, &byte)| match byte {
        b'%' => {
            bytes.get(index + 1..index + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit))
        }
        _ => allowed[usize::from(byte)],
    })
}

/// An internationalised address (RFC 3987) as a URI; the host is left alone,
/// since host names are encoded by other rules.
fn percent_encode(url: &str) -> String {
    let host_ends = url.find("://").and_then(|scheme| {
        let host = scheme + 3;
        url.get(host..)?.find(['/', '?', '#']).map(|cut| host + cut)
    });
    let (host, path) = url.split_at(host_ends.unwrap_or(url.len()));
    let mut encoded = host.to_owned();
    for character in path.chars() {
        if character.is_ascii() {
            encoded.push(character);
            continue;
        }
        let mut bytes = [0; 4];
        for byte in character.encode_utf8(&mut bytes).bytes() {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn web_addresses() {
        let good = [
            "https://loja.example.com.br",
            "HTTP://a/b?c=d&e=%20#f",
            "https://user:pass@a.example:8443/~x/(y);z?q=a/b?c#frag/?",
            "http://[2001:db8::1]:80/",
            "http://127.0.0.1/a%C3%AA",
        ];
        for url in good {
            assert!(is_http_uri(url), "{url}");
        }
        let bad = [
            "",
            "loja",
            "/a.jpg",
            "//a/b",
            "ftp://a/b",
            "javascript:alert(1)",
            "https://",
            "https:///a",
            "https://a b/",
            "https://a/b c",
            "https://a/%zz",
            "https://a/%2",
            "https://a/b\n",
            "https://a/\"",
            "https://a/{x}",
            "https://a/#b#c",
            "https://a:99999/",
            "https://a:x/",
            "https://[::1",
            "https://a/[b]",
            "https://a/ê",
            "https://@/",
            " https://a/",
        ];
        for url in bad {
            assert!(!is_http_uri(url), "{url}");
        }
    }

    #[test]
    fn letters_outside_ascii_are_encoded_in_the_path_only() {
        assert_eq!(percent_encode("https://a/tênis?c=ã"), "https://a/t%C3%AAnis?c=%C3%A3");
        assert_eq!(percent_encode("https://ê.example/a"), "https://ê.example/a");
        assert_eq!(percent_encode("ê"), "ê");
    }

    #[test]
    fn integers_in_the_sense_of_json_schema() {
        let read = |value: serde_json::Value| {
            let text = value.to_string();
            let value = crate::json::parse(&text).unwrap();
            integer(&Path::Row, value, 0..=MAX_SAFE_INTEGER).map_err(|f| f.text)
        };
        assert_eq!(read(json!(0)), Ok(0));
        assert_eq!(read(json!(1e3)), Ok(1000));
        assert_eq!(read(json!(-0.0)), Ok(0));
        assert_eq!(read(json!(MAX_SAFE_INTEGER)), Ok(MAX_SAFE_INTEGER));
        let over = format!("{} is not within 0 to {MAX_SAFE_INTEGER}", MAX_SAFE_INTEGER + 1);
        assert_eq!(read(json!(MAX_SAFE_INTEGER + 1)), Err(over));
        assert_eq!(read(json!(19.99)), Err("19.99 is no integer".to_owned()));
        assert_eq!(read(json!(-1)), Err(format!("-1 is not within 0 to {MAX_SAFE_INTEGER}")));
        assert_eq!(read(json!("1")), Err("must be an integer, not a string".to_owned()));
        assert!(read(json!(1e300)).is_err());
    }
}
