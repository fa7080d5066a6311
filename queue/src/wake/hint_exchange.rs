//! How this process hears the hints of others, and tells them its own.

use tokio_util::sync::CancellationToken;

use super::postgres;
#[cfg(feature = "rabbitmq")]
use super::rabbit;
#[cfg(feature = "rabbitmq")]
use crate::Hints;
use crate::{Queue, random};

impl Queue {
    /// Hears hints of other processes, and tells them ours, until `stop`. A runtime hears those of a broker by itself.
    pub async fn exchange_hints(&self, stop: CancellationToken) {
        let after = CancellationToken::new();
        let through_broker = async {
            match &self.inner.settings.hints {
                #[cfg(feature = "rabbitmq")]
                Hints::Rabbit(broker) => rabbit::publish(self, broker, &stop).await,
                _ => stop.cancelled().await,
            }
            // It leaves to the others what it could not send.
            after.cancel();
        };
        let beside = async {
            // There is one process on SQLite.
            if self.db().is_shared() {
                postgres::run(self, &random::suffix(), after.clone()).await;
            }
        };
        tokio::join!(through_broker, beside);
    }
}
