//! Whether a call is its platform's: the verdict on its signature, by the mode that
//! the merchant chose (rules S1 to S3, S6).
//!
//! The verdict itself is the package `signature`'s; here are the mode, the memory of
//! nonces and what of a request is kept until its platform is known.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use protocol::Protocol;
use protocol::operation::{API_KEY, IDEMPOTENCY_KEY, SIGNATURE_AGENT};
use protocol::profile::Platform;
use sha2::{Digest, Sha256};
use signature::{Nonces, PublicKey, Refusal, Request, Signed};
use url::Url;

use crate::config::{Registered, Signatures};

/// How many nonces are remembered: some ten megabytes of them.
const NONCES: usize = 65_536;

/// SHA-256 of an API key; never shown.
#[derive(Clone, Copy)]
pub struct KeyDigest([u8; 32]);

/// What a caller shows to prove who it is.
#[derive(Debug, Clone)]
pub enum Evidence {
    /// It is on this machine, at the other end of a pipe, and needs none.
    Local,
    /// None.
    Nothing,
    /// A signature, not yet verified.
    Signature(Arc<SignedRequest>),
    /// The SHA-256 of an API key, and the signature beside it if there is one.
    ApiKey(KeyDigest, Option<Arc<SignedRequest>>),
}

/// A request that carries a signature.
pub struct SignedRequest {
    method: String,
    authority: String,
    path: String,
    query: Option<String>,
    fields: Vec<(String, String)>,
    body: Bytes,
}

impl fmt::Debug for SignedRequest {
    /// Says nothing of what was sent: no signature and no credential gets into a log (rule L13).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignedRequest").finish_non_exhaustive()
    }
}

/// Why a call is not taken for its platform's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProofFault {
    /// No signature counts.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The nonce was used in an earlier request.
    #[error("the nonce of the signature was used before; sign every request with a new one")]
    Replayed,
    /// The API key is nobody's.
    #[error("the API key is not one that this store gave out")]
    UnknownKey,
    /// The API key is another platform's.
    #[error("the API key belongs to another platform than the one that the call names")]
    OthersKey,
}

/// Judges calls by one mode.
pub struct Proofs {
    mode: Signatures,
    nonces: Mutex<Nonces>,
    api_keys: Vec<(Url, KeyDigest)>,
}

impl Evidence {
    /// What a request shows. `secure` says whether platforms see this server under
    /// https, which decides the port that @authority leaves out.
    pub(crate) fn of(parts: &Parts, body: &Bytes, secure: bool) -> Self {
        let key = parts.headers.get(API_KEY).map(|key| KeyDigest::of(key.as_bytes()));
        let signed = [signature::SIGNATURE, signature::SIGNATURE_INPUT];
        if !signed.into_iter().any(|name| parts.headers.contains_key(name)) {
            return key.map_or(Self::Nothing, |key| Self::ApiKey(key, None));
        }
        let fields = parts
            .headers
            .iter()
            .map(|(name, value)| {
                (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
            })
            .collect();
        let signed = Arc::new(SignedRequest {
            method: parts.method.as_str().to_owned(),
            authority: authority(&parts.headers, secure),
            path: parts.uri.path().to_owned(),
            query: parts.uri.query().map(str::to_owned),
            fields,
            body: body.clone(),
        });
        match key {
            Some(key) => Self::ApiKey(key, Some(signed)),
            None => Self::Signature(signed),
        }
    }
}

/// The Host as received, without the port that its scheme implies (RFC 9421, 2.2.3).
fn authority(headers: &HeaderMap, secure: bool) -> String {
    let host = headers.get(axum::http::header::HOST).and_then(|host| host.to_str().ok());
    let host = host.unwrap_or_default();
    host.strip_suffix(if secure { ":443" } else { ":80" }).unwrap_or(host).to_owned()
}

impl Proofs {
    /// Judges by `mode` and the API keys in `registry`, with an empty memory of nonces.
    pub fn new(mode: Signatures, registry: &[Registered]) -> Self {
        let api_keys = registry
            .iter()
            .filter_map(|known| {
                let digest = KeyDigest::from_hex(known.api_key_sha256()?)?;
                Some((Url::parse(known.profile()).ok()?, digest))
            })
            .collect();
        Self { mode, nonces: Mutex::new(Nonces::new(NONCES)), api_keys }
    }

