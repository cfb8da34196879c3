//! Scripts and styles that a page carries with it.

/// A script that is put into a page as it is.
pub(crate) struct Script {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its version.
    pub(crate) version: &'static str,
    /// The file, without an end of script or anything else that would end it early.
    pub(crate) text: &'static str,
}

/// Vega and what stands on it, as published; `vendored/README.md` says how to renew them.
pub(crate) const SCRIPTS: [Script; 3] = [
    Script { name: "Vega", version: "6.4.0", text: include_str!("assets/vendored/vega.min.js") },
    Script { name: "Vega-Lite", version: "6.4.3", text: include_str!("assets/vendored/vega-lite.min.js") },
    Script { name: "Vega-Embed", version: "7.3.0", text: include_str!("assets/vendored/vega-embed.min.js") },
];

/// The page's own scripts: what is clicked, and how Vega draws here.
pub(crate) const OWN: [&str; 3] =
    [include_str!("assets/page.js"), include_str!("assets/figures.js"), include_str!("assets/explorer.js")];

/// The look of the page.
pub(crate) const STYLE: &str = include_str!("assets/page.css");

/// The SHA-256 of each script above, as `sha256sum` writes them.
const HASHES: &str = include_str!("assets/SHA256SUMS");

/// The source list of the page's policy: these scripts and no others.
pub(crate) fn script_sources() -> String {
    HASHES
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .map(|hash| format!("'sha256-{}'", base64(&bytes_of_hexadecimal(hash))))
        .collect::<Vec<_>>()
        .join(" ")
}

fn bytes_of_hexadecimal(text: &str) -> Vec<u8> {
    (0..text.len() / 2).filter_map(|at| u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()).collect()
}

/// RFC 4648, with padding.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let at = |place: usize| u32::from(chunk.get(place).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for place in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * place) & 63) as usize];
            out.push(if place <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn base64_by_the_vectors_of_its_standard() {
        for (text, expected) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(text.as_bytes()), expected);
        }
    }

    /// After a change to a script of the page: `sha256sum vendored/*.js *.js > SHA256SUMS` in `crates/report/src/assets`.
    #[test]
    fn every_script_has_its_hash_recorded() {
        let all = SCRIPTS.iter().map(|script| script.text).chain(OWN);
        let mut hashes: Vec<_> = all
            .map(|text| Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect::<String>())
            .collect();
        let mut recorded: Vec<_> = HASHES.lines().filter_map(|line| line.split_whitespace().next()).collect();
        hashes.sort();
        recorded.sort_unstable();
        assert_eq!(hashes, recorded, "renew crates/report/src/assets/SHA256SUMS");
    }

    #[test]
    fn no_script_ends_early_and_each_names_its_version() {
        for text in SCRIPTS.iter().map(|script| script.text).chain(OWN) {
            assert!(!text.contains("</script") && !text.contains("<!--") && !text.contains('\r'));
        }
        for script in SCRIPTS {
            assert!(script.text.contains(&format!("\"{}\"", script.version)), "{} {}", script.name, script.version);
        }
    }
}
