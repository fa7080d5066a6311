//! Signing in by a provider of OpenID Connect, such as the sign-in of a college: to it with a question that only this browser can bring
//! the answer to, and back with a code that is exchanged for its word on who somebody is.

pub mod claims;
pub mod confirm;
pub mod connection;
pub mod ended;
pub mod opened_session;
pub mod person_asked;
pub mod places;
pub mod question;
pub mod sessions;
pub mod sign_in;
pub mod token;

use std::sync::Arc;

use app::server::SignInWays;

use crate::config::{Http, institution::providers::ProviderSettings};
use connection::Provider;
use places::Places;

/// The providers of this server, in the order of their names.
#[derive(Clone, Default)]
pub struct Providers {
    all: Arc<[Arc<Provider>]>,
    places: Places,
}

impl Providers {
    pub fn new(settings: &[ProviderSettings], http: &Http) -> anyhow::Result<Providers> {
        let providers = settings.iter().map(|settings| Provider::new(settings.clone(), http).map(Arc::new));
        Ok(Providers { all: providers.collect::<anyhow::Result<_>>()?, places: Places::default() })
    }

    /// The lines in which sign-ins wait, one for each place.
    pub fn places(&self) -> &Places {
        &self.places
    }

    pub fn get(&self, name: &str) -> Option<&Arc<Provider>> {
        self.all.iter().find(|provider| provider.settings.name == name)
    }

    pub fn each(&self) -> impl Iterator<Item = &Arc<Provider>> {
        self.all.iter()
    }

    pub fn issuers(&self) -> Vec<&str> {
        self.all.iter().map(|provider| provider.issuer()).collect()
    }

    /// The name of one of them, with the words of its button.
    pub fn button(&self, name: &str) -> Option<(String, String)> {
        self.get(name).map(|provider| (name.to_owned(), provider.settings.label.clone()))
    }

    /// For the sign-in page: each by its name, with the words of its button.
    pub fn ways(&self) -> SignInWays {
        SignInWays(
            self.all.iter().map(|provider| (provider.settings.name.clone(), provider.settings.label.clone())).collect(),
        )
    }
}
