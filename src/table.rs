//! Tables for people, laid out to one width.

use comfy_table::{ColumnConstraint, ContentArrangement, LineStyle, Table, TableStyle};

/// The width of tables, the same on a terminal and in a file.
const WIDTH: u16 = 100;

/// Lays out rows, the first column unbroken, without the blanks that pad the last one.
pub fn table(header: impl IntoIterator<Item = &'static str>, rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    let style = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));
    table.load_style(style).set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH);
    table.set_header(header);
    table.add_rows(rows);
    if let Some(names) = table.column_mut(0) {
        names.set_constraint(ColumnConstraint::ContentWidth);
    }
    table.trim_fmt()
}
