//! `[store]`: whose store it is, and what its feeds leave unsaid.

use super::{ConfigError, text};
use ::catalog::{Currency, LanguageTag};
use serde::{Deserialize, Serialize};

/// The table `[store]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Store {
    /// What buyers call it.
    pub name: String,
    /// `continue_url` of last resort; empty for none.
    pub homepage: String,
    /// BCP 47 language of feed texts without a tag.
    pub language: String,
    /// ISO 3166-1 alpha-2 country of the store.
    pub country: String,
    /// Presentment currency, ISO 4217.
    #[serde(with = "text")]
    pub currency: Currency,
}

impl Default for Store {
    fn default() -> Self {
        Self {
            name: "Shopkeeper".to_owned(),
            homepage: String::new(),
            language: "pt-BR".to_owned(),
            country: "BR".to_owned(),
            currency: Currency::BRL,
        }
    }
}

impl Store {
    /// The language of feed texts without a tag.
    pub fn language_tag(&self) -> Option<LanguageTag> {
        LanguageTag::new(&self.language)
    }

    /// `continue_url` of last resort.
    pub fn continue_url(&self) -> Option<&str> {
        (!self.homepage.is_empty()).then_some(self.homepage.as_str())
    }

    pub(super) fn check(&self) -> Result<(), ConfigError> {
        let unusable = |key, text: String| ConfigError::Unusable { table: "store", key, text };
        if self.language_tag().is_none() {
            let text = format!("`{}` is no BCP 47 language tag such as pt-BR", self.language);
            return Err(unusable("language", text));
        }
        let country = self.country.as_bytes();
        if country.len() != 2 || !country.iter().all(u8::is_ascii_uppercase) {
            let text = format!("`{}` is no ISO 3166-1 alpha-2 code such as BR", self.country);
            return Err(unusable("country", text));
        }
        if let Some(homepage) = self.continue_url()
            && url::Url::parse(homepage).is_err()
        {
            return Err(unusable("homepage", format!("`{homepage}` is no absolute URL")));
        }
        Ok(())
    }
}
