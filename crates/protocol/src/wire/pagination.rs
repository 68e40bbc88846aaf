//! `pagination.json`: pages of a result (rule C7).

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::number::Integer;

/// Which page of the results to return.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PaginationRequest {
    /// The cursor of the previous page, exactly as received; absent for the first page. Keep all other arguments but `limit` as they were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// How many results to return at most; 10 when absent. More than the store's maximum is reduced to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 1))]
    pub limit: Option<Integer>,
}

/// Where this page stands among the results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(extend("if" = more_pages(), "then" = {"required": ["cursor"]}))]
pub struct Pagination<'a> {
    /// What to send as pagination.cursor to get the next page; present when there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<Cow<'a, str>>,
    /// Whether there is another page.
    pub has_next_page: bool,
    /// How many results match in all; exact when present.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_count: Option<u64>,
}

fn more_pages() -> serde_json::Value {
    json!({
        "properties": {"has_next_page": {"const": true, "description": "There is another page."}},
        "required": ["has_next_page"],
    })
}
