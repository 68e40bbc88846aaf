//! The words of a generated shop: real Portuguese ones for what a shopper types,
//! and made-up pronounceable ones for the long tail that every real catalog has.

use crate::random::Chance;
use std::collections::HashSet;

/// How many words descriptions are made of.
pub const VOCABULARY: usize = 60_000;
/// How many product types there are; each is a leaf category too.
pub const TYPES: usize = 600;
/// How many root categories the leaves hang under.
pub const ROOTS: usize = 120;
/// How many brands there are.
pub const BRANDS: usize = 5_000;

const FUNCTION: &str = "de a o e com para em do da um uma que por mais não se no na os as ao \
    como sua seu muito ou é sem até todo cada já entre sobre quando nas nos dos das pelo pela";

const REAL_TYPES: &str = "tênis camiseta calça vestido jaqueta bota sandália chinelo meia boné \
    mochila bolsa carteira cinto relógio óculos pulseira colar brinco anel geladeira fogão forno \
    liquidificador batedeira cafeteira torradeira ventilador aquecedor aspirador lavadora secadora \
    televisor notebook tablet celular monitor teclado mouse impressora roteador câmera fone \
    carregador cabo caixa projetor sofá poltrona cadeira mesa estante armário cama colchão \
    travesseiro lençol edredom toalha cortina tapete luminária abajur espelho quadro vaso panela \
    frigideira assadeira faca garfo colher prato copo taça garrafa jarra bicicleta patins skate \
    bola raquete haltere esteira barraca lanterna cantil canivete furadeira parafusadeira martelo \
    alicate serrote trena escada mangueira pneu bateria capacete luva retrovisor boneca quebra-cabeça \
    carrinho pelúcia berço mamadeira fralda chupeta caderno caneta lápis borracha grampeador \
    perfume shampoo condicionador sabonete creme batom esmalte protetor escova pente secador \
    barbeador café chá chocolate biscoito azeite queijo vinho cerveja suco ração coleira aquário \
    violão guitarra flauta microfone livro revista";

const ADJECTIVES: &str = "azul vermelho preto branco verde amarelo rosa cinza marrom roxo leve \
    resistente impermeável confortável compacto portátil dobrável ajustável elétrico digital \
    manual automático silencioso potente moderno clássico elegante esportivo casual infantil \
    feminino masculino grande pequeno médio longo curto largo fino macio térmico antiaderente \
    recarregável bluetooth orgânico natural artesanal profissional premium básico reforçado \
    giratório retrátil sustentável reciclado flexível rígido brilhante fosco estampado liso \
    listrado bordado acolchoado magnético solar inteligente universal original importado nacional \
    luxuoso prático versátil durável seguro rápido";

const MATERIALS: &str = "algodão couro lona malha lã linho seda nylon poliéster camurça jeans \
    madeira bambu vidro cerâmica porcelana alumínio inox ferro cobre plástico silicone borracha \
    acrílico granito mármore vime palha cortiça veludo";

const ROOT_NAMES: &str = "Calçados Roupas Acessórios Eletrodomésticos Eletrônicos Informática \
    Telefonia Móveis Decoração Cozinha Banho Esporte Camping Ferramentas Jardim Automotivo \
    Brinquedos Bebês Papelaria Perfumaria Beleza Mercearia Bebidas Pets Instrumentos Livros";

/// Colours, as labels of options.
pub const COLOURS: [&str; 20] = [
    "Azul", "Vermelho", "Preto", "Branco", "Verde", "Amarelo", "Rosa", "Cinza", "Marrom", "Roxo",
    "Laranja", "Bege", "Vinho", "Turquesa", "Dourado", "Prata", "Creme", "Grafite", "Lilás",
    "Coral",
];

/// Sizes, as labels of options: of clothes, and of shoes.
pub const SIZES: [[&str; 10]; 2] = [
    ["PP", "P", "M", "G", "GG", "XG", "2XG", "3XG", "4XG", "5XG"],
    ["34", "35", "36", "37", "38", "39", "40", "41", "42", "43"],
];

/// All words that one seed's shop is made of.
#[derive(Debug)]
pub struct Words {
    /// Words of descriptions, the most frequent first.
    pub vocabulary: Vec<String>,
    /// Product types, the most frequent first.
    pub types: Vec<String>,
    /// What products are said to be, the most frequent first.
    pub adjectives: Vec<&'static str>,
    /// What products are made of, the most frequent first.
    pub materials: Vec<&'static str>,
    /// Brands, the biggest first.
    pub brands: Vec<String>,
    /// Root categories; type `t` hangs under root `t % ROOTS`.
    pub roots: Vec<String>,
    known: HashSet<String>,
}

