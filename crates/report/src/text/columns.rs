//! Rows of cells as lines whose columns are as wide as their widest cell.

/// Lines of these rows, two blanks between columns: those named in `left` begin at the left, the others end at the right.
pub(crate) fn columns<const N: usize>(rows: &[[String; N]], left: &[usize]) -> String {
    let widths: [usize; N] =
        std::array::from_fn(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0));
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(widths).enumerate().map(|(column, (cell, width))| {
            if left.contains(&column) { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::columns;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [["name", "Elo", ""], ["Ä", "-1.5", "by far"]].map(|row| row.map(str::to_owned));
        assert_eq!(columns(&rows, &[0, 2]), "name   Elo\nÄ     -1.5  by far\n");
        assert_eq!(columns::<3>(&[], &[]), "");
    }
}
