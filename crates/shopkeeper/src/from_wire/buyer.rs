//! What the request's context says of the buyer: hints, never operands.

use catalog::market::currency_of_country;
use catalog::{Currency, LanguageTag};
use protocol::dialect::{Dialect, Protocol};
use protocol::wire;

/// The hints that shape an answer (rules C16, C18).
#[derive(Debug, Default)]
pub(crate) struct Buyer {
    pub(crate) language: Option<LanguageTag>,
    pub(crate) currency: Option<Currency>,
    /// The request names a currency, be it one that exists or not.
    pub(crate) names_currency: bool,
    pub(crate) country: Option<String>,
    pub(crate) region: Option<String>,
    pub(crate) postal_code: Option<String>,
    /// What they are about, in their words.
    pub(crate) intent: Option<String>,
}

impl Buyer {
    /// Reads the hints; one that makes no sense is as good as none.
    pub(crate) fn of(context: Option<&wire::Context>) -> Self {
        let Some(context) = context else { return Self::default() };
        Self {
            language: context.language.as_deref().and_then(LanguageTag::new),
            currency: context
                .currency
                .as_deref()
                .and_then(|code| code.trim().to_ascii_uppercase().parse().ok()),
            names_currency: context.currency.is_some(),
            country: said(context.locality.address_country.as_deref()),
            region: said(context.locality.address_region.as_deref()),
            postal_code: said(context.locality.postal_code.as_deref()),
            intent: said(context.intent.as_deref()),
        }
    }

    /// The currencies in which a price is shown, the most wanted first (rule C18).
    pub(crate) fn currencies(&self, dialect: &Dialect, own: Currency) -> Vec<Currency> {
        let market = self.country.as_deref().and_then(currency_of_country);
        let brazilian = (dialect.protocol == Protocol::Bcp).then_some(Currency::BRL);
        self.currency.into_iter().chain(market).chain(brazilian).chain([own]).collect()
    }
}

fn said(hint: Option<&str>) -> Option<String> {
    hint.map(str::trim).filter(|hint| !hint.is_empty()).map(str::to_owned)
}
