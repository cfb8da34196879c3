//! The corpus of comments: which are evaluations, and what they say.

use drawish_games::annotate::{Annotator, Options};
use drawish_games::pgn::{Eval, EvalValue, View, eval_in_comment};
use drawish_stats::model::relevance::Relevance;

const CORPUS: &str = include_str!("comments.tsv");

/// Where each comment comes from, its answer and its text.
fn corpus() -> Vec<(&'static str, &'static str, String)> {
    let lines = CORPUS.lines().filter(|line| !line.starts_with("# "));
    let unescaped = |text: &str| text.replace("\\r", "\r").replace("\\n", "\n").replace("\\t", "\t");
    lines
        .map(|line| {
            let mut columns = line.splitn(3, '\t');
            let mut next = || columns.next().unwrap_or_else(|| panic!("three columns: {line}"));
            (next(), next(), unescaped(next()))
        })
        .collect()
}

/// An evaluation as the corpus writes it: whose view, how much, and the depth.
fn told(eval: Option<Eval>) -> String {
    let Some(eval) = eval else { return "none".to_owned() };
    let view = if eval.view == View::Mover { "mover" } else { "white" };
    let value = match eval.value {
        EvalValue::Centipawns(value) => value.to_string(),
        EvalValue::Mate(moves) if moves < 0 => format!("-M{}", -moves),
        EvalValue::Mate(moves) => format!("M{moves}"),
    };
    format!("{view} {value} {}", eval.depth.map_or("-".to_owned(), |depth| depth.to_string()))
}

#[test]
fn every_comment_says_what_it_says() {
    let corpus = corpus();
    let wrong: Vec<_> = corpus
        .iter()
        .map(|(origin, answer, comment)| (origin, answer, told(eval_in_comment(comment.as_bytes())), comment))
        .filter(|(_, answer, found, _)| **answer != found.as_str())
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let evaluations = corpus.iter().filter(|(_, answer, _)| *answer != "none").count();
    assert!(evaluations >= 150 && corpus.len() - evaluations >= 300, "{evaluations} of {}", corpus.len());
}

/// Blanks around a comment change nothing, whatever it holds, and neither do cut ends panic.
#[test]
fn blanks_around_comments_change_nothing() {
    for (_, answer, comment) in corpus() {
        assert_eq!(told(eval_in_comment(format!(" \n{comment}\r\n\t").as_bytes())), answer, "{comment}");
        for cut in 0..comment.len() {
            let _ = eval_in_comment(&comment.as_bytes()[..cut]);
            let _ = eval_in_comment(&comment.as_bytes()[cut..]);
        }
    }
}

/// `relevance annotate` finds the comments by a scanner of its own.
#[test]
fn annotate_reads_the_same() {
    for (_, answer, comment) in corpus() {
        let curve = Relevance::new(2.0, 3.0, 0.85).expect("in order");
        let options = Options { curve, moves: None, positions: None, results: false, writer: None, view: None };
        let mut annotator = Annotator::new(options);
        annotator.annotate(format!("[Event \"a\"]\n\n1. e4 {{{comment}}} e5 *\n").as_bytes(), &mut Vec::new());
        let expected = u64::from(answer != "none");
        assert_eq!(annotator.summary().evaluated, expected, "{comment}: {answer}");
    }
}
