//! What a platform can use of the store (rules N4 to N10).

use crate::answers;
use crate::app::mercado;
use crate::clients::{Answer, Channel, arguments};
use crate::profiles;
use protocol::dialect::{Dialect, Protocol};
use protocol::operation::Operation;
use serde_json::{Value, json};

fn request(operation: Operation) -> Value {
    match operation {
        Operation::SearchCatalog => json!({"query": "*", "pagination": {"limit": 1}}),
        Operation::LookupCatalog => json!({"ids": ["LP22"]}),
        Operation::GetProduct => json!({"id": "LP22"}),
        Operation::SearchLocations => json!({"pagination": {"limit": 1}}),
        Operation::LookupLocations => json!({"ids": ["loc_noronha"]}),
    }
}

fn call(protocol: Protocol, operation: Operation, profile: &str) -> Answer {
    let arguments = arguments(operation.tool(), &request(operation), profile);
    Channel::Bare.call(mercado(), protocol, operation.tool(), &arguments)
}

/// An answer of rule N7 in `dialect`.
fn assert_incompatible(answer: &Answer, operation: Operation, dialect: &Dialect) {
    assert_eq!(answer.status, Some(200), "rule N7: a result and no error");
    let content = answers::checked(answer, operation, dialect, mercado());
    assert_eq!(
        content["ucp"],
        json!({"version": dialect.version, "status": "error", "capabilities": {}}),
        "rule N7"
    );
    let message = &content["messages"][0];
    assert_eq!(message["code"], "capabilities_incompatible", "rule N7");
    assert_eq!(message["severity"], "unrecoverable", "rule N7");
    assert_eq!(content["continue_url"], "https://loja.example.com.br/");
    assert_eq!(answer.message["result"]["isError"], true, "rule M9");
}

#[test]
fn rule_n7_a_platform_that_only_orders() {
    for dialect in &Dialect::ALL {
        let profile = profiles::only(dialect.protocol, dialect.version, "shopping.order");
        for &operation in dialect.operations() {
            assert_incompatible(&call(dialect.protocol, operation, &profile), operation, dialect);
        }
    }
    let profile = profiles::only(Protocol::Ucp, "2026-08-25", "shopping.order");
    let answer = call(Protocol::Ucp, Operation::SearchCatalog, &profile);
    let shown = crate::print::pretty(&answer.message["result"]["structuredContent"]);
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("only_order", shown));
}

#[test]
fn rule_n7_places_for_a_platform_of_a_version_without_them() {
    let dialect = &Dialect::UCP_2026_04_08;
    let profile = profiles::good(Protocol::Ucp, dialect.version);
    for operation in [Operation::SearchLocations, Operation::LookupLocations] {
        assert_incompatible(&call(Protocol::Ucp, operation, &profile), operation, dialect);
    }
}

#[test]
fn rule_n5_each_capability_is_adopted_by_itself() {
    let dialect = &Dialect::UCP_2026_08_25;
    for adopted in [
        "shopping.catalog.search",
        "shopping.catalog.lookup",
        "common.location.search",
        "common.location.lookup",
    ] {
        let profile = profiles::only(Protocol::Ucp, dialect.version, adopted);
        for operation in Operation::ALL {
            let answer = call(Protocol::Ucp, operation, &profile);
            let name = dialect.capability(operation.capability());
            if name.ends_with(adopted) {
                let content = answers::checked(&answer, operation, dialect, mercado());
                let expected = json!({ name: [{"version": dialect.version}] });
                assert_eq!(content["ucp"]["capabilities"], expected, "rule N6");
                assert!(content["ucp"].get("status").is_none_or(|status| status == "success"));
            } else {
                assert_incompatible(&answer, operation, dialect);
            }
        }
    }
}

#[test]
fn rule_n6_an_answer_names_what_bears_on_it_in_the_version_that_was_spoken() {
    for dialect in &Dialect::ALL {
        let profile = profiles::good(dialect.protocol, dialect.version);
        for &operation in dialect.operations() {
            let answer = call(dialect.protocol, operation, &profile);
            let content = answers::checked(&answer, operation, dialect, mercado());
            let name = dialect.capability(operation.capability());
            let expected = json!({ name: [{"version": dialect.version}] });
            assert_eq!(content["ucp"]["capabilities"], expected, "{}", dialect.version);
        }
    }
}

/// A capability that is written wrongly falls alone.
#[test]
fn rule_n2_one_bad_capability_costs_itself() {
    let dialect = &Dialect::UCP_2026_08_25;
    let profile = profiles::url("bad/capabilities-odd");
    let search = Operation::SearchCatalog;
    assert_incompatible(&call(Protocol::Ucp, search, &profile), search, dialect);
    let lookup = Operation::LookupCatalog;
    let answer = call(Protocol::Ucp, lookup, &profile);
    assert_eq!(
        answers::checked(&answer, lookup, dialect, mercado())["products"].as_array().unwrap().len(),
        1
    );
}

#[test]
fn rule_n10_what_else_is_said_changes_no_negotiation() {
    let tool = "lookup_catalog";
    let profile = profiles::good(Protocol::Ucp, "2026-08-25");
    let plain = arguments(tool, &json!({"ids": ["LP22"]}), &profile);
    let mut rich = arguments(
        tool,
        &json!({"ids": ["LP22"], "signals": {"dev.ucp.buyer_ip": "203.0.113.7"}, "attribution": {"utm_source": "x"}}),
        &profile,
    );
    rich["meta"]["ucp-agent"]["version"] = json!("1999-01-01");
    rich["meta"]["com.example.session"] = json!({"id": "s"});
    let answer = |arguments: &Value| Channel::Bare.call(mercado(), Protocol::Ucp, tool, arguments);
    assert_eq!(answer(&rich).structured(), answer(&plain).structured());
}
