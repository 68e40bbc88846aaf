//! A memory of nonces, so that a signed request is accepted once.

use std::collections::{HashMap, VecDeque};

use ring::digest::{SHA256, digest};

/// The last nonces seen, up to a fixed number; the oldest are forgotten first.
#[derive(Debug)]
pub struct Nonces {
    capacity: usize,
    seen: HashMap<[u8; 32], Box<str>>,
    order: VecDeque<[u8; 32]>,
}

impl Nonces {
    /// An empty memory of at most `capacity` nonces, about 150 bytes each.
    pub fn new(capacity: usize) -> Self {
        Self { capacity, seen: HashMap::new(), order: VecDeque::new() }
    }

    /// Whether `signer` uses `nonce` for the first time, or again within the same
    /// `request`, as each call of a batch does. Only for signatures that verify: what
    /// strangers make up must not push out what counts.
    pub fn admit(&mut self, signer: &str, nonce: &str, request: &str) -> bool {
        let mut key = [0; 32];
        let named = format!("{}:{signer}{nonce}", signer.len());
        key.copy_from_slice(digest(&SHA256, named.as_bytes()).as_ref());
        if let Some(first) = self.seen.get(&key) {
            return **first == *request;
        }
        if self.order.len() >= self.capacity
            && let Some(oldest) = self.order.pop_front()
        {
            self.seen.remove(&oldest);
        }
        self.seen.insert(key, request.into());
        self.order.push_back(key);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nonce_is_good_for_one_request_of_one_signer() {
        let mut nonces = Nonces::new(10);
        assert!(nonces.admit("a", "n", "1"));
        assert!(nonces.admit("a", "n", "1"));
        assert!(!nonces.admit("a", "n", "2"));
        assert!(nonces.admit("b", "n", "2"));
        assert!(nonces.admit("an", "", "3"));
    }

    #[test]
    fn the_memory_is_bounded_and_forgets_the_oldest() {
        let mut nonces = Nonces::new(2);
        for nonce in ["1", "2", "3"] {
            assert!(nonces.admit("a", nonce, nonce));
        }
        assert_eq!((nonces.seen.len(), nonces.order.len()), (2, 2));
        assert!(!nonces.admit("a", "3", "x") && !nonces.admit("a", "2", "x"));
        assert!(nonces.admit("a", "1", "x"));
    }
}
