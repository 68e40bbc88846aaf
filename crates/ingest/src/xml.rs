//! The items of an RSS 2.0 or Atom feed, one after the other: the names and
//! texts of their elements.
//!
//! A document type is refused, since the entities it declares could expand
//! without end; those of XML itself and the characters that HTML names are all
//! that is known. An item that is broken costs itself where the text around it
//! still makes sense. Which elements mean what is the formats' business.

mod guard;

use crate::html::named_entity;
use crate::lines::{Lines, unreadable};
use crate::problem::{Fault, ProblemCode, excerpt};
use guard::{Guard, NO_UTF_8};
use quick_xml::errors::SyntaxError;
use quick_xml::events::{BytesDecl, BytesRef, BytesStart, Event};
use quick_xml::{Error, Reader, XmlVersion};

/// Elements that are items: those of RSS, and of Atom.
const ITEMS: [&str; 2] = ["item", "entry"];
/// Elements that a feed begins with: RSS 2.0, Atom, RSS 1.0.
const ROOTS: [&str; 3] = ["rss", "feed", "RDF"];
/// The deepest nesting that is read.
const MAX_DEPTH: usize = 100;
/// No item has more elements.
const MAX_ELEMENTS: usize = 1_000;

/// The elements of one item: names with their prefixes, and texts.
pub(crate) type Elements = Vec<(String, String)>;

/// Reads items.
pub(crate) struct Items<'r> {
    reader: Reader<Guard<'r>>,
    buffer: Vec<u8>,
    /// The names of the elements around the place where we are.
    open: Vec<String>,
    item: Option<Item>,
    ended: bool,
}

/// An item that is being read.
struct Item {
    line: u64,
    /// How many elements are around its own elements.
    depth: usize,
    elements: Elements,
    /// The text of the element that is being read.
    text: String,
    fault: Option<Fault>,
}

impl Item {
    const fn begin(line: u64, depth: usize) -> Self {
        Self { line, depth, elements: Vec::new(), text: String::new(), fault: None }
    }

    fn fail(&mut self, code: ProblemCode, text: impl Into<String>) {
        self.fault.get_or_insert_with(|| Fault::new("", code, text));
    }

    fn read(self) -> (u64, Result<Elements, Fault>) {
        (self.line, self.fault.map_or(Ok(self.elements), Err))
    }
}

impl<'r> Items<'r> {
    pub(crate) fn new(lines: Lines<'r>) -> Self {
        let mut reader = Reader::from_reader(Guard::new(lines.into_reader()));
        let config = reader.config_mut();
        config.allow_dangling_amp = true;
        config.allow_unmatched_ends = true;
        config.check_end_names = false;
        Self { reader, buffer: Vec::new(), open: Vec::new(), item: None, ended: false }
    }

    /// The next item with its first line, or what is wrong with it.
    pub(crate) fn next(&mut self) -> Option<(u64, Result<Elements, Fault>)> {
        while !self.ended {
            if self.item.is_none() {
                self.reader.get_mut().allow();
            }
            let mut buffer = std::mem::take(&mut self.buffer);
            buffer.clear();
            let done = match self.reader.read_event_into(&mut buffer) {
                Ok(event) => {
                    // The event borrows the buffer alone.
                    let line = self.reader.get_ref().line();
                    step(&mut self.open, &mut self.item, line, event)
                }
                Err(fault) => Step::End(Some(broken(&fault))),
            };
            self.buffer = buffer;
            match done {
                Step::On => {}
                Step::Item(item) => return Some(item.read()),
                Step::End(None) => self.ended = true,
                Step::End(Some(fault)) => {
                    self.ended = true;
                    return Some((self.reader.get_ref().line(), Err(fault)));
                }
            }
        }
        None
    }
}

/// What an event leads to.
enum Step {
    On,
    Item(Item),
    End(Option<Fault>),
}

fn step(open: &mut Vec<String>, item: &mut Option<Item>, line: u64, event: Event<'_>) -> Step {
    match event {
        Event::Start(tag) => start(open, item, line, &tag),
        Event::Empty(tag) => {
            let step = start(open, item, line, &tag);
            match end(open, item, tag.name().as_ref()) {
                Some(done) if matches!(step, Step::On) => Step::Item(done),
                _ => step,
            }
        }
        Event::End(tag) => end(open, item, tag.name().as_ref()).map_or(Step::On, Step::Item),
        Event::Text(text) => add(open, item, &text.xml10_content()),
        Event::CData(text) => add(open, item, &text.xml10_content()),
        Event::GeneralRef(reference) => match resolved(&reference) {
            Some(character) => add(open, item, character.encode_utf8(&mut [0; 4])),
            None => {
                if let Some(item) = item {
                    let name = excerpt(&reference);
                    item.fail(ProblemCode::InvalidXml, format!("has an unknown entity `&{name};`"));
                }
                Step::On
            }
        },
        Event::DocType(_) => {
            let text = "has a DOCTYPE, whose entities could expand without end; it is refused";
            Step::End(Some(Fault::new("", ProblemCode::Unreadable, text)))
        }
        Event::Decl(declaration) => declared(&declaration),
        Event::Comment(_) | Event::PI(_) => Step::On,
        Event::Eof if open.is_empty() => Step::End(None),
        Event::Eof => {
            let text = "the file ends in the middle; the items before are served";
            Step::End(Some(Fault::new("", ProblemCode::Truncated, text)))
        }
    }
}

