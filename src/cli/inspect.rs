//! `drawish inspect`: what a file of counts, a table or heads hold.

pub(super) mod heads;

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use drawish_core::{DrawTable, Pawns};
use serde_json::{Value, json};
use shakmaty::fen::Fen;
use shakmaty::{Color, Role};

use super::output::Known;
use super::{done, output, summary};
use drawish::counts::CountsFile;
use drawish::export::{estimator_of, pooled_positions, table_csv};
use drawish::smooth::{Group, groups};
use drawish::stats::numbers::{grouped, percent, percent_to, percents};

/// Show what counts, a table or heads contain, or their figures for a position
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish inspect games.counts\n  \
    drawish inspect games.counts --csv > cells.csv\n  \
    drawish inspect pawns.table \"8/pp3kpp/2p1p3/3p4/3P4/2P1P3/PP3KPP/8 w - - 0 40\"\n  \
    drawish inspect pooled.heads \"5b2/5k2/8/3p4/3P4/8/4KP2/5B2 w - - 0 1\" --eval 100")]
pub(super) struct Args {
    /// A .counts, .table or .heads file, or the .toml of heads; - for standard input
    file: PathBuf,
    /// A position: a FEN in quotes; counts and tables use only its pawns
    fen: Option<String>,
    /// With heads and a position: White's evaluation of it in centipawns [default: 0]
    #[arg(long, value_name = "CP", allow_hyphen_values = true, requires = "fen")]
    eval: Option<i32>,
    /// Print every cell: of counts those with games, as cell,white_wins,draws,black_wins
    #[arg(long, conflicts_with_all = ["json", "fen"])]
    csv: bool,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let name = || args.file.display().to_string();
    let known = output::read(&args.file)?;
    if !matches!(known, Known::Heads(_)) {
        ensure!(args.eval.is_none(), "{}: only heads take an evaluation: leave out --eval", name());
    }
    let pawns = || args.fen.as_deref().map(pawns_of_fen).transpose();
    let text = match known {
        Known::Heads(bytes) => {
            ensure!(!args.csv, "{}: heads have no cells to print: leave out --csv", name());
            let opened = heads::open(&bytes).with_context(name)?;
            match &args.fen {
                Some(fen) => heads::position(&opened, fen, args.eval.unwrap_or(0), args.json)?,
                None => heads::header(&opened, args.json),
            }
        }
        Known::WdlCounts(_) => {
            bail!("{}: it holds WDL counts; `drawish wdl fit` fits a model to them", name())
        }
        Known::Table(bytes) => {
            let table = DrawTable::from_bytes(&bytes).with_context(name)?;
            table.verify().with_context(name)?;
            match pawns()? {
                Some(pawns) => table_position(&table, pawns, args.json),
                None if args.csv => table_csv(&table),
                None => table_header(&table, args.json),
            }
        }
        Known::Counts(file) => match pawns()? {
            Some(pawns) => counts_position(&file, pawns, args.json),
            None if args.csv => counts_csv(&file),
            None if args.json => {
                let mut value = summary::json(&file);
                value["groups"] = groups_json(&file);
                format!("{value:#}\n")
            }
            None => counts_header(&file),
        },
    };
    output::print(text)?;
    done()
}

fn pawns_of_fen(text: &str) -> Result<Pawns> {
    let fen: Fen = text.parse().with_context(|| {
        format!("{text:?} is not a FEN; expected a position in quotes like \"4k3/pp3ppp/8/8/8/8/PP3PPP/4K3 w - - 0 1\"")
    })?;
    let board = fen.into_setup().board;
    let of = |color: Color| u64::from(board.by_color(color) & board.by_role(Role::Pawn));
    Ok(Pawns { white: of(Color::White), black: of(Color::Black) })
}

fn counts_header(file: &CountsFile) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "counts of scheme {}: {}", file.counts.scheme(), file.counts.scheme().summary());
    let _ = writeln!(out, "rule     {}", file.rule);
    let _ = writeln!(out, "made by  {}", file.made_by.join("\n         "));
    let _ = writeln!(out, "inputs   {}", file.shards.len());
    for shard in &file.shards {
        let _ = writeln!(
            out,
            "  {:032x}  {:>12} bytes  {:>10} of {:>10} games  {}{}",
            shard.digest,
            grouped(shard.file_bytes),
            grouped(shard.tally.counted()),
            grouped(shard.tally.games()),
            shard.name,
            shard.broken.as_ref().map_or(String::new(), |reason| format!("  (broken: {reason})"))
        );
    }
    out + "\n" + &summary::text(file) + &groups_text(file)
}

