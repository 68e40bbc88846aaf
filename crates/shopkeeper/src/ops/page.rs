//! Pages: the size of one, and the cursor to the next (rule C7).

use super::Context;
use crate::cursor::{self, Fingerprint};
use crate::failure::Failure;
use protocol::codes::Code;
use protocol::wire;
use serde_json::{Value, json};

/// How many results a page has when the request does not say.
const DEFAULT_LIMIT: usize = 10;

/// The part of a result list that a request asks for.
pub(super) struct Page {
    pub(super) limit: usize,
    /// Where the page before ended.
    pub(super) after: Option<Vec<u8>>,
    fingerprint: Fingerprint,
}

impl Page {
    /// Reads the request's pagination; `binding` names the members of the body,
    /// and `context` those of its `context`, that shape the answer.
    ///
    /// # Errors
    ///
    /// A cursor that cannot be honoured: `invalid_cursor`.
    pub(super) fn of(
        context: &Context<'_>,
        arguments: &Value,
        pagination: Option<&wire::PaginationRequest>,
        max: usize,
        binding: &Binding<'_>,
    ) -> Result<Self, Failure> {
        let limit = pagination
            .and_then(|pagination| pagination.limit)
            .map_or(DEFAULT_LIMIT, |limit| usize::try_from(limit.0).unwrap_or(usize::MAX))
            .clamp(1, max);
        let fingerprint = binding.fingerprint(context, arguments);
        let after = pagination
            .and_then(|pagination| pagination.cursor.as_deref())
            .map(|text| {
                context.cursors.open(text, context.snapshot.generation(), &fingerprint).map_err(
                    |fault| {
                        let path = context.path("pagination.cursor");
                        Failure::argument(Code::InvalidCursor, path, fault.to_string())
                    },
                )
            })
            .transpose()?;
        Ok(Self { limit, after, fingerprint })
    }

    /// What the answer says of this page; `next` is where it ends, when there is more.
    pub(super) fn answer(
        &self,
        context: &Context<'_>,
        total: u64,
        next: Option<&[u8]>,
    ) -> wire::Pagination<'static> {
        let seal = |position| {
            context.cursors.seal(context.snapshot.generation(), &self.fingerprint, position)
        };
        wire::Pagination {
            cursor: next.map(|position| seal(position).into()),
            has_next_page: next.is_some(),
            total_count: Some(total),
        }
    }
}

/// What a cursor is bound to besides tool, protocol and version.
pub(super) struct Binding<'a> {
    /// Members of the body.
    pub(super) members: &'a [&'a str],
    /// Members of the body's `context`.
    pub(super) context: &'a [&'a str],
}

impl Binding<'_> {
    fn fingerprint(&self, context: &Context<'_>, arguments: &Value) -> Fingerprint {
        let body = &arguments[context.operation.argument()];
        let spoken = json!([
            context.operation.tool(),
            context.dialect.protocol.name(),
            context.dialect.version,
        ]);
        let members = self.members.iter().map(|name| (*name, &body[*name]));
        let hints = self.context.iter().map(|name| (*name, &body["context"][*name]));
        cursor::fingerprint(std::iter::once(("spoken", &spoken)).chain(members).chain(hints))
    }
}
