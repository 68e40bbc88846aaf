//! The business profiles, byte-stable, cacheable and never redirected (rule P4).

use crate::app::App;
use axum::extract::{OriginalUri, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

const CACHE_CONTROL: HeaderValue = HeaderValue::from_static("public, max-age=300");

pub(super) async fn profile(
    State(app): State<Arc<App>>,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
) -> Response {
    let document = app
        .endpoints()
        .iter()
        .flat_map(|endpoint| endpoint.profiles())
        .find_map(|(path, document)| (path == uri.path()).then_some(document));
    let Some(document) = document else { return StatusCode::NOT_FOUND.into_response() };
    let etag = document.etag.clone();
    let common = [
        (header::CACHE_CONTROL, CACHE_CONTROL),
        (header::ETAG, etag),
        // A profile is public: a browser's page may read it too.
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*")),
    ];
    if is_known(&headers, &document.etag) {
        return (StatusCode::NOT_MODIFIED, common).into_response();
    }
    let content_type = [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))];
    (common, content_type, document.body.clone()).into_response()
}

/// Whether `If-None-Match` names the document (RFC 9110, 13.1.2: weak comparison).
fn is_known(headers: &HeaderMap, etag: &HeaderValue) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let Ok(etag) = etag.to_str().map(opaque) else { return false };
    headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|tag| tag.trim() == "*" || opaque(tag) == etag)
}
