//! The attributes of Google's product data specification that are read, and
//! one row's values of them.

/// The longest run of values that one row may give of a repeated attribute.
const MOST_REPEATS: usize = 100;

macro_rules! attributes {
    ($($name:ident = $text:literal,)+) => {
        /// An attribute that is read.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Attribute { $($name,)+ }

        impl Attribute {
            const ALL: &[Self] = &[$(Self::$name,)+];

            /// Its name in the specification.
            pub(crate) const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }
        }
    };
}

attributes! {
    Id = "id",
    ItemGroupId = "item_group_id",
    Title = "title",
    Description = "description",
    Link = "link",
    ImageLink = "image_link",
    AdditionalImageLink = "additional_image_link",
    Price = "price",
    SalePrice = "sale_price",
    SalePriceEffectiveDate = "sale_price_effective_date",
    Availability = "availability",
    Brand = "brand",
    Condition = "condition",
    Gtin = "gtin",
    Mpn = "mpn",
    GoogleProductCategory = "google_product_category",
    ProductType = "product_type",
    Color = "color",
    Size = "size",
    Material = "material",
    Pattern = "pattern",
    Gender = "gender",
    AgeGroup = "age_group",
    UnitPricingMeasure = "unit_pricing_measure",
    UnitPricingBaseMeasure = "unit_pricing_base_measure",
}

/// Attributes of the specification that say nothing that UCP could carry.
const NOT_READ: [&str; 36] = [
    "adult",
    "ads_redirect",
    "availability_date",
    "certification",
    "cost_of_goods_sold",
    "disclosure_date",
    "display_ads_id",
    "display_ads_link",
    "display_ads_similar_ids",
    "display_ads_title",
    "display_ads_value",
    "energy_efficiency_class",
    "excluded_destination",
    "expiration_date",
    "external_seller_id",
    "free_shipping_threshold",
    "identifier_exists",
    "included_destination",
    "installment",
    "is_bundle",
    "lifestyle_image_link",
    "loyalty_points",
    "loyalty_program",
    "max_energy_efficiency_class",
    "max_handling_time",
    "min_energy_efficiency_class",
    "min_handling_time",
    "mobile_link",
    "multipack",
    "pause",
    "product_detail",
    "product_highlight",
    "promotion_id",
    "size_system",
    "size_type",
    "transit_time_label",
];
const NOT_READ_PREFIXES: [&str; 8] = [
    "shipping",
    "ships_from",
    "tax",
    "custom_label",
    "product_length",
    "product_width",
    "product_height",
    "product_weight",
];

impl Attribute {
    /// The attribute that a column or an element called `name` gives: in any
    /// case, with or without `g:`, with spaces or underscores.
    pub(crate) fn of(name: &str) -> Option<Self> {
        let name = plain_name(name);
        Self::ALL.iter().copied().find(|known| known.name() == name)
    }

    /// Whether a row may give it more than once.
    pub(crate) const fn repeats(self) -> bool {
        matches!(self, Self::AdditionalImageLink | Self::ProductType | Self::Gtin)
    }
}

/// Whether `name` is of the specification, though nothing is made of it.
pub(crate) fn is_known_and_not_read(name: &str) -> bool {
    let name = plain_name(name);
    NOT_READ.contains(&&*name) || NOT_READ_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// `Item Group ID` and `g:item_group_id` as `item_group_id`.
pub(crate) fn plain_name(name: &str) -> String {
    let name = name.trim().to_ascii_lowercase();
    let name = name.strip_prefix("g:").unwrap_or(&name);
    name.replace([' ', '-'], "_")
}

/// What one row says, blank values left out.
pub(crate) struct Values<'a> {
    first: [Option<&'a str>; Attribute::ALL.len()],
    more: Vec<(Attribute, &'a str)>,
}

impl<'a> Values<'a> {
    pub(crate) const fn new() -> Self {
        Self { first: [None; Attribute::ALL.len()], more: Vec::new() }
    }

    /// Adds a value; false when the attribute has one already and may not repeat.
    pub(crate) fn add(&mut self, attribute: Attribute, value: &'a str) -> bool {
        let value = value.trim();
        let slot = &mut self.first[attribute as usize];
        match slot {
            _ if value.is_empty() => {}
            None => *slot = Some(value),
            Some(_) if !attribute.repeats() => return false,
            Some(_) if self.more.len() < MOST_REPEATS => self.more.push((attribute, value)),
            Some(_) => {}
        }
        true
    }

    pub(crate) fn one(&self, attribute: Attribute) -> Option<&'a str> {
        self.first[attribute as usize]
    }

    /// Every value of an attribute that repeats.
    pub(crate) fn all(&self, attribute: Attribute) -> impl Iterator<Item = &'a str> {
        let more = self.more.iter().filter(move |(of, _)| *of == attribute);
        self.one(attribute).into_iter().chain(more.map(|(_, value)| *value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_every_spelling() {
        for name in ["item_group_id", "Item Group ID", "g:item_group_id", " ITEM-GROUP-ID "] {
            assert_eq!(Attribute::of(name), Some(Attribute::ItemGroupId), "{name}");
        }
        assert_eq!(Attribute::of("shipping"), None);
        assert!(is_known_and_not_read("shipping(country:price)"));
        assert!(is_known_and_not_read("Custom Label 0"));
        assert!(!is_known_and_not_read("price"));
        assert!(!is_known_and_not_read("colour"));
    }

    #[test]
    fn the_first_value_stands_unless_they_add_up() {
        let mut values = Values::new();
        assert!(values.add(Attribute::Brand, " "));
        assert!(values.add(Attribute::Brand, " a "));
        assert!(!values.add(Attribute::Brand, "b"));
        assert_eq!(values.one(Attribute::Brand), Some("a"));
        assert!(values.add(Attribute::ProductType, "x") && values.add(Attribute::ProductType, "y"));
        assert_eq!(values.all(Attribute::ProductType).collect::<Vec<_>>(), ["x", "y"]);
    }
}
