//! The text query over names, addresses, amenities and ids (rule L2).
//!
//! A word *tells* when it matches some public Locations but not all, and is not
//! one of the words with which people ask for any store at all. Locations that
//! match a telling word stay; when no word tells, all stay. A word that occurs
//! nowhere is taken for a typing error of one letter from four letters on, of
//! two from eight on.

use crate::place::{Location, PostalAddress};
use crate::service::postal::normalised;
use crate::service::region::{region_names, regions};
use crate::service::{country_code, country_names};
use crate::text::words;
use roaring::RoaringBitmap;
use std::collections::{HashMap, HashSet};

/// Words with which people ask for any store, or join other words; folded.
const TELL_NOTHING: &str = "\
    a an the of in on at to for by from with and or my me us our we you your is are i it near nearby nearest \
    closest close around here where which what find show any open opened opening now today \
    tonight tomorrow late hours time store stores shop shops location locations place places \
    branch branches outlet \
    o os as um uma de do da dos das em no na nos nas ao aos e ou por para com que meu minha mim \
    perto proximo proxima proximos proximas mais aqui onde qual quais aberto aberta abertos \
    abertas agora hoje amanha noite horario horarios loja lojas filial filiais unidade unidades \
    local lugar \
    el la los las un una del al en y mi cerca cercano cercana cercanos cercanas aca donde cual \
    cuales abierto abierta abiertos abiertas ahora hoy manana noche tienda tiendas sucursal \
    sucursales local locales lugar";

/// How many words of a question are looked at, and how long each may be in bytes:
/// every one may be held against every word that there is.
const MOST_WORDS: usize = 32;
const LONGEST_WORD: usize = 64;
const MOST_MISSPELT: usize = 6;

const NAME: u8 = 8;
const LOCALITY: u8 = 4;
const AMENITY: u8 = 3;
const ID: u8 = 3;
const STREET: u8 = 2;
const AREA: u8 = 1;

/// Share of a word's weight that a typing error leaves, and that words that tell
/// nothing have.
const TYPO: f64 = 0.5;
const FAINT: f64 = 0.1;

/// Every word of the public Locations' texts, in all languages.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// Ordinals ascending, each with the best field that has the word.
    postings: HashMap<String, Vec<(u32, u8)>>,
    locations: usize,
    /// By country and region as feeds write them: most stores share a few.
    areas: HashMap<(Option<String>, Option<String>), Vec<String>>,
}

/// What a text says of the Locations.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// The Locations that match a telling word; `None` when no word tells.
    pub(super) narrowed_to: Option<RoaringBitmap>,
    /// How well each fits; absent is 0.
    pub(super) scores: HashMap<u32, f64>,
}

impl Words {
    /// Adds the texts of a public Location; ordinals come in ascending order.
    pub(super) fn add(&mut self, location: &Location, ordinal: u32) {
        self.locations += 1;
        let mut best: HashMap<String, u8> = HashMap::new();
        let mut note = |text: &str, field: u8| {
            for word in words(text) {
                let known = best.entry(word).or_default();
                *known = field.max(*known);
            }
        };
        location.name.iter().for_each(|(_, name)| note(name, NAME));
        for amenity in &location.amenities {
            amenity.description.iter().for_each(|(_, description)| note(description, AMENITY));
        }
        note(location.id.as_str(), ID);
        location.aliases.iter().for_each(|alias| note(alias, ID));
        if let Some(address) = &location.address {
            note_address(address, &mut note);
            let (country, region) = (&address.address_country, &address.address_region);
            let area = (self.areas.entry((country.clone(), region.clone())))
                .or_insert_with(|| area_words(country.as_deref(), region.as_deref()));
            for word in area.iter() {
                best.entry(word.clone()).or_insert(AREA);
            }
        }
        for (word, field) in best {
            self.postings.entry(word).or_default().push((ordinal, field));
        }
    }

