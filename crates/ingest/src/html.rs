//! Descriptions that are HTML: recognised, freed of scripts, and put into plain
//! text for readers and search.
//!
//! This is no sanitiser. Platforms must sanitise what they show; here the aim
//! is that words stay, in order, and that code does not become words.

mod entities;

use catalog::product::Description;
pub(crate) use entities::named_entity;

/// Elements whose content is no text.
const SILENT: [&str; 6] = ["script", "style", "template", "noscript", "iframe", "head"];
/// Elements that begin or end a line.
const BLOCKS: [&str; 24] = [
    "address",
    "article",
    "blockquote",
    "br",
    "dd",
    "div",
    "dl",
    "dt",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "li",
    "ol",
    "p",
    "section",
    "table",
    "tr",
    "ul",
];
const CELLS: [&str; 2] = ["td", "th"];
/// The longest entity name, as in `&thetasym;`.
const LONGEST_ENTITY: usize = 10;

/// A description in the form that its text is in; `None` when it says nothing.
pub(crate) fn description(text: &str) -> Option<Description> {
    let text = text.trim();
    if !looks_like_html(text) {
        let plain = Some(text.to_owned()).filter(|text| !text.is_empty())?;
        return Some(Description { plain: Some(plain), html: None, markdown: None });
    }
    let plain = plain(text);
    let html = without_scripts(text);
    // Markup alone, such as one empty paragraph, says nothing.
    (!plain.is_empty()).then_some(Description {
        plain: Some(plain),
        html: Some(html),
        markdown: None,
    })
}

/// Whether a text has a tag or an entity of HTML.
pub(crate) fn looks_like_html(text: &str) -> bool {
    text.match_indices('<').any(|(at, _)| Tag::at(&text[at..]).is_some())
        || text.match_indices('&').any(|(at, _)| entity(&text[at..]).is_some())
}

/// The words of HTML: blocks on lines of their own, spaces as one.
pub(crate) fn plain(html: &str) -> String {
    let mut said = Plain::default();
    let mut rest = html;
    while let Some(at) = rest.find(['<', '&']) {
        said.push(&rest[..at]);
        rest = &rest[at..];
        if let Some((character, length)) = entity(rest) {
            said.push(character.encode_utf8(&mut [0; 4]));
            rest = &rest[length..];
            continue;
        }
        let Some(tag) = Tag::at(rest) else {
            said.push(&rest[..1]);
            rest = &rest[1..];
            continue;
        };
        rest = &rest[tag.length..];
        if !tag.closes && SILENT.contains(&&*tag.name) {
            rest = after_element(rest, &tag.name);
        } else if BLOCKS.contains(&&*tag.name) {
            said.line();
        } else if CELLS.contains(&&*tag.name) {
            said.space();
        }
    }
    said.push(rest);
    said.text
}

/// The HTML with its script elements cut out.
fn without_scripts(html: &str) -> String {
    let mut kept = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        let (before, from) = rest.split_at(at);
        kept.push_str(before);
        match Tag::at(from) {
            Some(tag) if tag.name == "script" => {
                rest = &from[tag.length..];
                if !tag.closes {
                    rest = after_element(rest, "script");
                }
            }
            Some(tag) => {
                kept.push_str(&from[..tag.length]);
                rest = &from[tag.length..];
            }
            None => {
                kept.push('<');
                rest = &from[1..];
            }
        }
    }
    kept.push_str(rest);
    kept
}

/// What comes after the end tag of the element `name`; nothing when it has none.
fn after_element<'t>(text: &'t str, name: &str) -> &'t str {
    let end = text.match_indices("</").find_map(|(at, _)| {
        let tag = Tag::at(&text[at..])?;
        (tag.name == name).then_some(at + tag.length)
    });
    &text[end.unwrap_or(text.len())..]
}

/// A tag, a comment or a declaration.
struct Tag {
    /// In lower case; empty for what is no element.
    name: String,
    closes: bool,
    /// In bytes, `<` and `>` included.
    length: usize,
}

