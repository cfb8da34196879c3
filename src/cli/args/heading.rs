//! `--event`, `--site`, `--date`: what games say of the match.

use anyhow::{Result, ensure};

use drawish::contest::Heading;

/// What games say of the match.
#[derive(clap::Args)]
pub(in crate::cli) struct HeadingArgs {
    /// Event in the PGN; without it, one that names openings and seed
    #[arg(long, value_name = "TEXT")]
    event: Option<String>,
    /// Site in the PGN
    #[arg(long, value_name = "TEXT")]
    site: Option<String>,
    /// Day on which the match was begun, for log and PGN; without it, today in UTC, or none for arms without a time limit,
    /// whose games are the same on any day
    #[arg(long, value_name = "YYYY.MM.DD")]
    date: Option<String>,
}

impl HeadingArgs {
    pub(in crate::cli) fn heading(&self) -> Result<Heading> {
        let is_date = |date: &str| {
            let lengths: Vec<_> = date.split('.').map(str::len).collect();
            lengths == [4, 2, 2] && date.chars().all(|c| c == '.' || c == '?' || c.is_ascii_digit())
        };
        if let Some(date) = &self.date {
            ensure!(is_date(date), "--date {date}: expected a day as PGN writes it, as in 2026.11.22 or ????.??.??");
        }
        let mut heading = Heading::default();
        heading.event.clone_from(&self.event);
        heading.site.clone_from(&self.site);
        heading.date.clone_from(&self.date);
        Ok(heading)
    }
}
