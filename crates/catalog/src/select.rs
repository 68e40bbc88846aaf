//! From a buyer's option choices to variants (rules C11 to C14).
//!
//! A request says what it would like; [`effective`] keeps as much of it as some
//! variant has, [`detail`] says which variants to show for it, and [`signals`]
//! what each other choice would lead to. How they are written in an answer is
//! the application's work.

mod range;

pub use range::{Offer, OptionTexts, Range, Texts, ValueTexts};

use crate::product::Choice;
use std::collections::{HashMap, HashSet};

/// The most variants that one answer about a product shows (rule C12).
pub const MAX_DETAIL_VARIANTS: usize = 100;

/// One entry of a request's `selected`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// Name of the option, in any language of the feed.
    pub name: String,
    /// Label of the value, in any language of the feed.
    pub label: String,
    /// Id of the value; where the option has such an id, it decides and not the
    /// label.
    pub id: Option<String>,
}

/// An entry of a request's `selected` that stands, and what it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// Its place in the request.
    pub entry: usize,
    /// The value that it names.
    pub choice: Choice,
}

/// What a request for one product asks.
#[derive(Clone, Copy)]
pub struct DetailRequest<'a> {
    /// Index of the variant whose id was asked, when it was a variant's.
    pub variant: Option<usize>,
    /// The option choices sent; an empty list is none.
    pub selected: Option<&'a [Selection]>,
    /// Option names, the dearest first, in any language of the feed.
    pub preferences: &'a [String],
    /// Whether the variant with an index passes the request's filters.
    pub passes: &'a dyn Fn(usize) -> bool,
}

/// What to show for a request for one product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detail {
    /// The effective selection: the entries of `kept` in their order, or the
    /// options of the first variant when the request's selection plays no part.
    pub effective: Vec<Choice>,
    /// The entries of the request's `selected` that stand, in its order.
    pub kept: Vec<Kept>,
    /// Indices of the variants to show, the featured one first; 1 to
    /// [`MAX_DETAIL_VARIANTS`].
    pub variants: Vec<usize>,
}

/// No variant that the request means passes its filters (rule C11).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no variant of the product matches the filters")]
pub struct NoMatchingVariants;

/// What choosing a value would lead to, all else as selected (rule C14).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Signal {
    /// A variant that can be bought.
    pub available: bool,
    /// A variant.
    pub exists: bool,
}

/// The entries of `selected` that some variant has all together (rule C13), in
/// the order of the request.
///
/// As long as no variant has all, one entry falls: first those whose option is
/// not in `preferences`, the last sent first, then those of the preferences from
/// their end. An entry that names nothing in the feed matches no variant and
/// falls in its turn; one that means the same value as an earlier entry is that
/// entry. Filters play no part.
pub fn effective(range: &Range<'_>, selected: &[Selection], preferences: &[String]) -> Vec<Kept> {
    let ranks = Ranks::new(&range.axes, preferences);
    let mut seen = HashSet::new();
    let mut entries: Vec<Wish> = selected
        .iter()
        .enumerate()
        .map(|(entry, selection)| Wish::new(&range.axes, &ranks, entry, selection))
        .filter(|wish| wish.choice.is_none_or(|choice| seen.insert(choice)))
        .collect();
    // What falls first is last here, so what stands is the longest beginning
    // that some variant has.
    entries.sort_by_key(|wish| (wish.rank.is_none(), wish.rank, wish.entry));
    let length_of = |offer: &Offer| {
        entries.iter().take_while(|wish| wish.choice.is_some_and(|c| offer.has(c))).count()
    };
    let length = range.variants.iter().map(length_of).max().unwrap_or(0);
    let mut kept: Vec<Kept> = entries[..length]
        .iter()
        .filter_map(|wish| Some(Kept { entry: wish.entry, choice: wish.choice? }))
        .collect();
    kept.sort_by_key(|kept| kept.entry);
    kept
}

/// Which variants answer a request for one product, and under which selection
/// (rules C11 to C13). Filters apply after selection.
///
/// # Errors
///
/// [`NoMatchingVariants`] when the filters leave none; a variant that was asked
/// by its id must pass them itself.
pub fn detail(
    range: &Range<'_>,
    request: &DetailRequest<'_>,
) -> Result<Detail, NoMatchingVariants> {
    let DetailRequest { passes, .. } = *request;
    let is_available = |at: usize| range.variants[at].available;
    if request.variant.is_none()
        && let Some(selected) = request.selected.filter(|selected| !selected.is_empty())
    {
        let kept = effective(range, selected, request.preferences);
        let effective: Vec<Choice> = kept.iter().map(|kept| kept.choice).collect();
        let fitting = fitting(range, &effective, passes);
        let first = fitting
            .clone()
            .find(|&at| is_available(at))
            .or_else(|| fitting.clone().next())
            .ok_or(NoMatchingVariants)?;
        return Ok(Detail { variants: first_then(first, fitting), effective, kept });
    }
    let count = range.variants.len();
    let first = match request.variant {
        Some(asked) => (asked < count && passes(asked)).then_some(asked),
        None => featured(count, is_available, passes),
    }
    .ok_or(NoMatchingVariants)?;
    let effective = range.variants[first].choices.clone();
    let variants = first_then(first, fitting(range, &effective, passes));
    Ok(Detail { effective, kept: Vec::new(), variants })
}