fn start(open: &mut Vec<String>, item: &mut Option<Item>, line: u64, tag: &BytesStart<'_>) -> Step {
    let name = tag.name().as_ref().to_owned();
    let local = tag.local_name();
    if open.is_empty() && !ROOTS.contains(&local.as_ref()) {
        let text = format!("is no RSS or Atom feed: it begins with `{}`", excerpt(&name));
        return Step::End(Some(Fault::new("", ProblemCode::Unreadable, text)));
    }
    if open.len() >= MAX_DEPTH {
        let text = format!("is nested deeper than {MAX_DEPTH} levels");
        return Step::End(Some(Fault::new("", ProblemCode::Unreadable, text)));
    }
    let begins_item = ITEMS.contains(&name.as_str());
    let mut step = Step::On;
    if begins_item {
        // Items have no items in them, so the one before was not closed.
        if let Some(mut unclosed) = item.take() {
            open.truncate(unclosed.depth - 1);
            unclosed.fail(ProblemCode::InvalidXml, "is not closed where the next item begins");
            step = Step::Item(unclosed);
        }
        *item = Some(Item::begin(line, open.len() + 1));
    } else if let Some(item) = item.as_mut().filter(|item| item.depth == open.len()) {
        item.text.clear();
        // Atom writes its addresses as attributes.
        if let Ok(Some(href)) = tag.try_get_attribute("href") {
            match href.normalized_value(XmlVersion::Implicit1_0) {
                Ok(href) => item.text.push_str(&href),
                Err(_) => {
                    item.fail(ProblemCode::InvalidXml, "has an attribute that cannot be read")
                }
            }
        }
    }
    open.push(name);
    step
}

/// Closes the element `name`; the item, when it was one.
fn end(open: &mut Vec<String>, item: &mut Option<Item>, name: &str) -> Option<Item> {
    let place = open.iter().rposition(|known| known == name);
    let is_innermost = place.is_some_and(|place| place + 1 == open.len());
    if !is_innermost && let Some(item) = item {
        item.fail(
            ProblemCode::InvalidXml,
            format!("has `</{}>` where it does not belong", excerpt(name)),
        );
    }
    let place = place?;
    open.truncate(place);
    let read = item.as_mut()?;
    if place < read.depth {
        return item.take();
    }
    if place == read.depth && is_innermost {
        if read.elements.len() < MAX_ELEMENTS {
            let text = std::mem::take(&mut read.text);
            read.elements.push((name.to_owned(), text));
        } else {
            read.fail(ProblemCode::TooMany, format!("has more than {MAX_ELEMENTS} elements"));
        }
    }
    None
}

/// Adds text to the element of the item that it is directly in.
fn add(open: &[String], item: &mut Option<Item>, text: &str) -> Step {
    if text.contains(NO_UTF_8)
        && let Some(item) = item
    {
        item.fail(ProblemCode::InvalidEncoding, "the item is not UTF-8");
    }
    if let Some(item) = item.as_mut().filter(|item| open.len() == item.depth + 1) {
        item.text.push_str(text);
    }
    Step::On
}

fn resolved(reference: &BytesRef<'_>) -> Option<char> {
    if reference.is_char_ref() {
        return reference.resolve_char_ref().ok().flatten();
    }
    named_entity(reference)
}

fn declared(declaration: &BytesDecl<'_>) -> Step {
    match declaration.encoding() {
        Some(Ok(name)) if !["utf-8", "utf8", "us-ascii"].contains(&&*name.to_ascii_lowercase()) => {
            let text = format!("the file is in {}; save it as UTF-8", excerpt(&name));
            Step::End(Some(Fault::new("", ProblemCode::Unreadable, text)))
        }
        _ => Step::On,
    }
}

