//! One endpoint for each protocol: its versions, its tools and its profiles.

use crate::config::Config;
use axum::body::Bytes;
use axum::http::HeaderValue;
use mcp::{ServerInfo, Tool};
use protocol::dialect::{Dialect, Protocol};
use protocol::negotiate::Offer;
use protocol::operation::{AGENT, Capability, META, Operation, PROFILE};
use protocol::profile::{self, Advertised};
use protocol::schema;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The endpoint of one protocol.
pub struct Endpoint {
    protocol: Protocol,
    dialects: Vec<&'static Dialect>,
    offers: Vec<Offer>,
    operations: Vec<Operation>,
    mcp: mcp::Server,
    profiles: Vec<(String, ProfileDocument)>,
}

/// A business profile, ready to be sent.
#[derive(Debug, Clone)]
pub struct ProfileDocument {
    /// The JSON text; the same bytes for the same configuration.
    pub body: Bytes,
    /// A strong entity tag of `body`.
    pub etag: HeaderValue,
}

impl Endpoint {
    /// The endpoint of `protocol`, or `None` when the configuration turns it off.
    /// Its profiles publish `keys`, JSON Web Keys.
    pub(super) fn new(
        protocol: Protocol,
        config: &Config,
        origin: &str,
        keys: &[Value],
    ) -> Option<Self> {
        let dialects = config.protocols.dialects(protocol);
        let current = *dialects.first()?;
        let operations: Vec<_> = Operation::ALL
            .into_iter()
            .filter(|operation| {
                is_configured(operation.capability(), config)
                    && dialects.iter().any(|dialect| dialect.operations().contains(operation))
            })
            .collect();
        let tools = operations
            .iter()
            .map(|&operation| Tool {
                name: operation.tool().to_owned(),
                title: operation.title().to_owned(),
                description: operation.description().to_owned(),
                input_schema: schema::input_schema(operation, &dialects),
                output_schema: schema::output_schema(operation, &dialects),
            })
            .collect();
        let mcp = mcp::Server::new(server_info(config, protocol), tools);
        let older = &dialects[1..];
        let advertised = |supported| Advertised {
            origin,
            catalog: !config.catalog.feeds.is_empty(),
            locations: !config.locations.feeds.is_empty(),
            supported,
            keys,
        };
        let offers =
            dialects.iter().map(|dialect| profile::offer(dialect, &advertised(&[]))).collect();
        let mut profiles = vec![(
            protocol.well_known_path().to_owned(),
            document(&profile::business(current, &advertised(older))),
        )];
        profiles.extend(older.iter().map(|&dialect| {
            let leaf = profile::business(dialect, &advertised(&[]));
            (protocol.leaf_path(dialect.version), document(&leaf))
        }));
        if config.server.dev {
            profiles.extend(
                dialects
                    .iter()
                    .map(|dialect| (sample_path(dialect), document(&profile::platform(dialect)))),
            );
        }
        Some(Self { protocol, dialects, offers, operations, mcp, profiles })
    }

    /// Which protocol it speaks.
    pub const fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// The versions it speaks, the current one first.
    pub fn dialects(&self) -> &[&'static Dialect] {
        &self.dialects
    }

    /// The operations that the store's data allow, in some version.
    pub(super) fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// What the store offers in the version `dialect`; nothing in one that it does
    /// not speak.
    pub(super) fn offer(&self, dialect: &Dialect) -> &Offer {
        static NOTHING: Offer = Offer::new();
        let index = self.dialects.iter().position(|spoken| spoken.version == dialect.version);
        index.map_or(&NOTHING, |index| &self.offers[index])
    }

    /// Paths of profiles with what is served there.
    pub fn profiles(&self) -> impl Iterator<Item = (&str, &ProfileDocument)> {
        self.profiles.iter().map(|(path, document)| (path.as_str(), document))
    }

    /// A command that searches the store at `origin` as the sample platform that
    /// local development publishes; `None` outside of it.
    pub(super) fn curl_line(&self, origin: &str) -> Option<String> {
        let path = sample_path(self.dialects[0]);
        self.profiles.iter().find(|(known, _)| *known == path)?;
        let operation = Operation::SearchCatalog;
        let call = json!({
            "jsonrpc": "2.0",
            "id": 1,
            "method": mcp::TOOLS_CALL,
            "params": {
                "name": operation.tool(),
                "arguments": {
                    META: { AGENT: { PROFILE: format!("{origin}{path}") } },
                    operation.argument(): { "query": "*", "pagination": { "limit": 2 } },
                },
            },
        });
        Some(format!(
            "curl -s {origin}{} -H 'Content-Type: application/json' -d '{call}'",
            self.protocol.mcp_path()
        ))
    }

    pub(super) const fn mcp(&self) -> &mcp::Server {
        &self.mcp
    }
}

/// Only what works is advertised (rule P5).
fn is_configured(capability: Capability, config: &Config) -> bool {
    match capability {
        Capability::CatalogSearch | Capability::CatalogLookup => !config.catalog.feeds.is_empty(),
        Capability::LocationSearch | Capability::LocationLookup => {
            !config.locations.feeds.is_empty()
        }
    }
}

fn document(profile: &Value) -> ProfileDocument {
    let body = profile.to_string();
    let digest = Sha256::digest(&body);
    let tag: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let etag = HeaderValue::try_from(format!("\"{tag}\""))
        .unwrap_or_else(|_| HeaderValue::from_static("\"\""));
    ProfileDocument { body: Bytes::from(body), etag }
}

/// Where local development publishes a platform profile to call with.
fn sample_path(dialect: &Dialect) -> String {
    format!("/dev/platform/{}/{}.json", dialect.protocol.name(), dialect.version)
}

fn server_info(config: &Config, protocol: Protocol) -> ServerInfo {
    let store = &config.store;
    let mut instructions = format!(
        "{} is a store in {} that can be searched and browsed here. Every call needs \
         {META}[\"{AGENT}\"].{PROFILE}, the URL of your platform's profile. Amounts of money are \
         integers in the minor unit of the currency named beside them: 1999 with BRL is R$ 19,99. \
         To get more results, repeat the call with pagination.cursor from the last answer until \
         has_next_page is false. Texts come in {} unless context.language asks for another \
         language.",
        store.name, store.country, store.language,
    );
    if let Some(homepage) = store.continue_url() {
        instructions.push_str(&format!(" The store's own pages begin at {homepage}."));
    }
    ServerInfo {
        name: format!("shopkeeper-{}", protocol.name()),
        title: store.name.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        instructions,
    }
}
