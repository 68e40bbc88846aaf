//! The server under load: started here, ended here, by its own handle.

use super::{LoadError, client::Client};
use std::fs::File;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A server that runs until this value is dropped.
#[derive(Debug)]
pub struct Server {
    /// Where it listens.
    pub address: SocketAddr,
    /// From its start until it said that it is ready.
    pub start_up: Duration,
    child: Child,
}

impl Server {
    /// Starts `binary` over the configuration in `folder` and waits until it is ready,
    /// at most `patience`. Its log goes to `load.log` in the folder.
    ///
    /// # Errors
    ///
    /// It cannot be started, ends by itself, or is not ready in time.
    pub fn start(binary: &Path, folder: &Path, patience: Duration) -> Result<Self, LoadError> {
        let config = folder.join("shopkeeper.toml");
        let log = folder.join("load.log");
        let file = |source| LoadError::File { path: log.clone(), source };
        let out = File::create(&log).map_err(file)?;
        let err = out.try_clone().map_err(file)?;
        let address = free_address().map_err(LoadError::system("find a free port"))?;
        let mut command = Command::new(binary);
        for (name, _) in std::env::vars_os() {
            // The measured configuration is the file's, not the caller's.
            if name.to_string_lossy().starts_with("SHOPKEEPER_") {
                command.env_remove(name);
            }
        }
        command.arg("serve").arg(&config).arg("--listen").arg(address.to_string());
        command.stdin(Stdio::null()).stdout(out).stderr(err);
        let begun = Instant::now();
        let child = command
            .spawn()
            .map_err(|source| LoadError::File { path: binary.to_owned(), source })?;
        let mut server = Self { address, start_up: Duration::ZERO, child };
        server.wait_until_ready(begun, patience, log)?;
        server.start_up = begun.elapsed();
        Ok(server)
    }

    /// The id of its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    fn wait_until_ready(
        &mut self,
        begun: Instant,
        patience: Duration,
        log: PathBuf,
    ) -> Result<(), LoadError> {
        loop {
            let ended = self.child.try_wait().map_err(LoadError::system("watch the server"))?;
            if let Some(status) = ended {
                return Err(LoadError::Server { what: format!("ended with {status}"), log });
            }
            let ready = Client::connect(self.address).and_then(|mut client| client.get("/readyz"));
            if ready.is_ok_and(|status| status == 200) {
                return Ok(());
            }
            if begun.elapsed() > patience {
                let what = format!("was not ready after {} s", patience.as_secs());
                return Err(LoadError::Server { what, log });
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself; either way nothing of it is left.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free_address() -> std::io::Result<SocketAddr> {
    TcpListener::bind(("127.0.0.1", 0))?.local_addr()
}
