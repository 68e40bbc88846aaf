//! Files that are there after a crash: whole, under their name, or not at all.

use crate::cursor::random_name;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Puts `text` into `dir/name` in one step: written beside, synced, renamed.
///
/// # Errors
///
/// What the system says; the file is then as it was, and nothing lies beside it.
pub(super) fn replace(dir: &Path, name: &str, text: &str) -> io::Result<()> {
    let beside = dir.join(format!("{name}.{}", random_name()?));
    let written = write_new(&beside, text.as_bytes())
        .and_then(|()| fs::rename(&beside, dir.join(name)))
        .and_then(|()| sync_folder(dir));
    if written.is_err() {
        // It may not be there any more; then this says so, and that is well.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Writes a new file and syncs it.
pub(super) fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Syncs every file and folder from `folder` down.
pub(super) fn sync_tree(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_tree(&entry.path())?;
        } else {
            // Windows syncs through a handle that may write.
            File::options().read(true).write(cfg!(windows)).open(entry.path())?.sync_all()?;
        }
    }
    sync_folder(folder)
}

/// Syncs the names in `folder`.
#[cfg(unix)]
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Syncs the names in `folder`, which this system does by itself.
#[cfg(not(unix))]
pub(super) fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}