    /// Whether signatures are looked at.
    pub fn are_wanted(&self) -> bool {
        self.mode != Signatures::Off
    }

    /// The verdict on the call of `platform`, whose profile is at `url`, in the request named
    /// `request_id`.
    ///
    /// # Errors
    ///
    /// [`ProofFault`]: a signature is required and absent, or present and wrong.
    pub fn check(
        &self,
        evidence: &Evidence,
        platform: &Platform,
        url: &str,
        request_id: &str,
        now_s: i64,
    ) -> Result<(), ProofFault> {
        let signed = match (self.mode, evidence) {
            (Signatures::Off, _) | (_, Evidence::Local) => return Ok(()),
            (Signatures::Optional, Evidence::Nothing) => return Ok(()),
            (Signatures::Required, Evidence::Nothing) => return Err(Refusal::Missing.into()),
            (_, Evidence::Signature(signed)) => signed,
            (_, Evidence::ApiKey(key, signed)) => {
                self.check_key(*key, url)?;
                let Some(signed) = signed else { return Ok(()) };
                signed
            }
        };
        let keys: Vec<_> = platform.keys.iter().filter_map(PublicKey::from_jwk).collect();
        let verified = signed.verify(platform.dialect.protocol, &keys, now_s)?;
        let Some(nonce) = verified.nonce else { return Ok(()) };
        // Every change of the memory is complete before anything can panic.
        let mut nonces = self.nonces.lock().unwrap_or_else(PoisonError::into_inner);
        if nonces.admit(url, &nonce, request_id) { Ok(()) } else { Err(ProofFault::Replayed) }
    }
}

impl Proofs {
    /// A key must be known, and must speak for the profile that the call names (rule S6).
    fn check_key(&self, key: KeyDigest, url: &str) -> Result<(), ProofFault> {
        let url = Url::parse(url).ok();
        let (mut known, mut own) = (false, false);
        // All are compared, so that the time tells nothing.
        for (profile, digest) in &self.api_keys {
            let same = digest.is(key);
            known |= same;
            own |= same && url.as_ref() == Some(profile);
        }
        match (known, own) {
            (_, true) => Ok(()),
            (true, false) => Err(ProofFault::OthersKey),
            (false, false) => Err(ProofFault::UnknownKey),
        }
    }
}

impl KeyDigest {
    fn of(key: &[u8]) -> Self {
        Self(Sha256::digest(key).into())
    }

    /// Reads 64 hexadecimal digits; `None` for anything else.
    pub(crate) fn from_hex(text: &str) -> Option<Self> {
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let mut digest = [0; 32];
        for (byte, pair) in digest.iter_mut().zip(text.as_bytes().chunks(2)) {
            *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
        }
        Some(Self(digest))
    }

    /// Whether both are the same, in a time that does not depend on where they differ.
    fn is(&self, other: Self) -> bool {
        self.0.iter().zip(other.0).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
    }
}

impl fmt::Debug for KeyDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyDigest")
    }
}

impl SignedRequest {
    fn verify(
        &self,
        protocol: Protocol,
        keys: &[PublicKey],
        now_s: i64,
    ) -> Result<signature::Verified, Refusal> {
        let agents: Vec<_> =
            protocol.agent_headers().iter().map(|name| name.to_ascii_lowercase()).collect();
        let mut covered_when_present = vec![SIGNATURE_AGENT, IDEMPOTENCY_KEY];
        covered_when_present.extend(agents.iter().map(String::as_str));
        let request = Request {
            method: &self.method,
            authority: &self.authority,
            path: &self.path,
            query: self.query.as_deref(),
            fields: &self.fields,
            body: &self.body,
        };
        Signed { request, covered_when_present: &covered_when_present, now_s }.verify(keys)
    }
}
