//! The server: one body in, a reply or the calls to make out.
//!
//! The way of a message: [`crate::message`] judges the envelope, [`crate::era`] the
//! era, that era's checks follow, and then the method is dispatched here. All
//! answers but those of tools are text that was prepared by [`Server::new`].

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::era::{self, DISCOVER, Era};
use crate::errors::RpcError;
use crate::exchange::{Batch, Call, Exchange};
use crate::fault::{Fault, excerpt};
use crate::header::Transport;
use crate::id::Id;
use crate::message::{self, Document, MAX_BATCH, Message};
use crate::reply::{self, Reply};
use crate::stateless;
use crate::tools::{self, Tool};
use crate::version::{self, LATEST_LIFECYCLE};

/// How long a client may keep the tool list and the discovery, in milliseconds.
///
/// Both change only when the server is started anew, with another configuration or
/// release; a minute bounds how long clients miss that (rule M4).
pub const CACHE_TTL_MS: u64 = 60_000;

/// The method that calls a tool.
pub const TOOLS_CALL: &str = "tools/call";
/// The method that lists the tools.
pub const TOOLS_LIST: &str = "tools/list";
const INITIALIZE: &str = "initialize";
const PING: &str = "ping";

/// Who the server says it is.
#[derive(Clone, Debug)]
pub struct ServerInfo {
    /// The program's name.
    pub name: String,
    /// A name for people; empty is left out.
    pub title: String,
    /// The program's version.
    pub version: String,
    /// How to use the server, written for a language model (rule M3); empty is left out.
    pub instructions: String,
}

/// An MCP server for every revision, without state: share it freely.
#[derive(Debug)]
pub struct Server {
    /// `serverInfo`, as JSON text; likewise the results below.
    info: Arc<str>,
    /// All of an `initialize` result after its version.
    initialize_rest: String,
    discover: String,
    lifecycle_tools: String,
    stateless_tools: String,
}

/// What became of a body.
#[derive(Debug)]
pub enum Received {
    /// It is answered.
    Reply(Reply),
    /// Tools are to be called first.
    Calls(Exchange),
}

/// What became of one message.
enum Step {
    Reply(Reply),
    Call(Id, Call),
}

/// What a method comes to.
enum Answer<'s> {
    /// JSON text.
    Result(Cow<'s, str>),
    Call(Call),
}

/// The parameters of one request.
type Params = Map<String, Value>;

