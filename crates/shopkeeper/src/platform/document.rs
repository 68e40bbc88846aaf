//! A fetched profile document and what each protocol makes of it.
//!
//! One document may serve the endpoints of both protocols: it is fetched once and
//! read once for each, when first asked for. A document that cannot be read is
//! kept like any other, so that it is not fetched again for every call.

use std::sync::{Arc, OnceLock};

use protocol::profile::{Platform, ProfileFault};
use protocol::{Dialect, Protocol};

/// The body of a profile, with its readings.
#[derive(Debug)]
pub(super) struct Document {
    body: Box<[u8]>,
    readings: [OnceLock<Reading>; 2],
}

#[derive(Debug)]
struct Reading {
    supported: Box<[&'static Dialect]>,
    result: Result<Arc<Platform>, ProfileFault>,
}

impl Document {
    /// A document not yet read.
    pub(super) fn new(body: Box<[u8]>) -> Self {
        Self { body, readings: [OnceLock::new(), OnceLock::new()] }
    }

    /// Size of the body in bytes.
    pub(super) fn size(&self) -> usize {
        self.body.len()
    }

    /// The document as a platform of one protocol, whose `supported` dialects should be the same
    /// in every call: only the reading for the first list is kept.
    pub(super) fn platform(
        &self,
        protocol: Protocol,
        supported: &[&'static Dialect],
    ) -> Result<Arc<Platform>, ProfileFault> {
        let [ucp, bcp] = &self.readings;
        let slot = match protocol {
            Protocol::Ucp => ucp,
            Protocol::Bcp => bcp,
        };
        let reading = slot.get_or_init(|| self.read(supported));
        if same(&reading.supported, supported) {
            reading.result.clone()
        } else {
            self.read(supported).result
        }
    }

    fn read(&self, supported: &[&'static Dialect]) -> Reading {
        let result = Platform::read(&self.body, supported).map(Arc::new);
        Reading { supported: supported.into(), result }
    }
}

fn same(a: &[&Dialect], b: &[&Dialect]) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| a.protocol == b.protocol && a.version == b.version)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn supported(protocol: Protocol) -> Vec<&'static Dialect> {
        Dialect::of(protocol).collect()
    }

    fn document(version: &str) -> Document {
        let body = format!(
            r#"{{"ucp":{{"version":"{version}","services":{{}},"payment_handlers":{{}}}}}}"#
        );
        Document::new(body.into_bytes().into())
    }

    #[test]
    fn rule_n3_one_document_is_read_once_for_each_protocol() {
        let document = document("2026-04-08");
        for protocol in Protocol::ALL {
            let first = document.platform(protocol, &supported(protocol)).unwrap();
            let second = document.platform(protocol, &supported(protocol)).unwrap();
            assert_eq!(first.dialect.protocol, protocol);
            assert!(Arc::ptr_eq(&first, &second));
        }
    }

    #[test]
    fn rule_n4_another_list_of_dialects_is_another_reading() {
        let document = document("2026-08-25");
        let all = supported(Protocol::Ucp);
        let older: Vec<_> = all.iter().copied().filter(|d| d.version != "2026-08-25").collect();
        assert!(document.platform(Protocol::Ucp, &all).is_ok());
        let fault = document.platform(Protocol::Ucp, &older).unwrap_err();
        assert!(matches!(fault, ProfileFault::VersionUnsupported { .. }));
        assert!(document.platform(Protocol::Ucp, &all).is_ok());
    }
}
