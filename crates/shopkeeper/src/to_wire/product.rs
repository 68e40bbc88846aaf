//! Products as an agent reads them: in its language, its currency and its version.

use super::record::{Bytes, Damaged, Presentation, Record, Wanted};
use super::variant;
use super::written::Written;
use crate::from_wire::buyer::Buyer;
use crate::ops::Context;
use catalog::select::{self, Detail, Range};
use catalog::{Choice, Currency};
use protocol::dialect::Shape;
use search::{Index, Sieve};

/// A product of the index, ready to be written.
pub(crate) struct Stored<'a> {
    index: &'a Index,
    ordinal: u32,
    pub(super) record: Record<'a>,
}

impl<'a> Stored<'a> {
    /// Reads the product with an ordinal that `index` gave.
    ///
    /// # Errors
    ///
    /// [`Damaged`], here and from all that follows.
    pub(crate) fn read(index: &'a Index, ordinal: u32) -> Result<Self, Damaged> {
        Ok(Self { index, ordinal, record: Record::decode(index.payload(ordinal))? })
    }

    pub(crate) const fn ordinal(&self) -> u32 {
        self.ordinal
    }

    /// Whether the variant `at` passes the filters of `sieve`.
    pub(crate) fn passes(&self, sieve: &Sieve<'_>, at: usize) -> bool {
        sieve.passes(self.ordinal, at)
    }

    /// The variant that stands for the product among those that pass (rule C9).
    pub(crate) fn featured(&self, sieve: &Sieve<'_>) -> Option<usize> {
        let is_available = |at| self.index.is_available(self.ordinal, at);
        select::featured(self.record.variants(), is_available, |at| self.passes(sieve, at))
    }

    /// What can be chosen of the product (rules C11 to C14).
    pub(crate) fn range(&self) -> Result<Range<'a>, Damaged> {
        self.record.range(|at| self.index.is_available(self.ordinal, at))
    }

    /// Availability that the stock gives a variant of which the feed says nothing.
    pub(super) fn provided(&self, at: usize) -> Option<bool> {
        self.index.provided(self.ordinal, at)
    }
}

/// For whom products are written.
pub(crate) struct View {
    pub(super) wanted: Wanted,
    pub(super) shape: Shape,
    /// The most wanted first (rule C18).
    pub(super) currencies: Vec<Currency>,
}

impl View {
    pub(crate) fn new(context: &Context<'_>, buyer: &Buyer) -> Self {
        Self {
            wanted: Wanted::new(context.snapshot.languages(), buyer.language.as_ref()),
            shape: context.dialect.shape,
            currencies: buyer.currencies(context.dialect, context.config.store.currency),
        }
    }

    /// A product of a search, with the variants that match, the best first; its
    /// media begin with those of the best.
    pub(crate) fn product(
        &self,
        stored: &Stored<'_>,
        variants: &[usize],
    ) -> Result<Written, Damaged> {
        let mut draft = Draft::begin(self, stored, variants.first().copied())?;
        draft.options(|_, _| {})?;
        draft.variants(variants.iter().map(|&at| (at, None)))?;
        Ok(draft.end())
    }

    /// A product of a lookup, with the variants that identifiers resolved to and
    /// the JSON of the `inputs` of each.
    pub(crate) fn looked_up(
        &self,
        stored: &Stored<'_>,
        variants: &[(usize, String)],
    ) -> Result<Written, Damaged> {
        let mut draft = Draft::begin(self, stored, None)?;
        draft.options(|_, _| {})?;
        draft.variants(variants.iter().map(|(at, inputs)| (*at, Some(inputs.as_str()))))?;
        Ok(draft.end())
    }

