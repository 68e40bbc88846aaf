//! `shopkeeper call`: a small platform, to try any UCP or BCP business with.
//!
//! It publishes a profile of its own on loopback for as long as the call takes,
//! discovers the business, picks the newest version both speak, calls the tool
//! and holds the answer against the tool's own outputSchema.

mod business;
mod own_profile;

use super::{Ending, complain, runtime, say};
use business::{CallError, Client};
use own_profile::OwnProfile;
use protocol::dialect::Protocol;
use protocol::operation::{AGENT, META, Operation, PROFILE};
use serde_json::{Map, Value, json};
use url::Url;

/// The arguments of `shopkeeper call`.
#[derive(Debug, clap::Args)]
pub(super) struct Call {
    /// Where the business is; its profile is looked for under /.well-known/
    #[arg(value_name = "URL")]
    business: Url,
    /// The tool to call, such as search_catalog
    #[arg(value_name = "TOOL", value_parser = tool_named)]
    tool: Operation,
    /// The request, with or without the member that the tool wraps it in
    #[arg(value_name = "JSON", default_value = "{}")]
    request: String,
    /// Which protocol to speak: ucp or bcp; without it the first that the business has
    #[arg(long, value_name = "NAME", value_parser = super::stdio::protocol_named)]
    protocol: Option<Protocol>,
    /// A profile that is published already, for a business that cannot reach this machine
    #[arg(long, value_name = "URL")]
    profile: Option<Url>,
}

fn tool_named(name: &str) -> Result<Operation, String> {
    Operation::from_tool(name).ok_or_else(|| {
        let tools: Vec<_> = Operation::ALL.into_iter().map(Operation::tool).collect();
        format!("the tools are {}", tools.join(", "))
    })
}

impl Call {
    pub(super) fn run(self) -> Ending {
        let request = match serde_json::from_str(&self.request) {
            Ok(Value::Object(request)) => request,
            Ok(_) => return Ending::Unusable("the request must be a JSON object".to_owned()),
            Err(error) => return Ending::Unusable(format!("the request is no JSON: {error}")),
        };
        let runtime = match runtime() {
            Ok(runtime) => runtime,
            Err(error) => return error.into(),
        };
        let ending = runtime.block_on(self.call(request));
        runtime.shutdown_background();
        match ending {
            Ok(true) => Ending::Done,
            Ok(false) => Ending::Bad,
            Err(error @ CallError::Setup(_)) => Ending::Unusable(error.to_string()),
            Err(error) => {
                complain(error);
                Ending::Bad
            }
        }
    }

    /// Calls and prints; true when the answer is a success.
    async fn call(&self, request: Map<String, Value>) -> Result<bool, CallError> {
        let client = Client::new()?;
        let business = client.discover(&self.business, self.protocol, self.tool).await?;
        let own = match &self.profile {
            Some(url) => OwnProfile::published(url.clone()),
            None => OwnProfile::publish(business.dialect).await?,
        };
        complain(format_args!(
            "{} at {}, as {}",
            business.dialect.protocol.name().to_uppercase(),
            business.endpoint,
            own.url(),
        ));
        let arguments = arguments(self.tool, request, own.url());
        let output_schema = client.output_schema(&business, self.tool).await?;
        let structured = client.call(&business, self.tool, arguments).await?;
        say(serde_json::to_string_pretty(&structured).unwrap_or_default());
        let mut good = structured["ucp"]["status"] != "error";
        for fault in business::faults(&output_schema, &structured)? {
            complain(format_args!("the answer does not fit the tool's outputSchema: {fault}"));
            good = false;
        }
        Ok(good)
    }
}

/// The arguments of the call: `request` in the member that the tool wants, unless
/// it is wrapped already, and the platform's profile.
fn arguments(tool: Operation, request: Map<String, Value>, profile: &Url) -> Value {
    let mut arguments = match request.contains_key(tool.argument()) || request.contains_key(META) {
        true => request,
        false => Map::from_iter([(tool.argument().to_owned(), Value::Object(request))]),
    };
    let meta = arguments.entry(META).or_insert_with(|| json!({}));
    if let Value::Object(meta) = meta {
        meta.entry(AGENT).or_insert_with(|| json!({ PROFILE: profile.as_str() }));
    }
    Value::Object(arguments)
}
