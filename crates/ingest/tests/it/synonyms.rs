//! A synonyms file: what is read, and what a bad line costs.

use crate::{gzip, said};
use ingest::{Synonyms, synonyms};

fn owned(terms: &[&str]) -> Vec<String> {
    terms.iter().map(|term| (*term).to_owned()).collect()
}

fn equivalent(terms: &[&str]) -> Synonyms {
    Synonyms::Equivalent(owned(terms))
}

fn one_way(from: &[&str], to: &[&str]) -> Synonyms {
    Synonyms::OneWay { from: owned(from), to: owned(to) }
}

#[test]
fn groups_and_one_way_groups() {
    let text = "\u{FEFF}# telefones\r\n\
                Celular,smartphone ,  telefone móvel\r\n\
                \r\n  # indented\n\
                geladeira, frigobar => refrigerador\n\
                c#, a=b, 3>2\n\
                notebook => notebook, laptop";
    let expected = [
        (2, equivalent(&["Celular", "smartphone", "telefone móvel"])),
        (5, one_way(&["geladeira", "frigobar"], &["refrigerador"])),
        (6, equivalent(&["c#", "a=b", "3>2"])),
        (7, one_way(&["notebook"], &["notebook", "laptop"])),
    ];
    for bytes in [text.as_bytes().to_vec(), gzip(text.as_bytes())] {
        let feed = synonyms("s.txt", &bytes[..]);
        assert_eq!(feed.values, expected);
        assert_eq!(said(&feed.problems), [] as [&str; 0]);
        assert_eq!((feed.rows, feed.refused), (4, 0));
    }
}

#[test]
fn a_backslash_makes_a_sign_a_letter() {
    let feed =
        synonyms("s", &b"1\\,5 l, 1500 ml\na\\=>b, c=\\>d\n\\# 1, back\\\\slash\nx, y\\"[..]);
    let expected = [
        (1, equivalent(&["1,5 l", "1500 ml"])),
        (2, equivalent(&["a=>b", "c=>d"])),
        (3, equivalent(&["# 1", "back\\slash"])),
        (4, equivalent(&["x", "y\\"])),
    ];
    assert_eq!(feed.values, expected);
    assert_eq!(said(&feed.problems), [] as [&str; 0]);
}

#[test]
fn a_bad_line_costs_that_line() {
    let bytes = b"a, b\nalone\na => b => c\n=> b\na =>\n=>\n,\n\xFF, b\nc, d,\ne, e\nf, g, f\nx, y";
    let feed = synonyms("s", &bytes[..]);
    let expected = [
        (1, equivalent(&["a", "b"])),
        (9, equivalent(&["c", "d"])),
        (11, equivalent(&["f", "g"])),
        (12, equivalent(&["x", "y"])),
    ];
    assert_eq!(feed.values, expected);
    assert_eq!(
        said(&feed.problems),
        [
            "refused missing | s:2: `alone` is the only term, and a synonym of nothing",
            "refused invalid_value | s:3: has more than one `=>`",
            "refused missing | s:4: has no term before `=>`",
            "refused missing | s:5: has no term after `=>`",
            "refused missing | s:6: has no term before `=>`",
            "warning missing | s:7: has a blank term; it is dropped",
            "warning missing | s:7: has a blank term; it is dropped",
            "refused missing | s:7: has no term",
            "refused invalid_encoding | s:8: the line is not UTF-8 at byte 1",
            "warning missing | s:9: has a blank term; it is dropped",
            "warning repeated | s:10: names `e` twice",
            "refused missing | s:10: `e` is the only term, and a synonym of nothing",
            "warning repeated | s:11: names `f` twice",
        ]
    );
    assert_eq!((feed.rows, feed.refused), (12, 8));
}

#[test]
fn a_cut_file_keeps_the_lines_before() {
    let text: String =
        (1..20_000_u32).map(|n| format!("{:x}, n{n}\n", n.wrapping_mul(2_654_435_761))).collect();
    let bytes = gzip(text.as_bytes());
    let feed = synonyms("s.gz", &bytes[..bytes.len() / 2]);
    assert!(feed.values.len() > 5_000);
    assert_eq!(feed.rows, feed.values.len() as u64);
    assert_eq!(feed.refused, 0);
    assert!(said(&feed.problems)[0].starts_with("refused truncated | s.gz:"));
    assert_eq!(feed.problems.len(), 1);
}