    /// What `text` says.
    pub(super) fn matching(&self, text: &str) -> Told {
        let mut told = Told::default();
        let mut seen = HashSet::new();
        let mut asked: Vec<String> = (words(text).into_iter())
            .filter(|word| word.len() <= LONGEST_WORD && seen.insert(word.clone()))
            .take(MOST_WORDS)
            .collect();
        // Weights are added in one order, so that equal questions have equal sums.
        asked.sort_unstable();
        let mut misspelt = 0;
        for word in asked {
            let faint = tells_nothing(&word);
            let (matching, share) = match self.postings.get(&word) {
                Some(postings) => (postings.iter().copied().collect(), 1.0),
                None if faint => continue,
                None if misspelt == MOST_MISSPELT => continue,
                None => {
                    misspelt += 1;
                    self.misspelt(&word)
                }
            };
            self.count(&mut told, &matching, if faint { FAINT } else { share });
            let tells = !faint && !matching.is_empty() && matching.len() < self.locations;
            if tells {
                told.narrowed_to.get_or_insert_default().extend(matching.into_keys());
            }
        }
        told
    }

    /// Adds a word's weight to the Locations that have it: rarer words weigh more.
    fn count(&self, told: &mut Told, matching: &HashMap<u32, u8>, share: f64) {
        let rarity = (self.locations as f64 / matching.len().max(1) as f64).ln_1p();
        for (&ordinal, &field) in matching {
            *told.scores.entry(ordinal).or_default() += rarity * f64::from(field) * share;
        }
    }

    /// The Locations with words that `word` may have been meant for, those with
    /// the fewest errors alone.
    fn misspelt(&self, word: &str) -> (HashMap<u32, u8>, f64) {
        let mut matching = HashMap::new();
        let Some(most) = most_errors(word) else {
            return (matching, 0.0);
        };
        let distance = |known: &str| strsim::osa_distance(word, known);
        let length = word.chars().count();
        let near: Vec<_> = (self.postings.iter())
            .filter(|(known, _)| {
                known.chars().count().abs_diff(length) <= most && !has_digit(known)
            })
            .map(|(known, postings)| (distance(known), postings))
            .filter(|(errors, _)| *errors <= most)
            .collect();
        let Some(fewest) = near.iter().map(|(errors, _)| *errors).min() else {
            return (matching, 0.0);
        };
        for (ordinal, field) in near.iter().filter(|near| near.0 == fewest).flat_map(|near| near.1)
        {
            let known = matching.entry(*ordinal).or_default();
            *known = (*field).max(*known);
        }
        let share = if fewest > 1 { TYPO * TYPO } else { TYPO };
        (matching, share)
    }
}

fn note_address(address: &PostalAddress, note: &mut impl FnMut(&str, u8)) {
    let fields = [
        (&address.extended_address, STREET),
        (&address.street_address, STREET),
        (&address.address_locality, LOCALITY),
        (&address.address_region, AREA),
        (&address.address_country, AREA),
        (&address.postal_code, AREA),
    ];
    for (text, field) in fields {
        if let Some(text) = text {
            note(text, field);
        }
    }
    if let Some(postal_code) = &address.postal_code {
        note(&normalised(postal_code), AREA);
    }
}

/// What people call the country and the region, in all languages, folded.
fn area_words(country: Option<&str>, region: Option<&str>) -> Vec<String> {
    let country = country.and_then(country_code);
    let mut names: Vec<&str> = country.into_iter().flat_map(country_names).collect();
    let region = region.and_then(|region| regions(region, country));
    // Without its country a region's short code could be one of many.
    if let (Some(_), Some(found)) = (country, region) {
        for code in found.codes {
            names.push(code.split_once('-').map_or(code, |(_, short)| short));
            names.extend(region_names(code));
        }
    }
    let mut all: Vec<String> = names.into_iter().flat_map(words).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn tells_nothing(word: &str) -> bool {
    TELL_NOTHING.split_ascii_whitespace().any(|known| known == word)
}

/// How many typing errors a word of this length may have.
fn most_errors(word: &str) -> Option<usize> {
    match word.chars().count() {
        _ if has_digit(word) => None,
        ..4 => None,
        4..8 => Some(1),
        _ => Some(2),
    }
}

fn has_digit(word: &str) -> bool {
    word.chars().any(char::is_numeric)
}
