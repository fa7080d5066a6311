//! One attempt to connect. The client reads its socket in a thread that waits for the greeting as long as the socket is open,
//! even once nobody waits for the connection any more. So that a broker that accepts and stays silent costs nothing, an attempt
//! that is given up takes its socket along.

use std::{
    net::{Shutdown, TcpStream},
    os::fd::AsFd,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use lapin::{
    Connection, ConnectionProperties, Error,
    runtime::default_runtime,
    tcp::{AsyncTcpStream, TLSConfig},
    uri::{AMQPScheme, AMQPUri},
};

/// Where an attempt stands.
#[derive(Default)]
enum ConnectionAttempt {
    #[default]
    Begun,
    /// With another handle on the socket of the thread.
    Connected(TcpStream),
    /// Connected for good, or given up.
    Over,
}

/// Gives the attempt up unless it has succeeded before.
struct GiveUp(Arc<Mutex<ConnectionAttempt>>);

impl Drop for GiveUp {
    fn drop(&mut self) {
        if let ConnectionAttempt::Connected(socket) = std::mem::replace(&mut *lock(&self.0), ConnectionAttempt::Over) {
            // Refused by a socket that is closed already.
            let _ = socket.shutdown(Shutdown::Both);
        }
    }
}

/// Connects. Dropped before the end, it leaves nothing behind.
pub async fn open(uri: AMQPUri, properties: ConnectionProperties) -> lapin::Result<Connection> {
    let attempt = Arc::<Mutex<ConnectionAttempt>>::default();
    let given_up = GiveUp(attempt.clone());
    let connection = Connection::connector(
        uri,
        default_runtime()?,
        async move |uri, runtime| {
            let (host, port) = (uri.authority.host, uri.authority.port);
            let stream = AsyncTcpStream::connect(&runtime, runtime.to_socket_addrs((host.clone(), port))).await?;
            if let AsyncTcpStream::Plain(plain) = &stream {
                begun(&attempt, plain.get_ref().as_fd().try_clone_to_owned()?.into())?;
            }
            match uri.scheme {
                AMQPScheme::AMQP => Ok(stream),
                AMQPScheme::AMQPS => Ok(stream.into_tls(&host, TLSConfig::default()).await?),
            }
        },
        properties,
    )
    .await?;
    *lock(&given_up.0) = ConnectionAttempt::Over;
    Ok(connection)
}

/// Notes the socket, unless the attempt is over: the client tries more than once.
fn begun(attempt: &Mutex<ConnectionAttempt>, socket: TcpStream) -> Result<(), Error> {
    let mut attempt = lock(attempt);
    if matches!(*attempt, ConnectionAttempt::Over) {
        return Err(std::io::Error::from(std::io::ErrorKind::ConnectionAborted).into());
    }
    *attempt = ConnectionAttempt::Connected(socket);
    Ok(())
}

fn lock(attempt: &Mutex<ConnectionAttempt>) -> MutexGuard<'_, ConnectionAttempt> {
    attempt.lock().unwrap_or_else(PoisonError::into_inner)
}
