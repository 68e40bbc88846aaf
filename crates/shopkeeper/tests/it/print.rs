//! JSON for snapshots: what fits on a line is on one line, and what changes from
//! run to run is named and not shown.

use serde_json::Value;

const WIDTH: usize = 110;

/// `value` as text.
pub(crate) fn pretty(value: &Value) -> String {
    let mut out = String::new();
    write(value, 0, 0, &mut out);
    out
}

/// Takes out what differs between runs: cursors, ports, request ids, and the
/// exceptional hours that are still ahead (rule L12).
pub(crate) fn redact(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.shift_remove("exception_hours");
            for (name, member) in members.iter_mut() {
                match (name.as_str(), &*member) {
                    ("cursor", Value::String(_)) => *member = "[cursor]".into(),
                    ("request_id", _) => *member = "[request]".into(),
                    _ => redact(member),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(redact),
        Value::String(text) => *text = without_run(text),
        _ => {}
    }
}

/// `text` without the ports and request ids of this run.
pub(crate) fn without_run(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("127.0.0.1:") {
        let (before, after) = rest.split_at(at + "127.0.0.1:".len());
        let port = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        out.push_str(before);
        out.push_str("[port]");
        rest = &after[port..];
    }
    out.push_str(rest);
    match out.find("under request id ") {
        Some(at) => out[..at + "under request id ".len()].to_owned() + "[request]",
        None => out,
    }
}

/// Writes `value` where `used` columns are taken already.
fn write(value: &Value, indent: usize, used: usize, out: &mut String) {
    let flat = flat(value);
    let room = WIDTH.saturating_sub(used);
    if flat.chars().count() <= room {
        out.push_str(&flat);
        return;
    }
    let pad = "  ".repeat(indent + 1);
    match value {
        Value::Object(members) if !members.is_empty() => {
            out.push_str("{\n");
            for (at, (name, member)) in members.iter().enumerate() {
                let name = format!("{pad}{}: ", Value::from(name.as_str()));
                out.push_str(&name);
                write(member, indent + 1, name.chars().count() + 1, out);
                out.push_str(if at + 1 < members.len() { ",\n" } else { "\n" });
            }
            out.push_str(&"  ".repeat(indent));
            out.push('}');
        }
        Value::Array(items) if !items.is_empty() => {
            out.push_str("[\n");
            for (at, item) in items.iter().enumerate() {
                out.push_str(&pad);
                write(item, indent + 1, pad.len() + 1, out);
                out.push_str(if at + 1 < items.len() { ",\n" } else { "\n" });
            }
            out.push_str(&"  ".repeat(indent));
            out.push(']');
        }
        _ => out.push_str(&flat),
    }
}

fn flat(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(name, member)| format!("{}: {}", Value::from(name.as_str()), flat(member)))
                .collect::<Vec<_>>();
            format!("{{{}}}", members.join(", "))
        }
        Value::Array(items) => {
            format!("[{}]", items.iter().map(flat).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}
