//! The file of an export, which is what one comes to its page for. The server renders it.

use leptos::prelude::*;
use model::task::ExportFile;

use crate::components::{
    icon::Icon,
    type_erasure::Erase,
    values::{
        numbers::{grouped, people},
        time::{RenderedAt, Time},
    },
};

/// The panel, before everything else.
pub fn panel(id: &str, file: &ExportFile) -> AnyView {
    if use_context::<RenderedAt>().is_some_and(|rendered| file.expiry_date <= rendered.now) {
        return view! {
            <section class="panel sunken stack tight" aria-labelledby="h-file">
                <h2 id="h-file">"The file is gone"</h2>
                <p class="soft">
                    "It expired, or was deleted because a person in it was erased. Repeat the export to get a new file."
                </p>
            </section>
        }
        .erase();
    }
    let size = match file.size {
        bytes @ ..1_000_000 => format!("{} kB", grouped(bytes.div_ceil(1_000))),
        bytes => format!("{:.1} MB", bytes as f64 / 1_000_000.0),
    };
    let format = file.format.label();
    view! {
        <section class="hold ready" aria-labelledby="h-file">
            <div>
                <h2 id="h-file">"The file is ready"</h2>
                <p class="soft">{people(file.rows)} ", kept until " <Time at=file.expiry_date exact=true/></p>
            </div>
            <a class="button primary large" href=format!("/files/{id}") rel="external" download>
                <Icon name="export"/>
                {format!("Download {format} ({size})")}
            </a>
        </section>
    }
    .erase()
}
