//! One connection to the event stream, closed when it is dropped.

use std::rc::Rc;

use model::TaskRow;
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{Event, EventSource, MessageEvent};

use crate::url;

/// What the stream brings.
pub enum StreamEvent {
    Opened,
    /// Nothing has happened.
    Alive,
    Row(Box<TaskRow>),
    /// The queue as a whole was looked at.
    Beat,
    /// The server let events go; everything has to be fetched again.
    Missed,
    /// The connection is lost; the browser tries again by itself unless the stream is closed.
    Broken,
}

/// An open connection.
pub struct Stream {
    source: EventSource,
    _listeners: [Closure<dyn Fn(Event)>; 6],
}

impl Stream {
    /// Opens a connection for these topics; nothing where the browser refuses one.
    pub fn open(topics: &str, heard: Rc<dyn Fn(StreamEvent)>) -> Option<Stream> {
        let source = EventSource::new(&format!("{}/events?topics={topics}", url::base())).ok()?;
        let listen = |name: &str, read: fn(&Event) -> Option<StreamEvent>| {
            let heard = heard.clone();
            let listener = Closure::<dyn Fn(Event)>::new(move |event: Event| {
                if let Some(what) = read(&event) {
                    heard(what);
                }
            });
            // Adding a listener fails only for an object that is none.
            let _ = source.add_event_listener_with_callback(name, listener.as_ref().unchecked_ref());
            listener
        };
        let listeners = [
            listen("open", |_| Some(StreamEvent::Opened)),
            listen("alive", |_| Some(StreamEvent::Alive)),
            listen("task", |event| {
                let text = event.dyn_ref::<MessageEvent>()?.data().as_string()?;
                serde_json::from_str(&text).ok().map(Box::new).map(StreamEvent::Row)
            }),
            listen("queue", |_| Some(StreamEvent::Beat)),
            listen("resync", |_| Some(StreamEvent::Missed)),
            listen("error", |_| Some(StreamEvent::Broken)),
        ];
        Some(Stream { source, _listeners: listeners })
    }

    /// Whether the browser has given the connection up.
    pub fn is_closed(&self) -> bool {
        self.source.ready_state() == EventSource::CLOSED
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.source.close();
    }
}
