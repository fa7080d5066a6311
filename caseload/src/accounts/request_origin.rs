//! By what somebody is known and where they are. Every actor carries it, and so every entry of the audit says both.

use std::{
    fmt,
    net::{IpAddr, Ipv6Addr},
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
};

use model::{AccessTokenId, DirectoryTokenId, Problem, TaskId};

/// What somebody is known by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Credential {
    /// A session, by its id in the list of sessions.
    Session(String),
    Token(AccessTokenId),
    /// Nothing: nobody knows who it was.
    Nothing,
    /// A password or a link at the door, right or wrong.
    Password,
    /// A passkey at the door, right or wrong.
    Passkey,
    /// The word of a provider, by its name in the settings.
    Provider(String),
    /// A token of the directory of the institution.
    Directory(DirectoryTokenId),
    /// A task that runs for them.
    Task(TaskId),
    /// That they can run a command on the machine.
    Command,
    /// It is Docket itself.
    Docket,
}

/// As the audit has it: `session:…`, `token:…`.
impl fmt::Display for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Credential::Session(id) => write!(f, "session:{id}"),
            Credential::Token(id) => write!(f, "token:{id}"),
            Credential::Nothing => Ok(()),
            Credential::Password => f.write_str("password"),
            Credential::Passkey => f.write_str("passkey"),
            Credential::Provider(name) => write!(f, "provider:{name}"),
            Credential::Directory(id) => write!(f, "directory:{id}"),
            Credential::Task(id) => write!(f, "task:{id}"),
            Credential::Command => f.write_str("command"),
            Credential::Docket => f.write_str("docket"),
        }
    }
}

/// By what somebody is known, and where they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Via {
    pub credential: Credential,
    /// Absent where no network is between.
    pub source: Option<IpAddr>,
    /// What they were refused, for whoever answers the request.
    pub refused: RefusalsNoted,
}

impl Via {
    pub fn new(credential: Credential, source: Option<IpAddr>) -> Via {
        Via { credential, source, refused: RefusalsNoted::default() }
    }

    /// At the machine itself.
    pub fn command() -> Via {
        Via::new(Credential::Command, None)
    }

    /// Without anybody present.
    pub fn docket() -> Via {
        Via::new(Credential::Docket, None)
    }
}

/// Whether somebody asked for what they may not have. Shared by all who speak of one request: what is refused deep inside is told
/// at its edge, whatever the answer has become on the way.
#[derive(Clone, Debug, Default)]
pub struct RefusalsNoted(Arc<AtomicU8>);

/// Two are alike whatever has been refused meanwhile.
impl PartialEq for RefusalsNoted {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for RefusalsNoted {}

const FORBIDDEN: u8 = 1;
const HIDDEN: u8 = 2;
const THROTTLED: u8 = 4;

impl RefusalsNoted {
    /// They lack the right to it.
    pub fn note_forbidden(&self) {
        self.0.fetch_or(FORBIDDEN, Ordering::Relaxed);
    }

    /// It is there, and to them it is not.
    pub fn note_hidden(&self) {
        self.0.fetch_or(HIDDEN, Ordering::Relaxed);
    }

    /// What a refusal on its way out says, whoever made it and whatever the answer becomes.
    pub fn note(&self, problem: &Problem) {
        match problem.status {
            403 => self.note_forbidden(),
            429 => drop(self.0.fetch_or(THROTTLED, Ordering::Relaxed)),
            _ => {}
        }
    }

    pub fn is_throttled(&self) -> bool {
        self.0.load(Ordering::Relaxed) & THROTTLED != 0
    }

    pub fn is_forbidden(&self) -> bool {
        self.0.load(Ordering::Relaxed) & FORBIDDEN != 0
    }

    pub fn is_hidden(&self) -> bool {
        self.0.load(Ordering::Relaxed) & HIDDEN != 0
    }
}

/// What counts as one place: an address, or the /64 of IPv6 ones that every customer of a provider has to call from.
pub fn network(source: IpAddr) -> IpAddr {
    match source.to_canonical() {
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() & (u128::MAX << 64)).into(),
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_neighbouring_address_of_the_same_network_is_the_same_place() {
        let network = |text: &str| network(text.parse().unwrap()).to_string();
        assert_eq!(network("2001:db8:0:1::7"), network("2001:db8:0:1:ffff::1"));
        assert_ne!(network("2001:db8:0:1::7"), network("2001:db8:0:2::7"));
        assert_eq!(network("::ffff:10.0.0.2"), "10.0.0.2");
    }
}
