#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| drawish_fuzz::games::archive(data));
