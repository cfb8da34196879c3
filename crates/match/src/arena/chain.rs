//! Checksums from line to line of a log: a line that was changed, added or taken out does not go unnoticed.

use twox_hash::XxHash3_64;

/// What stands between a line and its link.
const BEFORE: &[u8] = b",\"chain\":\"";
/// A link is 16 hexadecimal digits, and this.
const AFTER: &[u8] = b"\"}";
const DIGITS: usize = 16;

/// The checksum of all lines so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Chain(u64);

impl Chain {
    /// Begins with the first line, without its end.
    pub(crate) fn new(first: &[u8]) -> Chain {
        Chain(XxHash3_64::oneshot(first))
    }

    fn add(&mut self, line: &[u8]) {
        self.0 = XxHash3_64::oneshot_with_seed(self.0, line);
    }

    /// The line, which is an object of JSON, with its link as the last field.
    pub(crate) fn link(&mut self, line: &str) -> String {
        self.add(line.as_bytes());
        let open = line.strip_suffix('}').unwrap_or(line);
        format!("{open},\"chain\":\"{:016x}\"}}", self.0)
    }

    /// Whether a line of a log has the link that follows from all before it.
    pub(crate) fn holds(&mut self, line: &[u8]) -> bool {
        let Some((plain, link)) = split(line) else { return false };
        self.add(&plain);
        link == format!("{:016x}", self.0).as_bytes()
    }
}

/// The line as it was before it was linked, and its link.
fn split(line: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let (before, link) = line.strip_suffix(AFTER)?.split_last_chunk::<DIGITS>()?;
    Some(([before.strip_suffix(BEFORE)?, b"}"].concat(), link))
}

/// The line of a log without its link, if it has one.
pub(crate) fn unlinked(line: &[u8]) -> Vec<u8> {
    split(line).map_or_else(|| line.to_vec(), |(plain, _)| plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_link_depends_on_all_before_it() {
        let lines = ["{\"a\":1}", "{\"a\":2}", "{\"a\":3}"];
        let mut chain = Chain::new(b"first");
        let linked: Vec<String> = lines.iter().map(|line| chain.link(line)).collect();
        let holds = |first: &[u8], lines: &[&str]| {
            let mut chain = Chain::new(first);
            lines.iter().map(|line| chain.holds(line.as_bytes())).collect::<Vec<_>>()
        };
        let [one, two, three] = [0, 1, 2].map(|at| linked[at].as_str());
        assert_eq!(holds(b"first", &[one, two, three]), [true; 3]);
        assert_eq!(holds(b"fist", &[one]), [false]);
        assert_eq!(holds(b"first", &[one, three]), [true, false]);
        assert_eq!(holds(b"first", &[one, &two.replace('2', "4")]), [true, false]);
        assert_eq!(holds(b"first", &[one, "{\"a\":2}"]), [true, false]);
        assert_eq!(unlinked(two.as_bytes()), lines[1].as_bytes());
        assert_eq!(unlinked(b"{\"a\":2}"), b"{\"a\":2}");
    }
}
