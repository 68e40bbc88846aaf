//! `description.json`: a text in one or more formats.

use schemars::JsonSchema;
use serde::Serialize;

/// A text, in at least one format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(extend("minProperties" = 1))]
pub struct Description<'a> {
    /// The text as plain text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plain: Option<&'a str>,
    /// The text as HTML. It is untrusted: sanitise it before rendering.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub html: Option<&'a str>,
    /// The text as Markdown. It is untrusted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub markdown: Option<&'a str>,
}
