//! Page cursors: opaque, authenticated, bound to the request they were given for.
//!
//! A cursor is a position sealed together with the generation of the data and a
//! fingerprint of everything that shapes the answer (rule C7). The fingerprint is
//! only in the seal, so a cursor says nothing of the query it belongs to.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::io::Write;
use std::path::Path;

const LAYOUT: u8 = 1;
const GENERATION_BYTES: usize = 8;
const SEAL_BYTES: usize = 16;
const KEY_BYTES: usize = 32;
const KEY_FILE: &str = "cursor.key";
const NAME_BYTES: usize = 9;

/// Which data a cursor was given for.
pub(crate) type Generation = [u8; GENERATION_BYTES];

/// A digest of everything about a request that shapes its answer.
pub(crate) type Fingerprint = [u8; 32];

/// The secret that cursors are sealed with.
#[derive(Clone)]
pub(crate) struct CursorKey([u8; KEY_BYTES]);

/// Why a cursor cannot be honoured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CursorFault {
    /// Changed, made up, or of another request.
    #[error(
        "this cursor was not given for this request, or was changed; send it back as it was, with the same query, filters and context, or start again without a cursor"
    )]
    Foreign,
    /// The data have changed since.
    #[error("this cursor is of an older state of the store; start again without a cursor")]
    Expired,
}

impl CursorKey {
    /// A key that lives as long as the process.
    ///
    /// # Errors
    ///
    /// The system has no randomness to give.
    pub(crate) fn ephemeral() -> Result<Self, getrandom::Error> {
        let mut key = [0; KEY_BYTES];
        getrandom::fill(&mut key)?;
        Ok(Self(key))
    }

    /// The key kept in the data folder `dir`, made there on first use, so that a
    /// restart or a replica with the same folder honours earlier cursors.
    ///
    /// # Errors
    ///
    /// The folder cannot be written, or the system has no randomness.
    pub(crate) fn kept_in(dir: &Path) -> std::io::Result<Self> {
        let path = dir.join(KEY_FILE);
        if let Ok(bytes) = std::fs::read(&path)
            && let Ok(key) = bytes.try_into()
        {
            return Ok(Self(key));
        }
        let key = Self::ephemeral().map_err(std::io::Error::other)?;
        std::fs::create_dir_all(dir)?;
        // Written beside and linked: a crash leaves no half a key, and of two
        // processes that begin together both take the key of the first.
        let fresh = dir.join(format!("{KEY_FILE}.{}", random_name()?));
        owner_only(&fresh)?.write_all(&key.0)?;
        if std::fs::hard_link(&fresh, &path).is_ok() {
            std::fs::remove_file(&fresh)?;
            return Ok(key);
        }
        if let Ok(bytes) = std::fs::read(&path)
            && let Ok(first) = bytes.try_into()
        {
            std::fs::remove_file(&fresh)?;
            return Ok(Self(first));
        }
        std::fs::rename(&fresh, &path)?;
        Ok(key)
    }

    /// Seals `position`.
    pub(crate) fn seal(
        &self,
        generation: Generation,
        fingerprint: &Fingerprint,
        position: &[u8],
    ) -> String {
        let mut bytes = Vec::with_capacity(1 + GENERATION_BYTES + position.len() + SEAL_BYTES);
        bytes.push(LAYOUT);
        bytes.extend_from_slice(&generation);
        bytes.extend_from_slice(position);
        let seal = self.mac(&bytes, fingerprint).finalize().into_bytes();
        bytes.extend_from_slice(&seal[..SEAL_BYTES]);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// The position in `cursor`.
    ///
    /// # Errors
    ///
    /// [`CursorFault`]: the cursor is not one of ours for this request, or is of
    /// another generation.
    pub(crate) fn open(
        &self,
        cursor: &str,
        generation: Generation,
        fingerprint: &Fingerprint,
    ) -> Result<Vec<u8>, CursorFault> {
        let bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| CursorFault::Foreign)?;
        let body = bytes.len().checked_sub(SEAL_BYTES).ok_or(CursorFault::Foreign)?;
        let (body, seal) = bytes.split_at(body);
        self.mac(body, fingerprint)
            .verify_truncated_left(seal)
            .map_err(|_| CursorFault::Foreign)?;
        match body.split_at_checked(1 + GENERATION_BYTES) {
            Some((head, position)) if head[0] == LAYOUT => {
                if head[1..] == generation {
                    Ok(position.to_vec())
                } else {
                    Err(CursorFault::Expired)
                }
            }
            _ => Err(CursorFault::Foreign),
        }
    }

    fn mac(&self, body: &[u8], fingerprint: &Fingerprint) -> Hmac<Sha256> {
        // Invariant: HMAC takes a key of any length.
        #[expect(clippy::expect_used, reason = "HMAC takes a key of any length")]
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("a key of any length");
        mac.update(body);
        mac.update(fingerprint);
        mac
    }
}

/// The generation that `cursor` says it is of, which its seal has yet to confirm.
pub(crate) fn claimed_generation(cursor: &str) -> Option<Generation> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
    let (layout, rest) = bytes.split_first()?;
    if *layout == LAYOUT { rest.first_chunk().copied() } else { None }
}

/// A name that no other file has: in containers every process has the same id.
///
/// # Errors
///
/// The system has no randomness to give.
pub(crate) fn random_name() -> std::io::Result<String> {
    let mut name = [0; NAME_BYTES];
    getrandom::fill(&mut name).map_err(std::io::Error::other)?;
    Ok(URL_SAFE_NO_PAD.encode(name))
}

