//! Whether another process has brought the database to a schema that this version does not know, as happens while versions
//! are exchanged one process at a time. Then this one does nothing more for the queue; what it runs and serves goes on until
//! it is exchanged itself.

use async_trait::async_trait;
use queue::{Database, Gate};
use sea_orm::DbErr;

/// Lets a process act as long as it knows the schema.
pub struct KnownSchema(pub Database);

#[async_trait]
impl Gate for KnownSchema {
    async fn obstacle(&self) -> Result<Option<String>, DbErr> {
        let newer = migration::newer(self.0.reader()).await?;
        Ok(newer.map(|step| format!("a newer version has changed the database: {step}")))
    }
}
