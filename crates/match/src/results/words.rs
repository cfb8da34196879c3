//! Sources in the words of a person, who names files or pastes what a runner has printed.

use std::path::Path;

use drawish_games::pgn::Input;
use drawish_stats::{PrintedError, read_printed};
use thiserror::Error;

use super::Source;

/// Why words are no sources.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
#[non_exhaustive]
pub enum SourceWordsError {
    #[error(
        "{word} does not exist, and is no results itself: expected a match log, PGN or a text with results as a file, or results like \
         [50, 287, 610, 387, 73] or W: 716 L: 591 D: 2163"
    )]
    NoFile { word: String },
    #[error("{text}: {cause}")]
    Text { text: String, cause: PrintedError },
}

impl Source {
    /// Sources by the names of files, `-` for standard input, and results themselves, such as `[1, 2, 3, 4, 5]` or `W: 1 L: 2 D: 3`.
    /// Words that name no file and stand together are a source each if each has results, else one.
    ///
    /// ```
    /// use drawish_match::results::Source;
    ///
    /// let pasted = ["W:", "1", "L:", "2", "D:", "3"].map(str::to_owned);
    /// assert_eq!(Source::of_words(&pasted)?, [Source::Text("W: 1 L: 2 D: 3".to_owned())]);
    /// # Ok::<(), drawish_match::results::SourceWordsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If words neither name a file nor hold results.
    pub fn of_words(words: &[String]) -> Result<Vec<Source>, SourceWordsError> {
        let mut sources = Vec::new();
        for together in words.chunk_by(|one, next| input(one).is_none() && input(next).is_none()) {
            match input(&together[0]) {
                Some(input) => sources.push(Source::Input(input)),
                None => sources.extend(pasted(together)?.into_iter().map(Source::Text)),
            }
        }
        Ok(sources)
    }
}

fn input(word: &str) -> Option<Input> {
    match word {
        "-" => Some(Input::Stdin),
        name => Path::new(name).exists().then(|| Input::File(name.into())),
    }
}

/// The texts of words that name no files.
fn pasted(words: &[String]) -> Result<Vec<String>, SourceWordsError> {
    if words.iter().all(|word| read_printed(word).is_ok()) {
        return Ok(words.to_vec());
    }
    let text = words.join(" ");
    match read_printed(&text) {
        Ok(_) => Ok(vec![text]),
        Err(PrintedError::Nothing) => {
            // Of pasted words the first alone means little.
            let names_file = words[0].contains('.');
            Err(SourceWordsError::NoFile { word: if names_file { words[0].clone() } else { text } })
        }
        Err(cause) => Err(SourceWordsError::Text { text, cause }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_stand_together_are_one_source_or_several() {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("a.pgn");
        std::fs::write(&path, "").expect("a file");
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let text = |text: &str| Source::Text(text.to_owned());
        let name = path.to_str().expect("UTF-8");
        assert_eq!(
            Source::of_words(&words(&["W:", "1", "L:", "2", "D:", "3", name, "-", "[1,2,3,4,5]", "[5,4,3,2,1]"])),
            Ok(vec![
                text("W: 1 L: 2 D: 3"),
                Source::Input(Input::File(path)),
                Source::Input(Input::Stdin),
                text("[1,2,3,4,5]"),
                text("[5,4,3,2,1]"),
            ])
        );
        assert_eq!(
            Source::of_words(&words(&["-", "b.pgn", "c.pgn"])),
            Err(SourceWordsError::NoFile { word: "b.pgn".to_owned() })
        );
        assert_eq!(Source::of_words(&[]), Ok(Vec::new()));
    }
}