/// The variant that stands for a product of so many `variants` among those that
/// pass: the first one that can be bought, else the first (rules C9 and C11).
/// Both questions are about the variant with an index.
pub fn featured(
    variants: usize,
    is_available: impl Fn(usize) -> bool,
    passes: impl Fn(usize) -> bool,
) -> Option<usize> {
    let mut first = None;
    for at in (0..variants).filter(|&at| passes(at)) {
        if is_available(at) {
            return Some(at);
        }
        first = first.or(Some(at));
    }
    first
}

/// For each value of each axis: do variants have it, with everything else as in
/// `effective` (rule C14)? Shaped as the range's axes and their values.
pub fn signals(range: &Range<'_>, effective: &[Choice]) -> Vec<Vec<Signal>> {
    let mut signals: Vec<Vec<Signal>> =
        range.axes.iter().map(|axis| vec![Signal::default(); axis.values.len()]).collect();
    for offer in &range.variants {
        let mut mark = |choice: &Choice| {
            let signal = &mut signals[choice.axis][choice.value];
            signal.exists = true;
            signal.available |= offer.available;
        };
        let mut missed = effective.iter().filter(|choice| !offer.has(**choice));
        match missed.next().map(|choice| choice.axis) {
            None => offer.choices.iter().for_each(&mut mark),
            // Off on one axis alone, the variant still speaks for its value there.
            Some(axis) if missed.all(|other| other.axis == axis) => {
                offer.choices.iter().filter(|choice| choice.axis == axis).for_each(&mut mark);
            }
            Some(_) => {}
        }
    }
    signals
}

/// An entry of the request, looked up.
struct Wish {
    entry: usize,
    choice: Option<Choice>,
    rank: Option<usize>,
}

impl Wish {
    fn new(
        axes: &[OptionTexts<'_>],
        ranks: &Ranks<'_>,
        entry: usize,
        selection: &Selection,
    ) -> Self {
        let named = axes_named(axes, &selection.name);
        let choice = choice_of(axes, &named, selection);
        let axis = choice.map(|choice| choice.axis).or_else(|| named.first().copied());
        Self { entry, choice, rank: ranks.of(axis, &selection.name) }
    }
}

/// The place of each preference, by the axis that it names and by its text.
struct Ranks<'a> {
    axes: HashMap<usize, usize>,
    texts: HashMap<&'a str, usize>,
}

impl<'a> Ranks<'a> {
    fn new(axes: &[OptionTexts<'_>], preferences: &'a [String]) -> Self {
        let mut ranks = Self { axes: HashMap::new(), texts: HashMap::new() };
        for (place, name) in preferences.iter().enumerate() {
            if ranks.texts.contains_key(name.as_str()) {
                continue;
            }
            ranks.texts.insert(name, place);
            if let Some(&axis) = axes_named(axes, name).first() {
                ranks.axes.entry(axis).or_insert(place);
            }
        }
        ranks
    }

    fn of(&self, axis: Option<usize>, name: &str) -> Option<usize> {
        let by_axis = axis.and_then(|axis| self.axes.get(&axis));
        by_axis.into_iter().chain(self.texts.get(name)).min().copied()
    }
}

/// The axes that `name` names in some language, those of the feed's own first.
fn axes_named(axes: &[OptionTexts<'_>], name: &str) -> Vec<usize> {
    let mut named: Vec<usize> = (0..axes.len()).filter(|&at| axes[at].name.says(name)).collect();
    named.sort_by_key(|&at| !axes[at].name.is_own(name));
    named
}

/// The value that `selection` means on one of the axes `named`: by its id, else
/// by its label. An id under a name that the feed lacks is looked for everywhere.
fn choice_of(axes: &[OptionTexts<'_>], named: &[usize], selection: &Selection) -> Option<Choice> {
    let find = |axis: usize, wanted: &dyn Fn(&ValueTexts<'_>) -> bool| {
        let value = axes[axis].values.iter().position(wanted)?;
        Some(Choice { axis, value })
    };
    if let Some(id) = selection.id.as_deref() {
        let by_id = |value: &ValueTexts<'_>| value.id.as_deref() == Some(id);
        let found = if named.is_empty() {
            (0..axes.len()).find_map(|axis| find(axis, &by_id))
        } else {
            named.iter().find_map(|&axis| find(axis, &by_id))
        };
        if found.is_some() {
            return found;
        }
    }
    let label = selection.label.as_str();
    named.iter().find_map(|&axis| {
        find(axis, &|value| value.label.is_own(label))
            .or_else(|| find(axis, &|value| value.label.says(label)))
    })
}

/// Indices of the variants that have all of `selection` and pass, in feed order.
fn fitting<'a>(
    range: &'a Range<'_>,
    selection: &'a [Choice],
    passes: &'a dyn Fn(usize) -> bool,
) -> impl Iterator<Item = usize> + Clone + 'a {
    let fits = move |&(at, offer): &(usize, &Offer)| {
        selection.iter().all(|&choice| offer.has(choice)) && passes(at)
    };
    range.variants.iter().enumerate().filter(fits).map(|(at, _)| at)
}

fn first_then(first: usize, rest: impl Iterator<Item = usize>) -> Vec<usize> {
    let rest = rest.filter(|&at| at != first);
    std::iter::once(first).chain(rest).take(MAX_DETAIL_VARIANTS).collect()
}

#[cfg(test)]
#[path = "select/tests.rs"]
mod tests;
