//! A text as the picture that a phone reads.

use std::fmt::Write;

use app::pages::settings::second_factor::Picture;
use qrcodegen::{QrCode, QrCodeEcc};

/// What has to stay light around it, in squares.
const MARGIN: i32 = 4;

/// Nothing where the text is too long for one.
pub fn of(text: &str) -> Option<Picture> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
    let mut dark = String::new();
    for y in 0..code.size() {
        for x in (0..code.size()).filter(|x| code.get_module(*x, y)) {
            let _ = write!(dark, "M{} {}h1v1h-1z", x + MARGIN, y + MARGIN);
        }
    }
    Some(Picture { squares: code.size() + 2 * MARGIN, dark })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_a_square_for_each_dark_one_and_light_around_them() {
        let picture = of("otpauth://totp/Docket:ann?secret=GEZDGNBV&issuer=Docket").unwrap();
        let code = QrCode::encode_text("otpauth://totp/Docket:ann?secret=GEZDGNBV&issuer=Docket", QrCodeEcc::Medium);
        let code = code.unwrap();
        let dark = (0..code.size()).flat_map(|y| (0..code.size()).map(move |x| (x, y)));
        assert_eq!(picture.dark.matches('z').count(), dark.filter(|(x, y)| code.get_module(*x, *y)).count());
        assert_eq!(picture.squares, code.size() + 8);
        assert!(picture.dark.starts_with("M4 4h1v1h-1z"), "a corner of it is dark");
        assert_eq!(of(&"x".repeat(10_000)), None);
    }
}