impl Words {
    /// The words of `seed`.
    pub fn new(seed: u64) -> Self {
        let mut chance = Chance::of(seed, 1, 0);
        let real = || [REAL_TYPES, ADJECTIVES, MATERIALS].into_iter().flat_map(split);
        let mut known: HashSet<String> = real().chain(split(FUNCTION)).map(str::to_owned).collect();
        let types = split(REAL_TYPES).map(str::to_owned);
        let types = filled(types, TYPES, || fresh(&mut chance, &mut known, 2));
        let roots = split(ROOT_NAMES).map(str::to_owned);
        let roots = filled(roots, ROOTS, || capitalised(&fresh(&mut chance, &mut known, 3)));
        let brands = filled(std::iter::empty(), BRANDS, || {
            let first = capitalised(&fresh(&mut chance, &mut known, 2));
            if chance.percent(20) {
                return format!("{first} {}", capitalised(&fresh(&mut chance, &mut known, 2)));
            }
            first
        });
        // Real words are neither the most frequent of a text nor rare: they stand
        // between the ranks 100 and 4,000.
        let mut real = real().map(str::to_owned).collect::<Vec<_>>();
        real.sort_unstable();
        real.dedup();
        let mut vocabulary: Vec<String> = split(FUNCTION).map(str::to_owned).collect();
        while vocabulary.len() < VOCABULARY {
            let due = vocabulary.len() >= 100 && vocabulary.len().is_multiple_of(10);
            let word = match due && !real.is_empty() {
                true => real.swap_remove(chance.below(real.len())),
                false => fresh(&mut chance, &mut known, 2),
            };
            vocabulary.push(word);
        }
        let adjectives = split(ADJECTIVES).collect();
        Self {
            vocabulary,
            types,
            adjectives,
            materials: split(MATERIALS).collect(),
            brands,
            roots,
            known,
        }
    }

    /// Whether a word, in small letters, is one of these.
    pub fn knows(&self, word: &str) -> bool {
        self.known.contains(word)
    }

    /// The path of the category that type `index` is sold in.
    pub fn leaf(&self, index: usize) -> String {
        format!("{} > {}", self.root(index), capitalised(&self.types[index]))
    }

    /// The root category that type `index` is sold in.
    pub fn root(&self, index: usize) -> &str {
        &self.roots[index % ROOTS]
    }
}

/// The word with a capital first letter.
pub fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn split(words: &'static str) -> impl Iterator<Item = &'static str> {
    words.split_ascii_whitespace()
}

fn filled(
    first: impl Iterator<Item = String>,
    length: usize,
    more: impl FnMut() -> String,
) -> Vec<String> {
    first.take(length).chain(std::iter::repeat_with(more)).take(length).collect()
}

/// A made-up word of `least` to `least + 2` syllables that nothing else is called.
fn fresh(chance: &mut Chance, known: &mut HashSet<String>, least: usize) -> String {
    const ONSETS: [&str; 30] = [
        "b", "c", "d", "f", "g", "l", "m", "n", "p", "r", "s", "t", "v", "b", "c", "d", "m", "p",
        "t", "br", "cr", "tr", "pl", "gr", "ch", "lh", "nh", "j", "z", "x",
    ];
    const VOWELS: [&str; 16] =
        ["a", "e", "i", "o", "u", "a", "e", "o", "a", "i", "ei", "ou", "ã", "é", "á", "ó"];
    const CODAS: [&str; 5] = ["r", "s", "l", "n", "m"];
    loop {
        let mut word = String::new();
        for _ in 0..least + chance.below(3) {
            word.push_str(ONSETS[chance.below(ONSETS.len())]);
            word.push_str(VOWELS[chance.below(VOWELS.len())]);
            if chance.percent(18) {
                word.push_str(CODAS[chance.below(CODAS.len())]);
            }
        }
        if word.chars().count() >= 4 && known.insert(word.clone()) {
            return word;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BRANDS, ROOTS, TYPES, VOCABULARY, Words};
    use std::collections::HashSet;

    #[test]
    fn as_many_as_they_say_and_each_once() {
        let words = Words::new(3);
        for (list, length) in [
            (&words.vocabulary, VOCABULARY),
            (&words.types, TYPES),
            (&words.roots, ROOTS),
            (&words.brands, BRANDS),
        ] {
            let distinct: HashSet<&String> = list.iter().collect();
            assert_eq!((list.len(), distinct.len()), (length, length));
        }
        let leaves: HashSet<String> = (0..TYPES).map(|index| words.leaf(index)).collect();
        assert_eq!(leaves.len(), TYPES);
        assert!(words.vocabulary.iter().take(4_000).any(|word| word == "geladeira"));
        assert!(words.knows("geladeira") && !words.knows("geladeira-azul"));
    }
}
