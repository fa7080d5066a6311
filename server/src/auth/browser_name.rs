//! The name of a browser, for the list of one's sessions.

/// The most telling first: most browsers also name those they descend from.
const BROWSERS: [(&str, &str); 6] = [
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
];
const SYSTEMS: [(&str, &str); 7] = [
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

/// `Firefox on Linux` for what a browser says of itself.
pub fn name(agent: &str) -> Option<String> {
    let of =
        |known: &[(&str, &'static str)]| known.iter().find(|(part, _)| agent.contains(part)).map(|(_, name)| *name);
    match (of(&BROWSERS), of(&SYSTEMS)) {
        (Some(browser), Some(system)) => Some(format!("{browser} on {system}")),
        (one, other) => one.or(other).map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_telling_name_wins() {
        let edge = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36 Edg/142.0";
        assert_eq!(name(edge).as_deref(), Some("Edge on Windows"));
        let phone =
            "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Safari/604.1";
        assert_eq!(name(phone).as_deref(), Some("Safari on iPhone"));
        assert_eq!(name("curl/8.1").as_deref(), Some("curl"));
        assert_eq!(name("robot"), None);
    }
}