    /// A product in full, with the signals of rule C14; `range` is the product's.
    pub(crate) fn detail(
        &self,
        stored: &Stored<'_>,
        range: &Range<'_>,
        detail: &Detail,
    ) -> Result<Written, Damaged> {
        let signals = select::signals(range, &detail.effective);
        let mut draft = Draft::begin(self, stored, None)?;
        draft.options(|choice, out| {
            let signal = signals[choice.axis][choice.value];
            out.extend_from_slice(br#","available":"#);
            out.extend_from_slice(boolean(signal.available));
            out.extend_from_slice(br#","exists":"#);
            out.extend_from_slice(boolean(signal.exists));
        })?;
        draft.variants(detail.variants.iter().map(|&at| (at, None)))?;
        // A product without axes has nothing to select.
        if !stored.record.axes.is_empty() {
            draft.out.extend_from_slice(br#","selected":["#);
            self.choices(&stored.record, &detail.effective, &mut draft.out)?;
            draft.out.push(b']');
        }
        Ok(draft.end())
    }

    /// Places on the axes in words, with commas between them.
    pub(super) fn choices(
        &self,
        record: &Record<'_>,
        choices: &[Choice],
        out: &mut Vec<u8>,
    ) -> Result<(), Damaged> {
        let mut first = true;
        for choice in choices {
            let axis = record.axes.get(choice.axis).ok_or(Damaged)?;
            let value = axis.values.get(choice.value).ok_or(Damaged)?;
            separate(&mut first, out);
            out.extend_from_slice(br#"{"name":"#);
            out.extend_from_slice(&axis.name.pick(&self.wanted)?);
            if !value.id.is_empty() {
                out.extend_from_slice(br#","id":"#);
                out.extend_from_slice(&value.id);
            }
            out.extend_from_slice(br#","label":"#);
            out.extend_from_slice(&value.label.pick(&self.wanted)?);
            out.push(b'}');
        }
        Ok(())
    }

    /// Which presentation of the product to show (rule C18), and its members.
    fn presentation<'r>(&self, record: &Record<'r>) -> Result<(usize, &'r [u8]), Damaged> {
        let mut best: Option<(usize, usize, &'r [u8])> = None;
        for (at, presentation) in record.presentations.values().enumerate() {
            let (code, members): Presentation<'r> = presentation?;
            let is_it = |wanted: &Currency| wanted.code().as_bytes() == &*code;
            let rank = self.currencies.iter().position(is_it).unwrap_or(usize::MAX);
            if best.is_none_or(|(least, ..)| rank < least) {
                best = Some((rank, at, members.bytes()));
            }
        }
        best.map(|(_, at, members)| (at, members)).ok_or(Damaged)
    }
}

/// A product that is being written, member by member in the order of the wire.
struct Draft<'v, 's> {
    view: &'v View,
    stored: &'v Stored<'s>,
    presentation: usize,
    out: Vec<u8>,
}

impl<'v, 's> Draft<'v, 's> {
    /// Everything before the options; the media begin with those of `leading`.
    fn begin(
        view: &'v View,
        stored: &'v Stored<'s>,
        leading: Option<usize>,
    ) -> Result<Self, Damaged> {
        let record = &stored.record;
        let (presentation, ranges) = view.presentation(record)?;
        let mut out = Vec::with_capacity(4096);
        out.push(b'{');
        out.extend_from_slice(&record.head);
        out.extend_from_slice(br#","title":"#);
        out.extend_from_slice(&record.title.pick(&view.wanted)?);
        out.extend_from_slice(br#","description":"#);
        out.extend_from_slice(&record.description.pick(&view.wanted)?);
        out.extend_from_slice(&record.middle);
        out.extend_from_slice(ranges);
        let mut draft = Self { view, stored, presentation, out };
        draft.media(leading)?;
        Ok(draft)
    }

    /// The media of the variant that leads, when it has some, then the product's
    /// own; the same URL not twice.
    fn media(&mut self, leading: Option<usize>) -> Result<(), Damaged> {
        let record = &self.stored.record;
        let leading = leading.map(|at| record.variant(at)).transpose()?;
        let leading = leading.map(|(_, variant)| variant).filter(|own| !own.media.is_empty());
        if record.media.is_empty() && leading.is_none() {
            return Ok(());
        }
        let out = &mut self.out;
        out.extend_from_slice(br#","media":["#);
        let mut first = true;
        if let Some(own) = &leading {
            separate(&mut first, out);
            let once = if own.media_once.is_empty() { own.media } else { own.media_once };
            out.extend_from_slice(&once);
        }
        let repeated = leading.map(|own| own.repeated).unwrap_or_default();
        for (at, item) in (0_u32..).zip(record.media.values::<Bytes<'_>>()) {
            let item = item?;
            if repeated.binary_search(&at).is_err() {
                separate(&mut first, out);
                out.extend_from_slice(&item);
            }
        }
        out.push(b']');
        Ok(())
    }

    /// The options; `finish` adds members to the value that a choice names.
    fn options(&mut self, finish: impl Fn(Choice, &mut Vec<u8>)) -> Result<(), Damaged> {
        let axes = &self.stored.record.axes;
        if axes.is_empty() {
            return Ok(());
        }
        let (out, wanted) = (&mut self.out, &self.view.wanted);
        out.extend_from_slice(br#","options":["#);
        let mut first_axis = true;
        for (axis, texts) in axes.iter().enumerate() {
            separate(&mut first_axis, out);
            out.extend_from_slice(br#"{"name":"#);
            out.extend_from_slice(&texts.name.pick(wanted)?);
            out.extend_from_slice(br#","values":["#);
            let mut first_value = true;
            for (value, texts) in texts.values.iter().enumerate() {
                separate(&mut first_value, out);
                out.push(b'{');
                if !texts.id.is_empty() {
                    out.extend_from_slice(br#""id":"#);
                    out.extend_from_slice(&texts.id);
                    out.push(b',');
                }
                out.extend_from_slice(br#""label":"#);
                out.extend_from_slice(&texts.label.pick(wanted)?);
                finish(Choice { axis, value }, out);
                out.push(b'}');
            }
            out.extend_from_slice(b"]}");
        }
        out.push(b']');
        Ok(())
    }

    /// The variants, each with the JSON of its `inputs` where it has some, and
    /// what follows them in the product.
    fn variants<'i>(
        &mut self,
        variants: impl Iterator<Item = (usize, Option<&'i str>)>,
    ) -> Result<(), Damaged> {
        self.out.extend_from_slice(br#","variants":["#);
        let mut first = true;
        for (at, inputs) in variants {
            separate(&mut first, &mut self.out);
            self.out.push(b'{');
            variant::members(self.stored, at, self.presentation, self.view, &mut self.out)?;
            if let Some(inputs) = inputs {
                self.out.extend_from_slice(br#","inputs":"#);
                self.out.extend_from_slice(inputs.as_bytes());
            }
            self.out.push(b'}');
        }
        self.out.push(b']');
        self.out.extend_from_slice(&self.stored.record.tail);
        Ok(())
    }

    fn end(mut self) -> Written {
        self.out.push(b'}');
        Written(self.out)
    }
}

/// A comma before all but the first.
fn separate(first: &mut bool, out: &mut Vec<u8>) {
    if !std::mem::take(first) {
        out.push(b',');
    }
}

const fn boolean(value: bool) -> &'static [u8] {
    if value { b"true" } else { b"false" }
}
