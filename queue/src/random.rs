//! The one place where the queue draws random numbers.

/// From 0 up to 1, for the scatter of retries.
#[expect(clippy::disallowed_methods, reason = "the one place that draws")]
pub fn fraction() -> f64 {
    use rand::RngExt;
    rand::rng().random()
}

/// A fresh id whose order is the order of creation.
pub fn new_id() -> uuid::Uuid {
    uuid::Uuid::now_v7()
}

/// A fresh id that nobody can guess.
pub fn secret_id() -> uuid::Uuid {
    uuid::Uuid::new_v4()
}

/// A key for an advisory lock that nobody else uses: positive, unlike the few fixed ones above `0x0d0c_6e74_0000` unlikely
/// to be met.
pub fn presence() -> i64 {
    let random = uuid::Uuid::new_v4().as_u128() as u64 >> 1;
    random.cast_signed()
}

/// What a claim expects to find of its own, far enough from the largest number for one more with each chunk.
pub fn fence() -> i64 {
    presence() >> 1
}

/// Eight letters and digits that tell two starts of one process apart.
pub fn suffix() -> String {
    uuid::Uuid::new_v4().simple().to_string().chars().take(8).collect()
}
