//! The binary `docket`: one of the commands. Everything else is in the library, where tests reach it.

use std::process::ExitCode;

fn main() -> ExitCode {
    server::commands::main()
}
