//! A router that remembers its routes, so that a test can call every one of them.

use axum::{
    Router,
    handler::Handler,
    http::Method,
    routing::{MethodFilter, MethodRouter, on},
};

use crate::state::AppState;

/// Routes with their handlers.
#[derive(Default)]
pub struct Table {
    router: Router<AppState>,
    routes: Vec<(Method, &'static str)>,
}

impl Table {
    pub fn get<T: 'static>(self, path: &'static str, handler: impl Handler<T, AppState>) -> Self {
        self.add(Method::GET, path, on(MethodFilter::GET, handler))
    }

    pub fn post<T: 'static>(self, path: &'static str, handler: impl Handler<T, AppState>) -> Self {
        self.add(Method::POST, path, on(MethodFilter::POST, handler))
    }

    pub fn put<T: 'static>(self, path: &'static str, handler: impl Handler<T, AppState>) -> Self {
        self.add(Method::PUT, path, on(MethodFilter::PUT, handler))
    }

    pub fn patch<T: 'static>(self, path: &'static str, handler: impl Handler<T, AppState>) -> Self {
        self.add(Method::PATCH, path, on(MethodFilter::PATCH, handler))
    }

    pub fn delete<T: 'static>(self, path: &'static str, handler: impl Handler<T, AppState>) -> Self {
        self.add(Method::DELETE, path, on(MethodFilter::DELETE, handler))
    }

    /// Every route so far.
    pub fn routes(&self) -> &[(Method, &'static str)] {
        &self.routes
    }

    pub fn into_router(self) -> Router<AppState> {
        self.router
    }

    fn add(mut self, method: Method, path: &'static str, route: MethodRouter<AppState>) -> Self {
        self.routes.push((method, path));
        self.router = self.router.route(path, route);
        self
    }
}
