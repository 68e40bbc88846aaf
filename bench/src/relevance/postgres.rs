//! The second baseline: PostgreSQL's full-text search, through its own programs.
//!
//! `to_tsvector` and `websearch_to_tsquery` in the corpus's language, ordered by
//! `ts_rank_cd`, ties by the order of ids. The server listens on a socket in a
//! temporary folder only, runs as an unprivileged user, and ends with the measurement.

use crate::relevance::corpus::Corpus;
use crate::relevance::{DEPTH, Ranking, RelevanceError};
use std::fmt::Write as _;
use std::io::Write as _;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Where Debian puts programs that are not in the path.
const DEBIAN: &str = "/usr/lib/postgresql/15/bin";
/// Whose rights the server gets when we are root, which it refuses to run as.
const UNPRIVILEGED: &str = "nobody";

/// Answers of PostgreSQL.
///
/// # Errors
///
/// [`RelevanceError::NoPostgres`] where it is not installed; otherwise what failed.
pub fn answer(corpus: &Corpus, queries: &[&str]) -> Result<Vec<Ranking>, RelevanceError> {
    let server = Server::start()?;
    let said = server.psql(&script(corpus, queries))?;
    let mut answers = vec![Ranking::new(); queries.len()];
    for line in said.lines() {
        let numbers = line.split_once('|').map(|(q, place)| (q.parse(), place.parse()));
        if let Some((Ok::<usize, _>(query), Ok(place))) = numbers
            && let Some(answer) = answers.get_mut(query)
        {
            answer.push(place);
        }
    }
    Ok(answers)
}

fn script(corpus: &Corpus, queries: &[&str]) -> String {
    let language = if corpus.language.primary() == "pt" { "portuguese" } else { "english" };
    let mut sql = "CREATE TABLE product (place int, words tsvector);\n\
                   CREATE TEMPORARY TABLE body (place int, body text);\n\
                   COPY body FROM STDIN;\n"
        .to_owned();
    for (place, body) in corpus.bodies.iter().enumerate() {
        let body = body.replace('\\', "\\\\").replace('\n', "\\n");
        let body = body.replace('\t', "\\t").replace('\r', "\\r");
        // Writing to a String does not fail.
        let _ = writeln!(sql, "{place}\t{body}");
    }
    let _ = writeln!(
        sql,
        "\\.\nINSERT INTO product SELECT place, to_tsvector('{language}', body) FROM body;"
    );
    for (number, words) in queries.iter().enumerate() {
        let words = words.replace('\'', "''");
        let _ = writeln!(
            sql,
            "SELECT {number}, place FROM product, websearch_to_tsquery('{language}', '{words}') q \
             WHERE words @@ q ORDER BY ts_rank_cd(words, q) DESC, place LIMIT {DEPTH};"
        );
    }
    sql
}

/// A server of our own; ends when it is dropped.
struct Server {
    folder: TempDir,
    programs: PathBuf,
    root: bool,
}

impl Server {
    fn start() -> Result<Self, RelevanceError> {
        let programs = programs().ok_or(RelevanceError::NoPostgres)?;
        let folder = tempfile::Builder::new().prefix("relevance-").tempdir()?;
        let root = std::fs::metadata(folder.path())?.uid() == 0;
        let server = Self { folder, programs, root };
        if root {
            let mut own = Command::new("chown");
            run(own.arg(UNPRIVILEGED).arg(server.folder.path()), "")?;
        }
        let mut init = server.command("initdb");
        init.args(["-A", "trust", "-U", "bench", "-E", "UTF8", "--no-locale", "--no-sync", "-D"]);
        run(init.arg(server.data()), "")?;
        let options = format!(
            "-c listen_addresses='' -c unix_socket_directories='{}' -c fsync=off",
            server.folder.path().display()
        );
        let mut start = server.command("pg_ctl");
        start.args(["-w", "start", "-o", &options, "-l"]);
        run(start.arg(server.folder.path().join("log")).arg("-D").arg(server.data()), "")?;
        Ok(server)
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn command(&self, program: &str) -> Command {
        let path = self.programs.join(program);
        let mut command = if self.root {
            let mut command = Command::new("runuser");
            command.args(["-u", UNPRIVILEGED, "--"]).arg(path);
            command
        } else {
            Command::new(path)
        };
        command.current_dir(self.folder.path());
        command
    }

    fn psql(&self, script: &str) -> Result<String, RelevanceError> {
        let mut psql = self.command("psql");
        psql.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-U", "bench"]);
        psql.args(["-d", "postgres", "-h"]).arg(self.folder.path()).args(["-f", "-"]);
        run(&mut psql, script)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // By the server's own note of its process; nothing to do about a failure.
        let mut stop = self.command("pg_ctl");
        let _ = run(stop.args(["-w", "-m", "immediate", "stop", "-D"]).arg(self.data()), "");
    }
}

/// The folder of the programs: Debian's, else one of the path.
fn programs() -> Option<PathBuf> {
    let complete = |folder: &PathBuf| {
        ["initdb", "pg_ctl", "psql"].iter().all(|name| folder.join(name).is_file())
    };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(Path::new(DEBIAN).to_owned());
    folders.chain(std::env::split_paths(&path)).find(complete)
}

/// Runs a program to its end and gives back what it wrote.
///
/// Output goes to files: a server that pg_ctl leaves running would hold a pipe open.
fn run(command: &mut Command, input: &str) -> Result<String, RelevanceError> {
    let (mut given, out, err) =
        (tempfile::tempfile()?, tempfile::tempfile()?, tempfile::tempfile()?);
    given.write_all(input.as_bytes())?;
    rewind(&mut given)?;
    let (stdout, stderr) = (Stdio::from(out.try_clone()?), Stdio::from(err.try_clone()?));
    let status = command.stdin(given).stdout(stdout).stderr(stderr).status()?;
    if status.success() {
        return text(out);
    }
    let program = command.get_program().to_string_lossy().into_owned();
    Err(RelevanceError::Postgres { program, said: text(err)? })
}

fn rewind(file: &mut std::fs::File) -> std::io::Result<()> {
    std::io::Seek::rewind(file)
}

fn text(mut file: std::fs::File) -> Result<String, RelevanceError> {
    rewind(&mut file)?;
    Ok(std::io::read_to_string(file)?)
}
