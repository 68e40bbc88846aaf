//! What selection looks at of a product.
//!
//! An index keeps products as bytes; this is the little that must be taken out of
//! them to answer which variants a selection means. Texts are borrowed where they
//! can be, and bare of their language tags, which play no part.

use crate::language::Localized;
use crate::product::{Choice, Product, Variant};
use std::borrow::Cow;

/// What of a product a choice of options is about: as little as selection needs,
/// so that it can be asked of a product that is not in memory as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range<'a> {
    /// Its axes in display order.
    pub axes: Vec<OptionTexts<'a>>,
    /// Its variants in feed order.
    pub variants: Vec<Offer>,
}

/// An axis with its values, as texts to compare with a request's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionTexts<'a> {
    /// Its name in every language of the feed.
    pub name: Texts<'a>,
    /// Its values in display order.
    pub values: Vec<ValueTexts<'a>>,
}

/// A value of an axis, as texts to compare with a request's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueTexts<'a> {
    /// The merchant's id of the value.
    pub id: Option<Cow<'a, str>>,
    /// Its label in every language of the feed.
    pub label: Texts<'a>,
}

/// One thing said in one or more languages, the feed's own first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texts<'a>(pub Vec<Cow<'a, str>>);

/// A variant, as far as selection goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// Its place on the axes, at most one an axis; each is one of [`Range::axes`].
    pub choices: Vec<Choice>,
    /// Whether it can be bought.
    pub available: bool,
}

impl<'a> From<&'a Product> for Range<'a> {
    fn from(product: &'a Product) -> Self {
        let texts = |text: &'a Localized<String>| {
            Texts(text.iter().map(|(_, text)| Cow::Borrowed(text.as_str())).collect())
        };
        let axes = product.axes.iter().map(|axis| OptionTexts {
            name: texts(&axis.name),
            values: axis
                .values
                .iter()
                .map(|value| ValueTexts {
                    id: value.id.as_deref().map(Cow::Borrowed),
                    label: texts(&value.label),
                })
                .collect(),
        });
        let offer = |variant: &Variant| Offer {
            choices: variant.choices.clone(),
            available: variant.is_available(),
        };
        Self { axes: axes.collect(), variants: product.variants.iter().map(offer).collect() }
    }
}

impl Texts<'_> {
    /// Whether it reads exactly `text` in the feed's own language.
    pub(super) fn is_own(&self, text: &str) -> bool {
        self.0.first().is_some_and(|own| own == text)
    }

    /// Whether it reads exactly `text` in any of its languages.
    pub(super) fn says(&self, text: &str) -> bool {
        self.0.iter().any(|known| known == text)
    }
}

impl Offer {
    /// Whether it has the value that `choice` names.
    pub(super) fn has(&self, choice: Choice) -> bool {
        let on_axis = self.choices.iter().find(|own| own.axis == choice.axis);
        on_axis.is_some_and(|own| own.value == choice.value)
    }
}
