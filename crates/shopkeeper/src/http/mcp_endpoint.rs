//! The MCP endpoint: one POST for every client (rules M2, M7).

use super::accept;
use crate::app::{App, Caller};
use crate::platform::Evidence;
use crate::respond;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use jiff::Timestamp;
use mcp::{Headers, Reply, Transport};
use protocol::dialect::Protocol;
use protocol::operation::{API_KEY, IDEMPOTENCY_KEY, SIGNATURE_AGENT};
use std::borrow::Cow;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a client may take to send its body.
const BODY_TIME: Duration = Duration::from_secs(30);

/// How many bodies' lengths beyond the limit are read and thrown away, so that
/// the client gets to read why it was refused.
const DRAINED_LIMITS: usize = 8;

const JSON: &str = "application/json";

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Answers a request at the MCP endpoint number `index`.
pub(super) async fn mcp(State(app): State<Arc<App>>, index: usize, request: Request) -> Response {
    let started = Instant::now();
    let caller = Caller::new(request.extensions().get::<SocketAddr>().map(SocketAddr::ip));
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let headers = request.headers().clone();
    let mut response = answer(&app, index, request, &caller).await;
    tracing::info!(
        request_id = %caller.request_id,
        %method,
        path,
        status = response.status().as_u16(),
        elapsed_us = started.elapsed().as_micros(),
        "request"
    );
    let admitted = app.gate().admits_origin(&headers);
    let cors = if admitted { app.gate().cors(&headers) } else { Vec::new() };
    response.headers_mut().extend(cors);
    if let Ok(id) = HeaderValue::from_str(&caller.request_id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}

async fn answer(app: &Arc<App>, index: usize, request: Request, caller: &Caller) -> Response {
    let (parts, body) = request.into_parts();
    if !app.gate().admits_host(&parts.headers) {
        return into_response(mcp::refused_host());
    }
    if !app.gate().admits_origin(&parts.headers) {
        return into_response(mcp::refused_origin());
    }
    match parts.method {
        Method::POST => {}
        Method::OPTIONS => return preflight(),
        _ => {
            let allow = HeaderValue::from_static("POST, OPTIONS");
            return (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, allow)]).into_response();
        }
    }
    if !accept::allows_json(&parts.headers) {
        return into_response(mcp::not_acceptable());
    }
    let limit = app.config().limits.body_bytes;
    if declared_length(&parts.headers).is_some_and(|length| length / DRAINED_LIMITS > limit) {
        return into_response(mcp::oversized(limit));
    }
    let body = match tokio::time::timeout(BODY_TIME, read(body, limit)).await {
        Ok(Ok(Some(body))) => body,
        Ok(Ok(None)) => return into_response(mcp::oversized(limit)),
        // The client is gone or too slow; nobody is left to read a body.
        Ok(Err(_)) => return StatusCode::BAD_REQUEST.into_response(),
        Err(_) => return StatusCode::REQUEST_TIMEOUT.into_response(),
    };
    let version = text(&parts.headers, mcp::HEADER_PROTOCOL_VERSION);
    let method = text(&parts.headers, mcp::HEADER_METHOD);
    let name = text(&parts.headers, mcp::HEADER_NAME);
    let transport = Transport::Http(Headers {
        protocol_version: version.as_deref(),
        method: method.as_deref(),
        name: name.as_deref(),
    });
    let evidence = if app.proofs().are_wanted() {
        Evidence::of(&parts, &body, app.origin().starts_with("https:"))
    } else {
        Evidence::Nothing
    };
    let caller = Caller { evidence, ..caller.clone() };
    let reply = app.exchange(index, &transport, &body, &caller).await;
    let always_200 = app.config().server.rpc_errors_always_200;
    signed(app, if always_200 { respond::flattened(reply) } else { reply })
}

fn declared_length(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// The value of a header; of several different ones all, which no check accepts.
fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<Cow<'h, str>> {
    let mut values = headers.get_all(name).iter().map(|value| value.to_str().unwrap_or("?"));
    let first = values.next()?;
    let others: Vec<_> = values.filter(|other| *other != first).collect();
    if others.is_empty() {
        return Some(first.into());
    }
    Some(format!("{first}, {}", others.join(", ")).into())
}

/// The whole body, or `None` when it is longer than `limit`.
async fn read(mut body: Body, limit: usize) -> Result<Option<Bytes>, axum::Error> {
    let mut collected = Vec::new();
    let mut length = 0_usize;
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame?.into_data() else { continue };
        length = length.saturating_add(data.len());
        if length <= limit {
            collected.extend_from_slice(&data);
        } else if length / DRAINED_LIMITS > limit {
            break;
        }
    }
    Ok((length <= limit).then(|| Bytes::from(collected)))
}

/// The response to a call, signed when the store has a key (rule S7).
fn signed(app: &App, reply: Reply) -> Response {
    let fields = app.signing_key().zip(reply.body.as_ref()).and_then(|(key, body)| {
        let (status, body) = (reply.status, body.as_ref());
        let response = signature::Response { status, content_type: JSON, body };
        key.sign_response(&response, Timestamp::now().as_second())
    });
    let mut response = into_response(reply);
    let Some(fields) = fields else { return response };
    for (name, value) in [
        (signature::CONTENT_DIGEST, fields.content_digest),
        (signature::SIGNATURE_INPUT, fields.signature_input),
        (signature::SIGNATURE, fields.signature),
    ] {
        if let Ok(value) = HeaderValue::try_from(value) {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
    }
    response
}

fn into_response(reply: Reply) -> Response {
    let status = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut headers = HeaderMap::new();
    if let Some(seconds) = reply.retry_after_s {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    match reply.body {
        Some(body) => {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(JSON));
            (status, headers, body).into_response()
        }
        None => (status, headers).into_response(),
    }
}

/// The answer to a browser's question whether it may call.
fn preflight() -> Response {
    let mut allowed = vec!["accept", "authorization", "content-type", IDEMPOTENCY_KEY];
    allowed.extend([signature::SIGNATURE, signature::SIGNATURE_INPUT]);
    allowed.extend([signature::CONTENT_DIGEST, SIGNATURE_AGENT, API_KEY]);
    allowed.extend(mcp::REQUEST_HEADERS);
    for protocol in Protocol::ALL {
        allowed.extend(protocol.agent_headers());
    }
    allowed.sort_unstable_by_key(|name| name.to_ascii_lowercase());
    allowed.dedup();
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("POST, OPTIONS")),
        (
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            HeaderValue::try_from(allowed.join(", ")).unwrap_or(HeaderValue::from_static("*")),
        ),
        (header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400")),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}
