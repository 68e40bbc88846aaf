//! A generated catalog in the ucp shape: each product is a function of the seed and
//! its number, so that a million of them are written without any being kept, and a
//! query can be sampled from a product that nobody has looked at.

use crate::random::{Chance, Zipf};
use crate::words::{COLOURS, SIZES, TYPES, Words, capitalised};
use std::fmt::Write as _;
use std::io::{self, Write};

/// Variants of the one big product.
pub const BIG_VARIANTS: usize = COLOURS.len() * SIZES[0].len();

const SHOP: &str = "https://loja.example.com.br";
const CDN: &str = "https://cdn.loja.example.com.br";
/// Prices in centavos, before rounding.
const PRICES: (f64, f64) = (500.0, 900_000.0);

/// What catalog to make.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Products, besides the big one.
    pub products: usize,
    /// Variants of each, from 1 to [`BIG_VARIANTS`].
    pub variants: usize,
    /// What the whole catalog hangs on.
    pub seed: u64,
}

/// A catalog that can be written, or asked for one product.
#[derive(Debug)]
pub struct Generated {
    /// What was asked for.
    pub plan: Plan,
    /// What it is made of.
    pub words: Words,
    text: Zipf,
    kinds: Zipf,
    adjectives: Zipf,
    brands: Zipf,
}

/// What a query may ask of a product.
#[derive(Debug, Clone)]
pub struct Traits {
    /// Which of the product types it is.
    pub kind: usize,
    /// The adjective after the type in its title.
    pub adjective: &'static str,
    /// The price of its first variant, in centavos.
    pub price: u64,
    /// Whether its first variant can be bought.
    pub available: bool,
    second_adjective: Option<&'static str>,
    material: Option<&'static str>,
    brand: usize,
    condition: &'static str,
}

impl Generated {
    /// A catalog for `plan`; one plan is one catalog, byte for byte.
    pub fn new(plan: Plan) -> Self {
        let words = Words::new(plan.seed);
        let zipf = |length: usize, exponent| {
            Zipf::new(u32::try_from(length).unwrap_or(u32::MAX), exponent)
        };
        Self {
            text: zipf(words.vocabulary.len(), 1.0),
            kinds: zipf(TYPES, 0.8),
            adjectives: zipf(words.adjectives.len(), 0.7),
            brands: zipf(words.brands.len(), 1.0),
            words,
            plan,
        }
    }

    /// The id of product `index`; that of the big product follows the last one's.
    pub fn id(&self, index: usize) -> String {
        format!("p{index:07}")
    }

    /// What product `index` is.
    pub fn traits(&self, index: usize) -> Traits {
        let mut chance = Chance::of(self.plan.seed, 2, index as u64);
        let kind = self.kinds.rank(&mut chance);
        let adjective = self.words.adjectives[self.adjectives.rank(&mut chance)];
        let material = chance.percent(65).then(|| *chance.pick(&self.words.materials));
        let second = self.words.adjectives[self.adjectives.rank(&mut chance)];
        let with_second = material.is_none() || chance.percent(30);
        let second_adjective = (with_second && second != adjective).then_some(second);
        let condition = match chance.below(20) {
            0 => "refurbished",
            1 => "used",
            _ => "new",
        };
        Traits {
            kind,
            adjective,
            price: retail_price(chance.log_uniform(PRICES.0, PRICES.1)),
            available: chance.percent(85),
            second_adjective,
            material,
            brand: self.brands.rank(&mut chance),
            condition,
        }
    }

