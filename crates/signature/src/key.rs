//! Public keys, read from JSON Web Keys (rules S3, S4).

use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine};
use ring::digest::{SHA256, digest};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, UnparsedPublicKey,
    VerificationAlgorithm,
};
use serde_json::{Value, json};

/// A signature algorithm; which one follows from the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// ECDSA on P-256 with SHA-256.
    Es256,
    /// ECDSA on P-384 with SHA-384.
    Es384,
    /// EdDSA on Curve25519.
    Ed25519,
}

impl Algorithm {
    /// All of them, the one that everybody must support first (rule S1).
    pub const ALL: [Self; 3] = [Self::Es256, Self::Es384, Self::Ed25519];

    /// Its name in the parameter `alg` of a signature (RFC 9421, section 6.2.2).
    pub const fn name(self) -> &'static str {
        match self {
            Self::Es256 => "ecdsa-p256-sha256",
            Self::Es384 => "ecdsa-p384-sha384",
            Self::Ed25519 => "ed25519",
        }
    }

    /// `kty` and `crv` of its keys.
    pub(crate) const fn key_type(self) -> (&'static str, &'static str) {
        match self {
            Self::Es256 => ("EC", "P-256"),
            Self::Es384 => ("EC", "P-384"),
            Self::Ed25519 => ("OKP", "Ed25519"),
        }
    }

    /// `alg` of its keys; Ed25519 keys may say it in two ways.
    const fn jose_names(self) -> &'static [&'static str] {
        match self {
            Self::Es256 => &["ES256"],
            Self::Es384 => &["ES384"],
            Self::Ed25519 => &["EdDSA", "Ed25519"],
        }
    }

    /// Octets of one coordinate or of the whole key.
    pub(crate) const fn octets(self) -> usize {
        match self {
            Self::Es256 | Self::Ed25519 => 32,
            Self::Es384 => 48,
        }
    }

    fn verification(self) -> &'static dyn VerificationAlgorithm {
        match self {
            Self::Es256 => &ECDSA_P256_SHA256_FIXED,
            Self::Es384 => &ECDSA_P384_SHA384_FIXED,
            Self::Ed25519 => &ED25519,
        }
    }
}

/// A key that verifies signatures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey {
    algorithm: Algorithm,
    kid: Option<String>,
    /// Uncompressed point of an elliptic curve with its leading 4, or the plain key.
    bytes: Vec<u8>,
}

impl PublicKey {
    /// A JSON Web Key as a key that verifies; `None` for types and curves that we do
    /// not know, for keys meant for something else, and for broken ones (rules S3, S4).
    pub fn from_jwk(jwk: &Value) -> Option<Self> {
        let text = |name| jwk.get(name).and_then(Value::as_str);
        let key_type = (text("kty")?, text("crv")?);
        let algorithm = Algorithm::ALL.into_iter().find(|known| known.key_type() == key_type)?;
        if jwk.get("use").is_some_and(|purpose| purpose != "sig") {
            return None;
        }
        if let Some(operations) = jwk.get("key_ops") {
            operations.as_array()?.iter().find(|operation| *operation == "verify")?;
        }
        if jwk.get("alg").is_some_and(|alg| {
            alg.as_str().is_none_or(|alg| !algorithm.jose_names().contains(&alg))
        }) {
            return None;
        }
        let coordinate = |name| {
            let bytes = BASE64_URL_SAFE_NO_PAD.decode(text(name)?).ok()?;
            (bytes.len() == algorithm.octets()).then_some(bytes)
        };
        let bytes = match algorithm {
            Algorithm::Ed25519 => coordinate("x")?,
            Algorithm::Es256 | Algorithm::Es384 => {
                [vec![4], coordinate("x")?, coordinate("y")?].concat()
            }
        };
        Some(Self { algorithm, kid: text("kid").map(str::to_owned), bytes })
    }

    pub(crate) const fn new(algorithm: Algorithm, kid: Option<String>, bytes: Vec<u8>) -> Self {
        Self { algorithm, kid, bytes }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Which algorithm it verifies.
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The name that its owner gave it.
    pub fn kid(&self) -> Option<&str> {
        self.kid.as_deref()
    }

    /// Its RFC 7638 thumbprint by SHA-256, as base64url.
    pub fn thumbprint(&self) -> String {
        let (kty, crv) = self.algorithm.key_type();
        // The required members in the order of their names, without white space.
        let canonical = match self.coordinates() {
            (x, Some(y)) => format!(r#"{{"crv":"{crv}","kty":"{kty}","x":"{x}","y":"{y}"}}"#),
            (x, None) => format!(r#"{{"crv":"{crv}","kty":"{kty}","x":"{x}"}}"#),
        };
        BASE64_URL_SAFE_NO_PAD.encode(digest(&SHA256, canonical.as_bytes()))
    }

    /// It as a JSON Web Key for a profile, named by its thumbprint unless it has a name.
    pub fn to_jwk(&self) -> Value {
        let (kty, crv) = self.algorithm.key_type();
        let (x, y) = self.coordinates();
        let kid = self.kid.clone().unwrap_or_else(|| self.thumbprint());
        let alg = self.algorithm.jose_names()[0];
        let mut jwk = json!({"kid": kid, "kty": kty, "crv": crv, "x": x});
        if let Some(y) = y {
            jwk["y"] = json!(y);
        }
        jwk["use"] = json!("sig");
        jwk["alg"] = json!(alg);
        jwk
    }

    /// Whether `signature`, raw r||s for elliptic curves (rule S4), is this key's over `message`.
    pub fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        let key = UnparsedPublicKey::new(self.algorithm.verification(), &self.bytes);
        key.verify(message, signature).is_ok()
    }

    fn coordinates(&self) -> (String, Option<String>) {
        let text = |bytes: &[u8]| BASE64_URL_SAFE_NO_PAD.encode(bytes);
        match self.algorithm {
            Algorithm::Ed25519 => (text(&self.bytes), None),
            Algorithm::Es256 | Algorithm::Es384 => {
                let (x, y) = self.bytes[1..].split_at(self.algorithm.octets());
                (text(x), Some(text(y)))
            }
        }
    }
}
