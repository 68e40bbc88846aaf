//! Signatures of responses (rule S7).

use base64::prelude::{BASE64_STANDARD, Engine};
use sfv::{InnerList, Item, Key, Parameters, StringRef};

use crate::base::{Message, parameters, signature_base};
use crate::digest::content_digest;
use crate::private::SigningKey;
use crate::{CONTENT_DIGEST, CONTENT_TYPE};

/// The label of the store's signature.
const LABEL: &str = "sig1";

/// A response to be signed.
#[derive(Debug, Clone, Copy)]
pub struct Response<'a> {
    /// Its HTTP status.
    pub status: u16,
    /// Its Content-Type.
    pub content_type: &'a str,
    /// Its body.
    pub body: &'a [u8],
}

/// The fields that a signature adds to a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedResponse {
    /// Content-Digest.
    pub content_digest: String,
    /// Signature-Input.
    pub signature_input: String,
    /// Signature.
    pub signature: String,
}

struct Signing<'a> {
    response: &'a Response<'a>,
    digest: &'a str,
}

impl Message for Signing<'_> {
    fn component(&self, name: &str) -> Option<String> {
        match name {
            "@status" => Some(self.response.status.to_string()),
            CONTENT_DIGEST => Some(self.digest.to_owned()),
            CONTENT_TYPE => Some(self.response.content_type.to_owned()),
            _ => None,
        }
    }
}

impl SigningKey {
    /// Signs `response` over its status, its body's digest and its type, at `now_s` seconds
    /// since 1970. `None` when the system cannot.
    pub fn sign_response(&self, response: &Response<'_>, now_s: i64) -> Option<SignedResponse> {
        let digest = content_digest(response.body);
        let text = |text: &str| StringRef::from_str(text).ok().map(ToOwned::to_owned);
        let items = ["@status", CONTENT_DIGEST, CONTENT_TYPE]
            .into_iter()
            .map(|name| text(name).map(Item::new))
            .collect::<Option<Vec<_>>>()?;
        let mut given = Parameters::new();
        let created = sfv::Integer::try_from(now_s).ok()?;
        given.insert(Key::from_string("created".to_owned()).ok()?, created.into());
        let keyid = text(self.public().kid()?)?;
        given.insert(Key::from_string("keyid".to_owned()).ok()?, keyid.into());
        let covered = InnerList::with_params(items, given);
        let message = Signing { response, digest: &digest };
        let base = signature_base(&message, &covered).ok()?;
        let signature = self.sign(base.as_bytes()).ok()?;
        Some(SignedResponse {
            signature_input: format!("{LABEL}={}", parameters(&covered)),
            signature: format!("{LABEL}=:{}:", BASE64_STANDARD.encode(signature)),
            content_digest: digest,
        })
    }
}
