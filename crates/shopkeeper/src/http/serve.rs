//! The listener: connections in, graceful end out.

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::future::Future;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt;

/// How long a client may take to send the head of a request.
const HEADER_TIME: Duration = Duration::from_secs(15);

/// How long requests in flight get to finish after the signal to stop.
const GRACE: Duration = Duration::from_secs(20);

/// How long to wait when the system cannot give another connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Why the server cannot listen.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot listen on {address}: {source}\nStop what uses the port, or choose another with --listen."
)]
pub struct ServeError {
    /// Where.
    pub address: SocketAddr,
    /// What the system says.
    pub source: std::io::Error,
}

/// Serves `router` on `listener` until `stop` is done; then takes no more
/// connections and lets the requests in flight finish.
pub async fn serve(listener: TcpListener, router: Router, stop: impl Future<Output = ()>) {
    let connections = GracefulShutdown::new();
    tokio::pin!(stop);
    loop {
        tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => start(stream, peer, router.clone(), &connections),
                Err(error) => {
                    // Out of file descriptors, or the client is gone already.
                    tracing::warn!(%error, "a connection was not accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
        }
    }
    drop(listener);
    if tokio::time::timeout(GRACE, connections.shutdown()).await.is_err() {
        tracing::warn!("some requests did not finish in {} s and are cut off", GRACE.as_secs());
    }
}

fn start(stream: TcpStream, peer: SocketAddr, router: Router, connections: &GracefulShutdown) {
    // A response is one write; waiting for more to send would only delay it.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "TCP_NODELAY");
    }
    let service = router.map_request(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(peer);
        request.map(axum::body::Body::new)
    });
    let mut server = hyper::server::conn::http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEADER_TIME);
    let connection =
        server.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
    let connection = connections.watch(connection);
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "connection");
        }
    });
}