/// What ends the reading.
fn broken(fault: &Error) -> Fault {
    match fault {
        Error::Io(fault) => unreadable(fault),
        Error::Syntax(
            SyntaxError::UnclosedTag
            | SyntaxError::UnclosedCData
            | SyntaxError::UnclosedComment
            | SyntaxError::UnclosedDoctype
            | SyntaxError::UnclosedPI
            | SyntaxError::UnclosedXmlDecl,
        ) => {
            let text = "the file ends in the middle; the items before are served";
            Fault::new("", ProblemCode::Truncated, text)
        }
        other => {
            let text = format!("is no XML from here on, and is read no further: {other}");
            Fault::new("", ProblemCode::Unreadable, text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(text: &str) -> Vec<(u64, String)> {
        let mut items = Items::new(Lines::new(text.as_bytes()));
        let mut seen = Vec::new();
        while let Some((line, read)) = items.next() {
            let shown = match read {
                Ok(elements) => {
                    let shown = elements.iter().map(|(name, text)| format!("{name}={text}"));
                    shown.collect::<Vec<_>>().join("|")
                }
                Err(fault) => format!("{}: {}", fault.code, fault.text),
            };
            seen.push((line, shown));
        }
        seen
    }

    fn seen(expected: &[(u64, &str)]) -> Vec<(u64, String)> {
        expected.iter().map(|(line, text)| (*line, (*text).to_owned())).collect()
    }

    #[test]
    fn rss_and_atom() {
        let text = "\u{feff}<?xml version='1.0' encoding='UTF-8'?>\n<rss><channel><title>Loja</title>\n\
                    <item><g:id>1</g:id><g:title>A &amp; B &#233;&eacute;<b>x</b> <![CDATA[<i>&amp;]]></g:title>\n\
                    <g:shipping><g:price>1</g:price></g:shipping><g:brand/></item>\n<item/></channel></rss>\n";
        let first = "g:id=1|g:title=A & B éé <i>&amp;|g:shipping=|g:brand=";
        assert_eq!(all(text), seen(&[(3, first), (5, "")]));
        let text = "<feed xmlns='http://www.w3.org/2005/Atom'><id>feed</id><entry><id>1</id>\
                    <link href='https://a/?b=1&amp;c=2'/></entry></feed>";
        assert_eq!(all(text), seen(&[(1, "id=1|link=https://a/?b=1&c=2")]));
        assert_eq!(all("<rss></rss>"), seen(&[]));
        assert_eq!(all(""), seen(&[]));
    }

    #[test]
    fn a_broken_item_costs_itself() {
        let good = "<item><a>1</a></item>";
        for (bad, expected) in [
            ("<item><a>1</b></a></item>", "invalid_xml: has `</b>` where it does not belong"),
            ("<item><a>1</item>", "invalid_xml: has `</item>` where it does not belong"),
            ("<item><a>1</a>", "invalid_xml: is not closed where the next item begins"),
            ("<item><a>1", "invalid_xml: is not closed where the next item begins"),
            ("<item><a>&lol9;</a></item>", "invalid_xml: has an unknown entity `&lol9;`"),
        ] {
            let text = format!("<rss>\n{good}\n{bad}\n{good}\n</rss>");
            assert_eq!(all(&text), seen(&[(2, "a=1"), (3, expected), (4, "a=1")]), "{bad}");
        }
        assert_eq!(all("<rss><item><a>x & y</a></item></rss>"), seen(&[(1, "a=x & y")]));
    }

    #[test]
    fn bytes_that_are_no_utf_8_cost_their_item() {
        let mut bytes = b"<rss>\n<item><a>1</a></item>\n<item><a>x\xFFy</a></item>\n".to_vec();
        bytes.extend(b"<item><a>2</a></item></rss>");
        let mut items = Items::new(Lines::new(&bytes[..]));
        let mut codes = Vec::new();
        while let Some((line, read)) = items.next() {
            codes.push((line, read.err().map(|fault| fault.code)));
        }
        assert_eq!(codes, [(2, None), (3, Some(ProblemCode::InvalidEncoding)), (4, None)]);
    }

    #[test]
    fn what_ends_a_feed() {
        let lol = "<!DOCTYPE lolz [<!ENTITY lol \"lol\"><!ENTITY lol2 \"&lol;&lol;\">]>\n\
                   <rss><item><a>&lol2;</a></item></rss>";
        let said = all(lol);
        assert_eq!(said.len(), 1);
        assert!(said[0].1.starts_with("unreadable: has a DOCTYPE"), "{said:?}");
        let said = all("<html><body/></html>");
        assert_eq!(said, seen(&[(1, "unreadable: is no RSS or Atom feed: it begins with `html`")]));
        let said = all("<?xml version='1.0' encoding='ISO-8859-1'?><rss/>");
        assert_eq!(said, seen(&[(1, "unreadable: the file is in ISO-8859-1; save it as UTF-8")]));
        let early = "truncated: the file ends in the middle; the items before are served";
        for text in [
            "<rss><item><a>1</a></item>",
            "<rss><item><a>1</a></item><item><a",
            "<rss><item><a>1</a></item><item><![CDATA[x",
        ] {
            assert_eq!(all(text), seen(&[(1, "a=1"), (1, early)]), "{text}");
        }
        let deep = format!("<rss>{}", "<a>".repeat(1_000));
        assert!(all(&deep)[0].1.contains("nested deeper than 100"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn any_text_comes_to_an_end(
            text in r#"(<rss>)?(<item>|</item>|<a>|</a>|<b/>|<|>|&|;|&amp;|<!--|-->|<!\[CDATA\[|\]\]>|x| |\n|<\?|'|"|<!){0,24}"#
        ) {
            prop_assert!(all(&text).len() <= 50);
        }
    }
}
