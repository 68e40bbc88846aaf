//! `error_response.json`: a result that carries messages alone (rules N7, C11, C12).

use schemars::JsonSchema;
use serde::Serialize;

use super::ucp::UcpError;
use crate::envelope::Ucp;
use crate::message::Message;

/// The operation has no result; the messages say why.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct ErrorResponse<'a> {
    /// Version and capabilities that were used; the status is `error`.
    #[schemars(with = "UcpError")]
    pub ucp: Ucp<'a>,
    /// Why there is no result.
    #[schemars(extend("minItems" = 1))]
    pub messages: Vec<Message<'a>>,
    /// Page where the buyer can go on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uri"))]
    pub continue_url: Option<&'a str>,
}
