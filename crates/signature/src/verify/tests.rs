//! The test vectors of RFC 9421 and RFC 9530, and what must be refused.

use super::*;
use crate::base::{Message, joined};
use crate::{Response, SigningKey, content_digest};
use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Value, json};

const NOW_S: i64 = 1_800_000_000;
const BODY: &[u8] = br#"{"id": 1}"#;
const COVERED: &str = r#""@method" "@authority" "@path" "content-digest" "content-type""#;

/// A message that is a list of components.
struct Listed(&'static [(&'static str, &'static str)]);

impl Message for Listed {
    fn component(&self, name: &str) -> Option<String> {
        joined(self.0.iter().filter(|(known, _)| *known == name).map(|(_, value)| *value))
    }
}

fn inner_list(input: &str) -> InnerList {
    let members: Dictionary = Parser::new(input).parse().unwrap();
    match members.into_values().next().unwrap() {
        ListEntry::InnerList(list) => list,
        ListEntry::Item(_) => panic!("not a list"),
    }
}

fn vector(message: &Listed, input: &str, jwk: &Value, signature: &str) {
    let base = signature_base(message, &inner_list(input)).unwrap();
    let signature = BASE64_STANDARD.decode(signature).unwrap();
    let key = PublicKey::from_jwk(jwk).unwrap();
    assert!(key.verifies(base.as_bytes(), &signature), "{base}");
    assert!(!key.verifies(format!("{base} ").as_bytes(), &signature));
}

#[test]
fn rfc_9421_b_2_4_a_response_by_ecdsa_p256() {
    vector(
        &Listed(&[
            ("@status", "200"),
            ("content-type", "application/json"),
            (
                "content-digest",
                "sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:",
            ),
            ("content-length", "23"),
        ]),
        r#"sig-b24=("@status" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-ecc-p256""#,
        &json!({
            "kty": "EC", "crv": "P-256", "kid": "test-key-ecc-p256",
            "x": "qIVYZVLCrPZHGHjP17CTW0_-D9Lfw0EkjqF7xB4FivA",
            "y": "Mc4nN9LTDOBhfoUeg8Ye9WedFRhnZXZJA12Qp0zZ6F0",
        }),
        "wNmSUAhwb5LxtOtOpNa6W5xj067m5hFrj0XQ4fvpaCLx0NKocgPquLgyahnzDnDAUy5eCdlYUEkLIj+32oiasw==",
    );
}

#[test]
fn rfc_9421_b_2_6_a_request_by_ed25519() {
    let jwk = json!({
        "kty": "OKP", "crv": "Ed25519", "kid": "test-key-ed25519",
        "d": "n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU",
        "x": "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs",
    });
    let message = Listed(&[
        ("date", "Tue, 20 Apr 2021 02:07:55 GMT"),
        ("@method", "POST"),
        ("@path", "/foo"),
        ("@authority", "example.com"),
        ("content-type", "application/json"),
        ("content-length", "18"),
    ]);
    let input = r#"sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519""#;
    let signature =
        "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==";
    vector(&message, input, &jwk, signature);
    // Ed25519 signs the same way every time, so our own signature is the vector too.
    let key = SigningKey::from_text(jwk.to_string().as_bytes()).unwrap();
    let base = signature_base(&message, &inner_list(input)).unwrap();
    assert_eq!(BASE64_STANDARD.encode(key.sign(base.as_bytes()).unwrap()), signature);
}

#[test]
fn rfc_7638_thumbprint_of_the_web_bot_auth_key() {
    let jwk = json!({
        "kty": "OKP", "crv": "Ed25519", "x": "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs",
    });
    let key = PublicKey::from_jwk(&jwk).unwrap();
    assert_eq!(key.thumbprint(), "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U");
}

#[test]
fn rfc_9530_digests_are_of_the_raw_bytes() {
    let body = b"{\"hello\": \"world\"}\n";
    let sha256 = "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:";
    assert_eq!(content_digest(body), sha256);
    for (value, body, found) in [
        (sha256, &body[..], BodyDigest::Matches),
        (sha256, &body[..18], BodyDigest::Differs),
        ("md5=:AAAA:", body, BodyDigest::Unknown),
        ("", body, BodyDigest::Unknown),
        ("sha-256=abc", body, BodyDigest::Malformed),
        ("sha-256=:RK", body, BodyDigest::Malformed),
        (
            "sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:",
            b"{\"message\": \"good dog\"}",
            BodyDigest::Matches,
        ),
    ] {
        assert_eq!(digest_of_body(value, body), found, "{value}");
    }
    // One good digest does not make up for a wrong one.
    let both = format!("{sha256}, sha-512=:AAAA:");
    assert_eq!(digest_of_body(&both, body), BodyDigest::Differs);
}

/// A request that can be signed and then spoilt.
#[derive(Clone)]
struct Case {
    method: &'static str,
    authority: &'static str,
    path: &'static str,
    query: Option<&'static str>,
    fields: Vec<(String, String)>,
    body: &'static [u8],
}

impl Case {
    fn new() -> Self {
        let fields = [
            ("content-type", "application/json".to_owned()),
            ("content-digest", content_digest(BODY)),
        ];
        let fields = fields.map(|(name, value)| (name.to_owned(), value)).to_vec();
        let (method, authority, path) = ("POST", "Shop.example", "/mcp");
        Self { method, authority, path, query: None, fields, body: BODY }
    }

    fn request(&self) -> Request<'_> {
        let Self { method, authority, path, query, fields, body } = self;
        Request { method, authority, path, query: *query, fields, body }
    }

    fn with(mut self, name: &str, value: &str) -> Self {
        self.fields.push((name.to_owned(), value.to_owned()));
        self
    }

    fn set(mut self, name: &str, value: &str) -> Self {
        self.fields.retain(|(known, _)| known != name);
        self.with(name, value)
    }

    /// Signs what `covered` lists, with `parameters` as written.
    fn signed(self, key: &SigningKey, label: &str, covered: &str, parameters: &str) -> Self {
        let input = format!("{label}=({covered}){parameters}");
        let base = signature_base(&self.request(), &inner_list(&input)).unwrap();
        let signature = BASE64_STANDARD.encode(key.sign(base.as_bytes()).unwrap());
        self.with(SIGNATURE_INPUT, &input).with(SIGNATURE, &format!("{label}=:{signature}:"))
    }

    fn verdict(&self, keys: &[PublicKey]) -> Result<Verified, Refusal> {
        let covered_when_present = &["ucp-agent", "signature-agent", "idempotency-key"];
        Signed { request: self.request(), covered_when_present, now_s: NOW_S }.verify(keys)
    }
}

