//! The one place where the queue draws random numbers.

use uuid::Uuid;

/// From 0 up to 1, for the scatter of retries.
#[expect(clippy::disallowed_methods, reason = "the one place that draws")]
pub fn fraction() -> f64 {
    use rand::RngExt;
    rand::rng().random()
}

/// A fresh id whose order is the order of creation.
pub fn new_id<T: From<Uuid>>() -> T {
    Uuid::now_v7().into()
}

/// 122 bits that nobody can guess, in sixteen bytes.
pub fn secret_bytes() -> [u8; 16] {
    secret_id::<Uuid>().into_bytes()
}

/// A fresh id that nobody can guess.
pub fn secret_id<T: From<Uuid>>() -> T {
    Uuid::new_v4().into()
}

/// A key for an advisory lock that nobody else uses: positive, unlike the few fixed ones above `0x0d0c_6e74_0000` unlikely
/// to be met.
pub fn presence() -> i64 {
    let random = Uuid::new_v4().as_u128() as u64 >> 1;
    random.cast_signed()
}

/// What a claim expects to find of its own, far enough from the largest number for one more with each chunk.
pub fn fence() -> i64 {
    presence() >> 1
}

/// Eight letters and digits that tell two starts of one process apart.
pub fn suffix() -> String {
    Uuid::new_v4().simple().to_string().chars().take(8).collect()
}
