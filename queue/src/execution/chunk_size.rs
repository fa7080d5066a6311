//! Finds how many people make a chunk of the right length.

use std::time::Duration;

use crate::settings::ChunkSize;

/// Where every run begins.
const FIRST: u64 = 500;

/// The size of the next chunk, steered by how long the last one took.
pub struct Pace {
    target: Duration,
    min: u64,
    max: u64,
    size: u64,
}

impl Pace {
    pub fn new(settings: ChunkSize, one_writer: bool) -> Self {
        let default = Duration::from_millis(if one_writer { 25 } else { 100 });
        let (min, max) = (settings.min, settings.max.max(settings.min));
        let mut pace = Pace { target: settings.target.unwrap_or(default), min, max, size: 0 };
        pace.begin_anew();
        pace
    }

    /// How long a chunk should take.
    pub fn target(&self) -> Duration {
        self.target
    }

    pub fn size(&self) -> u64 {
        self.size
    }

    /// Forgets what it has learned: what follows is work of another sort.
    pub fn begin_anew(&mut self) {
        self.size = FIRST.clamp(self.min, self.max);
    }

    /// Learns from a chunk; moves by a factor of two at most, so that one hiccup does not throw it off.
    pub fn took(&mut self, elapsed: Duration) {
        let ratio = self.target.as_secs_f64() / elapsed.as_secs_f64().max(1e-6);
        let next = (self.size as f64 * ratio.clamp(0.5, 2.0)) as u64;
        self.size = next.clamp(self.min, self.max);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_the_target_and_keeps_its_bounds() {
        let settings = ChunkSize { target: Some(Duration::from_millis(100)), min: 100, max: 5_000 };
        let mut pace = Pace::new(settings, false);
        for _ in 0..20 {
            // 50 µs a person: 2,000 people take 100 ms.
            pace.took(Duration::from_micros(50 * pace.size()));
        }
        assert_eq!(pace.size(), 2_000);
        pace.took(Duration::from_secs(60));
        assert_eq!(pace.size(), 1_000);
        for _ in 0..20 {
            pace.took(Duration::from_secs(60));
        }
        assert_eq!(pace.size(), 100);
        pace.begin_anew();
        assert_eq!(pace.size(), FIRST);
    }
}