fn key(algorithm: Algorithm) -> SigningKey {
    SigningKey::generate(algorithm).unwrap().0
}

fn keyid(key: &SigningKey) -> String {
    format!(";keyid=\"{}\"", key.public().kid().unwrap())
}

#[test]
fn rules_s1_and_s4_every_algorithm_is_accepted_raw_and_wherever_its_key_stands() {
    let keys = Algorithm::ALL.map(key);
    let public = keys.each_ref().map(|key| key.public().clone());
    for key in &keys {
        let parameters = format!(
            ";created={NOW_S}{};alg=\"{}\";expires={};nonce=\"n\"",
            keyid(key),
            key.public().algorithm().name(),
            NOW_S + 1
        );
        let verified = Case::new().signed(key, "a", COVERED, &parameters).verdict(&public).unwrap();
        assert_eq!(Some(&*verified.keyid), key.public().kid());
        assert_eq!(verified.nonce.as_deref(), Some("n"));
    }
}

#[test]
fn rules_s1_to_s3_each_spoilt_request_has_its_own_refusal() {
    use Refusal::{Absent, DigestMismatch, NotCovered, Wrong};
    let signer = key(Algorithm::Es256);
    let keys = [signer.public().clone()];
    let good = Case::new().signed(&signer, "a", COVERED, &keyid(&signer));
    assert!(good.verdict(&keys).is_ok());
    let (input, signature) =
        (good.request().field(SIGNATURE_INPUT).unwrap(), good.request().field(SIGNATURE).unwrap());
    let case = |change: &dyn Fn(&mut Case)| {
        let mut case = good.clone();
        change(&mut case);
        case.verdict(&keys).unwrap_err()
    };
    assert_eq!(case(&|it| it.method = "PUT"), Wrong);
    assert_eq!(case(&|it| it.authority = "other.example"), Wrong);
    assert_eq!(case(&|it| it.path = "/mcp/"), Wrong);
    assert_eq!(case(&|it| it.query = Some("")), NotCovered("@query".to_owned()));
    assert_eq!(case(&|it| it.body = b"{\"id\": 2}"), DigestMismatch);
    assert_eq!(case(&|it| *it = it.clone().set("content-type", "text/plain")), Wrong);
    assert_eq!(case(&|it| *it = it.clone().with("content-type", "text/plain")), Wrong);
    assert_eq!(case(&|it| it.fields.remove(0).0.clear()), Absent("content-type".to_owned()));
    assert_eq!(case(&|it| it.fields.remove(1).0.clear()), Absent("content-digest".to_owned()));
    for late in ["ucp-agent", "signature-agent", "idempotency-key"] {
        assert_eq!(case(&|it| *it = it.clone().with(late, "x")), NotCovered(late.to_owned()));
    }
    let malformed = |name: &'static str, value: &str| {
        let refusal = case(&|it| *it = it.clone().set(name, value));
        assert!(matches!(refusal, Refusal::Malformed(_)), "{name}: {value}: {refusal:?}");
    };
    malformed(SIGNATURE, "a=");
    malformed(SIGNATURE, "a=1");
    malformed(SIGNATURE, &signature.replacen("a=", "b=", 1));
    malformed(SIGNATURE_INPUT, "a=(");
    malformed(SIGNATURE_INPUT, "a=1");
    malformed(SIGNATURE_INPUT, &input.replace(";keyid=", ";k="));
    malformed(SIGNATURE_INPUT, &format!("{input};nonce=1"));
    malformed(SIGNATURE_INPUT, &format!("{input};expires=\"1\""));
    malformed(SIGNATURE_INPUT, &input.replace("\"@path\"", "\"@path\" \"@path\""));
    malformed(SIGNATURE_INPUT, &input.replace("\"@path\"", "\"@path\" \"@query\";req"));
    malformed(
        SIGNATURE_INPUT,
        &(0..5).map(|n| input.replacen('a', &format!("a{n}"), 1)).collect::<Vec<_>>().join(", "),
    );
    malformed(CONTENT_DIGEST, "md5=:AAAA:");
    malformed(CONTENT_DIGEST, "?");
    assert_eq!(
        case(&|it| it.fields.retain(|(name, _)| !name.starts_with("signature"))),
        Refusal::Missing
    );
    let half = case(&|it| it.fields.retain(|(name, _)| name != SIGNATURE));
    assert!(matches!(half, Refusal::Malformed(_)));
    // A signature of another length is none.
    assert_eq!(case(&|it| *it = it.clone().set(SIGNATURE, "a=:AAAA:")), Wrong);
}

