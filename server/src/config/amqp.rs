//! What the URL of a broker may say beside user, password, host, port and virtual host. The broker's client takes no notice of what
//! it does not know, so that a slip of the pen would be a setting that is not in effect.

use url::Url;

/// The ways to sign in that the client knows.
const MECHANISMS: [&str; 5] = ["plain", "amqplain", "external", "anonymous", "rabbit-cr-demo"];

/// Refuses a parameter that there is not, that is there twice, or that does not take what it is given.
pub fn parameters(url: &Url) -> Result<(), String> {
    let mut seen = Vec::new();
    for (name, value) in url.query_pairs() {
        let needed = match &*name {
            "frame_max" => value.parse::<u32>().is_err().then_some("a whole number"),
            "channel_max" => value.parse::<u16>().is_err().then_some("a whole number up to 65535"),
            "heartbeat" => value.parse::<u16>().is_err().then_some("a whole number of seconds, up to 65535"),
            "connection_timeout" => value.parse::<u64>().is_err().then_some("a whole number of milliseconds"),
            "auth_mechanism" => (!MECHANISMS.contains(&value.to_lowercase().as_str()))
                .then_some("plain, amqplain, external, anonymous or rabbit-cr-demo"),
            unknown => return Err(format!("{}there is no such parameter; {KNOWN}", named(unknown))),
        };
        if let Some(needed) = needed {
            return Err(format!("{name}: {needed} is needed"));
        }
        if seen.contains(&name) {
            return Err(format!("{name} is there twice"));
        }
        seen.push(name);
    }
    Ok(())
}

const KNOWN: &str = "frame_max, channel_max, heartbeat, connection_timeout and auth_mechanism are known; in a password ? is \
                     written %3F, & %26 and # %23";

/// A parameter's name, unless it could be a part of a password that was not encoded.
fn named(name: &str) -> String {
    let plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    if plain { format!("{name}: ") } else { String::new() }
}
