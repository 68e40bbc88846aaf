//! Tests of option selection: tables for the wording of the rules, and
//! properties against their literal definitions.

use super::*;
use crate::product::{Product, Variant, VariantId};
use crate::sample;
use proptest::prelude::*;

const ALL: &dyn Fn(usize) -> bool = &|_| true;

fn has(variant: &Variant, choice: Choice) -> bool {
    variant.value_on(choice.axis) == Some(choice.value)
}

fn shirts() -> Product {
    sample::with_options(&[
        "-Cor=Azul Tamanho=P Tecido=Linho",
        "Cor=Azul Tamanho=M Tecido=Linho",
        "Cor=Preto Tamanho=M Tecido=Malha",
        "Cor=Preto Tamanho=G Tecido=Linho",
        "-Cor=Branco Tamanho=G Tecido=Malha",
    ])
}

/// `Cor=Azul Tamanho=M` as a request's `selected`; `Cor=Azul#id` sends an id.
fn selection(text: &str) -> Vec<Selection> {
    let entry = |option: &str| {
        let (name, label) = option.split_once('=').unwrap();
        let (label, id) = match label.split_once('#') {
            Some((label, id)) => (label, Some(id.to_owned())),
            None => (label, None),
        };
        Selection { name: name.to_owned(), label: label.to_owned(), id }
    };
    text.split_whitespace().map(entry).collect()
}

