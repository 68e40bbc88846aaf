//! What a process has used, as proc(5) tells it.

use super::LoadError;
use std::fs;

/// Ticks of a second in /proc/PID/stat. The kernel's USER_HZ is 100 on every
/// architecture that the server is built for, whatever its own clock is.
const TICKS_PER_SECOND: f64 = 100.0;

/// Resident memory in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// Now, all of it.
    pub resident: u64,
    /// The most that it ever was.
    pub peak: u64,
    /// Now, what no file stands behind.
    pub anonymous: u64,
    /// Now, pages of mapped files, the program's own among them.
    pub of_files: u64,
}

/// Seconds of CPU that a process has used, in user mode and in the kernel, all its
/// threads together; it moves in steps of 10 ms.
///
/// # Errors
///
/// The process is gone, or its figures are not as proc(5) says.
pub fn cpu_seconds(pid: u32) -> Result<f64, LoadError> {
    let text = read(pid, "stat")?;
    cpu_ticks(&text).map(|ticks| ticks as f64 / TICKS_PER_SECOND).ok_or(LoadError::Proc {
        pid,
        file: "stat",
        field: "utime",
    })
}

/// What a process has in memory.
///
/// # Errors
///
/// As [`cpu_seconds`].
pub fn memory(pid: u32) -> Result<Memory, LoadError> {
    let text = read(pid, "status")?;
    let field = |field| {
        kilobytes(&text, field).map(|kilobytes| kilobytes * 1024).ok_or(LoadError::Proc {
            pid,
            file: "status",
            field,
        })
    };
    Ok(Memory {
        resident: field("VmRSS")?,
        peak: field("VmHWM")?,
        anonymous: field("RssAnon")?,
        of_files: field("RssFile")?,
    })
}

fn read(pid: u32, file: &'static str) -> Result<String, LoadError> {
    let text = fs::read_to_string(format!("/proc/{pid}/{file}"));
    text.map_err(LoadError::system("read what a process has used"))
}

/// utime and stime, the 14th and 15th field. The 2nd is the program's name in
/// brackets, which may hold blanks and brackets of its own.
fn cpu_ticks(stat: &str) -> Option<u64> {
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut fields = after_name.split_ascii_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let kernel: u64 = fields.next()?.parse().ok()?;
    Some(user + kernel)
}

fn kilobytes(status: &str, field: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{cpu_ticks, kilobytes};

    #[test]
    fn a_line_of_stat() {
        let stat = "4711 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 120 34 0 0 20 0 5 0";
        assert_eq!(cpu_ticks(stat), Some(154));
        assert_eq!(cpu_ticks("4711 (x) S 1"), None);
    }

    #[test]
    fn lines_of_status() {
        let status = "Name:\tx\nVmHWM:\t  2048 kB\nVmRSS:\t   512 kB\nThreads:\t5\n";
        assert_eq!(kilobytes(status, "VmRSS"), Some(512));
        assert_eq!(kilobytes(status, "VmHWM"), Some(2048));
        assert_eq!(kilobytes(status, "Threads"), None);
        assert_eq!(kilobytes(status, "RssAnon"), None);
    }
}