/// The draw rates by which the article of 2013 describes its table.
fn groups_text(file: &CountsFile) -> String {
    let mut out = String::new();
    for Group { meaning, results, rate, .. } in groups(&file.counts) {
        let rate =
            rate.map_or("-".to_owned(), |(rate, low, high)| format!("{:>7}  ({})", percent(rate), percents(low, high)));
        let _ = writeln!(out, "{meaning:<46}{:>10}  {rate}", grouped(results.total()));
    }
    if out.is_empty() { out } else { format!("\nDraw rates of groups of structures, with the 90 % interval:\n{out}") }
}

fn groups_json(file: &CountsFile) -> Value {
    groups(&file.counts)
        .into_iter()
        .map(|Group { name, results, rate, .. }| {
            let (rate, low, high) =
                rate.map_or((None, None, None), |(rate, low, high)| (Some(rate), Some(low), Some(high)));
            (name.to_owned(), json!({ "results": results.total(), "draw_rate": rate, "low": low, "high": high }))
        })
        .collect()
}

fn counts_csv(file: &CountsFile) -> String {
    let mut out = "cell,white_wins,draws,black_wins\n".to_owned();
    for (cell, wdl) in file.counts.non_empty() {
        let _ = writeln!(out, "{},{},{},{}", cell.0, wdl.wins, wdl.draws, wdl.losses);
    }
    out
}

fn counts_position(file: &CountsFile, pawns: Pawns, as_json: bool) -> String {
    let scheme = file.counts.scheme();
    let cell = scheme.index(pawns);
    let wdl = file.counts.get(cell);
    if as_json {
        let value = json!({
            "cell": cell.0, "white_wins": wdl.wins, "draws": wdl.draws, "black_wins": wdl.losses,
            "draw_rate": wdl.draw_rate(),
        });
        return format!("{value:#}\n");
    }
    let rate = wdl.draw_rate().map_or("no games".to_owned(), |rate| format!("{} draws", percent(rate)));
    format!(
        "cell {} of {scheme}: {}\n{} white wins, {} draws, {} black wins: {rate}\n",
        cell.0,
        scheme.describe(cell),
        wdl.wins,
        wdl.draws,
        wdl.losses
    )
}

fn table_header(table: &DrawTable<'_>, as_json: bool) -> String {
    if as_json {
        let value = json!({
            "scheme": table.scheme().name(),
            "cells": table.scheme().cells(),
            "estimator": estimator_of(table),
            "base": table.base().to_f64(),
            "positions": table.positions(),
            "evidence": table.has_evidence(),
            "counts_xxh3_128": format!("{:032x}", table.source_digest()),
        });
        return format!("{value:#}\n");
    }
    format!(
        "draw table of scheme {}: {}\nestimator  {}\nbase       {} draws of {} positions\nevidence   {}\ncounts     {:032x}\n",
        table.scheme(),
        table.scheme().summary(),
        estimator_of(table),
        percent_to(table.base().to_f64(), 2),
        grouped(table.positions()),
        if table.has_evidence() { "90 % intervals and positions of each cell" } else { "left out (--slim)" },
        table.source_digest()
    )
}

fn table_position(table: &DrawTable<'_>, pawns: Pawns, as_json: bool) -> String {
    let scheme = table.scheme();
    let index = scheme.index(pawns);
    let cell = table.cell(pawns);
    let evidence = table.evidence(index);
    if as_json {
        let value = json!({
            "cell": index.0,
            "structure": scheme.describe(index).to_string(),
            "probability": cell.probability.to_f64(),
            "low": evidence.map(|evidence| evidence.low.to_f64()),
            "high": evidence.map(|evidence| evidence.high.to_f64()),
            "positions": evidence.map(|evidence| evidence.positions),
            "pooled_positions": pooled_positions(table, index),
            "base": table.base().to_f64(),
            "draw_score": cell.draw_score.0,
            "scale": cell.scale.0,
        });
        return format!("{value:#}\n");
    }
    let known = evidence.map_or(String::new(), |evidence| {
        format!(
            "  (90 % interval {} %; {} positions in this cell{})",
            percents(evidence.low.to_f64(), evidence.high.to_f64()),
            grouped(u64::from(evidence.positions)),
            pooled_positions(table, index).map_or(String::new(), |pooled| format!(
                ", {} with its mirror images and colour swaps, which share them",
                grouped(pooled)
            ))
        )
    });
    format!(
        "cell {} of {scheme}: {}\n\
         draw probability  {}{known}\n\
         base              {}\n\
         drawScore         {:+.3} logit ({} / 256)\n\
         scaling factor    {:.3} ({} / 128): an evaluation of 100 becomes {}\n",
        index.0,
        scheme.describe(index),
        percent(cell.probability.to_f64()),
        percent(table.base().to_f64()),
        cell.draw_score.to_logit(),
        cell.draw_score.0,
        f64::from(cell.scale.0) / 128.0,
        cell.scale.0,
        cell.scale.apply(100)
    )
}