#[test]
fn rules_s2_and_s3_what_the_signer_leaves_out_or_names_wrongly_is_refused() {
    let signer = key(Algorithm::Ed25519);
    let keys = [signer.public().clone()];
    let refusal = |covered: &str, parameters: &str| {
        Case::new().signed(&signer, "a", covered, parameters).verdict(&keys).unwrap_err()
    };
    for name in ["@method", "@authority", "@path", "content-digest", "content-type"] {
        let fewer = COVERED.replace(&format!("\"{name}\""), "").replace("  ", " ");
        assert_eq!(refusal(fewer.trim(), &keyid(&signer)), Refusal::NotCovered(name.to_owned()));
    }
    let named = |more: &str| refusal(COVERED, &format!("{}{more}", keyid(&signer)));
    assert_eq!(refusal(COVERED, ";keyid=\"other\""), Refusal::KeyNotFound);
    assert_eq!(named(";alg=\"hmac-sha256\""), Refusal::AlgorithmUnsupported);
    assert_eq!(named(";alg=\"rsa-pss-sha512\""), Refusal::AlgorithmUnsupported);
    assert_eq!(named(";alg=\"ecdsa-p256-sha256\""), Refusal::Wrong, "not this key's");
    assert_eq!(named(&format!(";expires={NOW_S}")), Refusal::Expired);
    assert_eq!(named(&format!(";created={}", NOW_S + 61)), Refusal::NotYet);
    let skewed = format!("{};created={}", keyid(&signer), NOW_S + 60);
    assert!(Case::new().signed(&signer, "a", COVERED, &skewed).verdict(&keys).is_ok());
    let impostor = key(Algorithm::Ed25519);
    let forged = Case::new().signed(&impostor, "a", COVERED, &keyid(&signer));
    assert_eq!(forged.verdict(&keys).unwrap_err(), Refusal::Wrong);
}

