//! What words find, in Portuguese, Spanish and English, and in which order.

use crate::world::{
    Catalog, availability, barcode, brand, category, currency, description, facts, options, price,
    products, rating, tag, text,
};
use catalog::ProductFacts;
use search::{Filter, Hits, Query};

fn ask(index: &Catalog, text: &str, language: Option<&str>) -> Hits {
    let language = language.map(tag);
    index.search(&Query {
        text: Some(text),
        language: language.as_ref(),
        limit: 100,
        ..Query::new(&Filter::default())
    })
}

/// Ids of what `text` finds, best first.
fn found<'i>(index: &'i Catalog, text: &str) -> Vec<&'i str> {
    let hits = ask(index, text, None);
    assert_eq!(hits.total, hits.hits.len() as u64);
    hits.hits.iter().map(|hit| index.product(hit.ordinal).id.as_str()).collect()
}

fn titled(titles: &[(&str, &str)]) -> Catalog {
    Catalog::build(products(titles.iter().map(|(id, title)| facts(id, title))))
}

#[test]
fn case_diacritics_and_plurals_do_not_matter() {
    let index = titled(&[
        ("tenis", "Tênis de corrida"),
        ("promo", "Promoção de verão"),
        ("calcas", "Calças jeans"),
        ("camisa", "Camisa azul"),
        ("lencol", "Lençóis de algodão"),
        ("papel", "Papel sulfite"),
        ("zapato", "Zapatos rojos"),
        ("pantalon", "Pantalón de mujer"),
        ("lapiz", "Lápices de colores"),
        ("battery", "Rechargeable batteries"),
        ("dress", "Summer dress"),
        ("watch", "Women's watches"),
        ("knife", "Kitchen knife"),
    ]);
    for (query, expected) in [
        ("tenis", "tenis"),
        ("TÊNIS", "tenis"),
        ("te\u{302}nis", "tenis"),
        ("promocao", "promo"),
        ("promoções", "promo"),
        ("promocoes", "promo"),
        ("calça", "calcas"),
        ("camisas azuis", "camisa"),
        ("lençol", "lencol"),
        ("lencois", "lencol"),
        ("papéis", "papel"),
        ("zapato rojo", "zapato"),
        ("pantalones", "pantalon"),
        ("pantalon mujeres", "pantalon"),
        ("lapiz color", "lapiz"),
        ("lápices", "lapiz"),
        ("battery", "battery"),
        ("dresses", "dress"),
        ("woman watch", "watch"),
        ("women watch", "watch"),
        ("knives", "knife"),
    ] {
        assert_eq!(found(&index, query), [expected], "{query}");
        assert_eq!(ask(&index, query, None).relaxed, [""; 0], "{query}");
    }
}

#[test]
fn numbers_and_sizes_are_whole_words() {
    let index = titled(&[
        ("a", "Tênis 42"),
        ("b", "Tênis 420"),
        ("c", "iPhone 15 256GB"),
        ("d", "iPhone 15 128 GB"),
        ("e", "Água 1,5 L"),
        ("f", "Água 15 L"),
    ]);
    let table: [(&str, &[&str]); 9] = [
        ("42", &["a"]),
        ("256gb", &["c"]),
        ("256 GB", &["c"]),
        // What has all but the number comes after.
        ("iphone 256", &["c", "d"]),
        ("iphone15 128gb", &["d", "c"]),
        ("agua 1,5l", &["e", "f"]),
        ("agua 1.5 litros", &["e", "f"]),
        ("1,5", &["e"]),
        ("agua 15l", &["f", "e"]),
    ];
    for (query, expected) in table {
        assert_eq!(found(&index, query), expected, "{query}");
    }
}

#[test]
fn stop_words_count_only_when_there_is_nothing_else() {
    let index = titled(&[("a", "Capa de chuva"), ("b", "Capa para sofá"), ("c", "The Who: vinil")]);
    assert_eq!(found(&index, "capa com sofá"), ["b", "a"]);
    assert_eq!(ask(&index, "a capa do sofá", None).relaxed, ["sofá"]);
    assert_eq!(found(&index, "the"), ["c"]);
    assert_eq!(found(&index, "para"), ["b"]);
}

#[test]
fn weightier_places_come_first() {
    let with = |id: &str, change: &dyn Fn(&mut ProductFacts)| {
        let mut facts = facts(id, "Produto qualquer");
        change(&mut facts);
        facts
    };
    let index = Catalog::build(products([
        with("1-description", &|facts| facts.description = description("feito de linho")),
        with("2-sku", &|facts| facts.variants[0].sku = Some("LINHO-7".to_owned())),
        with("3-tag", &|facts| facts.tags = vec!["Linho".to_owned()]),
        with("4-brand", &|facts| facts.metadata = brand("Linho")),
        with("5-label", &|facts| options(facts, &["Tecido=Linho"])),
        with("6-category", &|facts| facts.categories = vec![category("Casa > Linho")]),
        with("7-title", &|facts| facts.title = text("Lençol macio de linho")),
        with("8-short", &|facts| facts.title = text("Linho")),
    ]));
    assert_eq!(
        found(&index, "linho"),
        [
            "8-short",
            "7-title",
            "3-tag",
            "4-brand",
            "5-label",
            "6-category",
            "2-sku",
            "1-description"
        ]
    );
}

