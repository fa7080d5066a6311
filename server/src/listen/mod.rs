//! How requests come in. There is room for so many connections ([`connection_limit`]), each holds little memory, and one that is silent for
//! too long is closed: whether it owes the rest of a request, takes no more of its answer, or just stays. How long the parts of a
//! body may take is seen to by a layer of the router, since only a handler asks for them.

mod connection_limit;

use std::{io, net::SocketAddr, pin::pin, time::Duration};

use axum::{Router, body::Body, extract::Request};
use hyper::{body::Incoming, server::conn::http1};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinSet,
    time::sleep,
};
use tokio_io_timeout::TimeoutStream;
use tokio_util::{
    io::{InspectReader, InspectWriter},
    sync::CancellationToken,
};
use tower::ServiceExt;

use self::connection_limit::{ConnectionRoom, ConnectionSlot};
use crate::{config::http::Bounds, web::client_address};

/// What a connection holds at most of a request's head, or of an answer that is not taken. It is twice what proxies take, and
/// so little that many who do not listen cost little.
const BUFFER: usize = 16 * 1024;
/// How long to wait when the machine has no more room for connections.
const PAUSE: Duration = Duration::from_secs(1);

/// Answers requests until `closing`, then finishes those under way. Whoever drops it ends all connections.
pub async fn listen(listener: TcpListener, router: Router, bounds: Bounds, closing: CancellationToken) {
    let room = ConnectionRoom::new(bounds.connections);
    let mut connections = JoinSet::new();
    while let Some(accepted) = closing.run_until_cancelled(listener.accept()).await {
        // Those that have ended are let go of.
        while connections.try_join_next().is_some() {}
        match accepted {
            Ok((stream, from)) => {
                let (router, closing, seat) = (router.clone(), closing.clone(), room.enter(from.ip()));
                connections.spawn(async move {
                    tokio::select! {
                        ended = serve(stream, from, &seat, router, bounds.idle, closing) => if let Err(error) = ended {
                            tracing::debug!(%error, "a connection ended before its time");
                        },
                        () = seat.lost() => {}
                    }
                });
            }
            Err(error) if is_of_one(&error) => {}
            Err(error) => {
                tracing::error!(%error, "no connection can be accepted");
                sleep(PAUSE).await;
            }
        }
    }
    drop(listener);
    while connections.join_next().await.is_some() {}
}

/// Whether only this one connection could not be accepted.
fn is_of_one(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

async fn serve(
    stream: TcpStream,
    from: SocketAddr,
    seat: &ConnectionSlot,
    router: Router,
    idle: Duration,
    closing: CancellationToken,
) -> hyper::Result<()> {
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(idle));
    let service = router.map_request(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        client_address::arrived(&mut request, from);
        request
    });
    let mut http = http1::Builder::new();
    // The time for a head begins with the silence before it.
    http.timer(TokioTimer::new()).header_read_timeout(idle).max_buf_size(BUFFER);
    let (read, written) = (seat.heard(), seat.heard());
    let stream = InspectReader::new(InspectWriter::new(Box::pin(stream), move |_| written()), move |_| read());
    let io = TokioIo::new(stream);
    let mut connection = pin!(http.serve_connection(io, TowerToHyperService::new(service)));
    tokio::select! {
        ended = connection.as_mut() => return ended,
        () = closing.cancelled() => connection.as_mut().graceful_shutdown(),
    }
    connection.await
}
