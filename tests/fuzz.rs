//! The seeds of the fuzz targets through the readers that the targets call, without nightly.

#[path = "../fuzz/src/lib.rs"]
mod readers;

use std::fs;
use std::path::Path;

#[test]
fn seeds_are_read_without_a_panic() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    let mut directories: Vec<_> =
        fs::read_dir(&corpus).expect("the corpus").flatten().map(|entry| entry.file_name()).collect();
    directories.sort();
    assert_eq!(directories, readers::READERS.map(|(name, _)| name), "a directory of seeds for each target");
    for (name, read) in readers::READERS {
        let mut seeds = 0;
        for entry in fs::read_dir(corpus.join(name)).expect("seeds").flatten() {
            let seed = fs::read(entry.path()).expect("a seed");
            read(&seed);
            // What is cut off or altered at one place is what readers meet.
            for place in (0..seed.len()).step_by(seed.len().div_ceil(60).max(1)) {
                read(&seed[..place]);
                let mut altered = seed.clone();
                altered[place] ^= 1 << (place % 8);
                read(&altered);
            }
            seeds += 1;
        }
        assert!(seeds > 0, "{name}");
    }
}