#[test]
fn all_languages_are_searched_and_the_asked_one_weighs_more() {
    let mut own = facts("1", "Chocolate em pó");
    own.title.translate(tag("en"), "Cocoa powder".to_owned());
    let mut other = facts("2", "Cacau em pó");
    other.title.translate(tag("en"), "Chocolate powder".to_owned());
    let index = Catalog::build(products([own, other]));
    assert_eq!(found(&index, "cocoa"), ["1"]);
    let order = |language| {
        let hits = ask(&index, "chocolate", Some(language));
        hits.hits.iter().map(|hit| hit.ordinal).collect::<Vec<u32>>()
    };
    assert_eq!(order("pt"), [0, 1]);
    assert_eq!(order("en-US"), [1, 0]);
    assert_eq!(order("fr").len(), 2, "a language that the feed lacks leaves nothing out");
}

#[test]
fn where_few_have_all_the_words_those_that_lack_some_follow_and_it_is_told() {
    let index = titled(&[
        ("a", "Tênis amarelo infantil"),
        ("b", "Tênis azul"),
        ("c", "Camisa amarela"),
        ("d", "Tênis verde"),
    ]);
    let table: [(&str, &[&str], bool, &[&str]); 7] = [
        ("tênis amarelo", &["a", "c", "b", "d"], true, &["tênis", "amarelo"]),
        ("tênis amarelo 47", &["a", "c", "b", "d"], false, &["tênis", "amarelo", "47"]),
        ("Tênis Xyzzyq verde", &["d", "b", "a"], false, &["Xyzzyq", "verde"]),
        ("camisa azul", &["b", "c"], false, &["camisa", "azul"]),
        ("amarelo xyzzyq", &["c", "a"], false, &["xyzzyq"]),
        ("xyzzyq plughq", &[], false, &[]),
        ("🎾", &[], false, &[]),
    ];
    for (query, expected, whole, relaxed) in table {
        assert_eq!(found(&index, query), expected, "{query}");
        let hits = ask(&index, query, None);
        assert_eq!(
            (hits.whole, hits.relaxed),
            (whole, relaxed.iter().map(|&w| w.into()).collect())
        );
    }
}

#[test]
fn a_page_of_products_with_all_the_words_is_enough() {
    let titles: Vec<(String, String)> = (0..11)
        .map(|at| (format!("p{at:02}"), "Tênis azul".to_owned()))
        .chain([("q".to_owned(), "Tênis verde".to_owned())])
        .collect();
    let titles: Vec<(&str, &str)> = titles.iter().map(|(id, t)| (&**id, &**t)).collect();
    let (ten, nine) = (titled(&titles[1..]), titled(&titles[2..]));
    let total = |index: &Catalog| ask(index, "tênis azul", None).total;
    assert_eq!((total(&ten), total(&nine)), (10, 10));
    assert_eq!(ask(&ten, "tênis azul", None).relaxed, [""; 0]);
    assert_eq!(ask(&nine, "tênis azul", None).relaxed, ["azul"]);
    assert_eq!(found(&nine, "tênis azul").last(), Some(&"q"));
}

#[test]
fn words_side_by_side_in_a_title_beat_scattered_ones() {
    let index = titled(&[
        ("a", "Jogo de mesa com toalha"),
        ("b", "Toalha de mesa com jogo"),
        ("c", "Mesa para jogo e toalha"),
    ]);
    assert_eq!(found(&index, "toalha mesa")[0], "b");
    assert_eq!(found(&index, "toalha de mesa")[0], "b");
    assert_eq!(found(&index, "jogo de mesa")[0], "a");
    assert_eq!(found(&index, "jogo toalha")[0], "c");
}

#[test]
fn dropping_does_not_depend_on_the_filter() {
    let index = titled(&[("a", "Tênis amarelo"), ("b", "Tênis azul")]);
    let filter = Filter { tags: vec!["nada".to_owned()], ..Filter::default() };
    let query = Query { text: Some("tênis amarelo"), limit: 5, ..Query::new(&filter) };
    let hits = index.search(&query);
    assert_eq!((hits.total, hits.hits.len(), hits.relaxed.len()), (0, 0, 0));
}

#[test]
fn typos_and_beginnings_are_forgiven_where_the_word_occurs_nowhere() {
    let index = titled(&[
        ("a", "Tênis de corrida"),
        ("b", "Liquidificador potente"),
        ("c", "Camiseta básica"),
        ("d", "Camisa social"),
        ("e", "Bota"),
        ("f", "Bote"),
        ("g", "Roteador Wi-Fi"),
    ]);
    let table: [(&str, &[&str]); 13] = [
        ("tenos", &["a"]),
        ("etnis corida", &["a"]),
        ("liquidifcadro", &["b"]),
        ("liquidifcadrox", &[]),
        ("cami", &["c", "d"]),
        ("camisetas basic", &["c"]),
        ("cami social", &["d"]), // only the last word may be a beginning
        ("bota", &["e"]),        // exact, though bote is near
        ("botu", &["e", "f"]),
        ("wifi", &["g"]),
        ("wi fi", &["g"]),
        ("roteadorwifi", &[]),
        ("bo", &["e", "f"]),
    ];
    for (query, expected) in table {
        assert_eq!(found(&index, query), expected, "{query}");
    }
    assert_eq!(ask(&index, "cami social", None).relaxed, ["cami"]);
}

