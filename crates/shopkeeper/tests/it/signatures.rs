//! Signed calls and signed answers over HTTP (rules S1 to S4, S6, S7). What is signed is
//! put together here by hand, not by the code that verifies it.

use crate::app::{TestApp, demo_config, scratch};
use crate::clients::arguments;
use crate::http::{Request, Response};
use crate::profiles;
use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use shopkeeper::config::{Registered, RegisteredEntry, Signatures};
use signature::{Algorithm, PublicKey, SigningKey};

const PATH: &str = "/ucp/mcp";

fn store(name: &str, mode: Signatures) -> TestApp {
    let mut config = demo_config(name);
    config.security.signatures = mode;
    TestApp::open(config)
}

fn key(algorithm: Algorithm) -> SigningKey {
    SigningKey::generate(algorithm).unwrap().0
}

fn call(profile: &str) -> Value {
    let arguments = arguments("search_catalog", &json!({"query": "*"}), profile);
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "search_catalog", "arguments": arguments}})
}

fn digest(body: &[u8]) -> String {
    format!("sha-256=:{}:", BASE64_STANDARD.encode(Sha256::digest(body)))
}

/// The fields of a signature over `body`; `more` are further parameters.
fn sign(store: &TestApp, key: &SigningKey, body: &str, more: &str) -> [(&'static str, String); 3] {
    let parameters = format!(
        r#"("@method" "@authority" "@path" "content-digest" "content-type");keyid="{}"{more}"#,
        key.public().kid().unwrap()
    );
    let digest = digest(body.as_bytes());
    let base = format!(
        "\"@method\": POST\n\"@authority\": {}\n\"@path\": {PATH}\n\"content-digest\": {digest}\n\"content-type\": application/json\n\"@signature-params\": {parameters}",
        store.address
    );
    let signature = BASE64_STANDARD.encode(key.sign(base.as_bytes()).unwrap());
    [
        ("Content-Digest", digest),
        ("Signature-Input", format!("sig={parameters}")),
        ("Signature", format!("sig=:{signature}:")),
    ]
}

fn send(store: &TestApp, body: &str, fields: &[(&str, String)]) -> Response {
    let request = Request::post(PATH, body);
    let request = fields.iter().fold(request, |request, (name, value)| request.with(name, value));
    request.send(store.address)
}

/// The status, and the code of the error if it is one.
fn verdict(response: &Response) -> (u16, String) {
    let code = response.json()["error"]["data"]["code"].as_str().unwrap_or("ok").to_owned();
    (response.status, code)
}

fn refused(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

#[test]
fn rules_s1_and_s6_a_signed_call_is_answered_and_an_unsigned_one_by_the_mode() {
    for (name, mode, unsigned, wrong) in [
        ("signed-off", Signatures::Off, (200, "ok"), (200, "ok")),
        ("signed-optional", Signatures::Optional, (200, "ok"), (401, "signature_invalid")),
        (
            "signed-required",
            Signatures::Required,
            (401, "signature_missing"),
            (401, "signature_invalid"),
        ),
    ] {
        let store = store(name, mode);
        for algorithm in Algorithm::ALL {
            let key = key(algorithm);
            let profile =
                profiles::with_keys(&format!("{name}-{algorithm:?}"), vec![key.public().to_jwk()]);
            let body = call(&profile).to_string();
            let signed = sign(&store, &key, &body, "");
            assert_eq!(verdict(&send(&store, &body, &signed)), refused(200, "ok"));
            let nothing = send(&store, &body, &[]);
            assert_eq!(verdict(&nothing), refused(unsigned.0, unsigned.1), "{name}");
            let other = sign(&store, &key, "{}", "");
            let mixed = [signed[0].clone(), signed[1].clone(), other[2].clone()];
            assert_eq!(verdict(&send(&store, &body, &mixed)), refused(wrong.0, wrong.1), "{name}");
        }
    }
}

#[test]
fn rules_s1_to_s4_what_is_wrong_has_its_code() {
    let store = store("signed-wrongly", Signatures::Required);
    let key = key(Algorithm::Es256);
    let unknown = [json!({"kty": "EC", "crv": "P-521", "kid": "x"}), json!({"kty": 7})];
    let keys = [&unknown[..], &[key.public().to_jwk()]].concat();
    let body = call(&profiles::with_keys("wrong", keys)).to_string();
    let signed = sign(&store, &key, &body, "");
    assert_eq!(verdict(&send(&store, &body, &signed)), refused(200, "ok"));
    // Another byte in the body, which means the same.
    assert_eq!(
        verdict(&send(&store, &format!("{body} "), &signed)),
        refused(400, "digest_mismatch")
    );
    let unsupported = sign(&store, &key, &body, ";alg=\"hmac-sha256\"");
    assert_eq!(verdict(&send(&store, &body, &unsupported)), refused(400, "algorithm_unsupported"));
    let expired = sign(&store, &key, &body, ";expires=1700000000");
    assert_eq!(verdict(&send(&store, &body, &expired)), refused(401, "signature_invalid"));
    // Present and not covered (rule S2).
    let mut agent = signed.to_vec();
    agent.push(("UCP-Agent", "profile=\"https://platform.example/\"".to_owned()));
    let response = send(&store, &body, &agent);
    assert_eq!(verdict(&response), refused(401, "signature_invalid"));
    assert!(response.text().contains("ucp-agent"), "{}", response.text());
    assert!(!response.text().contains(&signed[2].1[5..20]), "no signature comes back");
    // A signature of one platform does not speak for another.
    let other = call(&profiles::with_keys("other", unknown.to_vec())).to_string();
    let signed = sign(&store, &key, &other, "");
    assert_eq!(verdict(&send(&store, &other, &signed)), refused(401, "key_not_found"));
}

#[test]
fn rule_s6_an_api_key_speaks_for_its_own_platform_alone() {
    let [a, b] = ["key-a", "key-b"].map(|name| profiles::with_keys(name, Vec::new()));
    let hex = |key: &str| -> String {
        Sha256::digest(key).iter().map(|byte| format!("{byte:02x}")).collect()
    };
    let mut config = demo_config("api-keys");
    config.security.signatures = Signatures::Required;
    config.platforms.registry = [(&a, "alpha"), (&b, "beta")]
        .map(|(profile, key)| {
            let api_key_sha256 = hex(key);
            Registered::Entry(RegisteredEntry { profile: profile.clone(), api_key_sha256 })
        })
        .to_vec();
    let store = TestApp::open(config);
    let body = call(&a).to_string();
    let ask = |key: &str| send(&store, &body, &[("X-API-Key", key.to_owned())]);
    assert_eq!(verdict(&ask("alpha")), refused(200, "ok"));
    assert_eq!(verdict(&ask("beta")), refused(403, "forbidden"));
    assert_eq!(verdict(&ask("gamma")), refused(401, "unauthorized"));
    assert_eq!(verdict(&ask("")), refused(401, "unauthorized"));
    assert_eq!(verdict(&ask(&hex("alpha"))), refused(401, "unauthorized"), "the hash is no key");
    assert_eq!(verdict(&send(&store, &body, &[])), refused(401, "signature_missing"));
    assert!(!ask("gamma").text().contains("gamma"));
    // A key does not make up for a wrong signature beside it.
    let signed = sign(&store, &key(Algorithm::Es256), &body, "");
    let both = [&signed[..], &[("X-API-Key", "alpha".to_owned())]].concat();
    assert_eq!(verdict(&send(&store, &body, &both)), refused(401, "key_not_found"));
}

#[test]
fn a_nonce_is_good_for_one_request() {
    let store = store("signed-once", Signatures::Optional);
    let key = key(Algorithm::Ed25519);
    let profile = profiles::with_keys("nonce", vec![key.public().to_jwk()]);
    let body = call(&profile).to_string();
    let once = sign(&store, &key, &body, ";nonce=\"a\"");
    assert_eq!(verdict(&send(&store, &body, &once)), refused(200, "ok"));
    assert_eq!(verdict(&send(&store, &body, &once)), refused(401, "signature_invalid"));
    let again = sign(&store, &key, &body, ";nonce=\"b\"");
    assert_eq!(verdict(&send(&store, &body, &again)), refused(200, "ok"));
}

#[test]
fn rule_s3_an_unknown_key_fetches_the_profile_once_a_minute() {
    let store = store("signed-rotated", Signatures::Required);
    let keys = [(); 3].map(|()| key(Algorithm::Es256));
    let publish = |key: &SigningKey| profiles::with_keys("rotated", vec![key.public().to_jwk()]);
    let profile = publish(&keys[0]);
    let body = call(&profile).to_string();
    let ask = |key| verdict(&send(&store, &body, &sign(&store, key, &body, "")));
    assert_eq!(ask(&keys[0]), refused(200, "ok"));
    assert_eq!(profiles::hits(&profile), 1);
    publish(&keys[1]);
    assert_eq!(ask(&keys[1]), refused(200, "ok"), "the new key is found");
    assert_eq!(profiles::hits(&profile), 2);
    publish(&keys[2]);
    for _ in 0..3 {
        assert_eq!(ask(&keys[2]), refused(401, "key_not_found"), "not twice in a minute");
    }
    assert_eq!(profiles::hits(&profile), 2);
}

#[test]
fn rule_s7_answers_are_signed_with_the_key_in_the_profile() {
    let folder = scratch("signing-key");
    let (_, pem) = SigningKey::generate(Algorithm::Es256).unwrap();
    let file = folder.join("key.pem");
    std::fs::write(&file, pem).unwrap();
    let mut config = demo_config("signing");
    config.security.signing_key = file.to_str().unwrap().to_owned();
    let store = TestApp::open(config);
    let published = Request::get("/.well-known/ucp").send(store.address).json();
    assert_eq!(published["keys"][0].get("d"), None, "{published}");
    let key = PublicKey::from_jwk(&published["keys"][0]).unwrap();

    let profile = profiles::with_keys("reader", Vec::new());
    let good = call(&profile).to_string();
    for (body, status) in [(good.as_str(), 200), ("{", 400)] {
        let response = send(&store, body, &[]);
        assert_eq!(response.status, status);
        let field = |name| response.header(name).unwrap();
        assert_eq!(field("content-digest"), digest(&response.body));
        let parameters = field("signature-input").strip_prefix("sig1=").unwrap();
        let covered = "(\"@status\" \"content-digest\" \"content-type\");created=";
        assert!(parameters.starts_with(covered), "{parameters}");
        let base = format!(
            "\"@status\": {status}\n\"content-digest\": {}\n\"content-type\": {}\n\"@signature-params\": {parameters}",
            field("content-digest"),
            field("content-type"),
        );
        let signature = field("signature").strip_prefix("sig1=:").unwrap().trim_end_matches(':');
        let signature = BASE64_STANDARD.decode(signature).unwrap();
        assert!(key.verifies(base.as_bytes(), &signature));
    }
}
