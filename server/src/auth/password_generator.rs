//! Passwords that Docket makes up: the one place of this crate that draws random numbers.

use rand::{RngExt, seq::IndexedRandom};

/// Short, common, hard to mistake for one another when read aloud.
const WORDS: &[&str] = &[
    "acorn", "amber", "anchor", "apple", "arrow", "aspen", "autumn", "badge", "bamboo", "basil", "beach", "birch",
    "bloom", "breeze", "brick", "brook", "butter", "cabin", "candle", "canoe", "canyon", "cedar", "chalk", "cherry",
    "cider", "clover", "cobalt", "copper", "coral", "cotton", "crane", "cricket", "dahlia", "daisy", "delta", "desert",
    "dune", "eagle", "ember", "falcon", "fern", "fiddle", "flint", "forest", "garden", "ginger", "glacier", "grape",
    "gravel", "harbor", "hazel", "heron", "honey", "iris", "island", "ivory", "jasper", "juniper", "kettle", "lagoon",
    "lantern", "lemon", "lilac", "linen", "lotus", "magnet", "maple", "marble", "meadow", "melon", "mint", "mosaic",
    "nectar", "nutmeg", "oak", "ocean", "olive", "onyx", "opal", "orchid", "otter", "pebble", "pepper", "pine",
    "planet", "plum", "pond", "poppy", "prairie", "quartz", "quill", "raven", "reef", "river", "robin", "saffron",
    "sage", "satin", "shell", "sierra", "silver", "slate", "sparrow", "spruce", "summit", "sunset", "thyme", "timber",
    "topaz", "tulip", "velvet", "violet", "walnut", "willow", "winter", "zephyr",
];

/// A password to keep: six words, some forty bits, behind argon2 and a throttle.
pub fn password() -> String {
    words(6)
}

/// A password for a demo on one's own machine: `slate-fern-07`.
#[expect(clippy::disallowed_methods, reason = "the one place that draws")]
pub fn demo_password() -> String {
    format!("{}-{:02}", words(2), rand::rng().random_range(0..100))
}

#[expect(clippy::disallowed_methods, reason = "the one place that draws")]
fn words(count: usize) -> String {
    let mut rng = rand::rng();
    let chosen: Vec<&str> = (0..count).filter_map(|_| WORDS.choose(&mut rng).copied()).collect();
    chosen.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_long_enough_and_differ() {
        let (one, other) = (password(), password());
        assert_ne!(one, other);
        assert_eq!(one.split('-').count(), 6);
        // Two of the shortest words still make ten characters.
        assert!(WORDS.iter().map(|word| word.len()).min().unwrap() * 2 + 4 >= 10);
    }
}
