//! Messages: what a result has to say besides its payload (rule E5).
//!
//! The three kinds differ in what they must carry, so each has a type of its own
//! and [`Message`] is their union, told apart on the wire by `type`.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::json;

use crate::codes::Code;

/// The kind of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MessageKind {
    /// Something failed.
    Error,
    /// Something that must be shown to the buyer.
    Warning,
    /// Something worth knowing.
    Info,
}

/// What an error asks of the platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Severity {
    /// Change the request and send it again.
    Recoverable,
    /// The buyer must supply something.
    RequiresBuyerInput,
    /// The buyer must approve something.
    RequiresBuyerReview,
    /// There is nothing to act on; start over with something else.
    Unrecoverable,
}

/// How the text of a message is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum ContentType {
    /// Plain text, the default.
    Plain,
    /// Markdown.
    Markdown,
}

/// One message about the answer; `type` says whether it is an error, a warning or an information.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Message<'a> {
    /// The operation, or a part of it, failed.
    Error(MessageError<'a>),
    /// To be shown to the buyer.
    Warning(MessageWarning<'a>),
    /// Worth knowing.
    Info(MessageInfo<'a>),
}

/// An error: the operation, or a part of it, failed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MessageError<'a> {
    /// What went wrong, for programs.
    pub code: Cow<'a, str>,
    /// JSONPath of the member of this response that the message is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<Cow<'a, str>>,
    /// How `content` is written; plain text when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_type: Option<ContentType>,
    /// What went wrong, for people.
    pub content: Cow<'a, str>,
    /// What to do about it: change the request, ask the buyer, or give up.
    pub severity: Severity,
}

/// A warning: to be shown to the buyer.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MessageWarning<'a> {
    /// What is warned of, for programs.
    pub code: Cow<'a, str>,
    /// JSONPath of the member of this response that the message is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<Cow<'a, str>>,
    /// How `content` is written; plain text when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_type: Option<ContentType>,
    /// The text to show to the buyer.
    pub content: Cow<'a, str>,
    /// How to show it: `notice` (the default) may be dismissed, `disclosure` must stay beside what it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation: Option<Cow<'a, str>>,
    /// URL of an image that has to be shown with the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uri"))]
    pub image_url: Option<Cow<'a, str>>,
    /// URL of a page with more about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uri"))]
    pub url: Option<Cow<'a, str>>,
}

/// An information: worth knowing.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MessageInfo<'a> {
    /// What it is about, for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<Cow<'a, str>>,
    /// JSONPath of the member of this response that the message is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<Cow<'a, str>>,
    /// How `content` is written; plain text when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_type: Option<ContentType>,
    /// What there is to know, for people.
    pub content: Cow<'a, str>,
}

impl<'a> Message<'a> {
    /// An error message in plain text.
    pub fn error(code: Code, content: impl Into<Cow<'a, str>>, severity: Severity) -> Self {
        Self::Error(MessageError {
            code: Cow::Borrowed(code.name()),
            path: None,
            content_type: None,
            content: content.into(),
            severity,
        })
    }

    /// A warning in plain text.
    pub fn warning(code: Code, content: impl Into<Cow<'a, str>>) -> Self {
        Self::Warning(MessageWarning {
            code: Cow::Borrowed(code.name()),
            path: None,
            content_type: None,
            content: content.into(),
            presentation: None,
            image_url: None,
            url: None,
        })
    }

    /// An information in plain text.
    pub fn info(code: Code, content: impl Into<Cow<'a, str>>) -> Self {
        Self::Info(MessageInfo {
            code: Some(Cow::Borrowed(code.name())),
            path: None,
            content_type: None,
            content: content.into(),
        })
    }

    /// The same message, about the member of the response that `path` leads to
    /// (a JSONPath of RFC 9535).
    #[must_use]
    pub fn at(mut self, path: impl Into<Cow<'a, str>>) -> Self {
        let place = match &mut self {
            Self::Error(message) => &mut message.path,
            Self::Warning(message) => &mut message.path,
            Self::Info(message) => &mut message.path,
        };
        *place = Some(path.into());
        self
    }

    /// The kind of this message.
    pub const fn kind(&self) -> MessageKind {
        match self {
            Self::Error(_) => MessageKind::Error,
            Self::Warning(_) => MessageKind::Warning,
            Self::Info(_) => MessageKind::Info,
        }
    }
}

impl JsonSchema for Message<'_> {
    fn schema_name() -> Cow<'static, str> {
        "Message".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let tagged = |kind: &str, mut schema: Schema| {
            let tag = json!({"type": "string", "const": kind, "description": "Kind of message."});
            schema.insert("properties".to_owned(), json!({ "type": tag }));
            schema.insert("required".to_owned(), json!(["type"]));
            schema
        };
        json_schema!({
            "type": "object",
            "oneOf": [
                tagged("error", generator.subschema_for::<MessageError<'_>>()),
                tagged("warning", generator.subschema_for::<MessageWarning<'_>>()),
                tagged("info", generator.subschema_for::<MessageInfo<'_>>()),
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_e5_each_kind_carries_what_it_must() {
        let error = Message::error(Code::NotFound, "No such product: p9", Severity::Unrecoverable);
        assert_eq!(
            json!(error),
            json!({"type": "error", "code": "not_found", "content": "No such product: p9",
                   "severity": "unrecoverable"})
        );
        let warning = Message::warning(Code::FilterNotApplied, "ships_to").at("$.products");
        assert_eq!(
            json!(warning),
            json!({"type": "warning", "code": "unsupported_filter", "path": "$.products",
                   "content": "ships_to"})
        );
        let info = Message::info(Code::IdNotFound, "p9");
        assert_eq!(json!(info), json!({"type": "info", "code": "not_found", "content": "p9"}));
    }
}
