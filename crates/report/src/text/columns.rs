//! Rows of cells as lines whose columns are as wide as their widest cell.

/// Lines of these rows, two blanks between columns: those named in `left` begin at the left, the others end at the right.
pub(crate) fn columns<Row: AsRef<[String]>>(rows: &[Row], left: &[usize]) -> String {
    let count = rows.iter().map(|row| row.as_ref().len()).max().unwrap_or(0);
    let width = |row: &Row, column: usize| row.as_ref().get(column).map_or(0, |cell| cell.chars().count());
    let widths: Vec<usize> =
        (0..count).map(|column| rows.iter().map(|row| width(row, column)).max().unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.as_ref().iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
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
        assert_eq!(columns::<[String; 3]>(&[], &[]), "");
    }
}