fn names(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn kept(product: &Product, selected: &str, preferences: &str) -> Vec<usize> {
    let kept = effective(&product.into(), &selection(selected), &names(preferences));
    kept.iter().map(|kept| kept.entry).collect()
}

#[test]
fn rule_c13_dropping_order() {
    let product = shirts();
    let table: [(&str, &str, &[usize]); 17] = [
        // Everything that some variant has stands.
        ("Cor=Azul Tamanho=M Tecido=Linho", "", &[0, 1, 2]),
        ("Tamanho=G", "", &[0]),
        // Without preferences the last sent falls first.
        ("Cor=Azul Tamanho=G", "", &[0]),
        ("Tamanho=G Cor=Azul", "", &[0]),
        ("Cor=Azul Tamanho=G Tecido=Linho", "", &[0]),
        // Preferences fall from their end, the dearest last.
        ("Cor=Azul Tamanho=G", "Cor Tamanho", &[0]),
        ("Cor=Azul Tamanho=G", "Tamanho Cor", &[1]),
        ("Cor=Azul Tamanho=G Tecido=Linho", "Tecido Tamanho Cor", &[1, 2]),
        // What is not preferred falls before anything that is.
        ("Cor=Azul Tamanho=G", "Tamanho", &[1]),
        ("Cor=Azul Tecido=Malha Tamanho=M", "Tecido", &[1]),
        ("Cor=Azul Tamanho=M Tecido=Malha", "Tecido Tamanho", &[1, 2]),
        // Preferences in another language of the feed, and unknown ones.
        ("Tamanho=G Cor=Azul", "Color", &[1]),
        ("Tamanho=G Color=Blue", "Modelo Cor", &[1]),
        // What names nothing falls in its turn like any other.
        ("Cor=Azul Modelo=Novo", "", &[0]),
        ("Modelo=Novo Cor=Azul", "", &[]),
        ("Cor=Roxo Tamanho=M", "", &[]),
        ("Cor=Azul Modelo=Novo", "Modelo", &[]),
    ];
    for (selected, preferences, expected) in table {
        assert_eq!(kept(&product, selected, preferences), expected, "{selected} / {preferences}");
    }
}

#[test]
fn rule_c13_entries_that_mean_the_same_value_are_one() {
    let product = shirts();
    assert_eq!(kept(&product, "Cor=Azul Color=Blue Tamanho=M", ""), [0, 2]);
    assert_eq!(kept(&product, "Cor=Azul Color=Black", ""), [0], "two values of one axis");
    assert_eq!(kept(&product, "Cor=Azul Color=Black", "Color"), [0], "one axis, one rank");
}

#[test]
fn an_id_decides_where_the_option_has_it() {
    let product = shirts();
    let meant = |text: &str| {
        let kept = effective(&(&product).into(), &selection(text), &[]);
        kept.first().map(|kept| (kept.choice.axis, kept.choice.value))
    };
    assert_eq!(meant("Cor=Azul#cor/preto"), Some((0, 1)));
    assert_eq!(meant("Cor=?#cor/preto"), Some((0, 1)));
    assert_eq!(meant("Couleur=?#cor/preto"), Some((0, 1)), "a name that the feed lacks");
    assert_eq!(meant("Tamanho=M#cor/preto"), Some((1, 1)), "an id of another option");
    assert_eq!(meant("Cor=Azul#gone"), Some((0, 0)), "an id that is no more");
    assert_eq!(meant("Couleur=Azul#gone"), None);
}

#[test]
fn the_feeds_own_language_wins_an_ambiguous_name() {
    let language = sample::tag("pt-BR");
    let mut facts = sample::facts("p");
    for (name, label) in [("Cor", "Rosa"), ("Color", "Pink")] {
        let mut variant = sample::variant(name);
        variant.choices.push(facts.axes.choice(&language, name, label, None));
        facts.variants.push(variant);
    }
    facts.axes.axis_mut("Cor").unwrap().name.translate(sample::tag("en"), "Color".to_owned());
    let product = Product::new(facts).unwrap();
    let choice = |text| effective(&(&product).into(), &selection(text), &[])[0].choice;
    assert_eq!(choice("Color=Pink"), Choice { axis: 1, value: 0 });
    assert_eq!(choice("Color=Rosa"), Choice { axis: 0, value: 0 }, "only there is that label");
}

fn ask(
    product: &Product,
    variant: Option<usize>,
    selected: Option<&str>,
    passes: &dyn Fn(usize) -> bool,
) -> Result<Detail, NoMatchingVariants> {
    let selected = selected.map(selection);
    let selected = selected.as_deref();
    detail(&product.into(), &DetailRequest { variant, selected, preferences: &[], passes })
}

fn shown(
    product: &Product,
    variant: Option<usize>,
    selected: Option<&str>,
    passes: &dyn Fn(usize) -> bool,
) -> Vec<usize> {
    ask(product, variant, selected, passes).map(|detail| detail.variants).unwrap_or_default()
}

#[test]
fn rule_c12_by_product_id_with_a_selection() {
    let product = shirts();
    let answer = ask(&product, None, Some("Cor=Azul"), ALL).unwrap();
    assert_eq!(answer.variants, [1, 0], "the first available one leads");
    assert_eq!(answer.effective, [Choice { axis: 0, value: 0 }]);
    assert_eq!(answer.kept.len(), 1);
    assert_eq!(shown(&product, None, Some("Cor=Branco"), ALL), [4], "none available: feed order");
    assert_eq!(shown(&product, None, Some("Cor=Roxo"), ALL), [1, 0, 2, 3, 4], "nothing stands");
}

#[test]
fn rule_c12_by_product_id_without_a_selection() {
    let product = shirts();
    for none in [None, Some("")] {
        let answer = ask(&product, None, none, ALL).unwrap();
        assert_eq!(answer.variants, [1]);
        assert_eq!(answer.effective, product.variants[1].choices);
        assert_eq!(answer.kept, []);
    }
    let twins = sample::with_options(&["Cor=Azul", "Cor=Azul Tamanho=M", "Cor=Preto", "Cor=Azul"]);
    assert_eq!(shown(&twins, None, None, ALL), [0, 1, 3], "those that share all its options");
}

#[test]
fn rule_c12_by_variant_id() {
    let product = shirts();
    let answer = ask(&product, Some(0), Some("Cor=Preto"), ALL).unwrap();
    assert_eq!(answer.variants, [0], "first though it cannot be bought, selection ignored");
    assert_eq!(answer.effective, product.variants[0].choices);
    assert_eq!(answer.kept, []);
    let twins = sample::with_options(&["Cor=Azul", "-Cor=Azul", "Cor=Preto"]);
    assert_eq!(shown(&twins, Some(1), None, ALL), [1, 0]);
    assert_eq!(ask(&twins, Some(7), None, ALL), Err(NoMatchingVariants));
}

#[test]
fn rule_c11_filters_apply_after_selection() {
    let product = shirts();
    let ids: Vec<&str> = product.variants.iter().map(|variant| variant.id.as_str()).collect();
    let only = |allowed: &'static [&'static str]| {
        let ids = &ids;
        move |at: usize| allowed.contains(&ids[at])
    };
    assert_eq!(shown(&product, None, None, &only(&["v0", "v3"])), [3]);
    assert_eq!(shown(&product, None, None, &only(&["v0", "v4"])), [0]);
    assert_eq!(ask(&product, None, None, &|_| false), Err(NoMatchingVariants));
    // The selection is not relaxed to please the filters.
    assert_eq!(ask(&product, None, Some("Cor=Azul"), &only(&["v3"])), Err(NoMatchingVariants));
    assert_eq!(shown(&product, None, Some("Cor=Azul"), &only(&["v0", "v3"])), [0]);
    assert_eq!(ask(&product, Some(0), None, &only(&["v1"])), Err(NoMatchingVariants));
    assert_eq!(featured(5, |at| product.variants[at].is_available(), only(&["v4", "v3"])), Some(3));
}

