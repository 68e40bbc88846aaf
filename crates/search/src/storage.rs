//! Columns of numbers and blobs of bytes in files, read in place.
//!
//! Every file of an index goes through tantivy's `Directory`, so that the same
//! code serves memory and memory-mapped files, and no `unsafe` is ours. Numbers
//! are little-endian and read one at a time, which compiles to a plain load.

use std::io::{self, Write};
use std::marker::PhantomData;
use std::path::Path;
use tantivy::directory::{Directory, OwnedBytes, TerminatingWrite};

/// A number that a column holds.
pub(crate) trait Cell: Copy {
    /// Its length in bytes.
    const LEN: usize;
    /// Reads it from exactly [`Self::LEN`] bytes.
    fn read(bytes: &[u8]) -> Self;
    /// Appends it.
    fn write(self, out: &mut Vec<u8>);
}

macro_rules! cell {
    ($($number:ty),*) => {
        $(impl Cell for $number {
            const LEN: usize = size_of::<$number>();

            fn read(bytes: &[u8]) -> Self {
                bytes.try_into().map(<$number>::from_le_bytes).unwrap_or_default()
            }

            fn write(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
        })*
    };
}

cell!(u8, u32, u64, f64);

/// A column of an index: one number a row.
pub(crate) struct Column<T> {
    bytes: OwnedBytes,
    cell: PhantomData<T>,
}

impl<T: Cell> Column<T> {
    /// Opens the column `name`.
    pub(crate) fn open(directory: &dyn Directory, name: &str) -> io::Result<Self> {
        let bytes = open(directory, name)?;
        if bytes.len() % T::LEN != 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, format!("{name} is cut off")));
        }
        Ok(Self { bytes, cell: PhantomData })
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() / T::LEN
    }

    /// The number in row `at`.
    pub(crate) fn at(&self, at: usize) -> T {
        T::read(&self.bytes[at * T::LEN..(at + 1) * T::LEN])
    }

    /// The numbers in rows `from` to `to`, the last not included.
    pub(crate) fn range(&self, from: usize, to: usize) -> impl ExactSizeIterator<Item = T> + '_ {
        self.bytes[from * T::LEN..to * T::LEN].chunks_exact(T::LEN).map(T::read)
    }

    /// The first row whose number does not satisfy `is_before`; all that do come first.
    pub(crate) fn partition_point(&self, is_before: impl Fn(T) -> bool) -> usize {
        let (mut from, mut to) = (0, self.len());
        while from < to {
            let middle = usize::midpoint(from, to);
            if is_before(self.at(middle)) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        from
    }
}

/// Lists of different lengths, one a row, in one column with another of their ends.
pub(crate) struct Lists<T> {
    ends: Column<u32>,
    values: Column<T>,
}

impl<T: Cell> Lists<T> {
    pub(crate) fn open(directory: &dyn Directory, name: &str) -> io::Result<Self> {
        let ends = Column::open(directory, &format!("{name}.ends"))?;
        Ok(Self { ends, values: Column::open(directory, name)? })
    }

    /// The list of row `at`.
    pub(crate) fn at(&self, at: usize) -> impl ExactSizeIterator<Item = T> + '_ {
        let from = if at == 0 { 0 } else { self.ends.at(at - 1) };
        self.values.range(from as usize, self.ends.at(at) as usize)
    }
}

/// Lists on their way to a file.
pub(crate) struct ListsWriter<T> {
    ends: Vec<u32>,
    values: Vec<T>,
}

impl<T> Default for ListsWriter<T> {
    fn default() -> Self {
        Self { ends: Vec::new(), values: Vec::new() }
    }
}

impl<T: Cell> ListsWriter<T> {
    /// Adds the next row.
    pub(crate) fn push(&mut self, row: impl IntoIterator<Item = T>) {
        self.values.extend(row);
        self.ends.push(u32::try_from(self.values.len()).unwrap_or(u32::MAX));
    }

    pub(crate) fn write(self, directory: &dyn Directory, name: &str) -> io::Result<()> {
        write_column(directory, &format!("{name}.ends"), &self.ends)?;
        write_column(directory, name, &self.values)
    }
}

/// Byte strings of different lengths, by row.
pub(crate) struct Blobs {
    ends: Column<u64>,
    bytes: OwnedBytes,
}

impl Blobs {
    pub(crate) fn open(directory: &dyn Directory, name: &str) -> io::Result<Self> {
        let ends = Column::open(directory, &format!("{name}.ends"))?;
        Ok(Self { ends, bytes: open(directory, name)? })
    }

    /// The bytes of row `at`.
    pub(crate) fn at(&self, at: usize) -> &[u8] {
        let from = if at == 0 { 0 } else { self.ends.at(at - 1) };
        &self.bytes[offset(from)..offset(self.ends.at(at))]
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }
}

/// Blobs on their way to a file, which holds all but their ends at once.
pub(crate) struct BlobsWriter {
    out: Box<dyn TerminatingWrite>,
    ends: Vec<u64>,
    name: String,
}

impl BlobsWriter {
    pub(crate) fn create(directory: &dyn Directory, name: &str) -> io::Result<Self> {
        let out = create(directory, name)?;
        Ok(Self { out, ends: Vec::new(), name: name.to_owned() })
    }

    /// Adds the next row.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        let end = self.ends.last().copied().unwrap_or(0) + bytes.len() as u64;
        self.ends.push(end);
        Ok(())
    }

    pub(crate) fn finish(self, directory: &dyn Directory) -> io::Result<()> {
        self.out.terminate()?;
        write_column(directory, &format!("{}.ends", self.name), &self.ends)
    }
}

/// Writes `cells` as the column `name`.
pub(crate) fn write_column<T: Cell>(
    directory: &dyn Directory,
    name: &str,
    cells: &[T],
) -> io::Result<()> {
    const CHUNK: usize = 8192;
    let mut out = create(directory, name)?;
    let mut bytes = Vec::with_capacity(CHUNK * T::LEN);
    for chunk in cells.chunks(CHUNK) {
        bytes.clear();
        chunk.iter().for_each(|cell| cell.write(&mut bytes));
        out.write_all(&bytes)?;
    }
    out.terminate()
}

/// Writes `bytes` as the file `name`.
pub(crate) fn write_bytes(directory: &dyn Directory, name: &str, bytes: &[u8]) -> io::Result<()> {
    let mut out = create(directory, name)?;
    out.write_all(bytes)?;
    out.terminate()
}

/// The whole file `name`.
pub(crate) fn open(directory: &dyn Directory, name: &str) -> io::Result<OwnedBytes> {
    let file = directory.open_read(Path::new(name)).map_err(io::Error::other)?;
    file.read_bytes()
}

fn create(directory: &dyn Directory, name: &str) -> io::Result<Box<dyn TerminatingWrite>> {
    Ok(Box::new(directory.open_write(Path::new(name)).map_err(io::Error::other)?))
}

fn offset(at: u64) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}
