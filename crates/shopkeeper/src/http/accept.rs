//! Whether a client that says what it accepts can be given JSON (rule M2).

use axum::http::{HeaderMap, header};

/// False only when `Accept` is there and leaves no room for `application/json`.
pub(super) fn allows_json(headers: &HeaderMap) -> bool {
    let mut best: Option<(u8, bool)> = None;
    let mut said = false;
    for value in headers.get_all(header::ACCEPT) {
        let Ok(value) = value.to_str() else { return true };
        said |= !value.trim().is_empty();
        for range in value.split(',') {
            let mut parts = range.split(';').map(str::trim);
            let precision = match parts.next().unwrap_or_default().to_ascii_lowercase().as_str() {
                "application/json" => 3,
                "application/*" => 2,
                "*/*" => 1,
                _ => continue,
            };
            let quality = parts
                .filter_map(|parameter| parameter.split_once('='))
                .find(|(name, _)| name.eq_ignore_ascii_case("q"))
                .and_then(|(_, quality)| quality.trim().parse::<f32>().ok());
            // The most precise range that covers JSON decides (RFC 9110, 12.5.1).
            let allowed = quality.is_none_or(|quality| quality > 0.0);
            best = match best {
                Some((known, old)) if known > precision => Some((known, old)),
                Some((known, old)) if known == precision => Some((known, old || allowed)),
                _ => Some((precision, allowed)),
            };
        }
    }
    !said || best.is_some_and(|(_, allowed)| allowed)
}

#[cfg(test)]
mod tests {
    use super::allows_json;
    use axum::http::{HeaderMap, HeaderValue, header};

    #[test]
    fn rule_m2_json_is_excluded_only_by_saying_so() {
        let table = [
            (None, true),
            (Some(""), true),
            (Some("*/*"), true),
            (Some("application/json"), true),
            (Some("application/json, text/event-stream"), true),
            (Some("text/html, application/*;q=0.1"), true),
            (Some("APPLICATION/JSON;q=0.5"), true),
            (Some("text/event-stream"), false),
            (Some("text/html"), false),
            (Some("application/json;q=0, */*"), false),
            (Some("application/json; q=0.0"), false),
        ];
        for (accept, allowed) in table {
            let mut headers = HeaderMap::new();
            if let Some(accept) = accept {
                headers.insert(header::ACCEPT, HeaderValue::from_static(accept));
            }
            assert_eq!(allows_json(&headers), allowed, "{accept:?}");
        }
    }
}
