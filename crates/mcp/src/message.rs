//! The JSON-RPC envelope: from bytes to requests, notifications and what is neither.
//!
//! Only the envelope is judged here; methods and parameters are
//! [`crate::server`]'s business. A message whose envelope is wrong keeps its id
//! when it has a usable one, so that the error finds its request (rule M6).

use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use thiserror::Error;

use crate::fault::excerpt;
use crate::id::{Id, NotAnId};
use crate::json::{self, Depth, JsonError, Notes, Strict};

/// How many messages one batch may hold (rule M5); more is refused as a whole.
pub const MAX_BATCH: usize = 50;

/// A whole body.
pub(crate) enum Document {
    One(Message),
    Batch(Vec<Message>),
}

/// One message, its envelope checked.
pub(crate) enum Message {
    Request {
        id: Id,
        method: String,
        params: Map<String, Value>,
    },
    Notification {
        method: String,
        params: Map<String, Value>,
    },
    /// An answer to a request that this server never sends.
    Response,
    Invalid {
        id: Option<Id>,
        fault: EnvelopeFault,
    },
}

/// What is wrong with an envelope.
#[derive(Debug, Error)]
pub(crate) enum EnvelopeFault {
    #[error("a message must be a JSON object, with \"jsonrpc\", \"id\", \"method\" and \"params\"")]
    NotAnObject,
    #[error("the key \"{}\" appears twice in one object; send each key once", excerpt(.0))]
    DuplicateKey(String),
    #[error("\"jsonrpc\" must be the string \"2.0\"")]
    Version,
    #[error(
        "\"id\" must be a string or a number, and cannot be null; a notification has no \"id\" at all"
    )]
    IdNull,
    #[error("\"id\" must be a string or a number")]
    IdType,
    #[error("\"method\" is missing; it must be a string such as \"tools/call\"")]
    MethodMissing,
    #[error("\"method\" must be a string such as \"tools/call\"")]
    MethodType,
    /// JSON-RPC allows an array, MCP does not; without members there is no era
    /// either, so this is a fault of the envelope and not of a method's parameters.
    #[error("\"params\" must be a JSON object; MCP has no parameters by position")]
    ParamsType,
    #[error("a message has either \"method\" or one of \"result\" and \"error\", never both")]
    Mixed,
}

/// Reads a body; the error is of the text, every other fault is in a [`Message`].
pub(crate) fn read(body: &[u8]) -> Result<Document, JsonError> {
    let notes = Notes::default();
    json::read(body, &notes, DocumentSeed(Depth::outside(&notes)))
}

/// Reads a body: one message, or an array of them.
struct DocumentSeed<'r>(Depth<'r>);

impl<'de> DeserializeSeed<'de> for DocumentSeed<'_> {
    type Value = Document;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Document, D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// Forwards the scalars of a visitor to one that builds what they mean.
macro_rules! scalars_are {
    ($value:expr) => {
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a JSON-RPC message")
        }
        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok($value)
        }
        fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
            Ok($value)
        }
        fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
            Ok($value)
        }
        fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
            Ok($value)
        }
        fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
            Ok($value)
        }
        fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
            Ok($value)
        }
    };
}

const NOT_AN_OBJECT: Message = Message::Invalid { id: None, fault: EnvelopeFault::NotAnObject };

impl<'de> Visitor<'de> for DocumentSeed<'_> {
    type Value = Document;

    scalars_are!(Document::One(NOT_AN_OBJECT));

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Document, A::Error> {
        let inside = self.0.enter()?;
        let mut messages = Vec::new();
        while let Some(message) = seq.next_element_seed(MessageSeed(inside))? {
            // One beyond the limit shows that it is passed; more is not kept.
            if messages.len() <= MAX_BATCH {
                messages.push(message);
            }
        }
        Ok(Document::Batch(messages))
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<Document, A::Error> {
        MessageSeed(self.0).visit_map(entries).map(Document::One)
    }
}

/// Reads one message.
struct MessageSeed<'r>(Depth<'r>);

impl<'de> DeserializeSeed<'de> for MessageSeed<'_> {
    type Value = Message;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Message, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for MessageSeed<'_> {
    type Value = Message;

    scalars_are!(NOT_AN_OBJECT);

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Message, A::Error> {
        // Read, for the syntax and the depth of it, and let go.
        Strict(self.0).visit_seq(seq)?;
        self.0.notes().take_duplicate();
        Ok(NOT_AN_OBJECT)
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<Message, A::Error> {
        let inside = self.0.enter()?;
        let envelope = Envelope::read(entries, inside)?;
        Ok(envelope.judge(self.0.notes().take_duplicate()))
    }
}

/// The members of a message as they were sent.
#[derive(Default)]
struct Envelope {
    jsonrpc: Option<Value>,
    id: Option<Result<Id, NotAnId>>,
    id_repeated: bool,
    method: Option<Value>,
    params: Option<Value>,
    answers: bool,
}

impl Envelope {
    fn read<'de, A: MapAccess<'de>>(mut entries: A, inside: Depth<'_>) -> Result<Self, A::Error> {
        let mut envelope = Self::default();
        let mut seen: HashSet<String> = HashSet::with_capacity(4);
        while let Some(key) = entries.next_key::<String>()? {
            let first = !seen.contains(&key);
            if !first {
                inside.notes().note_duplicate(&key);
            }
            match key.as_str() {
                "id" => {
                    let text = entries.next_value::<&'de RawValue>()?.get();
                    envelope.id_repeated |= !first;
                    envelope.id = Some(Id::from_json(text));
                }
                name => {
                    let value = entries.next_value_seed(Strict(inside))?;
                    match name {
                        "jsonrpc" => envelope.jsonrpc = Some(value),
                        "method" => envelope.method = Some(value),
                        "params" => envelope.params = Some(value),
                        "result" | "error" => envelope.answers = true,
                        _ => {}
                    }
                }
            }
            if first {
                seen.insert(key);
            }
        }
        Ok(envelope)
    }

    fn judge(self, duplicate: Option<String>) -> Message {
        let known = match &self.id {
            Some(Ok(id)) if !self.id_repeated => Some(id.clone()),
            _ => None,
        };
        match self.accept(duplicate) {
            Ok(message) => message,
            Err(fault) => Message::Invalid { id: known, fault },
        }
    }

    fn accept(self, duplicate: Option<String>) -> Result<Message, EnvelopeFault> {
        if let Some(key) = duplicate {
            return Err(EnvelopeFault::DuplicateKey(key));
        }
        match (self.answers, &self.method) {
            (true, None) => return Ok(Message::Response),
            (true, Some(_)) => return Err(EnvelopeFault::Mixed),
            (false, _) => {}
        }
        if self.jsonrpc.as_ref().and_then(Value::as_str) != Some("2.0") {
            return Err(EnvelopeFault::Version);
        }
        let id = self.id.transpose().map_err(|error| match error {
            NotAnId::Null => EnvelopeFault::IdNull,
            NotAnId::WrongType => EnvelopeFault::IdType,
        })?;
        let method = match self.method {
            Some(Value::String(method)) => method,
            Some(_) => return Err(EnvelopeFault::MethodType),
            None => return Err(EnvelopeFault::MethodMissing),
        };
        let params = match self.params {
            // Several serialisers write an absent member as null.
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(params)) => params,
            Some(_) => return Err(EnvelopeFault::ParamsType),
        };
        Ok(match id {
            Some(id) => Message::Request { id, method, params },
            None => Message::Notification { method, params },
        })
    }
}
