//! The store's own key: made, read from a file, and signed with (rule S7).

use std::fmt;

use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD, Engine};
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair,
    EcdsaSigningAlgorithm, Ed25519KeyPair, KeyPair,
};
use rustls_pki_types::PrivateKeyDer;
use rustls_pki_types::pem::PemObject;
use serde_json::Value;

use crate::key::{Algorithm, PublicKey};

/// A private key with the public one that belongs to it. Never shown.
pub struct SigningKey {
    pair: Pair,
    public: PublicKey,
    random: SystemRandom,
}

enum Pair {
    Ecdsa(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
}

/// Why there is no signing key. No text repeats what was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyFault {
    /// Neither a PEM file with a private key nor a JSON Web Key.
    #[error("it holds neither a PEM private key (PKCS#8, or SEC1 for elliptic curves) nor a JWK")]
    Unreadable,
    /// A public key, which cannot sign.
    #[error("it holds a public key only; the private one is needed")]
    Public,
    /// A type, curve or size that is not supported, or halves that do not fit.
    #[error("it is no usable P-256, P-384 or Ed25519 key")]
    Unsupported,
    /// The system gives no random bytes.
    #[error("the system gives no random bytes")]
    Randomness,
}

impl SigningKey {
    /// Makes a key; returned with its PKCS#8 PEM text, which is secret.
    ///
    /// # Errors
    ///
    /// [`KeyFault::Randomness`].
    pub fn generate(algorithm: Algorithm) -> Result<(Self, String), KeyFault> {
        let random = SystemRandom::new();
        let document = match algorithm {
            Algorithm::Ed25519 => Ed25519KeyPair::generate_pkcs8(&random),
            Algorithm::Es256 => {
                EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random)
            }
            Algorithm::Es384 => {
                EcdsaKeyPair::generate_pkcs8(&ECDSA_P384_SHA384_FIXED_SIGNING, &random)
            }
        };
        let document = document.map_err(|_| KeyFault::Randomness)?;
        let key = Self::from_pkcs8(document.as_ref())?;
        let text = BASE64_STANDARD.encode(&document);
        let mut pem = String::from("-----BEGIN PRIVATE KEY-----\n");
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let (line, after) = rest.split_at(rest.len().min(64));
            pem.push_str(line);
            pem.push('\n');
            rest = after;
        }
        pem.push_str("-----END PRIVATE KEY-----\n");
        Ok((key, pem))
    }

    /// The key in the text of a file: PEM (PKCS#8 or SEC1) or a JSON Web Key.
    ///
    /// # Errors
    ///
    /// [`KeyFault`], for what the file is instead.
    pub fn from_text(text: &[u8]) -> Result<Self, KeyFault> {
        if text.trim_ascii_start().starts_with(b"{") {
            let jwk = serde_json::from_slice(text).map_err(|_| KeyFault::Unreadable)?;
            return Self::from_jwk(&jwk);
        }
        match PrivateKeyDer::from_pem_slice(text) {
            Ok(PrivateKeyDer::Pkcs8(der)) => Self::from_pkcs8(der.secret_pkcs8_der()),
            Ok(PrivateKeyDer::Sec1(der)) => Self::from_sec1(der.secret_sec1_der()),
            Ok(_) => Err(KeyFault::Unsupported),
            Err(_) if text.windows(10).any(|window| window == b"PUBLIC KEY") => {
                Err(KeyFault::Public)
            }
            Err(_) => Err(KeyFault::Unreadable),
        }
    }

    /// The key that verifies what this one signs; always named.
    pub const fn public(&self) -> &PublicKey {
        &self.public
    }

    /// Signs; elliptic curves give raw r||s (rule S4).
    ///
    /// # Errors
    ///
    /// [`KeyFault::Randomness`].
    pub fn sign(&self, message: &[u8]) -> Result<Vec<u8>, KeyFault> {
        match &self.pair {
            Pair::Ecdsa(pair) => {
                let signature = pair.sign(&self.random, message);
                signature.map(|it| it.as_ref().to_vec()).map_err(|_| KeyFault::Randomness)
            }
            Pair::Ed25519(pair) => Ok(pair.sign(message).as_ref().to_vec()),
        }
    }

    fn from_pkcs8(der: &[u8]) -> Result<Self, KeyFault> {
        let random = SystemRandom::new();
        for algorithm in [Algorithm::Es256, Algorithm::Es384] {
            if let Ok(pair) = EcdsaKeyPair::from_pkcs8(signing(algorithm), der, &random) {
                return Ok(Self::new(Pair::Ecdsa(pair), algorithm, None));
            }
        }
        // Files by common tools leave the public half out.
        let pair =
            Ed25519KeyPair::from_pkcs8_maybe_unchecked(der).map_err(|_| KeyFault::Unsupported)?;
        Ok(Self::new(Pair::Ed25519(pair), Algorithm::Ed25519, None))
    }

    /// The older form of elliptic keys is what PKCS#8 wraps.
    fn from_sec1(der: &[u8]) -> Result<Self, KeyFault> {
        let random = SystemRandom::new();
        for algorithm in [Algorithm::Es256, Algorithm::Es384] {
            let wrapped = element(
                0x30,
                &[&element(0x02, &[&[0]]), curve_identifier(algorithm), &element(0x04, &[der])],
            );
            if let Ok(pair) = EcdsaKeyPair::from_pkcs8(signing(algorithm), &wrapped, &random) {
                return Ok(Self::new(Pair::Ecdsa(pair), algorithm, None));
            }
        }
        Err(KeyFault::Unsupported)
    }

    fn from_jwk(jwk: &Value) -> Result<Self, KeyFault> {
        // What a private key may be used for differs from what its public half may.
        let mut plain = jwk.clone();
        if let Some(members) = plain.as_object_mut() {
            members.remove("key_ops");
        }
        let public = PublicKey::from_jwk(&plain).ok_or(KeyFault::Unsupported)?;
        let private = jwk.get("d").and_then(Value::as_str).ok_or(KeyFault::Public)?;
        let private = BASE64_URL_SAFE_NO_PAD.decode(private).map_err(|_| KeyFault::Unsupported)?;
        let algorithm = public.algorithm();
        let kid = public.kid().map(str::to_owned);
        let pair = match algorithm {
            Algorithm::Ed25519 => {
                let pair = Ed25519KeyPair::from_seed_and_public_key(&private, public.bytes());
                Pair::Ed25519(pair.map_err(|_| KeyFault::Unsupported)?)
            }
            Algorithm::Es256 | Algorithm::Es384 => {
                let pair = EcdsaKeyPair::from_private_key_and_public_key(
                    signing(algorithm),
                    &private,
                    public.bytes(),
                    &SystemRandom::new(),
                );
                Pair::Ecdsa(pair.map_err(|_| KeyFault::Unsupported)?)
            }
        };
        Ok(Self::new(pair, algorithm, kid))
    }

    fn new(pair: Pair, algorithm: Algorithm, kid: Option<String>) -> Self {
        let bytes = match &pair {
            Pair::Ecdsa(pair) => pair.public_key().as_ref().to_vec(),
            Pair::Ed25519(pair) => pair.public_key().as_ref().to_vec(),
        };
        let unnamed = PublicKey::new(algorithm, None, bytes.clone());
        let kid = kid.unwrap_or_else(|| unnamed.thumbprint());
        let public = PublicKey::new(algorithm, Some(kid), bytes);
        Self { pair, public, random: SystemRandom::new() }
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("public", &self.public).finish_non_exhaustive()
    }
}

const fn signing(algorithm: Algorithm) -> &'static EcdsaSigningAlgorithm {
    match algorithm {
        Algorithm::Es384 => &ECDSA_P384_SHA384_FIXED_SIGNING,
        Algorithm::Es256 | Algorithm::Ed25519 => &ECDSA_P256_SHA256_FIXED_SIGNING,
    }
}

/// AlgorithmIdentifier of an elliptic key (RFC 5480), in DER.
const fn curve_identifier(algorithm: Algorithm) -> &'static [u8] {
    match algorithm {
        Algorithm::Es384 => {
            b"\x30\x10\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x05\x2b\x81\x04\x00\x22"
        }
        Algorithm::Es256 | Algorithm::Ed25519 => {
            b"\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07"
        }
    }
}

/// One element of DER.
fn element(tag: u8, contents: &[&[u8]]) -> Vec<u8> {
    let contents = contents.concat();
    let length = contents.len();
    let [.., high, low] = length.to_be_bytes();
    let header: &[u8] = match length {
        0..0x80 => &[tag, low],
        0x80..0x100 => &[tag, 0x81, low],
        _ => &[tag, 0x82, high, low],
    };
    [header, &contents].concat()
}

#[cfg(test)]
mod tests;
