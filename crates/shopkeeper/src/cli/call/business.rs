//! A business seen from a platform: its profile, its endpoint, its tools.

use protocol::dialect::{Dialect, Protocol};
use protocol::operation::{META, Operation};
use protocol::profile::Business;
use reqwest::{Response, StatusCode, redirect};
use serde_json::{Value, json};
use std::time::Duration;
use url::Url;

const TIME_LIMIT: Duration = Duration::from_secs(30);

/// Why a call has no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum CallError {
    /// This side cannot even begin.
    #[error("{0}")]
    Setup(String),
    /// The business is not there, or not a business.
    #[error("discovery: {0}")]
    Discovery(String),
    /// The two have no version in common.
    #[error("the business speaks {theirs}; this program speaks {ours}")]
    Version { theirs: String, ours: String },
    /// The business does not offer the tool.
    #[error("the business does not offer {0} in a version that this program speaks")]
    NotOffered(&'static str),
    /// The endpoint gave no JSON-RPC answer.
    #[error("{url}: {text}")]
    Transport { url: Url, text: String },
    /// The endpoint refused the call.
    #[error("HTTP {status}, JSON-RPC error {error:#}")]
    Refused { status: StatusCode, error: Value },
}

/// Where and in which version to call.
pub(super) struct Discovered {
    pub(super) dialect: &'static Dialect,
    pub(super) endpoint: Url,
}

/// An HTTP client that follows no redirect (rule P4).
pub(super) struct Client(reqwest::Client);

impl Client {
    pub(super) fn new() -> Result<Self, CallError> {
        crate::platform::install_crypto();
        reqwest::Client::builder()
            .redirect(redirect::Policy::none())
            .timeout(TIME_LIMIT)
            .user_agent(concat!("shopkeeper-call/", env!("CARGO_PKG_VERSION")))
            .build()
            .map(Self)
            .map_err(|error| CallError::Setup(error.to_string()))
    }

    /// Finds the business's endpoint for `tool`, in the newest version that both
    /// sides speak and that has the tool.
    pub(super) async fn discover(
        &self,
        business: &Url,
        wanted: Option<Protocol>,
        tool: Operation,
    ) -> Result<Discovered, CallError> {
        let mut last = None;
        for protocol in Protocol::ALL.into_iter().filter(|one| wanted.is_none_or(|it| it == *one)) {
            match self.discover_in(business, protocol, tool).await {
                Ok(found) => return Ok(found),
                // The first protocol's failure says more than the second's absence.
                Err(error) => last = last.or(Some(error)),
            }
        }
        Err(last.unwrap_or_else(|| CallError::Discovery("no protocol is left to try".to_owned())))
    }

    async fn discover_in(
        &self,
        business: &Url,
        protocol: Protocol,
        tool: Operation,
    ) -> Result<Discovered, CallError> {
        let well_known = business
            .join(protocol.well_known_path())
            .map_err(|error| CallError::Setup(format!("{business}: {error}")))?;
        let current = self.profile(&well_known).await?;
        let mut versions: Vec<_> =
            std::iter::once(&current.version).chain(current.supported_versions.keys()).collect();
        versions.sort_unstable_by(|a, b| b.cmp(a));
        let spoken: Vec<_> =
            versions.iter().filter_map(|version| Dialect::find(protocol, version)).collect();
        if spoken.is_empty() {
            let theirs =
                versions.iter().map(|version| version.as_str()).collect::<Vec<_>>().join(", ");
            let ours =
                Dialect::of(protocol).map(|dialect| dialect.version).collect::<Vec<_>>().join(", ");
            return Err(CallError::Version { theirs, ours });
        }
        for dialect in spoken {
            let leaf = match current.supported_versions.get(dialect.version) {
                Some(url) if current.version != dialect.version => {
                    let url = Url::parse(url)
                        .map_err(|error| CallError::Discovery(format!("{url}: {error}")))?;
                    Some(self.profile(&url).await?)
                }
                _ => None,
            };
            let profile = leaf.as_ref().unwrap_or(&current);
            if let Some(endpoint) = profile.endpoint(dialect, tool.capability()) {
                let endpoint = Url::parse(endpoint)
                    .map_err(|error| CallError::Discovery(format!("{endpoint}: {error}")))?;
                return Ok(Discovered { dialect, endpoint });
            }
        }
        Err(CallError::NotOffered(tool.tool()))
    }

    async fn profile(&self, url: &Url) -> Result<Business, CallError> {
        let failed = |text: String| CallError::Discovery(format!("{url}: {text}"));
        let response =
            self.0.get(url.clone()).send().await.map_err(|error| failed(causes(&error)))?;
        if response.status() != StatusCode::OK {
            return Err(failed(format!("HTTP {}", response.status())));
        }
        let body = response.bytes().await.map_err(|error| failed(causes(&error)))?;
        Business::read(&body).map_err(|fault| failed(fault.to_string()))
    }

    /// The outputSchema that the business lists for `tool`.
    pub(super) async fn output_schema(
        &self,
        business: &Discovered,
        tool: Operation,
    ) -> Result<Value, CallError> {
        let result = self.rpc(&business.endpoint, mcp::TOOLS_LIST, json!({})).await?;
        let tools = result["tools"].as_array().cloned().unwrap_or_default();
        tools
            .into_iter()
            .find(|listed| listed["name"] == tool.tool())
            .map(|mut listed| listed["outputSchema"].take())
            .ok_or(CallError::NotOffered(tool.tool()))
    }

    /// The structured content of the tool's answer.
    pub(super) async fn call(
        &self,
        business: &Discovered,
        tool: Operation,
        arguments: Value,
    ) -> Result<Value, CallError> {
        debug_assert!(arguments.get(META).is_some(), "rule N1");
        let params = json!({"name": tool.tool(), "arguments": arguments});
        let mut result = self.rpc(&business.endpoint, mcp::TOOLS_CALL, params).await?;
        if !result["structuredContent"].is_object() {
            let text = "the result has no structuredContent".to_owned();
            return Err(CallError::Transport { url: business.endpoint.clone(), text });
        }
        Ok(result["structuredContent"].take())
    }

    async fn rpc(&self, endpoint: &Url, method: &str, params: Value) -> Result<Value, CallError> {
        let failed = |text: String| CallError::Transport { url: endpoint.clone(), text };
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let response = self
            .0
            .post(endpoint.clone())
            .header("accept", "application/json")
            .header("content-type", "application/json")
            .body(request.to_string())
            .send()
            .await
            .map_err(|error| failed(causes(&error)))?;
        let (status, mut answer) = read(response).await.map_err(failed)?;
        match answer.get_mut("error").map(Value::take) {
            Some(error) => Err(CallError::Refused { status, error }),
            None => Ok(answer["result"].take()),
        }
    }
}

async fn read(response: Response) -> Result<(StatusCode, Value), String> {
    let status = response.status();
    let body = response.bytes().await.map_err(|error| causes(&error))?;
    match serde_json::from_slice(&body) {
        Ok(answer) => Ok((status, answer)),
        Err(error) => Err(format!("HTTP {status}, and the body is no JSON: {error}")),
    }
}

/// An error with all that caused it: the outermost alone says too little.
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}

/// What in `structured` does not fit `schema`.
pub(super) fn faults(schema: &Value, structured: &Value) -> Result<Vec<String>, CallError> {
    if schema.is_null() {
        return Ok(Vec::new());
    }
    let validator = jsonschema::validator_for(schema).map_err(|error| {
        CallError::Discovery(format!("the tool's outputSchema is none: {error}"))
    })?;
    Ok(validator
        .iter_errors(structured)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect())
}