#[test]
fn rule_s3_one_good_signature_of_several_is_enough() {
    let (signer, stranger) = (key(Algorithm::Es384), key(Algorithm::Es256));
    let keys = [signer.public().clone()];
    let both = Case::new().signed(&stranger, "a", COVERED, &keyid(&stranger)).signed(
        &signer,
        "b",
        COVERED,
        &keyid(&signer),
    );
    assert_eq!(Some(&*both.verdict(&keys).unwrap().keyid), signer.public().kid());
    assert_eq!(both.verdict(&[]).unwrap_err(), Refusal::KeyNotFound);
}

#[test]
fn web_bot_auth_names_keys_by_thumbprint_and_has_times() {
    let jwk = json!({
        "kty": "OKP", "crv": "Ed25519", "kid": "mine",
        "d": "n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU",
        "x": "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs",
    });
    let signer = SigningKey::from_text(jwk.to_string().as_bytes()).unwrap();
    let keys = [signer.public().clone()];
    let verdict = |keyid: &str, times: &str| {
        let parameters = format!(";keyid=\"{keyid}\";tag=\"web-bot-auth\"{times}");
        Case::new().signed(&signer, "a", COVERED, &parameters).verdict(&keys)
    };
    let times = format!(";created={NOW_S};expires={}", NOW_S + 60);
    let thumbprint = signer.public().thumbprint();
    assert!(verdict(&thumbprint, &times).is_ok());
    assert_eq!(verdict("mine", &times).unwrap_err(), Refusal::KeyNotFound);
    assert!(matches!(verdict(&thumbprint, "").unwrap_err(), Refusal::Malformed(_)));
}

#[test]
fn rules_s3_and_s4_other_keys_are_passed_over() {
    let good = key(Algorithm::Es256).public().to_jwk();
    assert!(PublicKey::from_jwk(&good).is_some());
    let with = |name: &str, value: Value| {
        let mut jwk = good.clone();
        jwk[name] = value;
        PublicKey::from_jwk(&jwk)
    };
    for (name, value) in [
        ("kty", json!("RSA")),
        ("crv", json!("secp256k1")),
        ("crv", json!("P-384")),
        ("use", json!("enc")),
        ("key_ops", json!(["sign"])),
        ("alg", json!("ES384")),
        ("x", json!("AAAA")),
        ("y", json!("!")),
        ("x", json!(1)),
    ] {
        assert_eq!(with(name, value.clone()), None, "{name}: {value}");
    }
    assert!(with("key_ops", json!(["verify"])).is_some());
    assert!(with("x5c", json!([])).is_some());
}

#[test]
fn rule_s7_a_signed_response_verifies_over_what_was_sent() {
    for algorithm in Algorithm::ALL {
        let signer = key(algorithm);
        let response = Response { status: 200, content_type: "application/json", body: BODY };
        let signed = signer.sign_response(&response, NOW_S).unwrap();
        let covered = inner_list(&signed.signature_input);
        let base = format!(
            "\"@status\": 200\n\"content-digest\": {}\n\"content-type\": application/json\n\"@signature-params\": (\"@status\" \"content-digest\" \"content-type\");created={NOW_S};keyid=\"{}\"",
            content_digest(BODY),
            signer.public().kid().unwrap()
        );
        assert_eq!(covered.items.len(), 3);
        let signature: Dictionary = Parser::new(&signed.signature).parse().unwrap();
        let ListEntry::Item(item) = &signature["sig1"] else { panic!("no item") };
        let bytes = item.bare_item.as_byte_sequence().unwrap();
        assert!(signer.public().verifies(base.as_bytes(), bytes));
    }
}

#[test]
fn a_line_break_in_a_value_makes_no_line_of_the_base() {
    let message = Listed(&[("x", "1\n\"@method\": GET")]);
    let base = signature_base(&message, &inner_list("a=(\"x\")"));
    assert_eq!(base.unwrap_err(), BaseFault::Unsupported);
}
