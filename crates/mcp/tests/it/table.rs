//! What goes in and what comes out, row by row: every row of the rules M1-M6 and of
//! the table of HTTP situations, as snapshots to read through.
//!
//! A row is `name | transport | body`. The transport is `stdio`, or `POST` with the
//! headers `v=` (MCP-Protocol-Version), `m=` (Mcp-Method) and `n=` (Mcp-Name), where
//! `~` is a space. A body is sent as written, but for two short forms:
//! `ping("a":1)` is a request with id 1 and these members in its params, and
//! `+"id":2` is a message with these members beside `"jsonrpc"`. `@META` is the
//! `_meta` of a good stateless request, `@KEY` the prefix of its members.

use std::fmt::Write as _;

use mcp::{Headers, Received, Reply, Transport};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::support::{META, http, send, server};

/// Plays a table and writes its rows down with their answers.
fn play(table: &str) -> String {
    let server = server();
    let mut out = String::new();
    for row in table.lines().map(str::trim).filter(|row| !row.is_empty()) {
        let mut columns = row.splitn(3, " |").map(str::trim);
        let mut column = || columns.next().unwrap_or_else(|| panic!("three columns in {row}"));
        let (name, transport, body) = (column(), column(), long_form(column()));
        let transport_words = transport.replace('~', " ");
        let reply = send(&server, &transport_of(transport, &transport_words), body.as_bytes());
        let _ = write!(out, "## {name}\n> {transport}\n> {body}\n{}\n", show(&reply));
    }
    out
}

/// Reads a transport; `spaced` is the same text with real spaces, of the same length.
fn transport_of<'a>(column: &str, spaced: &'a str) -> Transport<'a> {
    if column == "stdio" {
        return Transport::Stdio;
    }
    let value = |key: &str| {
        let start = column.find(key)? + key.len();
        let len = column[start..].find(' ').unwrap_or(column.len() - start);
        Some(&spaced[start..start + len])
    };
    Transport::Http(Headers {
        protocol_version: value(" v="),
        method: value(" m="),
        name: value(" n="),
    })
}

