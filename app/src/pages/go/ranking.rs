//! How well a name fits what was typed, and which part of it did.

/// How well; nothing if not all words are in it. The best is 0.
pub fn rank(name: &str, asked: &str) -> Option<u8> {
    let (name, asked) = (name.to_lowercase(), asked.trim().to_lowercase());
    let words: Vec<&str> = asked.split_whitespace().collect();
    if name == asked {
        return Some(0);
    }
    if name.starts_with(&asked) {
        return Some(1);
    }
    let begins = |word: &&str| name.split(|c: char| !c.is_alphanumeric()).any(|part| part.starts_with(word));
    if words.iter().all(begins) {
        return Some(2);
    }
    words.iter().all(|word| name.contains(word)).then_some(3)
}

/// The name in parts: those that begin as one of the words does, and those between them.
pub fn marked(name: &str, asked: &str) -> Vec<(String, bool)> {
    let words: Vec<Vec<char>> =
        asked.split_whitespace().map(|word| word.chars().flat_map(char::to_lowercase).collect()).collect();
    let letters: Vec<char> = name.chars().collect();
    let mut parts: Vec<(String, bool)> = Vec::new();
    let mut at = 0;
    while let Some(letter) = letters.get(at) {
        let is_begin = at.checked_sub(1).and_then(|before| letters.get(before)).is_none_or(|c| !c.is_alphanumeric());
        let rest = letters.get(at..).unwrap_or_default();
        let hit = words.iter().filter(|word| is_begin && begins(rest, word)).map(Vec::len).max().unwrap_or_default();
        let (text, is_hit): (String, bool) = match hit {
            0 => (letter.to_string(), false),
            hit => (rest.iter().take(hit).collect(), true),
        };
        match parts.last_mut() {
            Some((last, false)) if !is_hit => last.push_str(&text),
            _ => parts.push((text, is_hit)),
        }
        at += hit.max(1);
    }
    parts
}

/// Whether letters begin with a word, whatever their case. What is several letters in the other case is not found.
fn begins(letters: &[char], word: &[char]) -> bool {
    letters.len() >= word.len() && letters.iter().zip(word).all(|(letter, wanted)| letter.to_lowercase().eq([*wanted]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_name_is_better_than_a_beginning_and_that_than_a_middle() {
        assert_eq!(rank("My tasks", "my TASKS "), Some(0));
        assert_eq!(rank("My tasks", "my t"), Some(1));
        assert_eq!(rank("Noor, Samira", "sam noor"), Some(2));
        assert_eq!(rank("El-Noori, Tarek", "oori"), Some(3));
        assert_eq!(rank("Settings", "noor"), None);
    }

    #[test]
    fn what_fits_is_marked() {
        let marked = |name, asked| {
            let parts = marked(name, asked).into_iter();
            parts.map(|(text, hit)| if hit { format!("[{text}]") } else { text }).collect::<String>()
        };
        assert_eq!(marked("Van den Berg, Noortje", "noor"), "Van den Berg, [Noor]tje");
        assert_eq!(marked("Noor, Samira", "SAM noor"), "[Noor], [Sam]ira");
        assert_eq!(marked("İlke Çelik", "çe"), "İlke [Çe]lik");
        assert_eq!(marked("Snoor", "noor"), "Snoor");
        assert_eq!(marked("", "x"), "");
        assert_eq!(marked("Ab", ""), "Ab");
    }
}
