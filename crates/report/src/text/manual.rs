//! Manual pages as terminals show them best.

/// A page whose lines are not justified nor broken within words or between an option and its value, and whose tables stay as they are.
#[must_use]
pub fn laid_out(page: &str) -> String {
    let mut in_examples = false;
    let of_line = |line: &str| {
        in_examples = line == ".nf" || in_examples && line != ".fi";
        match line {
            _ if !in_examples && line.starts_with(' ') => format!(".nf\n{line}\n.fi\n"),
            _ if line.starts_with("\\- ") => format!(".br\n{line}\n"),
            // An argument that is empty, the date, is one all the same.
            _ if line.starts_with(".TH ") => line.replace(" 1  ", " 1 \"\" ") + "\n.nh\n.ad l\n",
            _ => line.replace('\u{a0}', "\\ ") + "\n",
        }
    };
    page.lines().map(of_line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_stay_and_examples_are_left_alone() {
        let page = ".TH drawish 1  \"drawish\"\n  a   b\n.nf\n  drawish x\n.fi\n";
        let expected = ".TH drawish 1 \"\" \"drawish\"\n.nh\n.ad l\n.nf\n  a   b\n.fi\n.nf\n  drawish x\n.fi\n";
        assert_eq!(laid_out(page), expected);
    }
}
