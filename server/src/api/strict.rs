//! What JSON itself leaves open is settled here, once and for every body, before it is read for what it means: a member that
//! is there twice is refused, since which of the two was meant nobody can know, and one that is null is as if it had been left
//! out, whatever its type. A text that holds what no text does is refused as well. What is read after that is the text that is
//! written here. Nothing is built of a body on the way but the names of the members of the
//! objects that are open: whatever it nests, it takes a few times the memory that it has bytes.

use std::{collections::HashSet, fmt};

use model::{Code, Problem};
use serde::{
    Serialize,
    de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor},
};

use crate::web::text_input;

/// The text of an object in two: some of its members, and all others.
#[derive(Default)]
pub struct Parts {
    pub some: Vec<u8>,
    pub others: Vec<u8>,
}

/// Settles the text of an object, and parts it.
pub fn settled(bytes: &[u8], some: &[&str]) -> Result<Parts, Problem> {
    if bytes.iter().find(|byte| !byte.is_ascii_whitespace()).is_some_and(|first| b"[\"0123456789-tfn".contains(first)) {
        return Err(Problem::bad_request(Code::INVALID, "The body has to be a JSON object."));
    }
    let mut walk = Walk::default();
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let read = json.deserialize_map(Top { walk: &mut walk, some });
    match (read, walk.refused.take()) {
        (Ok(parts), _) => {
            let after =
                |_| Problem::bad_request(Code::MALFORMED, "There is something after the JSON of the body. Remove it.");
            json.end().map(|()| parts).map_err(after)
        }
        (Err(_), Some(problem)) => Err(problem),
        // The library has no other way to say it.
        (Err(error), None) if error.to_string().starts_with("recursion limit exceeded") => Err(walk.too_deep()),
        (Err(_), None) => Err(Problem::bad_request(Code::MALFORMED, "The body is not well-formed JSON.")),
    }
}

/// How far the reading is.
#[derive(Default)]
struct Walk {
    /// What has been read, written anew.
    out: Vec<u8>,
    /// The way from the outermost object: `target.query`.
    at: String,
    /// Why it went no further, where it was well-formed.
    refused: Option<Problem>,
}

/// Whether there is a value at all.
#[derive(PartialEq)]
enum ValuePresence {
    Null,
    Something,
}

impl Walk {
    /// Reads the members of an object, each written as `"name":value`. `keep` is told where each begins that is not null.
    fn members<'de, A: MapAccess<'de>>(
        &mut self,
        mut map: A,
        mut keep: impl FnMut(&mut Vec<u8>, usize, &str),
    ) -> Result<(), A::Error> {
        let (mut seen, before) = (HashSet::new(), self.at.len());
        while let Some(name) = map.next_key::<String>()? {
            if before > 0 {
                self.at.push('.');
            }
            self.at.push_str(&name);
            self.text(&name)?;
            if seen.contains(&name) {
                let at = &self.at;
                let twice = format!("{at} is given more than once. Send it once.");
                self.refused = Some(Problem::field(at, "duplicate", twice));
                return Err(A::Error::custom("a member is there twice"));
            }
            let begin = self.out.len();
            self.write(&name)?;
            self.out.push(b':');
            match map.next_value_seed(CheckedValue(self))? {
                ValuePresence::Something => keep(&mut self.out, begin, &name),
                ValuePresence::Null => self.out.truncate(begin),
            }
            self.at.truncate(before);
            seen.insert(name);
        }
        Ok(())
    }

    /// Refuses what is no text, by its place.
    fn text<E: Error>(&mut self, text: &str) -> Result<(), E> {
        if text_input::is_text(text) {
            return Ok(());
        }
        self.refused = Some(text_input::refused(&self.at));
        Err(E::custom("it is no text"))
    }

    /// The refusal of what is nested deeper than anything that is read. The way down says less than where it begins.
    fn too_deep(&self) -> Problem {
        let field = self.at.split(['.', '[']).next().unwrap_or_default();
        Problem::field(field, "invalid", format!("{field} is nested too deeply."))
    }

    fn write<T: Serialize + ?Sized, E: Error>(&mut self, value: &T) -> Result<ValuePresence, E> {
        serde_json::to_writer(&mut self.out, value).map_err(E::custom)?;
        Ok(ValuePresence::Something)
    }
}

/// The outermost object.
struct Top<'a> {
    walk: &'a mut Walk,
    some: &'a [&'a str],
}

impl<'de> Visitor<'de> for Top<'_> {
    type Value = Parts;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Parts, A::Error> {
        let mut parts = Parts::default();
        self.walk.members(map, |out, begin, name| {
            let part = if self.some.contains(&name) { &mut parts.some } else { &mut parts.others };
            part.push(if part.is_empty() { b'{' } else { b',' });
            part.extend(out.drain(begin..));
        })?;
        for part in [&mut parts.some, &mut parts.others] {
            part.extend_from_slice(if part.is_empty() { b"{}" } else { b"}" });
        }
        Ok(parts)
    }
}

