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

/// Eight letters and digits that tell two starts of one process apart.
pub fn suffix() -> String {
    uuid::Uuid::new_v4().simple().to_string().chars().take(8).collect()
}
