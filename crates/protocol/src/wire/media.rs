//! `media.json`: pictures, films and models.

use schemars::JsonSchema;
use serde::Serialize;

/// A picture, a film or a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Media<'a> {
    /// `image`, `video`, `model_3d` or another kind.
    #[serde(rename = "type")]
    pub kind: &'a str,
    /// Where it is.
    #[schemars(extend("format" = "uri"))]
    pub url: &'a str,
    /// What it shows, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alt_text: Option<&'a str>,
    /// Width in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 1))]
    pub width: Option<u64>,
    /// Height in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 1))]
    pub height: Option<u64>,
}
