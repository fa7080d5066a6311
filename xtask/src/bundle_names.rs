//! The names of the browser bundle's files and where they are written. The server asks for exactly these, and Trunk
//! writes the same; the test below keeps the two in step.

use std::path::PathBuf;

/// The script that loads the module.
pub const SCRIPT: &str = "frontend.js";
/// The module.
pub const MODULE: &str = "frontend_bg.wasm";
/// The stylesheet, named like its source `style/docket.css`.
pub const STYLESHEET: &str = "docket.css";
/// What brings the islands of a page to life and looks after it, named like its source in `frontend`.
pub const PAGE: &str = "page.js";
/// What forms and menus need that markup alone does not do, named like its source in `frontend`.
pub const FORMS: &str = "forms.js";
/// What goes to whatever somebody types the name of, named like its source in `frontend`.
pub const GO: &str = "go.js";
/// What asks a device for a passkey, on the few pages where somebody signs in or adds one, named like its source in `frontend`.
pub const PASSKEY: &str = "passkey.js";
/// What merges markup that comes anew into what is there, named like its source in `frontend`.
pub const MERGE: &str = "idiomorph.js";
/// What is counted against a budget: what pages load.
pub const COUNTED: [&str; 8] = [MODULE, SCRIPT, PAGE, FORMS, GO, PASSKEY, MERGE, STYLESHEET];
/// The folder of the API's viewer.
pub const VIEWER: &str = "docs";
/// The cargo profile of a release bundle.
pub const RELEASE_PROFILE: &str = "wasm-release";

/// The package whose library becomes the module, and the stem of [`SCRIPT`] and [`MODULE`].
pub const PACKAGE: &str = "frontend";

/// Always inside the checkout, wherever cargo's target directory is: the server embeds its files from there.
pub fn dir() -> PathBuf {
    crate::cargo::root().join("target/site/pkg")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// What Trunk would write, read from its two files: it names the script and the module after the package.
    #[test]
    fn trunk_writes_the_same_files() {
        let root = crate::cargo::root();
        let trunk: toml::Table = fs::read_to_string(root.join("Trunk.toml")).unwrap().parse().unwrap();
        let build = &trunk["build"];
        assert_eq!(build["filehash"].as_bool(), Some(false));

        let page = root.join(build["target"].as_str().unwrap());
        let html = fs::read_to_string(&page).unwrap();
        let manifest = page.parent().unwrap().join(attribute(&html, "href"));
        let package: toml::Table = fs::read_to_string(manifest).unwrap().parse().unwrap();
        let package = package["package"]["name"].as_str().unwrap();
        assert_eq!(package, PACKAGE);
        assert_eq!([format!("{package}.js"), format!("{package}_bg.wasm")], [SCRIPT, MODULE]);

        assert_eq!(root.join(build["dist"].as_str().unwrap()).join(attribute(&html, "data-target-path")), dir());
        assert_eq!(attribute(&html, "data-bindgen-target"), "web");
        assert_eq!(attribute(&html, "data-cargo-profile-release"), RELEASE_PROFILE);

        let hook = &trunk["hooks"][0];
        assert_eq!(hook["stage"].as_str(), Some("post_build"));
        assert_eq!(hook["command_arguments"].as_array().unwrap()[..], ["xtask".into(), "beside".into()]);
    }

    /// Trunk and the library in `Cargo.toml` must agree to the patch on the format between module and script.
    #[test]
    fn trunk_binds_with_the_same_version() {
        let root = crate::cargo::root();
        let trunk: toml::Table = fs::read_to_string(root.join("Trunk.toml")).unwrap().parse().unwrap();
        let workspace: toml::Table = fs::read_to_string(root.join("Cargo.toml")).unwrap().parse().unwrap();
        let ours = &workspace["workspace"]["dependencies"]["wasm-bindgen-cli-support"];
        assert_eq!(ours.as_str().unwrap().trim_start_matches('='), trunk["tools"]["wasm_bindgen"].as_str().unwrap());
    }

    fn attribute<'a>(html: &'a str, name: &str) -> &'a str {
        let value = html.split_once(&format!(" {name}=\"")).unwrap().1;
        value.split_once('"').unwrap().0
    }
}
