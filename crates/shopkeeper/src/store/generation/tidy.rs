//! Removes what nobody needs any more: leftovers of builds that died, and
//! generations superseded long ago. Only whoever holds the build lock may.

use super::super::KEPT_MINUTES;
use super::{BUILDING, POINTER, durable};
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

/// How long a superseded generation is kept. A server that has just read its name in
/// the pointer file has opened it by then.
const KEPT: SignedDuration = SignedDuration::from_mins(KEPT_MINUTES as i64);

/// Follows the name of a superseded generation in the name of the file that says
/// since when it is.
const MARK: &str = ".superseded";

/// Removes what builds that died have left in `dir` and its `folder` of generations.
///
/// # Errors
///
/// The folders cannot be read or something in them cannot be removed.
pub(super) fn leftovers(dir: &Path, folder: &Path) -> io::Result<()> {
    let beside = format!("{POINTER}.");
    for name in names(dir)?.iter().filter(|name| name.starts_with(&beside)) {
        fs::remove_file(dir.join(name))?;
    }
    for name in names(folder)?.iter().filter(|name| name.starts_with(BUILDING)) {
        fs::remove_dir_all(folder.join(name))?;
    }
    Ok(())
}

/// Marks what is superseded at `now` and removes what has been for longer than
/// [`KEPT`]; never `current`.
///
/// # Errors
///
/// The folder cannot be read or written.
pub(super) fn superseded(folder: &Path, current: Option<&str>, now: Timestamp) -> io::Result<()> {
    let names = names(folder)?;
    let (marks, generations): (Vec<_>, Vec<_>) = names.iter().partition(|name| name.contains(MARK));
    for name in generations.iter().filter(|name| Some(name.as_str()) != current) {
        let mark = folder.join(format!("{name}{MARK}"));
        match since(folder, name) {
            Some(since) if now.duration_since(since) > KEPT => {
                fs::remove_dir_all(folder.join(name))?;
                fs::remove_file(&mark)?;
            }
            Some(since) if since <= now => {}
            // Not marked yet, or by a clock that was ahead.
            _ => durable::replace(folder, &format!("{name}{MARK}"), &now.to_string())?,
        }
    }
    for mark in marks {
        let of = mark.strip_suffix(MARK);
        if of.is_none_or(|name| !names.contains(name) || Some(name) == current) {
            fs::remove_file(folder.join(mark))?;
        }
    }
    Ok(())
}

/// The names of the generations superseded no longer ago than [`KEPT`], with how long.
pub(super) fn still_kept(folder: &Path, now: Timestamp) -> io::Result<Vec<(String, Duration)>> {
    let names = names(folder)?;
    let mut kept = Vec::new();
    for name in names.iter().filter_map(|mark| mark.strip_suffix(MARK)) {
        let Some(since) = since(folder, name) else { continue };
        // A clock that was set back: superseded just now.
        let age = now.duration_since(since).max(SignedDuration::ZERO);
        if age <= KEPT && names.contains(name) {
            kept.push((name.to_owned(), age.unsigned_abs()));
        }
    }
    Ok(kept)
}

/// Since when the generation `name` is superseded, as its mark says.
fn since(folder: &Path, name: &str) -> Option<Timestamp> {
    fs::read_to_string(folder.join(format!("{name}{MARK}"))).ok()?.trim().parse().ok()
}

/// The names in `folder`; one that is no text is not ours.
pub(super) fn names(folder: &Path) -> io::Result<BTreeSet<String>> {
    let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().into_string().ok()));
    Ok(names.collect::<io::Result<Vec<_>>>()?.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn superseded_generations_stay_ten_minutes_and_the_current_one_for_ever() {
        let folder = std::env::temp_dir().join(format!("shopkeeper-tidy-{}", std::process::id()));
        for name in ["a-1", "b-2", "c-3"] {
            fs::create_dir_all(folder.join(name)).unwrap();
        }
        let left = || {
            let names = names(&folder).unwrap().into_iter();
            names.filter(|name| !name.contains(MARK)).collect::<Vec<_>>()
        };
        let minutes = Duration::from_mins;
        let at = |minutes: i64| Timestamp::UNIX_EPOCH + SignedDuration::from_mins(minutes);
        superseded(&folder, Some("b-2"), at(100)).unwrap();
        superseded(&folder, Some("c-3"), at(105)).unwrap();
        assert_eq!(left(), ["a-1", "b-2", "c-3"]);
        superseded(&folder, Some("c-3"), at(110)).unwrap();
        assert_eq!(left(), ["a-1", "b-2", "c-3"], "ten minutes and no more");
        let kept = |minutes| still_kept(&folder, at(minutes)).unwrap();
        assert_eq!(kept(110), [("a-1".into(), minutes(10)), ("b-2".into(), minutes(5))]);
        assert_eq!(kept(111), [("b-2".into(), minutes(6))]);
        assert_eq!(kept(104), [("a-1".into(), minutes(4)), ("b-2".into(), minutes(0))]);
        superseded(&folder, Some("c-3"), at(111)).unwrap();
        assert_eq!(left(), ["b-2", "c-3"]);
        // A clock that was set back: counted anew from the time that it has now.
        superseded(&folder, Some("c-3"), at(50)).unwrap();
        superseded(&folder, Some("c-3"), at(60)).unwrap();
        assert_eq!(left(), ["b-2", "c-3"]);
        superseded(&folder, Some("c-3"), at(61)).unwrap();
        superseded(&folder, Some("c-3"), at(10_000)).unwrap();
        assert_eq!(left(), ["c-3"]);
        assert_eq!(names(&folder).unwrap().len(), 1, "no mark without its generation");
        fs::remove_dir_all(&folder).unwrap();
    }
}