#[test]
fn a_whole_identifier_comes_first_and_drops_nothing() {
    let mut shoe = facts("z", "Tênis");
    options(&mut shoe, &["Cor=Azul", "Cor=Preto"]);
    shoe.variants[1].sku = Some("TEN PRETO/7".to_owned());
    shoe.variants[1].barcodes = vec![barcode("7891234567895")];
    let mut named = facts("b", "Meia 4100");
    named.handle = Some("tenis".to_owned());
    let index = Catalog::build(products([shoe, named, facts("4100", "Boné"), facts("a", "Tênis")]));
    assert_eq!(found(&index, "4100"), ["4100", "b"], "the id, then the word");
    assert_eq!(found(&index, " 7891234567895 "), ["z"]);
    assert_eq!(found(&index, "tênis 7891234567895"), ["z", "a"], "also among words");
    assert_eq!(found(&index, "tenis"), ["a", "z"], "a handle is a word like any other");
    let hits = ask(&index, "TEN PRETO/7", None);
    assert_eq!((hits.total, hits.relaxed.len()), (1, 0));
    assert_eq!(hits.hits[0].variants, [1, 0], "the variant that it names first");
    assert_eq!(ask(&index, "z-v1", None).hits[0].variants, [1, 0]);
}

#[test]
fn rule_c4_variants_that_fit_the_words_come_first() {
    let mut shoe = facts("a", "Tênis");
    let rows = [
        "Cor=Azul Num=41",
        "-Cor=Amarelo Num=42",
        "Cor=Amarelo Num=41",
        "Cor=Azul Num=42",
        "-Cor=Azul Num=40",
    ];
    options(&mut shoe, &rows);
    shoe.variants[3].sku = Some("XPTO".to_owned());
    let index = Catalog::build(products([shoe, facts("b", "Tênis azul amarelo 40")]));
    let order = |query: &str| {
        let hits = ask(&index, query, None);
        hits.hits.into_iter().find(|hit| hit.ordinal == 0).map(|hit| hit.variants)
    };
    assert_eq!(order("tênis amarelo 42").unwrap()[0], 1, "fits best, though it cannot be bought");
    assert_eq!(order("tênis amarelo").unwrap(), [2, 1, 0, 3, 4]);
    assert_eq!(order("tenis 42").unwrap()[..2], [3, 1]);
    assert_eq!(order("tenis xpto").unwrap()[0], 3);
    assert_eq!(order("tênis").unwrap(), [0, 2, 3, 1, 4], "available first, then feed order");
    assert_eq!(order("tênis amarela").unwrap()[0], 2, "a colour in the other gender");
    assert_eq!(order("*").unwrap(), [0, 2, 3, 1, 4]);
}

#[test]
fn ties_go_to_the_available_then_the_popular_then_the_smaller_id() {
    let row = |id: &str, available: bool, ratings: u64| {
        let mut facts = facts(id, "Copo");
        facts.variants[0].availability = availability(available);
        facts.rating = rating(4.0, ratings);
        facts
    };
    let rows = [row("a", false, 900), row("b", true, 1), row("c", true, 500), row("d", true, 1)];
    let index = Catalog::build(products(rows));
    for everything in ["copo", "*", " * ", "", "  "] {
        assert_eq!(found(&index, everything), ["c", "b", "d", "a"], "{everything:?}");
    }
}

#[test]
fn rule_c3_currencies_of_the_whole_catalog() {
    let mut both = facts("a", "Copo");
    assert_eq!(Catalog::build(products([both.clone()])).sole_currency(), Some(currency("BRL")));
    both.variants[0].prices.push(price(5, "USD"));
    let index = Catalog::build(products([both, facts("b", "Copo")]));
    assert_eq!(index.currencies(), [currency("BRL"), currency("USD")]);
    assert_eq!(index.sole_currency(), None);
    assert_eq!(Catalog::build(Vec::new()).sole_currency(), None);
}

#[test]
fn an_empty_catalog_and_strange_texts_are_answered() {
    let empty = Catalog::build(Vec::new());
    let index = titled(&[("a", "Copo")]);
    let long = "x".repeat(1_000_000);
    let many = "copo xyzzyq ".repeat(10_000);
    let chain = "copo-xyzzyq-".repeat(10_000);
    for query in [
        "copo",
        "*",
        "'",
        "-",
        "\u{0}",
        "\u{301}",
        "1,5,",
        long.as_str(),
        many.as_str(),
        chain.as_str(),
    ] {
        assert_eq!(ask(&empty, query, None).total, 0);
        ask(&index, query, Some("pt"));
    }
    assert_eq!(found(&index, &many), ["a"]);
}
