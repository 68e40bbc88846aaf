//! HTTP: routes, limits, host and origin checks. What a request means is the
//! application's affair; what goes back is decided in `respond` and `mcp`.

mod accept;
mod gate;
mod mcp_endpoint;
mod profile_endpoint;
mod serve;

pub(crate) use gate::{Gate, host_header};
pub use serve::{ServeError, serve};

use crate::app::App;
use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::{any, get};
use std::sync::Arc;

/// Every route of the server, in one list.
pub fn router(app: &Arc<App>) -> Router {
    let mut router =
        Router::new().route("/healthz", get(|| async { "alive\n" })).route("/readyz", get(readyz));
    for (index, endpoint) in app.endpoints().iter().enumerate() {
        for (path, _) in endpoint.profiles() {
            router = router.route(path, get(profile_endpoint::profile));
        }
        let paths = std::iter::once(endpoint.protocol().mcp_path())
            .chain(endpoint.protocol().mcp_aliases().iter().copied());
        for path in paths {
            let handler = move |state, request| mcp_endpoint::mcp(state, index, request);
            router = router.route(path, any(handler));
        }
    }
    router.fallback(not_found).with_state(Arc::clone(app))
}

async fn readyz(State(app): State<Arc<App>>) -> impl IntoResponse {
    match app.snapshot() {
        Some(_) => (StatusCode::OK, "ready\n"),
        None => (StatusCode::SERVICE_UNAVAILABLE, "still reading the feeds\n"),
    }
}

async fn not_found(State(app): State<Arc<App>>) -> impl IntoResponse {
    let profiles: Vec<_> = app
        .endpoints()
        .iter()
        .map(|endpoint| format!("{}{}", app.origin(), endpoint.protocol().well_known_path()))
        .collect();
    let text = format!("Nothing is here. This store's profile is at {}.\n", profiles.join(" and "));
    (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text)
}
