//! How many connections there may be, and which of them has to go when one more comes: of the place that has most, the one
//! that has been silent longest. Whoever opens many and says nothing loses their own, and everybody else comes in at once.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use caseload::request_origin::network;
use tokio_util::sync::CancellationToken;

/// The connections there are.
pub struct ConnectionRoom {
    most: usize,
    began: Instant,
    open: Mutex<OpenConnections>,
}

#[derive(Default)]
struct OpenConnections {
    /// By their numbers.
    connections: HashMap<u64, OpenConnection>,
    /// How many there ever were.
    given: u64,
}

#[derive(Clone)]
struct OpenConnection {
    place: IpAddr,
    /// When it last carried anything, in milliseconds since the room is there.
    heard: Arc<AtomicU64>,
    leave: CancellationToken,
}

/// A connection's place in the room, until it is dropped.
pub struct ConnectionSlot {
    room: Arc<ConnectionRoom>,
    number: u64,
    connection: OpenConnection,
}

impl ConnectionRoom {
    pub fn new(most: usize) -> Arc<ConnectionRoom> {
        Arc::new(ConnectionRoom { most, began: Instant::now(), open: Mutex::default() })
    }

    /// A place for a connection from there. Where none is free, another connection is told to leave.
    pub fn enter(self: &Arc<ConnectionRoom>, from: IpAddr) -> ConnectionSlot {
        let connection = OpenConnection {
            place: network(from),
            heard: Arc::new(AtomicU64::new(self.now())),
            leave: CancellationToken::new(),
        };
        let mut open = self.lock();
        if open.connections.len() >= self.most
            && let Some(leaver) = open.next_to_leave().and_then(|number| open.connections.remove(&number))
        {
            leaver.leave.cancel();
            tracing::debug!(place = %leaver.place, "a silent connection made room for another one");
        }
        open.given += 1;
        let number = open.given;
        open.connections.insert(number, connection.clone());
        ConnectionSlot { room: self.clone(), number, connection }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn lock(&self) -> MutexGuard<'_, OpenConnections> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenConnections {
    fn next_to_leave(&self) -> Option<u64> {
        let mut of_place = HashMap::<IpAddr, usize>::new();
        for connection in self.connections.values() {
            *of_place.entry(connection.place).or_default() += 1;
        }
        let most = of_place.values().copied().max()?;
        let greedy = self.connections.iter().filter(|(_, connection)| of_place[&connection.place] == most);
        let silent = greedy.min_by_key(|(number, connection)| (connection.heard.load(Ordering::Relaxed), **number));
        silent.map(|(number, _)| *number)
    }
}

impl ConnectionSlot {
    /// Says that the connection has carried something; for whoever reads and writes it.
    pub fn heard(&self) -> impl Fn() + Send + 'static {
        let (room, heard) = (self.room.clone(), self.connection.heard.clone());
        move || heard.store(room.now(), Ordering::Relaxed)
    }

    /// Returns when another connection is to have the place.
    pub async fn lost(&self) {
        self.connection.leave.cancelled().await;
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.room.lock().connections.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(address: &str) -> IpAddr {
        address.parse().unwrap()
    }

    fn stays(seat: &ConnectionSlot) -> bool {
        !seat.connection.leave.is_cancelled()
    }

    #[test]
    fn whoever_has_most_loses_the_one_that_is_silent_longest() {
        let room = ConnectionRoom::new(4);
        let other = room.enter(at("198.51.100.7"));
        let many: Vec<ConnectionSlot> = (0..3).map(|_| room.enter(at("203.0.113.9"))).collect();
        many[0].connection.heard.store(5_000, Ordering::Relaxed);
        let next = room.enter(at("192.0.2.1"));
        assert_eq!(many.iter().map(stays).collect::<Vec<_>>(), [true, false, true]);
        assert!(stays(&other) && stays(&next));
        let another = room.enter(at("203.0.113.9"));
        assert_eq!(many.iter().map(stays).collect::<Vec<_>>(), [true, false, false], "their own, even for their own");
        drop(many);
        let free: Vec<ConnectionSlot> = (0..1).map(|_| room.enter(at("192.0.2.2"))).collect();
        assert!([&other, &next, &another, &free[0]].into_iter().all(stays), "who has gone has left a place");
    }

    #[test]
    fn neighbours_in_one_network_are_one_place() {
        let room = ConnectionRoom::new(2);
        let other = room.enter(at("198.51.100.7"));
        let first = room.enter(at("2001:db8::1"));
        other.connection.heard.store(9_000, Ordering::Relaxed);
        let (second, third) = (room.enter(at("2001:db8::2")), room.enter(at("2001:db8::3")));
        assert_eq!([&first, &second, &third, &other].map(stays), [false, false, true, true]);
    }
}