/// Any value within it.
struct CheckedValue<'a>(&'a mut Walk);

impl<'de> DeserializeSeed<'de> for CheckedValue<'_> {
    type Value = ValuePresence;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<ValuePresence, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for CheckedValue<'_> {
    type Value = ValuePresence;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<ValuePresence, E> {
        self.0.out.extend_from_slice(b"null");
        Ok(ValuePresence::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<ValuePresence, E> {
        self.0.write(&value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<ValuePresence, E> {
        self.0.write(&value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<ValuePresence, E> {
        self.0.write(&value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<ValuePresence, E> {
        self.0.write(&value)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<ValuePresence, E> {
        self.0.text(value)?;
        self.0.write(value)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<ValuePresence, A::Error> {
        let before = self.0.at.len();
        self.0.out.push(b'[');
        for place in 0.. {
            let begin = self.0.out.len();
            if place > 0 {
                self.0.out.push(b',');
            }
            self.0.at.push_str(&format!("[{place}]"));
            // A null in a list has its place there, so it stays.
            let more = items.next_element_seed(CheckedValue(self.0))?;
            self.0.at.truncate(before);
            if more.is_none() {
                self.0.out.truncate(begin);
                break;
            }
        }
        self.0.out.push(b']');
        Ok(ValuePresence::Something)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ValuePresence, A::Error> {
        let mut empty = true;
        self.0.out.push(b'{');
        self.0.members(map, |out, _, _| {
            out.push(b',');
            empty = false;
        })?;
        if !empty {
            self.0.out.pop();
        }
        self.0.out.push(b'}');
        Ok(ValuePresence::Something)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(json: &str) -> Result<String, String> {
        let parts = settled(json.as_bytes(), &["target"]);
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        parts.map(|parts| format!("{} {}", text(parts.some), text(parts.others))).map_err(|problem| {
            problem.errors.first().map_or(problem.code.clone(), |error| format!("{}: {}", error.field, error.code))
        })
    }

    #[test]
    fn what_is_said_once_stays_as_it_was_said() {
        let json = r#"{"a":[1,-2,3.5,"x\"\n",true,[],{}],"target":{"b":{"c":[null]}},"a b":18446744073709551615}"#;
        let expected =
            r#"{"target":{"b":{"c":[null]}}} {"a":[1,-2,3.5,"x\"\n",true,[],{}],"a b":18446744073709551615}"#;
        assert_eq!(text(json).unwrap(), expected);
        assert_eq!(text("{}").unwrap(), "{} {}");
    }

    #[test]
    fn a_member_that_is_there_twice_is_named_at_any_depth() {
        for (json, named) in [
            (r#"{"target":{"everyone":true},"x":1,"target":{"personIds":[]}}"#, "target"),
            (r#"{"x":1,"\u0078":1}"#, "x"),
            (r#"{"target":{"query":{"q":"a","q":"b"}}}"#, "target.query.q"),
            (r#"{"lines":[{},{"schoolId":"1","schoolId":"2"}]}"#, "lines[1].schoolId"),
            (r#"{"x":null,"x":1}"#, "x"),
        ] {
            assert_eq!(text(json), Err(format!("{named}: duplicate")), "{json}");
        }
    }

    #[test]
    fn what_is_no_text_is_named_by_its_place() {
        assert_eq!(text(r#"{"a":"\\u0000"}"#).unwrap(), r#"{} {"a":"\\u0000"}"#, "a backslash and a word");
        for (json, named) in [
            (r#"{"a":1,"b":["x",{"c":"\u0000"}]}"#, "b[1].c"),
            (r#"{"target":{"schoolIds":["G1","G\u00001"]}}"#, "target.schoolIds[1]"),
            (r#"{"a\u0000":1}"#, "a"),
        ] {
            assert_eq!(text(json), Err(format!("{named}: not_text")), "{json}");
        }
    }

    #[test]
    fn null_is_as_if_it_had_been_left_out() {
        assert_eq!(text(r#"{"target":null,"a":null,"b":{"c":null,"d":1,"e":null}}"#).unwrap(), r#"{} {"b":{"d":1}}"#);
    }

    #[test]
    fn what_is_no_object_is_refused() {
        for (json, code) in [("[]", "invalid"), ("", "malformed"), (r#"{"a""#, "malformed"), ("{} x", "malformed")] {
            assert_eq!(text(json), Err(code.to_owned()), "{json}");
        }
    }

    #[test]
    fn what_is_nested_too_deeply_is_named_by_where_it_begins() {
        assert_eq!(text(&format!("{{\"a\":{{\"b\":{}", "[".repeat(100_000))), Err("a: invalid".to_owned()));
    }
}
