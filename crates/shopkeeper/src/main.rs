//! The merchant side.
fn main() {}
