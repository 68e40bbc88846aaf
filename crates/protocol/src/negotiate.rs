//! Negotiation: what two parties have in common (rules N5, N6, N9).
//!
//! Pure functions over offers. Reading an offer out of a profile is
//! [`crate::profile`]'s part; fetching the profile is the application's.

use std::collections::{BTreeMap, BTreeSet};

/// One version of a capability that a party offers or that was agreed on.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entry {
    /// The version; compared as text, never interpreted (rule N5).
    pub version: String,
    /// The capabilities that this one extends; empty for one that stands alone.
    pub extends: Vec<String>,
}

impl Entry {
    /// A capability that stands alone.
    pub fn new(version: impl Into<String>) -> Self {
        Self { version: version.into(), extends: Vec::new() }
    }

    /// A capability that needs at least one of `parents` beside it.
    pub fn extending(version: impl Into<String>, parents: &[&str]) -> Self {
        let extends = parents.iter().map(|&parent| parent.to_owned()).collect();
        Self { version: version.into(), extends }
    }
}

/// What a party offers: every version of every capability, by name.
pub type Offer = BTreeMap<String, Vec<Entry>>;

/// What was agreed on: one version of each capability, by name.
pub type Active = BTreeMap<String, Entry>;

/// What `ours` and `theirs` have in common (rule N5).
///
/// Of each capability that both offer, the highest version present in both; then
/// extensions none of whose parents remain are taken out until nothing changes.
/// An extension extends what either party says it extends. Neither the order of
/// the arguments nor that of the entries matters.
pub fn intersect(ours: &Offer, theirs: &Offer) -> Active {
    let mut active: Active = ours
        .iter()
        .filter_map(|(name, mine)| {
            let common = highest_common(mine, theirs.get(name)?)?;
            Some((name.clone(), common))
        })
        .collect();
    prune(&mut active);
    active
}

/// The part of `active` that bears on the capability called `name`: itself, and
/// the extensions of it, of those, and so on (rule N6).
///
/// Empty when `name` is not active, which is rule N7's case.
pub fn relevant(active: &Active, name: &str) -> Active {
    let mut reached = BTreeSet::from([name]);
    if !active.contains_key(name) {
        return Active::new();
    }
    loop {
        let before = reached.len();
        for (extension, entry) in active {
            if entry.extends.iter().any(|parent| reached.contains(parent.as_str())) {
                reached.insert(extension);
            }
        }
        if reached.len() == before {
            break;
        }
    }
    let part = active.iter().filter(|(name, _)| reached.contains(name.as_str()));
    part.map(|(name, entry)| (name.clone(), entry.clone())).collect()
}

/// Whether the host of `schema_url` has authority over `name` (rule N9).
///
/// The labels of the host, reversed, are the name or its first labels:
/// `https://ucp.dev/x.json` speaks for `dev.ucp` and for `dev.ucp.shopping`, not
/// for `dev.ucpx`. The URL is https, names no user, and its host has two labels
/// or more and is not an address.
pub fn authority_binding(name: &str, schema_url: &str) -> bool {
    let Some(host) = https_host(schema_url) else { return false };
    let mut labels = host.rsplit('.');
    let mut segments = name.split('.');
    labels.all(|label| segments.next().is_some_and(|segment| label.eq_ignore_ascii_case(segment)))
        && name.bytes().all(|byte| !byte.is_ascii_uppercase())
}

/// The host of an https URL, if it is a domain name of two labels or more.
fn https_host(url: &str) -> Option<&str> {
    let (scheme, rest) = url.split_once("://")?;
    let printable = url.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if !scheme.eq_ignore_ascii_case("https") || !printable {
        return None;
    }
    let authority = &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())];
    let host = match authority.split_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        Some(_) => return None,
        None => authority,
    };
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let (_, top) = host.rsplit_once('.')?;
    // An IPv4 address in any of its spellings ends in a number (WHATWG URL).
    let numeric = top.bytes().all(|byte| byte.is_ascii_digit())
        || top.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("0x"));
    (!numeric && host.split('.').all(is_label)).then_some(host)
}

/// The entry of the highest version that both lists have, with all parents that
/// either names for it, in the order of their names.
fn highest_common(ours: &[Entry], theirs: &[Entry]) -> Option<Entry> {
    let offered = |version: &str| theirs.iter().any(|entry| entry.version == version);
    let version =
        ours.iter().map(|entry| &entry.version).filter(|version| offered(version)).max()?;
    let parents: BTreeSet<&String> = ours
        .iter()
        .chain(theirs)
        .filter(|entry| entry.version == *version)
        .flat_map(|entry| &entry.extends)
        .collect();
    Some(Entry { version: version.clone(), extends: parents.into_iter().cloned().collect() })
}

