//! The command line of drawish; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    drawish::program(std::env::args_os())
}