impl Tag {
    /// The tag with which `text` begins.
    fn at(text: &str) -> Option<Self> {
        let inner = text.strip_prefix('<')?;
        if let Some(comment) = inner.strip_prefix("!--") {
            let length = comment.find("-->").map_or(text.len(), |end| "<!--".len() + end + 3);
            return Some(Self { name: String::new(), closes: false, length });
        }
        let closes = inner.starts_with('/');
        let inner = inner.strip_prefix('/').unwrap_or(inner);
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | ':');
        let name_ends = inner.find(|c: char| !is_name(c)).unwrap_or(inner.len());
        let (name, behind) = inner.split_at(name_ends);
        let begins_well = name.starts_with(|c: char| c.is_ascii_alphabetic())
            || (name.is_empty() && !closes && behind.starts_with(['!', '?']));
        let goes_on_well = behind.starts_with(['>', '/', '!', '?'])
            || behind.starts_with(|c: char| c.is_ascii_whitespace());
        if !begins_well || !goes_on_well {
            return None;
        }
        let mut quote = None;
        let ends = behind.char_indices().find(|(_, c)| match (quote, c) {
            (None, '>') => true,
            (None, '"' | '\'') => {
                quote = Some(*c);
                false
            }
            (Some(open), c) => {
                if open == *c {
                    quote = None;
                }
                false
            }
            (None, _) => false,
        });
        // A quote that is never closed must not swallow the text.
        let ends = ends.map(|(at, _)| at).or_else(|| behind.find('>'))?;
        let length = text.len() - behind.len() + ends + 1;
        Some(Self { name: name.to_ascii_lowercase(), closes, length })
    }
}

/// The character reference with which `text` begins, and its length in bytes.
fn entity(text: &str) -> Option<(char, usize)> {
    let inner = text.strip_prefix('&')?;
    let end = inner.bytes().take(LONGEST_ENTITY + 1).position(|byte| byte == b';')?;
    let name = &inner[..end];
    let character = match name.strip_prefix('#') {
        Some(number) => numbered_entity(number)?,
        None => named_entity(name)?,
    };
    Some((character, end + 2))
}

/// The character of `#233` or `#xE9`, without the `#`; controls are none.
pub(crate) fn numbered_entity(number: &str) -> Option<char> {
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => number.parse().ok()?,
    };
    char::from_u32(code).filter(|c| !c.is_control() || matches!(c, '\t' | '\n' | '\r'))
}

/// Plain text that grows by pieces, with as little white space as it can.
#[derive(Default)]
struct Plain {
    text: String,
    space: bool,
    line: bool,
}

impl Plain {
    fn push(&mut self, piece: &str) {
        for character in piece.chars() {
            if character.is_whitespace() {
                self.space = true;
                continue;
            }
            if self.line && !self.text.is_empty() {
                self.text.push('\n');
            } else if self.space && !self.text.is_empty() {
                self.text.push(' ');
            }
            (self.space, self.line) = (false, false);
            self.text.push(character);
        }
    }

    const fn space(&mut self) {
        self.space = true;
    }

    const fn line(&mut self) {
        self.line = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn html_and_what_only_looks_like_it() {
        for html in ["<p>a</p>", "a<br>b", "a<br/>b", "x &amp; y", "caf&eacute;", "&#233;", "</b>"]
        {
            assert!(looks_like_html(html), "{html}");
        }
        for text in ["a < b", "1 <2> 3", "<3", "a & b", "AT&T; x", "<>", "x <- y", "p<0.5>"] {
            assert!(!looks_like_html(text), "{text}");
        }
    }

    #[test]
    fn words_stay_and_code_does_not() {
        let html = "<h2>T&ecirc;nis</h2>\n<p>Leve &amp;\n <b>macio</b>.</p><script>if (a<b) {'</p>'}\
                    </script><ul><li>Um</li><li>Dois</li></ul><style>p {}</style><!-- x > y -->fim";
        assert_eq!(plain(html), "Tênis\nLeve & macio.\nUm\nDois\nfim");
        let read = description(html).unwrap();
        assert!(!read.html.unwrap().contains("script"));
        assert_eq!(plain("a<td>b</td><td title='>'>c</td>"), "a b c");
        assert_eq!(plain("<p title=\"open>a</p>b"), "a\nb");
        assert_eq!(plain("<script>never closed"), "");
        assert_eq!(description("<p>&nbsp;</p>"), None);
        assert_eq!(description(" \n"), None);
        assert_eq!(description("a < b").unwrap().html, None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn any_text_comes_to_an_end(text in r#"(<|>|/|!|--|script|p|é|&|;|#x|12| |"){0,20}"#) {
            let said = plain(&text);
            prop_assert!(said.len() <= text.len());
            let kept = without_scripts(&text);
            prop_assert!(kept.len() <= text.len());
        }

        #[test]
        fn plain_words_are_left_alone(text in "[a-zé]{1,8}( [a-z]{1,8}){0,4}") {
            prop_assert_eq!(&plain(&text), &text);
            prop_assert_eq!(plain(&format!("<p>{text}</p>")), text);
        }
    }
}
