//! The readable part of HTML, enough to find its words.

/// `html` with tags, entities, scripts and styles each made a space. Whether the
/// result reads well does not matter: it is only searched.
pub(crate) fn without_markup(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find(['<', '&']) {
        text.push_str(&rest[..at]);
        let (here, after) = rest[at..].split_at(1);
        rest = if here == "<" { after_tag(after) } else { after_entity(after) };
        text.push(' ');
    }
    text.push_str(rest);
    text
}

fn after_tag(tag: &str) -> &str {
    let starts =
        |name: &str| tag.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    for name in ["script", "style"] {
        if starts(name) {
            let end = format!("</{name}");
            let found = tag
                .as_bytes()
                .windows(end.len())
                .position(|window| window.eq_ignore_ascii_case(end.as_bytes()));
            return found.and_then(|at| tag.get(at + 1..)).map_or("", after_tag);
        }
    }
    tag.split_once('>').map_or("", |(_, after)| after)
}

fn after_entity(entity: &str) -> &str {
    match entity.find(|c: char| !c.is_ascii_alphanumeric() && c != '#') {
        Some(end) if entity[end..].starts_with(';') => &entity[end + 1..],
        _ => entity,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_are_left() {
        for (html, words) in [
            ("plain", "plain"),
            ("<p class=\"x\">Leve &amp; macio</p>", "Leve macio"),
            ("a<script>let x = '<b>';</SCRIPT>b<style>p{}</style>c", "a b c"),
            ("R&D <b", "R D"),
            ("<script>never closed", ""),
            ("é<br/>ã", "é ã"),
        ] {
            let text = without_markup(html);
            let found: Vec<&str> = text.split_whitespace().collect();
            assert_eq!(found.join(" "), words, "{html}");
        }
    }
}
