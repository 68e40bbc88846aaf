//! The columns of a Shopify product export that are read, by their names in
//! both generations of the export.

macro_rules! columns {
    ($($(#[$doc:meta])* $name:ident = $($text:literal)|+,)+) => {
        /// A column that is read.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Column { $($name,)+ }

        impl Column {
            const ALL: &[(Self, &[&str])] = &[$((Self::$name, &[$($text),+]),)+];

            /// The name that exports write.
            pub(super) fn name(self) -> &'static str {
                Self::ALL[self as usize].1[0]
            }
        }
    };
}

columns! {
    Handle = "Handle" | "URL handle",
    Title = "Title",
    Body = "Body (HTML)" | "Description",
    Vendor = "Vendor",
    Category = "Product Category",
    Type = "Type",
    Tags = "Tags",
    Published = "Published" | "Published on online store",
    Status = "Status",
    Option1Name = "Option1 Name",
    Option1Value = "Option1 Value",
    Option2Name = "Option2 Name",
    Option2Value = "Option2 Value",
    Option3Name = "Option3 Name",
    Option3Value = "Option3 Value",
    Sku = "Variant SKU" | "SKU",
    Price = "Variant Price" | "Price",
    CompareAtPrice = "Variant Compare At Price" | "Compare-at price",
    Barcode = "Variant Barcode" | "Barcode",
    Tracker = "Variant Inventory Tracker" | "Inventory tracker",
    Quantity = "Variant Inventory Qty" | "Inventory quantity",
    Policy = "Variant Inventory Policy" | "Continue selling when out of stock",
    ImageSrc = "Image Src" | "Product image URL",
    ImagePosition = "Image Position" | "Image position",
    ImageAltText = "Image Alt Text" | "Image alt text",
    VariantImage = "Variant Image" | "Variant image URL",
    GoogleCategory = "Google Shopping / Google Product Category",
    Gender = "Google Shopping / Gender",
    AgeGroup = "Google Shopping / Age Group",
    Mpn = "Google Shopping / MPN",
    Condition = "Google Shopping / Condition",
}

impl Column {
    /// The column that is called `name`, in any case.
    pub(super) fn of(name: &str) -> Option<Self> {
        let is = |known: &&str| known.eq_ignore_ascii_case(name.trim());
        let found = Self::ALL.iter().find(|(_, names)| names.iter().any(is));
        found.map(|(column, _)| *column)
    }
}

/// Where each column is, and one row's cells by it.
pub(super) struct Columns([Option<usize>; Column::ALL.len()]);

impl Columns {
    pub(super) fn of(names: &[String]) -> Self {
        let mut places = [None; Column::ALL.len()];
        for (index, name) in names.iter().enumerate() {
            if let Some(column) = Column::of(name) {
                places[column as usize].get_or_insert(index);
            }
        }
        Self(places)
    }

    pub(super) const fn has(&self, column: Column) -> bool {
        self.0[column as usize].is_some()
    }

    /// The cell of a row; `None` when blank.
    pub(super) fn cell<'f>(
        &self,
        fields: &'f csv::StringRecord,
        column: Column,
    ) -> Option<&'f str> {
        let text = fields.get(self.0[column as usize]?)?.trim();
        (!text.is_empty()).then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_generations_of_names() {
        assert_eq!(Column::of("Variant SKU"), Some(Column::Sku));
        assert_eq!(Column::of("sku"), Some(Column::Sku));
        assert_eq!(Column::of("URL handle"), Some(Column::Handle));
        assert_eq!(Column::of("Cost per item"), None);
        assert_eq!(Column::Condition.name(), "Google Shopping / Condition");
    }
}
