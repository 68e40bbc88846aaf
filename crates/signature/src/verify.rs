//! The verdict on a signed request (rules S1 to S4).

use sfv::{Dictionary, InnerList, ListEntry, Parser};

use crate::base::{BaseFault, signature_base};
use crate::digest::{BodyDigest, digest_of_body};
use crate::key::{Algorithm, PublicKey};
use crate::{CONTENT_DIGEST, CONTENT_TYPE, Request, SIGNATURE, SIGNATURE_INPUT};

/// How far a signer's clock may run ahead, in seconds.
const CLOCK_SKEW_S: i64 = 60;

/// Most signatures looked at: each costs a verification.
const MOST_SIGNATURES: usize = 4;

/// The tag of signatures by automated clients.
const WEB_BOT_AUTH: &str = "web-bot-auth";

/// Why no signature of a request counts. The texts are for the signer's developer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is no signature.
    #[error("the request has no signature; sign it with a key of your platform's profile")]
    Missing,
    /// The fields are not what RFC 9421 says, or lack each other.
    #[error("{0}")]
    Malformed(&'static str),
    /// The digest in the request is not the body's.
    #[error("Content-Digest is not the digest of the body as it was received")]
    DigestMismatch,
    /// What must be covered is not.
    #[error("the signature must cover {0:?}")]
    NotCovered(String),
    /// What is covered is not there.
    #[error("the signature covers {0:?}, which the request does not have")]
    Absent(String),
    /// The signature names an algorithm that is not supported.
    #[error("the algorithm is not supported; use ecdsa-p256-sha256, ecdsa-p384-sha384 or ed25519")]
    AlgorithmUnsupported,
    /// No key of the profile has the name that the signature gives.
    #[error("no usable key of the platform's profile has the keyid of the signature")]
    KeyNotFound,
    /// The signature's time is over.
    #[error("the signature has expired")]
    Expired,
    /// The signature's time has not come.
    #[error("the signature was created in the future; check the signer's clock")]
    NotYet,
    /// The signature is not that key's over this request.
    #[error("the signature does not verify with the key that it names")]
    Wrong,
}

/// A signature that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// The `keyid` that it names.
    pub keyid: String,
    /// Its nonce, which the caller must not accept twice.
    pub nonce: Nonce,
}

/// The nonce of a signature, when it has one.
pub type Nonce = Option<String>;

/// A request whose signatures are to be judged.
#[derive(Debug, Clone, Copy)]
pub struct Signed<'a> {
    /// The request.
    pub request: Request<'a>,
    /// Names of fields, in lower case, that must be covered when the request has them.
    pub covered_when_present: &'a [&'a str],
    /// Seconds since 1970.
    pub now_s: i64,
}

impl Signed<'_> {
    /// The first signature that counts, by one of `keys`.
    ///
    /// # Errors
    ///
    /// When none does: the refusal of the signature that came furthest.
    pub fn verify(&self, keys: &[PublicKey]) -> Result<Verified, Refusal> {
        let (inputs, signatures) = self.fields()?;
        if inputs.len() > MOST_SIGNATURES {
            return Err(Refusal::Malformed("a request may have at most 4 signatures"));
        }
        let mut worst = None;
        for (label, input) in &inputs {
            match self.one(input, signatures.get(label), keys) {
                Ok(verified) => return Ok(verified),
                Err(refusal) => {
                    if worst.as_ref().is_none_or(|known| rank(&refusal) > rank(known)) {
                        worst = Some(refusal);
                    }
                }
            }
        }
        Err(worst.unwrap_or(Refusal::Missing))
    }

    fn fields(&self) -> Result<(Dictionary, Dictionary), Refusal> {
        let (inputs, signatures) =
            match (self.request.field(SIGNATURE_INPUT), self.request.field(SIGNATURE)) {
                (None, None) => return Err(Refusal::Missing),
                (Some(inputs), Some(signatures)) => (inputs, signatures),
                _ => {
                    return Err(Refusal::Malformed(
                        "Signature and Signature-Input need each other",
                    ));
                }
            };
        let inputs = Parser::new(&inputs)
            .parse()
            .map_err(|_| Refusal::Malformed("Signature-Input is not a structured dictionary"))?;
        let signatures = Parser::new(&signatures)
            .parse()
            .map_err(|_| Refusal::Malformed("Signature is not a structured dictionary"))?;
        Ok((inputs, signatures))
    }

    fn one(
        &self,
        input: &ListEntry,
        signature: Option<&ListEntry>,
        keys: &[PublicKey],
    ) -> Result<Verified, Refusal> {
        let ListEntry::InnerList(covered) = input else {
            return Err(Refusal::Malformed("a member of Signature-Input is not an inner list"));
        };
        let signature = match signature {
            Some(ListEntry::Item(item)) => item.bare_item.as_byte_sequence(),
            _ => None,
        };
        let Some(signature) = signature else {
            return Err(Refusal::Malformed("Signature has no byte sequence of this label"));
        };
        let parameters = Parameters::read(covered)?;
        self.check_covered(covered)?;
        self.check_digest()?;
        parameters.check_time(self.now_s)?;
        let base = signature_base(&self.request, covered).map_err(|fault| match fault {
            BaseFault::Unsupported => Refusal::Malformed(
                "components with parameters or unprintable values are not supported",
            ),
            BaseFault::Twice(_) => Refusal::Malformed("a component is covered twice"),
            BaseFault::Absent(name) => Refusal::Absent(name),
        })?;
        let mut candidates = keys.iter().filter(|key| parameters.names(key)).peekable();
        candidates.peek().ok_or(Refusal::KeyNotFound)?;
        let good = candidates
            .filter(|key| parameters.algorithm.is_none_or(|named| named == key.algorithm()))
            .any(|key| key.verifies(base.as_bytes(), signature));
        let Parameters { keyid, nonce, .. } = parameters;
        if good { Ok(Verified { keyid, nonce }) } else { Err(Refusal::Wrong) }
    }

    /// Rule S2.
    fn check_covered(&self, covered: &InnerList) -> Result<(), Refusal> {
        let has = |name: &str| self.request.fields.iter().any(|(known, _)| known == name);
        let with_body = |name| (!self.request.body.is_empty()).then_some(name);
        let required = ["@method", "@authority", "@path"]
            .into_iter()
            .chain(self.request.query.map(|_| "@query"))
            .chain(with_body(CONTENT_DIGEST))
            .chain(with_body(CONTENT_TYPE))
            .chain(self.covered_when_present.iter().copied().filter(|name| has(name)));
        for name in required {
            let covers = covered.items.iter().any(|item| {
                item.params.is_empty()
                    && item.bare_item.as_string().is_some_and(|known| known.as_str() == name)
            });
            if !covers {
                return Err(Refusal::NotCovered(name.to_owned()));
            }
        }
        Ok(())
    }

    fn check_digest(&self) -> Result<(), Refusal> {
        let Some(value) = self.request.field(CONTENT_DIGEST) else {
            let bare = self.request.body.is_empty();
            return if bare { Ok(()) } else { Err(Refusal::Absent(CONTENT_DIGEST.to_owned())) };
        };
        match digest_of_body(&value, self.request.body) {
            BodyDigest::Matches => Ok(()),
            BodyDigest::Differs => Err(Refusal::DigestMismatch),
            BodyDigest::Unknown => {
                Err(Refusal::Malformed("Content-Digest has neither sha-256 nor sha-512"))
            }
            BodyDigest::Malformed => {
                Err(Refusal::Malformed("Content-Digest is not a dictionary of byte sequences"))
            }
        }
    }
}

