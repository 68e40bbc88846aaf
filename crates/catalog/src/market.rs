//! Which currency a buyer sees, and what a product costs in it.
//!
//! The store sells in the currencies of its feed; a request wishes for some of
//! them. The choice (rule C18), price ranges (rule C6) and unit prices (rule
//! C15) are worked out here in integers. Nothing is ever converted at a rate.

mod countries;

use crate::money::{Amount, Currency, Measure, Price, UnitPrice};
use crate::product::{Product, Variant};

/// The currency to show a product in (rule C18): the first of `wanted` that all
/// its variants have a price in, else the first in feed order that all have,
/// else that of its first price.
pub fn presentment(product: &Product, wanted: &[Currency]) -> Currency {
    let [first, rest @ ..] = product.variants.as_slice() else {
        return Currency::BRL;
    };
    let everywhere = |currency: Currency| rest.iter().all(|v| v.price_in(currency).is_some());
    let offered = || first.prices.iter().map(|price| price.currency);
    wanted
        .iter()
        .copied()
        .filter(|&currency| first.price_in(currency).is_some())
        .chain(offered())
        .find(|&currency| everywhere(currency))
        // Invariant: a product has a variant and a variant has a price, so the
        // last resort is never reached.
        .or_else(|| offered().next())
        .unwrap_or(Currency::BRL)
}

/// The main currency of a country by its ISO 3166-1 alpha-2 or alpha-3 code, in
/// any case; `None` for anything else and for Antarctica.
pub fn currency_of_country(code: &str) -> Option<Currency> {
    let code = code.trim().to_ascii_uppercase();
    let table = &countries::COUNTRIES;
    let row = match code.len() {
        2 => table.binary_search_by(|row| row.0.cmp(&code)).ok().map(|at| &table[at]),
        3 => table.iter().find(|row| row.1 == code),
        _ => None,
    };
    row.and_then(|row| row.2.parse().ok())
}

/// The price to show for a variant: the one in `currency`, else its first.
/// `None` never happens for a variant of a [`Product`].
pub fn shown_price(variant: &Variant, currency: Currency) -> Option<Price> {
    variant.price_in(currency).or_else(|| variant.prices.first().copied())
}

/// The lowest and the highest price in `currency` over all variants of the
/// product (rule C6); variants without one are skipped, `None` when all lack it.
pub fn price_range(product: &Product, currency: Currency) -> Option<(Price, Price)> {
    range(product.variants.iter().filter_map(|variant| variant.price_in(currency)))
}

/// The lowest and the highest price before discounts, in `currency`: what the
/// feed says of the product, else the variants' list prices, where a variant
/// without one counts with its price, so that the range is never below the
/// [`price_range`]. `None` when nothing is discounted in that currency.
pub fn list_price_range(product: &Product, currency: Currency) -> Option<(Price, Price)> {
    if let Some((min, max)) = product.list_price_range
        && min.currency == currency
        && max.currency == currency
    {
        return Some((min, max));
    }
    let list_price = |v: &Variant| v.list_price.filter(|price| price.currency == currency);
    product.variants.iter().any(|v| list_price(v).is_some()).then_some(())?;
    range(product.variants.iter().filter_map(|v| list_price(v).or_else(|| v.price_in(currency))))
}

/// The variant's unit price in `currency` (rule C15): the merchant's own where it
/// is in that currency, else computed from the variant's price there, rounded
/// half up once. `None` without such a price, when the two measures differ in
/// unit, or when the result does not fit an [`Amount`].
pub fn unit_price_in(variant: &Variant, currency: Currency) -> Option<UnitPrice> {
    let own = variant.unit_price.as_ref()?;
    if own.price.currency == currency {
        return Some(own.clone());
    }
    let price = variant.price_in(currency)?;
    let amount = per_reference(price.amount, &own.measure, &own.reference)?;
    Some(UnitPrice { price: Price { amount, currency }, ..own.clone() })
}