fn prune(active: &mut Active) {
    loop {
        let names: BTreeSet<String> = active.keys().cloned().collect();
        active.retain(|_, entry| {
            entry.extends.is_empty() || entry.extends.iter().any(|parent| names.contains(parent))
        });
        if active.len() == names.len() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn offer() -> impl Strategy<Value = Offer> {
        let name = || prop::sample::select(vec!["a.a", "a.b", "a.c", "a.d", "a.e", "a.f"]);
        let version = prop::sample::select(vec!["2026-01-01", "2026-04-08", "2026-08-25", "x"]);
        let entry = (version, prop::collection::vec(name(), 0..3))
            .prop_map(|(version, parents)| Entry::extending(version, &parents));
        prop::collection::btree_map(
            name().prop_map(str::to_owned),
            prop::collection::vec(entry, 0..4),
            0..6,
        )
    }

    fn as_offer(active: &Active) -> Offer {
        active.iter().map(|(name, entry)| (name.clone(), vec![entry.clone()])).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn rule_n5_is_symmetric(a in offer(), b in offer()) {
            prop_assert_eq!(intersect(&a, &b), intersect(&b, &a));
        }

        #[test]
        fn rule_n5_is_idempotent(a in offer(), b in offer()) {
            let once = intersect(&a, &b);
            let again = as_offer(&once);
            prop_assert_eq!(&intersect(&again, &again), &once);
            prop_assert_eq!(&intersect(&again, &b), &once);
            prop_assert_eq!(&intersect(&a, &again), &once);
        }

        #[test]
        fn rule_n5_pruning_reaches_a_fixed_point(a in offer(), b in offer()) {
            let active = intersect(&a, &b);
            for entry in active.values() {
                let parent = entry.extends.iter().any(|parent| active.contains_key(parent));
                prop_assert!(entry.extends.is_empty() || parent);
            }
            let mut pruned = active.clone();
            prune(&mut pruned);
            prop_assert_eq!(pruned, active);
        }

        #[test]
        fn rule_n5_does_not_depend_on_the_order_of_entries(a in offer(), b in offer()) {
            let reversed: Offer = b
                .iter()
                .map(|(name, entries)| (name.clone(), entries.iter().rev().cloned().collect()))
                .collect();
            prop_assert_eq!(intersect(&a, &b), intersect(&a, &reversed));
        }

        #[test]
        fn rule_n5_takes_the_highest_version_that_both_have(a in offer(), b in offer()) {
            for (name, entry) in intersect(&a, &b) {
                let both = a[&name].iter().filter(|mine| {
                    b[&name].iter().any(|theirs| theirs.version == mine.version)
                });
                prop_assert_eq!(both.map(|mine| &mine.version).max(), Some(&entry.version));
            }
        }

        #[test]
        fn rule_n6_relevant_is_the_capability_and_what_leads_to_it(a in offer()) {
            let active = intersect(&a, &a);
            for name in active.keys() {
                let part = relevant(&active, name);
                prop_assert!(part.contains_key(name));
                for (other, entry) in &active {
                    let reaches = entry.extends.iter().any(|parent| part.contains_key(parent));
                    prop_assert_eq!(part.contains_key(other), other == name || reaches);
                }
            }
        }
    }

    #[test]
    fn rule_n5_an_extension_goes_with_its_last_parent() {
        let ours = Offer::from([
            ("a.root".into(), vec![Entry::new("1")]),
            ("a.mid".into(), vec![Entry::extending("1", &["a.root"])]),
            ("a.leaf".into(), vec![Entry::extending("1", &["a.mid", "a.other"])]),
        ]);
        let mut theirs = ours.clone();
        assert_eq!(intersect(&ours, &theirs).len(), 3);
        theirs.insert("a.root".into(), vec![Entry::new("2")]);
        assert_eq!(intersect(&ours, &theirs), Active::new());
    }

    #[test]
    fn rule_n7_nothing_is_relevant_to_what_is_not_active() {
        let active = Active::from([("a.x".to_owned(), Entry::extending("1", &["a.root"]))]);
        assert_eq!(relevant(&active, "a.root"), Active::new());
    }

    #[test]
    fn rule_n9_authority_binding() {
        for (name, url) in [
            ("dev.ucp.shopping.catalog.search", "https://ucp.dev/2026-08-25/schemas/x.json"),
            ("dev.ucp", "https://ucp.dev"),
            ("dev.ucp.shopping", "https://UCP.dev:8443?x#y"),
            ("dev.ucp.shopping", "HTTPS://shopping.ucp.dev/"),
            ("br.dev.bcp.shopping.catalog.lookup", "https://bcp.dev.br/draft/schemas/x.json"),
            ("xn--p1ai.example.thing", "https://example.xn--p1ai/s.json"),
        ] {
            assert!(authority_binding(name, url), "{name} {url}");
        }
        for (name, url) in [
            ("dev.ucp.shopping", "http://ucp.dev/x.json"),
            ("dev.ucp.shopping", "https://ucp.dev@evil.example/x.json"),
            ("dev.ucp.shopping", "https://user:pw@ucp.dev/x.json"),
            ("dev.ucp.shopping", "https://evil.example/ucp.dev"),
            ("dev.ucp.shopping", "https://evil.example\\.ucp.dev/"),
            ("dev.ucpx.shopping", "https://ucp.dev/x.json"),
            ("dev.ucp", "https://shopping.ucp.dev/x.json"),
            ("dev.ucp.shopping", "https://dev/x.json"),
            ("dev.ucp.shopping", "https://ucp.dev./x.json"),
            ("dev.ucp.shopping", "https://.ucp.dev/x.json"),
            ("dev.ucp.shopping", "https://ucp..dev/x.json"),
            ("dev.ucp.shopping", "https://ucp.dev:x/x.json"),
            ("1.0.0.127", "https://127.0.0.1/x.json"),
            ("0x1.127.x", "https://127.0x1/x.json"),
            ("::1", "https://[::1]/x.json"),
            ("dev.ucp.shopping", "https://ucp.dev/x y.json"),
            ("Dev.ucp.shopping", "https://ucp.dev/x.json"),
            ("", "https:///x.json"),
            ("", ""),
        ] {
            assert!(!authority_binding(name, url), "{name} {url}");
        }
    }
}