fn long_form(body: &str) -> String {
    let short = body.strip_suffix(')').and_then(|rest| rest.split_once('('));
    let long = match (body.strip_prefix('+'), short) {
        (Some(members), _) => message(members),
        (None, Some((method, params))) if !method.contains('"') => {
            message(&format!(r#""id":1,"method":"{method}","params":{{{params}}}"#))
        }
        _ => body.to_owned(),
    };
    long.replace("@META", META).replace("@KEY", "io.modelcontextprotocol")
}

fn message(members: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0",{members}}}"#)
}

fn show(reply: &Reply) -> String {
    let mut line = format!("< {}", reply.status);
    if let Some(seconds) = reply.retry_after_s {
        let _ = write!(line, " Retry-After: {seconds}");
    }
    match &reply.body {
        None => line + " (no body)\n",
        Some(body) => {
            assert!(!body.contains(&b'\n'), "stdio needs one line");
            let text = str::from_utf8(body).unwrap();
            let _: &RawValue = serde_json::from_str(text).unwrap();
            format!("{line}\n< {text}\n")
        }
    }
}

macro_rules! tables {
    ($($name:ident: $rows:literal)*) => {
        $(#[test]
        fn $name() {
            // The snapshot repeats the rows one by one; the whole table would only hide them.
            insta::with_settings!({ omit_expression => true }, {
                insta::assert_snapshot!(stringify!($name), play($rows));
            });
        })*
    };
}

tables! {
    rule_m6_the_text: r#"
        an empty body                      | POST |
        not JSON                           | POST | hello
        cut off                            | POST | {"jsonrpc":"2.0","id":1
        something after the message        | POST | {"jsonrpc":"2.0","id":1,"method":"ping"}]
        a number beyond all range          | POST | tools/list("x":1e400)
        a duplicate key, the id known      | POST | ping("a":{"b":1,"b":2})
        a duplicate member of the envelope | POST | +"id":1,"method":"ping","method":"tools/list"
        a duplicate id is no id            | POST | +"id":1,"method":"ping","id":2
        a duplicate key by escape          | POST | ping("a":1,"\u0061":2)
        a lone surrogate in a value        | POST | ping("a":"\ud800")
        a lone surrogate in an id          | POST | +"id":"\ud800","method":"ping"
    "#

    rule_m6_the_envelope: r#"
        a number                    | POST | 42
        a string                    | POST | "ping"
        null                        | POST | null
        an empty object             | POST | {}
        no jsonrpc, the id known    | POST | {"id":"x","method":"ping"}
        jsonrpc 1.0                 | POST | {"jsonrpc":"1.0","id":1,"method":"ping"}
        jsonrpc as a number         | POST | {"jsonrpc":2.0,"id":1,"method":"ping"}
        no method                   | POST | +"id":1
        a method that is no string  | POST | +"id":1,"method":7
        an empty method             | POST | +"id":1,"method":""
        params by position          | POST | +"id":1,"method":"tools/call","params":["search"]
        params as a string          | POST | +"id":1,"method":"tools/call","params":"search"
        params null are none        | POST | +"id":1,"method":"ping","params":null
        unknown members are ignored | POST | +"id":1,"method":"ping","trace":{"a":1}
        both request and response   | POST | +"id":1,"method":"ping","result":{}
        a response                  | POST | +"id":1,"result":{}
        an error response           | POST | +"id":1,"error":{"code":1,"message":"m"}
        a response on stdio         | stdio | +"id":1,"result":{}
        a wrong envelope on stdio   | stdio | {}
    "#

    rule_m6_ids: r#"
        zero                 | POST | +"id": 0 ,"method":"ping"
        negative             | POST | +"id":-7,"method":"ping"
        beyond 64 bits       | POST | +"id":12345678901234567890,"method":"ping"
        fractional           | POST | +"id":1.5,"method":"ping"
        a fraction of naught | POST | +"id":1.0,"method":"ping"
        with an exponent     | POST | +"id":1e2,"method":"ping"
        beyond all range     | POST | +"id":1e400,"method":"ping"
        a string             | POST | +"id":"a","method":"ping"
        an empty string      | POST | +"id":"","method":"ping"
        a string of escapes  | POST | +"id":"\u0041 \"é\"","method":"ping"
        null                 | POST | +"id":null,"method":"ping"
        a boolean            | POST | +"id":true,"method":"ping"
        an object            | POST | +"id":{},"method":"ping"
        an array             | POST | +"id":[1],"method":"ping"
    "#

    rule_m2_notifications: r#"
        initialized                                | POST v=2025-11-25 | +"method":"notifications/initialized"
        cancelled, bare                            | POST | +"method":"notifications/cancelled"
        an unknown one                             | POST | +"method":"notifications/none"
        a request without an id is not carried out | POST | +"method":"tools/call"
        stateless, without the other headers       | POST v=2026-07-28 | +"method":"notifications/x"
        on stdio                                   | stdio | +"method":"notifications/initialized"
        an unknown version header                  | POST v=1999-01-01 | +"method":"notifications/initialized"
        an unknown later version                   | POST v=2099-01-01 | +"method":"notifications/x"
        as a request                               | POST | notifications/initialized()
    "#

    rule_m3_initialize: r#"
        2024-11-05                   | POST | initialize("protocolVersion":"2024-11-05","capabilities":{})
        2025-03-26                   | POST | initialize("protocolVersion":"2025-03-26","capabilities":{})
        2025-06-18                   | POST | initialize("protocolVersion":"2025-06-18","capabilities":{})
        2025-11-25                   | POST | initialize("protocolVersion":"2025-11-25","capabilities":{})
        never the stateless revision | POST | initialize("protocolVersion":"2026-07-28","capabilities":{})
        an unknown version           | POST | initialize("protocolVersion":"2099-01-01","capabilities":{})
        a version that is no string  | POST | initialize("protocolVersion":1)
        without parameters           | POST | +"id":1,"method":"initialize"
        with a header of its era     | POST v=2025-11-25 | initialize("protocolVersion":"2025-11-25")
        on stdio                     | stdio | initialize("protocolVersion":"2025-11-25")
    "#

    rule_m5_the_lifecycle_era: r#"
        ping, bare                             | POST | ping()
        ping, 2024-11-05                       | POST v=2024-11-05 | ping()
        ping, 2025-06-18 with white space      | POST v=~~2025-06-18~ | ping()
        ping on stdio                          | stdio | ping()
        an unknown header version              | POST v=1999-01-01 | ping()
        a header that is no date               | POST v=v999.0.0 | ping()
        an empty header                        | POST v=~ | ping()
        an unknown method                      | POST v=2025-11-25 | no/such()
        an unknown method, bare                | POST | no/such()
        logging is not declared                | POST | logging/setLevel("level":"info")
        resources are not declared             | POST | resources/list()
        prompts are not declared               | POST | prompts/list()
        the other headers are ignored          | POST m=x n=y | ping()
        a _meta without a version is lifecycle | POST | ping("_meta":{"progressToken":1})
        a _meta that is no object is lifecycle | POST | ping("_meta":"x")
    "#

    rule_m8_tools_list: r#"
        without parameters              | POST | +"id":1,"method":"tools/list"
        stateless                       | POST v=2026-07-28 m=tools/list | tools/list(@META)
        with meta in arguments          | POST | tools/list("arguments":{"meta":{"ucp-agent":{"profile":1}}})
        cursor null                     | POST | tools/list("cursor":null)
        a cursor                        | POST | tools/list("cursor":"abc")
        a cursor, stateless: HTTP 200   | POST v=2026-07-28 m=tools/list | tools/list("cursor":"abc",@META)
    "#

    rule_m9_tools_call: r#"
        bare                                | POST | tools/call("name":"search","arguments":{"q":"a"})
        2025-06-18                          | POST v=2025-06-18 | tools/call("name":"search","arguments":{"q":"a"})
        stateless                           | POST v=2026-07-28 m=tools/call n=search | tools/call("name":"search","arguments":{"q":"\"é\n"},@META)
        stateless on stdio                  | stdio | tools/call("name":"search","arguments":{"q":"\"é\n"},@META)
        bare on stdio                       | stdio | tools/call("name":"search","arguments":{"q":"a"})
        without arguments                   | POST | tools/call("name":"search")
        arguments of any type are passed on | POST | tools/call("name":"search","arguments":[1])
        isError                             | POST | tools/call("name":"search","arguments":{"fail":true})
        an unknown tool                     | POST | tools/call("name":"nope")
        an unknown tool, stateless          | POST v=2026-07-28 m=tools/call n=nope | tools/call("name":"nope",@META)
        a refusal with its own status       | POST | tools/call("name":"busy")
        a panic                             | POST v=2026-07-28 m=tools/call n=broken | tools/call("name":"broken",@META)
        no name                             | POST | tools/call("arguments":{})
        a name that is no string            | POST | tools/call("name":1)
        no name, stateless: HTTP 200        | POST v=2026-07-28 m=tools/call | tools/call(@META)
    "#

    rule_m1_the_era: r#"
        by _meta                      | POST v=2026-07-28 m=tools/list | tools/list(@META)
        by _meta on stdio             | stdio | tools/list(@META)
        by _meta, whatever its value  | POST | ping("_meta":{"@KEY/protocolVersion":null})
        by the method                 | POST | server/discover()
        by the method on stdio        | stdio | server/discover()
        by the header                 | POST v=2026-07-28 | ping()
        by a later header             | POST v=2099-01-01 | ping()
        by the header, initialize too | POST v=2026-07-28 | initialize("protocolVersion":"2025-11-25")
        by none of them               | POST | ping()
    "#

    rule_m4_meta_version_and_method: r#"
        discover                            | POST v=2026-07-28 m=server/discover | server/discover(@META)
        discover on stdio                   | stdio | server/discover(@META)
        no _meta                            | POST v=2026-07-28 m=server/discover | server/discover()
        no parameters at all                | POST v=2026-07-28 m=server/discover | +"id":"x","method":"server/discover"
        a _meta that is no object           | POST v=2026-07-28 m=server/discover | server/discover("_meta":[])
        no version in _meta                 | POST v=2026-07-28 m=server/discover | server/discover("_meta":{"@KEY/clientCapabilities":{}})
        a version that is no string         | POST v=2026-07-28 m=server/discover | server/discover("_meta":{"@KEY/protocolVersion":2026,"@KEY/clientCapabilities":{}})
        no clientCapabilities               | POST v=2026-07-28 m=server/discover | server/discover("_meta":{"@KEY/protocolVersion":"2026-07-28"})
        clientCapabilities null             | POST v=2026-07-28 m=server/discover | server/discover("_meta":{"@KEY/protocolVersion":"2026-07-28","@KEY/clientCapabilities":null})
        clientInfo is nobody's business     | POST v=2026-07-28 m=ping | ping("_meta":{"@KEY/protocolVersion":"2026-07-28","@KEY/clientCapabilities":{},"@KEY/clientInfo":7})
        meta before headers                 | POST | server/discover()
        headers before version              | POST v=2026-07-28 m=tools/list | tools/list("_meta":{"@KEY/protocolVersion":"v999.0.0","@KEY/clientCapabilities":{}})
        an unsupported version              | POST v=v999.0.0 m=tools/list | tools/list("_meta":{"@KEY/protocolVersion":"v999.0.0","@KEY/clientCapabilities":{}})
        a lifecycle version in _meta        | POST v=2025-11-25 m=tools/list | tools/list("_meta":{"@KEY/protocolVersion":"2025-11-25","@KEY/clientCapabilities":{}})
        an unsupported version on stdio     | stdio | tools/list("_meta":{"@KEY/protocolVersion":"2099-01-01","@KEY/clientCapabilities":{}})
        version before method               | stdio | no/such("_meta":{"@KEY/protocolVersion":"v999.0.0","@KEY/clientCapabilities":{}})
        an unknown method: HTTP 404         | POST v=2026-07-28 m=no/such | no/such(@META)
        ping is gone                        | POST v=2026-07-28 m=ping | ping(@META)
        initialize is gone                  | POST v=2026-07-28 m=initialize | initialize(@META)
        logging/setLevel is gone            | POST v=2026-07-28 m=logging/setLevel | logging/setLevel(@META)
        subscriptions are not offered       | POST v=2026-07-28 m=subscriptions/listen | subscriptions/listen(@META)
        an unknown method on stdio          | stdio | ping(@META)
    "#

    rule_m4_headers: r#"
        no version header                  | POST m=tools/list | tools/list(@META)
        another version in the header      | POST v=2025-11-25 m=tools/list | tools/list(@META)
        the version is not decoded         | POST v==?base64?MjAyNi0wNy0yOA==?= m=tools/list | tools/list(@META)
        no Mcp-Method                      | POST v=2026-07-28 | tools/list(@META)
        another method                     | POST v=2026-07-28 m=prompts/list | tools/list(@META)
        the case counts                    | POST v=2026-07-28 m=TOOLS/LIST | tools/list(@META)
        white space does not               | POST v=~2026-07-28~ m=~tools/list~~ | tools/list(@META)
        no Mcp-Name                        | POST v=2026-07-28 m=tools/call | tools/call("name":"search",@META)
        another name                       | POST v=2026-07-28 m=tools/call n=lookup | tools/call("name":"search",@META)
        a name with white space around     | POST v=2026-07-28 m=tools/call n=~~search~ | tools/call("name":"search",@META)
        an encoded name                    | POST v=2026-07-28 m=tools/call n==?base64?c2VhcmNo?= | tools/call("name":"search",@META)
        an encoded method                  | POST v=2026-07-28 m==?base64?dG9vbHMvbGlzdA==?= | tools/list(@META)
        an encoded name that is another    | POST v=2026-07-28 m=tools/call n==?base64?bG9va3Vw?= | tools/call("name":"search",@META)
        broken padding                     | POST v=2026-07-28 m=tools/call n==?base64?SGVsbG8?= | tools/call("name":"Hello",@META)
        a name beyond ASCII                | POST v=2026-07-28 m=tools/call n==?base64?Y2Fmw6k=?= | tools/call("name":"café",@META)
        Mcp-Name is for tools/call only    | POST v=2026-07-28 m=tools/list n=search | tools/list(@META)
    "#

    rule_m5_batches: r#"
        without the header                  | POST | [{"jsonrpc":"2.0","id":1,"method":"ping"}]
        of a later revision                 | POST v=2025-06-18 | [{"jsonrpc":"2.0","id":1,"method":"ping"}]
        of the stateless revision           | POST v=2026-07-28 | [{"jsonrpc":"2.0","id":1,"method":"ping"}]
        on stdio                            | stdio | [{"jsonrpc":"2.0","id":1,"method":"ping"}]
        of one                              | POST v=2025-03-26 | [{"jsonrpc":"2.0","id":1,"method":"ping"}]
        mixed, in order                     | POST v=2025-03-26 | [{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search"}},{"jsonrpc":"2.0","method":"n"},7,{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"nope"}},{"jsonrpc":"2.0","id":4,"method":"ping"}]
        of notifications alone              | POST v=2025-03-26 | [{"jsonrpc":"2.0","method":"n"},{"jsonrpc":"2.0","method":"n"}]
        of responses alone                  | POST v=2025-03-26 | [{"jsonrpc":"2.0","id":1,"result":{}}]
        empty                               | POST v=2025-03-26 | []
        empty, refused anyway               | POST | []
        with initialize                     | POST v=2025-03-26 | [{"jsonrpc":"2.0","id":1,"method":"initialize"},{"jsonrpc":"2.0","id":2,"method":"ping"}]
        in a batch                          | POST v=2025-03-26 | [[{"jsonrpc":"2.0","id":1,"method":"ping"}]]
        with a stateless request            | POST v=2025-03-26 | [{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{@META}}]
        a duplicate key spoils its own only | POST v=2025-03-26 | [{"jsonrpc":"2.0","id":1,"id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]
        cut off                             | POST v=2025-03-26 | [{"jsonrpc":"2.0","id":1,"method":"ping"},
        calls that share a status           | POST v=2025-03-26 | [{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"busy"}},{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"busy"}}]
    "#
}

#[test]
fn rules_m6_and_m7_refusals_by_the_transport() {
    let replies = [mcp::oversized(1_048_576), mcp::refused_origin(), mcp::refused_host()];
    let written: String = replies.iter().map(show).collect();
    insta::assert_snapshot!(written);
}

/// The HTTP status and the JSON-RPC code.
fn numbers(transport: &Transport<'_>, body: &[u8]) -> (u16, Option<i64>) {
    let reply = send(&server(), transport, body);
    let value: Value = serde_json::from_slice(&reply.body.unwrap()).unwrap();
    (reply.status, value["error"]["code"].as_i64())
}

#[test]
fn rule_m6_nesting_and_size_never_break_the_stack() {
    let numbers = |body: &str| {
        let bare = numbers(&http(None), body.as_bytes());
        assert_eq!(bare, numbers(&Transport::Stdio, body.as_bytes()));
        bare
    };
    let nested = |levels| {
        let (open, close) = (r#"{"a":"#.repeat(levels), "}".repeat(levels));
        long_form(&format!(r#"ping("x":{open}1{close})"#))
    };
    // The message and its params are two levels themselves.
    assert_eq!(numbers(&nested(126)), (200, None));
    assert_eq!(numbers(&nested(127)), (400, Some(-32700)));
    assert_eq!(numbers(&nested(200)), (400, Some(-32700)));
    let (open, close) = ("[".repeat(1 << 19), "]".repeat(1 << 19));
    assert_eq!(numbers(&open.repeat(2)), (400, Some(-32700)));
    assert_eq!(numbers(&format!("{open}{close}")), (400, Some(-32700)));
    assert_eq!(numbers(&r#"{"a":"#.repeat(1 << 17)), (400, Some(-32700)));
    let in_id = message(&format!(r#""id":{open}{close},"method":"ping""#));
    assert_eq!(numbers(&in_id), (400, Some(-32600)));
    let long_id = message(&format!(r#""id":"{}","method":"ping""#, "i".repeat(1 << 20)));
    assert_eq!(numbers(&long_id), (200, None));
}

#[test]
fn rule_m5_a_batch_is_bounded() {
    let ping = message(r#""id":1,"method":"ping""#);
    let batch = |len| format!("[{}]", vec![ping.as_str(); len].join(","));
    let old = http(Some("2025-03-26"));
    let full = send(&server(), &old, batch(mcp::MAX_BATCH).as_bytes());
    assert_eq!(full.status, 200);
    assert_eq!(numbers(&old, batch(mcp::MAX_BATCH + 1).as_bytes()), (400, Some(-32600)));
}

#[test]
fn rule_m6_bytes_that_no_text_holds() {
    assert_eq!(numbers(&http(None), b"{\"id\":\"\xff\"}"), (400, Some(-32700)));
    let spaced = format!(" \r\n{}\t\n", message(r#""id":1,"method":"ping""#));
    assert_eq!(numbers(&http(None), spaced.as_bytes()), (200, None));
}

#[test]
fn a_clients_long_text_is_cut_in_messages() {
    let body = long_form(&format!("{}()", "m".repeat(100_000)));
    let reply = send(&server(), &http(None), body.as_bytes());
    assert!(reply.body.unwrap().len() < 1_000);
}

#[test]
fn outcomes_that_are_missing_or_too_many_do_no_harm() {
    let server = server();
    let exchange = || {
        let body = long_form(r#"tools/call("name":"search")"#);
        match server.receive(&http(None), body.as_bytes()) {
            Received::Calls(exchange) => exchange,
            Received::Reply(reply) => panic!("{reply:?}"),
        }
    };
    assert!(!exchange().calls()[0].is_stateless());
    let outcome = |text: &str| mcp::Outcome::Result { structured: text.into(), is_error: false };
    let reply = exchange().answer(vec![outcome("{}"), outcome(r#"{"b":1}"#)]);
    assert_eq!(reply.status, 200);
    let reply = exchange().answer(Vec::new());
    assert_eq!(reply.status, 500);
    assert!(String::from_utf8_lossy(&reply.body.unwrap()).contains("-32603"));
}

/// Comparing every member with every other would take minutes here.
#[test]
fn rule_m6_a_hundred_thousand_members_are_no_more_than_their_bytes() {
    let members: String = (0..100_000).map(|at| format!(r#","m{at}":0"#)).collect();
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping"{members}}}"#);
    assert_eq!(numbers(&http(None), body.as_bytes()), (200, None));
}
