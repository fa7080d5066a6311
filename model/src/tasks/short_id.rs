//! The one short id of a task. The beginning of an id is the time at which it was made, which many tasks share; its end is
//! drawn at random and tells them apart.

use std::str::FromStr;

use crate::{TaskId, enum_words};

/// The digits of a short id.
const DIGITS: usize = 8;

/// The short id of a task, the same in commands, on pages and in mails: the end of its id.
pub fn short_id(id: TaskId) -> String {
    let end = end_of(id);
    format!("{:08x}", u32::from_be_bytes(end))
}

/// The bytes that a short id shows.
fn end_of(id: TaskId) -> [u8; 4] {
    let [.., a, b, c, d] = *id.uuid().as_bytes();
    [a, b, c, d]
}

/// A task as somebody names it: by its id, or by its short one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskName {
    Whole(TaskId),
    /// The last bytes of the id.
    Short([u8; 4]),
}

impl FromStr for TaskName {
    type Err = String;

    fn from_str(text: &str) -> Result<TaskName, String> {
        let short = Some(text).filter(|text| text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit()));
        if let Some(Ok(end)) = short.map(|text| u32::from_str_radix(text, 16)) {
            return Ok(TaskName::Short(end.to_be_bytes()));
        }
        let whole = text.parse().map(TaskName::Whole);
        whole.map_err(|_| {
            format!("{} is neither the ID of a task nor the {DIGITS} digits it is shown by", enum_words::quoted(text))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_of_one_moment_have_short_ids_of_their_own() {
        let at = "01934f6e-1b2c-7abc-8def-";
        let [one, other] = ["0123456789ab", "012345678fff"].map(|end| format!("{at}{end}").parse().unwrap());
        assert_eq!((short_id(one).as_str(), short_id(other).as_str()), ("456789ab", "45678fff"));
    }

    #[test]
    fn what_is_shown_names_the_task() {
        let id: TaskId = "01934f6e-1b2c-7abc-8def-0123006789AB".parse().unwrap();
        assert_eq!(short_id(id), "006789ab");
        assert_eq!(short_id(id).parse(), Ok(TaskName::Short(end_of(id))));
        assert_eq!("006789AB".parse(), Ok(TaskName::Short(end_of(id))));
        assert_eq!(id.to_string().parse(), Ok(TaskName::Whole(id)));
        for wrong in ["", "6789ab", "+06789ab", "no task", "006789ag"] {
            assert!(wrong.parse::<TaskName>().is_err(), "{wrong}");
        }
    }
}
