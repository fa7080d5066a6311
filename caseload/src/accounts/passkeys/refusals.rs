//! Why a passkey is not taken. Whoever has not shown who they are hears the same of one that nobody has, one that is wrong, and one of an
//! account that is disabled.

use model::{Code, Problem};

pub(super) fn off() -> Problem {
    let detail =
        "Passkeys need a public address with a name, over https. Your Docket administrator sets it as http.public_url.";
    Problem::new(409, Code::PASSKEYS_OFF, "Passkeys cannot be used here", detail)
}

pub(super) fn refused() -> Problem {
    let detail = "That passkey could not be used. Try again, or sign in another way.";
    Problem::new(401, Code::PASSKEY_REFUSED, "You were not signed in", detail)
}

pub(super) fn not_added() -> Problem {
    let message = "Your device’s answer could not be used, or came later than five minutes. Try again.";
    Problem::field("passkey", "refused", message)
}

pub(super) fn without_password() -> Problem {
    let detail = "You sign in with your institution, which asks for more if it wants to.";
    Problem::new(409, Code::PASSKEYS_OFF, "This account needs no passkeys", detail)
}