/// The parameters of one signature (RFC 9421, section 2.3).
struct Parameters {
    keyid: String,
    algorithm: Option<Algorithm>,
    created_s: Option<i64>,
    expires_s: Option<i64>,
    nonce: Nonce,
    web_bot_auth: bool,
}

impl Parameters {
    fn read(covered: &InnerList) -> Result<Self, Refusal> {
        let text = |name: &str| match covered.params.get(name) {
            None => Ok(None),
            Some(value) => match value.as_string() {
                Some(text) => Ok(Some(text.as_str().to_owned())),
                None => Err(Refusal::Malformed("keyid, alg, nonce and tag must be strings")),
            },
        };
        let time = |name: &str| match covered.params.get(name) {
            None => Ok(None),
            Some(value) => match value.as_integer() {
                Some(seconds) => Ok(Some(i64::from(seconds))),
                None => Err(Refusal::Malformed("created and expires must be integers")),
            },
        };
        let keyid = text("keyid")?.ok_or(Refusal::Malformed("the signature has no keyid"))?;
        let algorithm = match text("alg")? {
            None => None,
            Some(name) => {
                let known = Algorithm::ALL.into_iter().find(|known| known.name() == name);
                Some(known.ok_or(Refusal::AlgorithmUnsupported)?)
            }
        };
        let (created_s, expires_s) = (time("created")?, time("expires")?);
        let web_bot_auth = text("tag")?.is_some_and(|tag| tag == WEB_BOT_AUTH);
        if web_bot_auth && (created_s.is_none() || expires_s.is_none()) {
            return Err(Refusal::Malformed("a web-bot-auth signature needs created and expires"));
        }
        Ok(Self { keyid, algorithm, created_s, expires_s, nonce: text("nonce")?, web_bot_auth })
    }

    fn check_time(&self, now_s: i64) -> Result<(), Refusal> {
        if self.created_s.is_some_and(|created| created > now_s + CLOCK_SKEW_S) {
            return Err(Refusal::NotYet);
        }
        if self.expires_s.is_some_and(|expires| expires <= now_s) {
            return Err(Refusal::Expired);
        }
        Ok(())
    }

    /// Keys are named by their kid; automated clients name them by their thumbprint.
    fn names(&self, key: &PublicKey) -> bool {
        if self.web_bot_auth {
            return key.thumbprint() == self.keyid;
        }
        key.kid() == Some(&self.keyid)
    }
}

/// How far a refused signature came.
const fn rank(refusal: &Refusal) -> u8 {
    match refusal {
        Refusal::Missing => 0,
        Refusal::Malformed(_) => 1,
        Refusal::AlgorithmUnsupported => 2,
        Refusal::NotCovered(_) | Refusal::Absent(_) => 3,
        Refusal::DigestMismatch => 4,
        Refusal::Expired | Refusal::NotYet => 5,
        Refusal::Wrong => 6,
        // Above all: newer keys may turn it into a signature that counts.
        Refusal::KeyNotFound => 7,
    }
}

#[cfg(test)]
mod tests;
