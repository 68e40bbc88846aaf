//! Tool calls on their way to the application and back.
//!
//! An [`Exchange`] owns all that is needed to answer: ids, eras, and the replies of a
//! batch that were ready at once. It borrows nothing, so that the application may
//! carry it across threads and await points.

use std::sync::Arc;

use serde_json::Value;

use crate::era::Era;
use crate::errors::RpcError;
use crate::id::Id;
use crate::reply::Reply;

/// One call of a tool.
#[derive(Clone, Debug)]
pub struct Call {
    /// The tool's name as sent; it need not exist.
    pub tool: String,
    /// The arguments as sent, null when absent; without duplicate keys, of any type.
    pub arguments: Value,
    /// The era of the request.
    pub era: Era,
}

impl Call {
    /// Whether the request was a self-contained one of 2026-07-28 or later.
    pub fn is_stateless(&self) -> bool {
        self.era == Era::Stateless
    }
}

/// What became of one call.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The tool answered.
    Result {
        /// A serialised JSON object, compact and on one line: it is sent as it is (rule M9).
        structured: String,
        /// Whether the answer tells of a failure.
        is_error: bool,
    },
    /// The call was refused or broke.
    Error(RpcError),
}

/// One or more calls, waiting for their outcomes.
#[derive(Debug)]
pub struct Exchange {
    calls: Vec<Call>,
    ids: Vec<Id>,
    shape: Shape,
    server_info: Arc<str>,
}

/// How the answer is put together.
#[derive(Debug)]
enum Shape {
    /// One call, one object.
    Single,
    /// An array of what is ready (`Some`) and of calls (`None`), in request order.
    Batch(Vec<Option<Reply>>),
}

impl Exchange {
    /// The calls to make, in request order; never empty.
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// Writes the answer, from one outcome per call in the order of [`Self::calls`].
    ///
    /// A call for which there is no outcome is answered with -32603; outcomes beyond
    /// the calls are dropped.
    pub fn answer(self, outcomes: Vec<Outcome>) -> Reply {
        let Self { calls, ids, shape, server_info } = self;
        let mut outcomes = outcomes.into_iter();
        let answered = calls.iter().zip(&ids).map(|(call, id)| match outcomes.next() {
            Some(Outcome::Result { structured, is_error }) => {
                Reply::of_tool(id, &structured, is_error, call.era, &server_info)
            }
            Some(Outcome::Error(error)) => Reply::error(Some(id), error),
            None => no_answer(id),
        });
        let mut answered: Vec<Reply> = answered.collect();
        match shape {
            Shape::Single => answered.pop().unwrap_or_else(Reply::accepted),
            Shape::Batch(slots) => {
                let mut answered = answered.into_iter();
                let in_order =
                    slots.into_iter().filter_map(|ready| ready.or_else(|| answered.next()));
                Reply::array(&in_order.collect::<Vec<_>>())
            }
        }
    }

    pub(crate) fn single(id: Id, call: Call, server_info: Arc<str>) -> Self {
        Self { calls: vec![call], ids: vec![id], shape: Shape::Single, server_info }
    }
}

fn no_answer(id: &Id) -> Reply {
    Reply::error(Some(id), RpcError::internal("The tool gave no answer. Try again later."))
}

/// The parts of a batch, collected in request order.
#[derive(Default)]
pub(crate) struct Batch {
    calls: Vec<Call>,
    ids: Vec<Id>,
    slots: Vec<Option<Reply>>,
}

impl Batch {
    /// Adds a reply that is ready; one without a body leaves no trace.
    pub(crate) fn push_reply(&mut self, reply: Reply) {
        if reply.body.is_some() {
            self.slots.push(Some(reply));
        }
    }

    /// Adds a call.
    pub(crate) fn push_call(&mut self, id: Id, call: Call) {
        self.calls.push(call);
        self.ids.push(id);
        self.slots.push(None);
    }

    /// The exchange to hold, or at once the reply when nothing is to be called.
    pub(crate) fn finish(self, server_info: Arc<str>) -> Result<Exchange, Reply> {
        let Self { calls, ids, slots } = self;
        if calls.is_empty() {
            let ready: Vec<Reply> = slots.into_iter().flatten().collect();
            return Err(Reply::array(&ready));
        }
        Ok(Exchange { calls, ids, shape: Shape::Batch(slots), server_info })
    }
}