#[test]
fn rule_c12_at_most_100_variants() {
    let rows: Vec<String> = (0..150).map(|at| format!("-Cor=Azul Tamanho={at}")).collect();
    let mut rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    rows[140] = "Cor=Azul Tamanho=140";
    let product = sample::with_options(&rows);
    let variants = shown(&product, None, Some("Cor=Azul"), ALL);
    assert_eq!(variants.len(), MAX_DETAIL_VARIANTS);
    assert_eq!(variants[..3], [140, 0, 1]);
}

/// What a world is made of: rows of up to three axes of four values, sparse.
fn world() -> impl Strategy<Value = Product> {
    let row =
        (any::<bool>(), proptest::array::uniform3(proptest::option::weighted(0.8, 0..4_usize)));
    proptest::collection::vec(row, 1..12).prop_map(|rows| {
        let mut facts = sample::facts("p");
        for (at, (available, values)) in rows.into_iter().enumerate() {
            let mut variant = sample::variant("v");
            variant.id = VariantId::new(&format!("v{at}")).unwrap();
            variant.availability =
                Some(crate::product::Availability { available: Some(available), status: None });
            for (axis, value) in values.iter().enumerate() {
                if let Some(value) = value {
                    let (name, label) = (format!("n{axis}"), format!("l{value}"));
                    let language = sample::tag("pt");
                    variant.choices.push(facts.axes.choice(&language, &name, &label, None));
                }
            }
            variant.choices.sort_by_key(|choice| choice.axis);
            facts.variants.push(variant);
        }
        Product::new(facts).unwrap()
    })
}

/// Names n0 to n3 and labels l0 to l4: one of each is unknown to every world.
fn wishes() -> impl Strategy<Value = Vec<Selection>> {
    let entry = (0..4_usize, 0..5_usize).prop_map(|(axis, value)| Selection {
        name: format!("n{axis}"),
        label: format!("l{value}"),
        id: None,
    });
    proptest::collection::vec(entry, 0..5)
}

fn preferred() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec((0..5_usize).prop_map(|axis| format!("n{axis}")), 0..4)
}

/// Rule C13 word by word: drop one entry at a time until a variant has the rest.
fn drop_one_by_one(
    product: &Product,
    selected: &[Selection],
    preferences: &[String],
) -> Vec<usize> {
    let mut left: Vec<usize> = Vec::new();
    for (at, entry) in selected.iter().enumerate() {
        if !left.iter().any(|&other| selected[other] == *entry) {
            left.push(at);
        }
    }
    let label_of = |variant: &Variant, name: &str| {
        variant.choices.iter().find_map(|choice| {
            let axis = &product.axes[choice.axis];
            (axis.name.own() == name).then(|| axis.values[choice.value].label.own().clone())
        })
    };
    loop {
        let all = |variant: &Variant| {
            left.iter().all(|&at| {
                label_of(variant, &selected[at].name).as_ref() == Some(&selected[at].label)
            })
        };
        if product.variants.iter().any(all) {
            return left;
        }
        let place = |at: usize| preferences.iter().position(|name| *name == selected[at].name);
        let unpreferred = left.iter().rposition(|&at| place(at).is_none());
        let fallen = unpreferred.unwrap_or_else(|| {
            (0..left.len()).max_by_key(|&at| (place(left[at]), left[at])).unwrap()
        });
        left.remove(fallen);
    }
}