impl Server {
    /// Prepares a server; the tools are listed in the order given (rule M8).
    pub fn new(info: ServerInfo, tools: Vec<Tool>) -> Self {
        let ServerInfo { name, title, version, instructions } = info;
        let mut implementation = json!({ "name": name });
        if !title.is_empty() {
            implementation["title"] = Value::String(title);
        }
        implementation["version"] = Value::String(version);
        let info = implementation.to_string();

        // Text that starts with a comma goes behind members that are always there.
        let instructions = match instructions.as_str() {
            "" => String::new(),
            text => format!(r#","instructions":{}"#, json!(text)),
        };
        let capabilities = r#""capabilities":{"tools":{}}"#;
        let stateless = reply::stateless_members(&info);
        let cacheable = format!(r#","ttlMs":{CACHE_TTL_MS},"cacheScope":"public"{stateless}"#);
        let versions = json!(version::names());
        let tools = tools::list(tools);
        Self {
            initialize_rest: format!(r#"{capabilities},"serverInfo":{info}{instructions}"#),
            discover: format!(
                r#"{{"supportedVersions":{versions},{capabilities}{instructions}{cacheable}}}"#
            ),
            lifecycle_tools: format!(r#"{{"tools":{tools}}}"#),
            stateless_tools: format!(r#"{{"tools":{tools}{cacheable}}}"#),
            info: info.into(),
        }
    }

    /// Takes one body: a whole HTTP request's, or one line of standard input.
    ///
    /// Never panics and never fails: whatever is wrong with the body is in the reply.
    pub fn receive(&self, transport: &Transport<'_>, body: &[u8]) -> Received {
        match message::read(body) {
            Ok(Document::One(message)) => match self.step(transport, message) {
                Step::Reply(reply) => Received::Reply(reply),
                Step::Call(id, call) => {
                    Received::Calls(Exchange::single(id, call, Arc::clone(&self.info)))
                }
            },
            Ok(Document::Batch(messages)) => self.batch(transport, messages),
            Err(error) => Received::Reply(refuse(None, &Fault::Json(error), Era::Lifecycle)),
        }
    }

    fn batch(&self, transport: &Transport<'_>, messages: Vec<Message>) -> Received {
        let fault = match messages.len() {
            _ if !era::accepts_batch(transport) => Some(Fault::BatchRefused),
            0 => Some(Fault::BatchEmpty),
            len if len > MAX_BATCH => Some(Fault::BatchTooLong(len)),
            _ => None,
        };
        if let Some(fault) = fault {
            return Received::Reply(refuse(None, &fault, Era::Lifecycle));
        }
        let mut batch = Batch::default();
        for message in messages {
            let step = match message {
                Message::Request { id, method, .. } if method == INITIALIZE => {
                    Step::Reply(refuse(Some(&id), &Fault::InitializeInBatch, Era::Lifecycle))
                }
                message => self.step(transport, message),
            };
            match step {
                Step::Reply(reply) => batch.push_reply(reply),
                Step::Call(id, call) => batch.push_call(id, call),
            }
        }
        match batch.finish(Arc::clone(&self.info)) {
            Ok(exchange) => Received::Calls(exchange),
            Err(reply) => Received::Reply(reply),
        }
    }

    fn step(&self, transport: &Transport<'_>, message: Message) -> Step {
        match message {
            Message::Request { id, method, params } => self.request(transport, id, &method, params),
            Message::Notification { method, params } => {
                Step::Reply(notification(transport, &method, &params))
            }
            // On stdio an answer to an answer could go back and forth for ever. Over HTTP
            // the id is not repeated: it would be one of the client's own making.
            Message::Response if !transport.is_http() => Step::Reply(Reply::silent(400)),
            Message::Response => Step::Reply(refuse(None, &Fault::Response, Era::Lifecycle)),
            Message::Invalid { id, fault } => {
                Step::Reply(refuse(id.as_ref(), &fault.into(), Era::Lifecycle))
            }
        }
    }

    fn request(&self, transport: &Transport<'_>, id: Id, method: &str, mut params: Params) -> Step {
        let era = era::of(transport, method, &params);
        let checked = match era {
            Era::Lifecycle => era::check_lifecycle(transport),
            Era::Stateless => stateless::check(transport, method, &params),
        };
        match checked.and_then(|()| self.dispatch(era, method, &mut params)) {
            Ok(Answer::Result(result)) => Step::Reply(Reply::result(&id, &result)),
            Ok(Answer::Call(call)) => Step::Call(id, call),
            Err(fault) => Step::Reply(refuse(Some(&id), &fault, era)),
        }
    }

    fn dispatch(&self, era: Era, method: &str, params: &mut Params) -> Result<Answer<'_>, Fault> {
        let result = match (era, method) {
            (_, TOOLS_CALL) => return call(era, params).map(Answer::Call),
            (_, TOOLS_LIST) => self.list(era, params)?.into(),
            (Era::Stateless, DISCOVER) => self.discover.as_str().into(),
            (Era::Lifecycle, INITIALIZE) => self.initialize(params)?.into(),
            (Era::Lifecycle, PING) => "{}".into(),
            _ => {
                return Err(Fault::MethodNotFound { method: excerpt(method), era });
            }
        };
        Ok(Answer::Result(result))
    }

    fn initialize(&self, params: &Params) -> Result<String, Fault> {
        let requested = match params.get("protocolVersion") {
            None => LATEST_LIFECYCLE,
            Some(Value::String(requested)) => requested,
            Some(_) => return Err(Fault::InitializeVersion),
        };
        let version = match version::revision(requested) {
            Some(revision) if revision.era == Era::Lifecycle => revision.name,
            _ => LATEST_LIFECYCLE,
        };
        Ok(format!(r#"{{"protocolVersion":"{version}",{}}}"#, self.initialize_rest))
    }

    fn list(&self, era: Era, params: &Params) -> Result<&str, Fault> {
        match (params.get("cursor"), era) {
            (None | Some(Value::Null), Era::Lifecycle) => Ok(&self.lifecycle_tools),
            (None | Some(Value::Null), Era::Stateless) => Ok(&self.stateless_tools),
            (Some(_), _) => Err(Fault::Cursor),
        }
    }
}

/// Takes the call out of its request's parameters.
fn call(era: Era, params: &mut Params) -> Result<Call, Fault> {
    let Some(Value::String(tool)) = params.get_mut("name").map(Value::take) else {
        return Err(Fault::ToolName);
    };
    let arguments = params.get_mut("arguments").map_or(Value::Null, Value::take);
    Ok(Call { tool, arguments, era })
}

/// Notifications are taken and dropped, whatever they tell (rule M2); only a version
/// header that names nothing known is refused over HTTP (rule M5).
fn notification(transport: &Transport<'_>, method: &str, params: &Params) -> Reply {
    let era = era::of(transport, method, params);
    let checked = match era {
        Era::Lifecycle => era::check_lifecycle(transport),
        Era::Stateless => stateless::check_notification(transport),
    };
    match checked {
        Ok(()) => Reply::accepted(),
        Err(fault) => refuse(None, &fault, era),
    }
}

fn refuse(id: Option<&Id>, fault: &Fault, era: Era) -> Reply {
    let error: RpcError = fault.to_error(era);
    Reply::error(id, error)
}