/// `(price / measure) * reference` in minor units, rounded half up once.
fn per_reference(price: Amount, measure: &Measure, reference: &Measure) -> Option<Amount> {
    if measure.unit != reference.unit {
        return None;
    }
    // Both scales are powers of ten: only their difference takes part.
    let power = |of: u8, over: u8| 10_u128.checked_pow(u32::from(of.saturating_sub(over)));
    let numerator = u128::from(price.minor_units())
        .checked_mul(u128::from(reference.value))?
        .checked_mul(power(measure.scale, reference.scale)?)?;
    let denominator =
        u128::from(measure.value).checked_mul(power(reference.scale, measure.scale)?)?;
    let whole = numerator.checked_div(denominator)?;
    let rest = numerator % denominator;
    let rounded = whole + u128::from(rest >= denominator - rest);
    Amount::new(u64::try_from(rounded).ok()?)
}

fn range(prices: impl Iterator<Item = Price>) -> Option<(Price, Price)> {
    prices.fold(None, |range, price| {
        let (min, max) = range.unwrap_or((price, price));
        let lower = if price.amount < min.amount { price } else { min };
        let upper = if price.amount > max.amount { price } else { max };
        Some((lower, upper))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{self, currency, price};

    #[test]
    fn rule_c18_country_currencies() {
        for (country, expected) in [
            ("BR", "BRL"),
            ("bra", "BRL"),
            (" us ", "USD"),
            ("DE", "EUR"),
            ("BG", "EUR"),
            ("HR", "EUR"),
            ("JP", "JPY"),
            ("GBR", "GBP"),
            ("CH", "CHF"),
            ("CL", "CLP"),
            ("KWT", "KWD"),
            ("PA", "USD"),
            ("ZWE", "ZWG"),
            ("VE", "VES"),
            ("CW", "XCG"),
            ("SL", "SLE"),
        ] {
            assert_eq!(currency_of_country(country), Some(currency(expected)), "{country}");
        }
        for unknown in ["", "AQ", "XX", "Brazil", "B", "BRAZ", "é"] {
            assert_eq!(currency_of_country(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn every_country_is_there_once_with_a_real_currency() {
        let table = countries::COUNTRIES;
        assert!(table.windows(2).all(|pair| pair[0].0 < pair[1].0));
        let mut long: Vec<&str> = table.iter().map(|row| row.1).collect();
        long.sort_unstable();
        long.dedup();
        assert_eq!(long.len(), table.len());
        for (short, _, code) in table {
            assert!(currency(code).minor_digits().is_some(), "{short} pays in {code}");
        }
    }

    /// A product whose variants have the given (amount, currency) prices.
    fn priced(variants: &[&[(u64, &str)]]) -> Product {
        let mut facts = sample::facts("p");
        facts.variants = variants
            .iter()
            .enumerate()
            .map(|(at, prices)| {
                let mut variant = sample::variant(&format!("v{at}"));
                variant.prices = prices.iter().map(|&(amount, code)| price(amount, code)).collect();
                variant
            })
            .collect();
        Product::new(facts).unwrap()
    }

    #[test]
    fn rule_c18_presentment_is_the_first_wanted_that_all_variants_have() {
        let both = priced(&[&[(1, "BRL"), (2, "USD")], &[(3, "USD"), (4, "BRL")]]);
        let some = priced(&[&[(1, "BRL"), (2, "USD")], &[(3, "USD")]]);
        let none = priced(&[&[(1, "EUR")], &[(3, "USD")]]);
        let table: [(&Product, &[&str], &str); 7] = [
            (&both, &["USD", "BRL"], "USD"),
            (&both, &["JPY", "USD"], "USD"),
            (&both, &["JPY"], "BRL"),
            (&both, &[], "BRL"),
            (&some, &["BRL"], "USD"),
            (&none, &["USD"], "EUR"),
            (&none, &[], "EUR"),
        ];
        for (product, wanted, expected) in table {
            let wanted: Vec<Currency> = wanted.iter().map(|code| currency(code)).collect();
            assert_eq!(presentment(product, &wanted), currency(expected), "{wanted:?}");
        }
    }

    #[test]
    fn rule_c6_ranges_cover_all_variants_with_the_currency() {
        let product = priced(&[&[(500, "BRL")], &[(300, "BRL"), (90, "USD")], &[(900, "BRL")]]);
        assert_eq!(
            price_range(&product, currency("BRL")),
            Some((price(300, "BRL"), price(900, "BRL")))
        );
        assert_eq!(
            price_range(&product, currency("USD")),
            Some((price(90, "USD"), price(90, "USD")))
        );
        assert_eq!(price_range(&product, currency("JPY")), None);
        assert_eq!(shown_price(&product.variants[0], currency("USD")), Some(price(500, "BRL")));
    }

    #[test]
    fn list_prices_count_the_price_where_there_is_no_discount() {
        let mut facts = sample::facts("p");
        let mut cheap = sample::variant("a");
        cheap.prices = vec![price(80, "BRL")];
        cheap.list_price = Some(price(100, "BRL"));
        let mut dear = sample::variant("b");
        dear.prices = vec![price(200, "BRL"), price(40, "USD")];
        facts.variants = vec![cheap, dear];
        let product = Product::new(facts.clone()).unwrap();
        let brl = currency("BRL");
        assert_eq!(list_price_range(&product, brl), Some((price(100, "BRL"), price(200, "BRL"))));
        assert_eq!(list_price_range(&product, currency("USD")), None);

        facts.list_price_range = Some((price(110, "BRL"), price(220, "BRL")));
        let product = Product::new(facts).unwrap();
        assert_eq!(list_price_range(&product, brl), Some((price(110, "BRL"), price(220, "BRL"))));
    }

    fn measure(value: u64, scale: u8, unit: &str) -> Measure {
        Measure { value, unit: unit.to_owned(), scale, display_text: unit.to_lowercase() }
    }

    #[test]
    fn rule_c15_unit_prices_are_rounded_half_up_once() {
        let per = |amount, measured, reference| {
            per_reference(Amount::new(amount).unwrap(), &measured, &reference)
                .map(Amount::minor_units)
        };
        // 19.99 for 750 ml, per 100 ml: 266.53 minor units.
        assert_eq!(per(1999, measure(750, 0, "MLT"), measure(100, 0, "MLT")), Some(267));
        // The same with a bottle of 0.750 l, per litre: 2665.33.
        assert_eq!(per(1999, measure(750, 3, "LTR"), measure(1, 0, "LTR")), Some(2665));
        assert_eq!(per(1999, measure(1, 0, "LTR"), measure(750, 3, "LTR")), Some(1499));
        // 0.5 goes up, 0.49 goes down.
        assert_eq!(per(1, measure(2, 0, "KGM"), measure(1, 0, "KGM")), Some(1));
        assert_eq!(per(49, measure(100, 0, "KGM"), measure(1, 0, "KGM")), Some(0));
        assert_eq!(per(0, measure(2, 0, "KGM"), measure(1, 0, "KGM")), Some(0));
        assert_eq!(per(1, measure(1, 0, "KGM"), measure(1, 0, "GRM")), None);
        assert_eq!(per(1, measure(0, 0, "KGM"), measure(1, 0, "KGM")), None);
        let largest = crate::money::MAX_SAFE_INTEGER;
        assert_eq!(per(largest, measure(1, 0, "KGM"), measure(2, 0, "KGM")), None);
        assert_eq!(per(largest, measure(1, 15, "KGM"), measure(u64::MAX, 0, "KGM")), None);
    }

    #[test]
    fn unit_price_follows_the_currency_shown() {
        let mut variant = sample::variant("v");
        variant.prices = vec![price(1000, "BRL"), price(201, "USD")];
        variant.unit_price = Some(UnitPrice {
            price: price(1999, "BRL"),
            measure: measure(500, 0, "GRM"),
            reference: measure(1000, 0, "GRM"),
        });
        let in_currency = |code| unit_price_in(&variant, currency(code)).map(|unit| unit.price);
        assert_eq!(in_currency("BRL"), Some(price(1999, "BRL")), "the merchant's own stands");
        assert_eq!(in_currency("USD"), Some(price(402, "USD")));
        assert_eq!(in_currency("EUR"), None);
    }
}