/// Rule C14 word by word.
fn signal_by_definition(product: &Product, effective: &[Choice], of: Choice) -> Signal {
    let fits = |variant: &&Variant| {
        has(variant, of)
            && effective.iter().filter(|c| c.axis != of.axis).all(|&choice| has(variant, choice))
    };
    let mut variants = product.variants.iter().filter(fits).peekable();
    Signal { exists: variants.peek().is_some(), available: variants.any(Variant::is_available) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn rule_c13_is_dropping_one_by_one(
        product in world(), selected in wishes(), preferences in preferred(),
    ) {
        let kept = effective(&(&product).into(), &selected, &preferences);
        let entries: Vec<usize> = kept.iter().map(|kept| kept.entry).collect();
        prop_assert_eq!(&entries, &drop_one_by_one(&product, &selected, &preferences));
        // A subset of the request that some variant has.
        for Kept { entry, choice } in &kept {
            let axis = &product.axes[choice.axis];
            prop_assert!(axis.name.says(&selected[*entry].name));
            prop_assert!(axis.values[choice.value].label.says(&selected[*entry].label));
        }
        let all = |variant: &Variant| kept.iter().all(|kept| has(variant, kept.choice));
        prop_assert!(product.variants.iter().any(all));
    }

    #[test]
    fn rule_c14_signals_are_their_definition(
        product in world(), selected in wishes(), preferences in preferred(),
    ) {
        let effective: Vec<Choice> =
            effective(&(&product).into(), &selected, &preferences).iter().map(|kept| kept.choice).collect();
        let signals = signals(&(&product).into(), &effective);
        prop_assert_eq!(signals.len(), product.axes.len());
        for (axis, of_axis) in signals.iter().enumerate() {
            prop_assert_eq!(of_axis.len(), product.axes[axis].values.len());
            for (value, signal) in of_axis.iter().enumerate() {
                let expected = signal_by_definition(&product, &effective, Choice { axis, value });
                prop_assert_eq!(*signal, expected);
            }
        }
        // The effective selection leads somewhere.
        for choice in &effective {
            prop_assert!(signals[choice.axis][choice.value].exists);
        }
    }

    #[test]
    fn rule_c12_shown_variants_fit_and_pass(
        product in world(), selected in wishes(), preferences in preferred(),
        asked in proptest::option::of(0..12_usize), passing in any::<u16>(),
    ) {
        let passes = |at: usize| passing & (1 << at) != 0;
        let variant = asked.filter(|&at| at < product.variants.len());
        let request = DetailRequest {
            variant, selected: Some(&selected), preferences: &preferences, passes: &passes,
        };
        let Ok(detail) = detail(&(&product).into(), &request) else {
            let none = match variant {
                Some(at) => !passes(at),
                None => {
                    let kept = effective(&(&product).into(), &selected, &preferences);
                    let fits = |v: &Variant| kept.iter().all(|kept| has(v, kept.choice));
                    !(0..product.variants.len()).any(|at| fits(&product.variants[at]) && passes(at))
                }
            };
            prop_assert!(none);
            return Ok(());
        };
        prop_assert!(!detail.variants.is_empty());
        let first = detail.variants[0];
        if let Some(asked) = variant {
            prop_assert_eq!(first, asked);
        }
        let fits = |at: usize| {
            let variant = &product.variants[at];
            passes(at) && detail.effective.iter().all(|&choice| has(variant, choice))
        };
        let mut expected: Vec<usize> =
            (0..product.variants.len()).filter(|&at| at != first && fits(at)).collect();
        expected.insert(0, first);
        prop_assert_eq!(&detail.variants, &expected);
        let available = |at: &usize| product.variants[*at].is_available();
        prop_assert!(
            variant.is_some() || available(&first) || !detail.variants.iter().any(available)
        );
    }
}
