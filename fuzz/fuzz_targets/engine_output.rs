#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| drawish_fuzz::matches::engine_output(data));