/// The digest of `parts`, each a name and a value; the order of members inside a
/// value and the spelling of its numbers do not matter.
pub(crate) fn fingerprint<'a>(
    parts: impl IntoIterator<Item = (&'a str, &'a Value)>,
) -> Fingerprint {
    let mut canonical = String::new();
    for (name, value) in parts {
        canonical.push_str(name);
        canonical.push('=');
        write_canonical(value, &mut canonical);
        canonical.push('\n');
    }
    Sha256::digest(canonical).into()
}

fn write_canonical(value: &Value, out: &mut String) {
    match value {
        Value::Object(members) => {
            let mut sorted: Vec<_> = members.iter().collect();
            sorted.sort_by_key(|(name, _)| *name);
            out.push('{');
            for (name, member) in sorted {
                out.push_str(&Value::String(name.clone()).to_string());
                out.push(':');
                write_canonical(member, out);
                out.push(',');
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for item in items {
                write_canonical(item, out);
                out.push(',');
            }
            out.push(']');
        }
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(integer), _) => out.push_str(&integer.to_string()),
            // A float's shortest text is the integer's own where it is whole.
            (None, Some(float)) => out.push_str(&float.to_string()),
            (None, None) => out.push_str(&number.to_string()),
        },
        other => out.push_str(&other.to_string()),
    }
}

#[cfg(unix)]
fn owner_only(path: &Path) -> std::io::Result<std::fs::File> {
    use std::os::unix::fs::OpenOptionsExt;
    std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
fn owner_only(path: &Path) -> std::io::Result<std::fs::File> {
    std::fs::File::create(path)
}

#[cfg(test)]
mod tests {
    use super::{CursorFault, CursorKey, claimed_generation, fingerprint};
    use proptest::prelude::*;
    use serde_json::json;

    const NOW: [u8; 8] = *b"now_____";
    const LATER: [u8; 8] = *b"later___";

    #[test]
    fn rule_c7_a_cursor_opens_for_its_own_request_alone() {
        let key = CursorKey::ephemeral().unwrap();
        let (mine, other) = (fingerprint([("q", &json!("a"))]), fingerprint([("q", &json!("b"))]));
        let cursor = key.seal(NOW, &mine, b"position");
        assert_eq!(key.open(&cursor, NOW, &mine), Ok(b"position".to_vec()));
        assert_eq!(key.open(&cursor, NOW, &other), Err(CursorFault::Foreign));
        assert_eq!(key.open(&cursor, LATER, &mine), Err(CursorFault::Expired));
        let stranger = CursorKey::ephemeral().unwrap();
        assert_eq!(stranger.open(&cursor, NOW, &mine), Err(CursorFault::Foreign));
    }

    #[test]
    fn a_cursor_says_its_generation_before_its_seal_is_checked() {
        let cursor = CursorKey::ephemeral().unwrap().seal(LATER, &[0; 32], b"position");
        assert_eq!(claimed_generation(&cursor), Some(LATER));
        for other in ["", "AQ", "!", &cursor[1..]] {
            assert_ne!(claimed_generation(other), Some(LATER), "{other}");
        }
    }

    #[test]
    fn the_fingerprint_sees_meaning_and_not_spelling() {
        let a = json!({"max": 10, "min": 1.0, "list": ["x", "y"]});
        let b = json!({"min": 1, "list": ["x", "y"], "max": 10.0});
        let c = json!({"min": 1, "list": ["y", "x"], "max": 10});
        assert_eq!(fingerprint([("f", &a)]), fingerprint([("f", &b)]));
        assert_ne!(fingerprint([("f", &a)]), fingerprint([("f", &c)]));
        assert_ne!(fingerprint([("f", &json!("1"))]), fingerprint([("f", &json!(1))]));
        assert_ne!(fingerprint([("f", &json!(null))]), fingerprint([("g", &json!(null))]));
    }

    #[test]
    fn the_key_survives_a_restart() {
        let dir = std::env::temp_dir().join(format!("shopkeeper-cursor-{}", std::process::id()));
        let cursor = CursorKey::kept_in(&dir).unwrap().seal(NOW, &[0; 32], b"p");
        let opened = CursorKey::kept_in(&dir).unwrap().open(&cursor, NOW, &[0; 32]);
        std::fs::remove_dir_all(&dir).unwrap();
        assert_eq!(opened, Ok(b"p".to_vec()));
    }

    #[test]
    fn processes_that_begin_together_have_one_key() {
        let dir = std::env::temp_dir().join(format!("shopkeeper-race-{}", std::process::id()));
        let begin = || CursorKey::kept_in(&dir).unwrap().seal(NOW, &[0; 32], b"p");
        std::fs::create_dir_all(&dir).unwrap();
        let first = begin();
        // A key that is none, as after a disk ran full, is replaced.
        std::fs::write(dir.join(super::KEY_FILE), b"short").unwrap();
        let second = begin();
        assert_ne!(first, second);
        assert_eq!(second, begin());
        let left: Vec<_> = std::fs::read_dir(&dir).unwrap().collect();
        std::fs::remove_dir_all(&dir).unwrap();
        assert_eq!(left.len(), 1, "nothing but the key stays behind");
    }

    proptest! {
        #[test]
        fn rule_c7_any_change_of_a_cursor_is_refused(at in 0_usize..60, to in "[A-Za-z0-9_-]") {
            let key = CursorKey::ephemeral().unwrap();
            let cursor = key.seal(NOW, &[7; 32], b"12345678");
            let at = at % cursor.len();
            let mut changed = cursor.clone();
            changed.replace_range(at..=at, &to);
            prop_assume!(changed != cursor);
            prop_assert!(key.open(&changed, NOW, &[7; 32]).is_err());
            prop_assert!(key.open(&cursor[..at], NOW, &[7; 32]).is_err());
        }
    }
}
