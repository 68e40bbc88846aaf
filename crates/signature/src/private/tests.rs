//! Keys in every form that a merchant may have them in.

use super::*;
use serde_json::json;

#[test]
fn rule_s7_a_made_key_is_read_back_and_verifies_what_it_signs() {
    for algorithm in Algorithm::ALL {
        let (key, pem) = SigningKey::generate(algorithm).unwrap();
        let again = SigningKey::from_text(pem.as_bytes()).unwrap();
        assert_eq!(again.public(), key.public());
        assert_eq!(key.public().algorithm(), algorithm);
        assert_eq!(key.public().kid(), Some(key.public().thumbprint().as_str()));
        let signature = again.sign(b"text").unwrap();
        assert_eq!(signature.len(), 2 * algorithm.octets(), "raw, not DER");
        let published = PublicKey::from_jwk(&key.public().to_jwk()).unwrap();
        assert!(published.verifies(b"text", &signature));
        assert!(!published.verifies(b"test", &signature));
        assert!(!format!("{key:?}").contains(pem.lines().nth(1).unwrap()));
    }
}

#[test]
fn sec1_is_read_for_both_curves() {
    for algorithm in [Algorithm::Es256, Algorithm::Es384] {
        let (key, pem) = SigningKey::generate(algorithm).unwrap();
        let der = PrivateKeyDer::from_pem_slice(pem.as_bytes()).unwrap();
        let der = der.secret_der();
        // The octet string at the end of PKCS#8 is the SEC1 form.
        let identifier = curve_identifier(algorithm);
        let after = der.windows(identifier.len()).position(|w| w == identifier).unwrap();
        let rest = &der[after + identifier.len()..];
        assert_eq!(rest[0], 4);
        let header = if rest[1] < 0x80 { 2 } else { 3 };
        let body = BASE64_STANDARD.encode(&rest[header..]);
        let sec1 =
            format!("-----BEGIN EC PRIVATE KEY-----\n{body}\n-----END EC PRIVATE KEY-----\n");
        let read = SigningKey::from_text(sec1.as_bytes()).unwrap();
        assert_eq!(read.public(), key.public());
    }
}

#[test]
fn a_jwk_keeps_its_name_and_what_is_no_private_key_is_named() {
    // RFC 9421, appendix B.1.3.
    let mut jwk = json!({
        "kty": "EC", "crv": "P-256", "kid": "test-key-ecc-p256",
        "d": "UpuF81l-kOxbjf7T4mNSv0r5tN67Gim7rnf6EFpcYDs",
        "x": "qIVYZVLCrPZHGHjP17CTW0_-D9Lfw0EkjqF7xB4FivA",
        "y": "Mc4nN9LTDOBhfoUeg8Ye9WedFRhnZXZJA12Qp0zZ6F0",
    });
    let read = |jwk: &Value| SigningKey::from_text(jwk.to_string().as_bytes());
    let key = read(&jwk).unwrap();
    assert_eq!(key.public().kid(), Some("test-key-ecc-p256"));
    assert!(key.public().to_jwk().get("d").is_none(), "the private half stays here");
    jwk["key_ops"] = json!(["sign"]);
    assert!(read(&jwk).is_ok());
    jwk["d"] = json!("AAAA");
    assert_eq!(read(&jwk).unwrap_err(), KeyFault::Unsupported);
    jwk.as_object_mut().unwrap().remove("d");
    assert_eq!(read(&jwk).unwrap_err(), KeyFault::Public);
    assert_eq!(read(&json!({"kty": "RSA"})).unwrap_err(), KeyFault::Unsupported);
    assert_eq!(SigningKey::from_text(b"hello").unwrap_err(), KeyFault::Unreadable);
    assert_eq!(SigningKey::from_text(b"{").unwrap_err(), KeyFault::Unreadable);
    let public = b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n";
    assert_eq!(SigningKey::from_text(public).unwrap_err(), KeyFault::Public);
}
