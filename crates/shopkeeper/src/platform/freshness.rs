//! How long a fetched profile stays fresh (rule N3), read from its response headers.
//!
//! RFC 9111 as a shared cache reads it, within a floor and a ceiling: the floor
//! is the protocol's and holds against no-store too, the ceiling keeps a
//! mistyped max-age from freezing a profile for years.

use std::time::Duration;

/// Shortest freshness of a fetched profile, whatever its headers say (rule N3).
pub(super) const FLOOR: Duration = Duration::from_secs(60);

/// Longest freshness of a fetched profile, whatever its headers say.
pub(super) const CEILING: Duration = Duration::from_secs(24 * 60 * 60);

/// Freshness from the values of all Cache-Control headers, and of Age, the seconds already spent
/// in caches on the way.
pub(super) fn lifetime<'a>(
    cache_control: impl Iterator<Item = &'a str>,
    age: Option<&str>,
) -> Duration {
    let (mut max_age, mut shared_max_age, mut forbidden) = (None, None, false);
    for directive in cache_control.flat_map(|value| value.split(',')) {
        let (name, value) = directive.split_once('=').unwrap_or((directive, ""));
        match name.trim().to_ascii_lowercase().as_str() {
            "max-age" => max_age = max_age.or(seconds(value)),
            "s-maxage" => shared_max_age = shared_max_age.or(seconds(value)),
            "no-store" | "no-cache" | "private" => forbidden = true,
            _ => {}
        }
    }
    let stated = shared_max_age.or(max_age).filter(|_| !forbidden).unwrap_or(0);
    let spent = age.and_then(seconds).unwrap_or(0);
    Duration::from_secs(stated.saturating_sub(spent)).clamp(FLOOR, CEILING)
}

/// A number of seconds, quoted or not; one too large to hold is the largest.
fn seconds(value: &str) -> Option<u64> {
    let digits = value.trim().trim_matches('"');
    let all_digits = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    all_digits.then(|| digits.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_n3_freshness_between_floor_and_ceiling() {
        for (headers, age, expected_s) in [
            (&[][..], None, 60),
            (&["max-age=300"], None, 300),
            (&["Public, Max-Age=300"], None, 300),
            (&["public", "max-age=\"300\""], None, 300),
            (&["max-age=300, max-age=900"], None, 300),
            (&["max-age=300, s-maxage=600"], None, 600),
            (&["max-age=300"], Some("100"), 200),
            (&["max-age=300"], Some("1000"), 60),
            (&["max-age=300"], Some("x"), 300),
            (&["max-age=10"], None, 60),
            (&["max-age=0"], None, 60),
            (&["max-age=-1"], None, 60),
            (&["max-age=soon"], None, 60),
            (&["max-age"], None, 60),
            (&["no-store"], None, 60),
            (&["private, max-age=3600"], None, 60),
            (&["no-cache, max-age=3600"], None, 60),
            (&["max-age=31536000"], None, 86_400),
            (&["max-age=99999999999999999999999"], None, 86_400),
        ] {
            let got = lifetime(headers.iter().copied(), age);
            assert_eq!(got.as_secs(), expected_s, "{headers:?} {age:?}");
        }
    }
}