    /// Writes the whole catalog, the big product last.
    ///
    /// # Errors
    ///
    /// What `out` cannot take.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut line = String::with_capacity(64 * 1024);
        for index in 0..=self.plan.products {
            line.clear();
            // Invariant: a String takes whatever is written to it.
            let _ = self.row(index, &mut line);
            out.write_all(line.as_bytes())?;
        }
        Ok(())
    }

    /// Adds the line of product `index`; the one after the last is the big one.
    fn row(&self, index: usize, line: &mut String) -> std::fmt::Result {
        let of = self.traits(index);
        let mut chance = Chance::of(self.plan.seed, 3, index as u64);
        let id = self.id(index);
        let kind = &self.words.types[of.kind];
        let brand = &self.words.brands[of.brand];
        write!(line, r#"{{"id":"{id}","handle":"{}-{index}","title":""#, handle(kind))?;
        let title_at = line.len();
        self.title(&of, &mut chance, line)?;
        let title = line[title_at..].to_owned();
        write!(line, r#"","description":{{"plain":"{} {brand} "#, capitalised(kind))?;
        self.description(&mut chance, line);
        write!(line, r#""}},"url":"{SHOP}/p/{index}","categories":["#)?;
        let (root, leaf) = (self.words.root(of.kind), self.words.leaf(of.kind));
        write!(line, r#"{{"value":"{root}","taxonomy":"merchant"}},"#)?;
        write!(line, r#"{{"value":"{leaf}","taxonomy":"merchant"}}],"#)?;
        write!(line, r#""media":[{{"type":"image","url":"{CDN}/img/{index}.jpg","#)?;
        write!(line, r#""alt_text":"{title}","width":1200,"height":1200}}],"#)?;
        let grid = self.grid(index, &mut chance);
        grid.write_options(line)?;
        line.push_str(r#""variants":["#);
        for number in 0..grid.variants {
            if number > 0 {
                line.push(',');
            }
            self.variant(index, number, &of, &grid, line)?;
        }
        line.push_str("],");
        if chance.percent(90) {
            let value = 25 + chance.below(26);
            let count = chance.log_uniform(1.0, 5_000.0) as u64;
            write!(line, r#""rating":{{"value":{}.{},"scale_min":1,"#, value / 10, value % 10)?;
            write!(line, r#""scale_max":5,"count":{count}}},"#)?;
        }
        write!(line, r#""tags":["{}""#, of.adjective)?;
        for tag in of.second_adjective.iter().chain(&of.material) {
            write!(line, r#","{tag}""#)?;
        }
        write!(line, r#","coleção {}"],"#, 2020 + chance.below(7))?;
        writeln!(line, r#""metadata":{{"brand":"{brand}","condition":"{}"}}}}"#, of.condition)
    }

    /// Five to nine words: type, adjective, material, adjective, brand, model.
    fn title(&self, of: &Traits, chance: &mut Chance, line: &mut String) -> std::fmt::Result {
        write!(line, "{} {}", capitalised(&self.words.types[of.kind]), of.adjective)?;
        if let Some(material) = of.material {
            write!(line, " de {material}")?;
        }
        if let Some(adjective) = of.second_adjective {
            write!(line, " {adjective}")?;
        }
        if of.material.is_none() && of.second_adjective.is_none() {
            line.push_str(" linha nova");
        }
        write!(line, " {}", self.words.brands[of.brand])?;
        let letter = |chance: &mut Chance| char::from(b'A' + chance.below(26) as u8);
        write!(line, " {}{}{}", letter(chance), letter(chance), 100 + chance.below(9_900))
    }

    /// The rest of a description, which begins with two words.
    fn description(&self, chance: &mut Chance, line: &mut String) {
        let words = 23 + chance.below(50);
        for place in 0..words {
            let word = &self.words.vocabulary[self.text.rank(chance)];
            line.push_str(word);
            line.push_str(match place {
                _ if place + 1 == words => ".",
                _ if place % 13 == 12 => ". ",
                _ => " ",
            });
        }
    }

    /// The colours and sizes of product `index`.
    fn grid(&self, index: usize, chance: &mut Chance) -> Grid {
        let labels = &SIZES[chance.below(SIZES.len())];
        let variants = match index == self.plan.products {
            true => BIG_VARIANTS,
            false => self.plan.variants.clamp(1, BIG_VARIANTS),
        };
        let fewest = variants.div_ceil(COLOURS.len());
        let most = labels.len().min(variants);
        let sizes = fewest + chance.below(most - fewest + 1);
        let (first_colour, first_size) = (chance.below(COLOURS.len()), chance.below(labels.len()));
        Grid { labels, variants, sizes, first_colour, first_size }
    }

    fn variant(
        &self,
        index: usize,
        number: usize,
        of: &Traits,
        grid: &Grid,
        line: &mut String,
    ) -> std::fmt::Result {
        let serial = index * self.plan.variants + number;
        let mut chance = Chance::of(self.plan.seed, 4, serial as u64);
        let (colour, size) = (grid.colour(number), grid.size(number));
        // Bigger sizes cost more now and then; the first variant says the price.
        let dearer = if number > 0 && chance.percent(25) { of.price / 10 } else { 0 };
        let price = of.price + dearer;
        let available = if number == 0 { of.available } else { chance.percent(85) };
        let status = if available { "in_stock" } else { "out_of_stock" };
        write!(line, r#"{{"id":"p{index:07}-{number}","sku":"SKU{serial:08}","#)?;
        write!(line, r#""title":"{colour} / {size}","#)?;
        write!(line, r#""barcodes":[{{"type":"EAN","value":"{}"}}],"#, gtin(serial as u64))?;
        write!(line, r#""price":{{"amount":{price},"currency":"BRL"}},"#)?;
        if chance.percent(30) {
            let list = price + price * (5 + chance.below(36) as u64) / 100 + 1;
            write!(line, r#""list_price":{{"amount":{list},"currency":"BRL"}},"#)?;
        }
        write!(line, r#""availability":{{"available":{available},"status":"{status}"}},"#)?;
        write!(line, r#""options":[{{"name":"Cor","label":"{colour}"}},"#)?;
        write!(line, r#"{{"name":"Tamanho","label":"{size}"}}],"#)?;
        write!(line, r#""media":[{{"type":"image","url":"{CDN}/img/{index}-{number}.jpg","#)?;
        line.push_str(r#""width":1200,"height":1200}]}"#);
        Ok(())
    }
}

/// Variants as a table of colours and sizes, of which the last row may be short.
struct Grid {
    labels: &'static [&'static str; 10],
    variants: usize,
    sizes: usize,
    first_colour: usize,
    first_size: usize,
}

impl Grid {
    fn colour(&self, number: usize) -> &'static str {
        COLOURS[(self.first_colour + number / self.sizes) % COLOURS.len()]
    }

    fn size(&self, number: usize) -> &'static str {
        self.labels[(self.first_size + number % self.sizes) % self.labels.len()]
    }

    fn write_options(&self, line: &mut String) -> std::fmt::Result {
        let colours = (0..self.variants).step_by(self.sizes).map(|number| self.colour(number));
        let sizes = (0..self.sizes).map(|number| self.size(number));
        line.push_str(r#""options":[{"name":"Cor","values":["#);
        write_labels(line, colours)?;
        line.push_str(r#"]},{"name":"Tamanho","values":["#);
        write_labels(line, sizes)?;
        line.push_str("]}],");
        Ok(())
    }
}

fn write_labels(line: &mut String, labels: impl Iterator<Item = &'static str>) -> std::fmt::Result {
    for (place, label) in labels.enumerate() {
        let comma = if place > 0 { "," } else { "" };
        write!(line, r#"{comma}{{"label":"{label}"}}"#)?;
    }
    Ok(())
}

/// Prices end as shops let them end: in 90 centavos.
fn retail_price(centavos: f64) -> u64 {
    (centavos / 100.0).floor() as u64 * 100 + 90
}

/// The GTIN-13 of a serial number, under Brazil's prefix.
fn gtin(serial: u64) -> String {
    let body = 789_000_000_000 + serial % 1_000_000_000;
    let mut sum = 0;
    let mut rest = body;
    for place in 0..12 {
        sum += rest % 10 * if place % 2 == 0 { 3 } else { 1 };
        rest /= 10;
    }
    format!("{body}{}", (10 - sum % 10) % 10)
}

/// A word as it stands in a URL.
fn handle(word: &str) -> String {
    let plain = |letter: char| match letter {
        'ã' | 'á' | 'â' | 'à' => 'a',
        'é' | 'ê' => 'e',
        'í' => 'i',
        'ó' | 'õ' | 'ô' => 'o',
        'ú' | 'ü' => 'u',
        'ç' => 'c',
        other => other,
    };
    word.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::gtin;

    #[test]
    fn check_digits_of_known_codes() {
        // 789 000 000 001: 3 x (1 + 0 + 0 + 0 + 0 + 8) + 7 + 9 = 43, and 7 more are 50.
        assert_eq!(gtin(1), "7890000000017");
        assert_eq!(gtin(0), "7890000000000");
    }
}
