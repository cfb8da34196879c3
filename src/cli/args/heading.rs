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
        let is_part = |(part, most): (&str, u32)| {
            part.bytes().all(|byte| byte == b'?') || part.parse().is_ok_and(|number: u32| (1..=most).contains(&number))
        };
        let is_date = |date: &str| {
            let parts: Vec<_> = date.split('.').collect();
            let lengths: Vec<_> = parts.iter().map(|part| part.len()).collect();
            lengths == [4, 2, 2] && parts.into_iter().zip([9999, 12, 31]).all(is_part)
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
