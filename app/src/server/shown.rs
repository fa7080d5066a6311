//! Which rows are on a page that asks for itself again. They stand in the address, of which proxies pass on about 8 kB: each takes 23
//! characters of it.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use model::parameters::MAX_LIMIT;
use uuid::Uuid;

use crate::url;

/// The key that says which they are.
pub const KEY: &str = "shown";
/// No row at all, which a list that has just been asked for does not say.
const NONE: &str = "-";

/// The query string without it, and which rows stay where they are: `None` for a list that is shown for the first time.
pub fn split<Id: From<Uuid>>(search: &str) -> (String, Option<Vec<Id>>) {
    let (shown, pairs): (Vec<_>, Vec<_>) = url::pairs_as_they_are(search).into_iter().partition(|(key, _)| key == KEY);
    (
        url::query(&pairs),
        shown.first().map(|(_, ids)| ids.split('.').take(MAX_LIMIT as usize).filter_map(read).collect()),
    )
}

/// The query string that brings these rows again, where they are.
pub fn with(search: &str, ids: impl IntoIterator<Item = Uuid>) -> String {
    let mut pairs = url::pairs_as_they_are(search);
    let ids: Vec<String> = ids.into_iter().map(|id| URL_SAFE_NO_PAD.encode(id.as_bytes())).collect();
    let shown = if ids.is_empty() { NONE.to_owned() } else { ids.join(".") };
    pairs.push((KEY.to_owned(), shown));
    url::query(&pairs)
}

fn read<Id: From<Uuid>>(text: &str) -> Option<Id> {
    let bytes: [u8; 16] = URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok()?;
    Some(Uuid::from_bytes(bytes).into())
}

#[cfg(test)]
mod tests {
    use model::TaskId;

    use super::*;

    #[test]
    fn two_hundred_rows_fit_into_an_address() {
        let ids: Vec<TaskId> = (0..200).map(|n| TaskId::from_u128(u128::MAX - n)).collect();
        let search = with("status=DONE&after=x", ids.iter().map(|id| id.uuid()));
        assert!(search.len() < 5_000, "{}", search.len());
        assert_eq!(split::<TaskId>(&search), ("status=DONE&after=x".to_owned(), Some(ids)));
    }

    #[test]
    fn an_empty_list_is_not_one_that_nobody_has_seen() {
        assert_eq!(split::<TaskId>(&with("", [])), (String::new(), Some(Vec::new())));
        assert_eq!(split::<TaskId>("q=ann"), ("q=ann".to_owned(), None));
        assert_eq!(split::<TaskId>("shown=!!.x"), (String::new(), Some(Vec::new())));
    }

    #[test]
    fn why_a_form_was_refused_is_said_again() {
        assert_eq!(with("__err=abc&kind=export", []), "__err=abc&kind=export&shown=-");
    }
}
