//! Where games begin and end, whatever `pgn_reader` takes for one.

use std::ops::ControlFlow;

use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::san::San;
use shakmaty::{Color, KnownOutcome, Outcome as PgnOutcome};

use crate::pgn::comments::ReadComments;
use crate::pgn::handler::{Anomalies, GameEnd, GameHandler, Interest, ReadGame, ResultToken};
use crate::pgn::signs::Signs;
use crate::pgn::slice::Slice;
use crate::pgn::tag_pair::VERTICAL_TAB;
use crate::pgn::tags::{Tags, is_kept};

/// The longest line of a tag that is read.
const TAG_LINE_LEN: usize = 1024;
/// A longer comment is looked at twice.
const LONG_COMMENT: usize = 32 << 10;

/// The beginning of a tag's name, enough to know it again.
fn cut<const LEN: usize>(name: &[u8]) -> [u8; LEN] {
    let mut cut = [0; LEN];
    let len = name.len().min(LEN);
    cut[..len].copy_from_slice(&name[..len]);
    cut
}

/// Stands between `pgn_reader` and a handler and decides where games begin and end.
pub(super) struct Bridge<H> {
    pub handler: H,
    /// Of the open game.
    tags: Tags,
    pub anomalies: Anomalies,
    /// Games begun so far.
    pub games: u64,
    pub tags_read: u64,
    pub comments: ReadComments,
    /// A comment was so long, held a brace or did not end, or a variation did not, that it may have swallowed games.
    pub suspicious: bool,
    /// Tags may have been broken apart, or swallowed by a comment of a skipped game without an Event tag; or moves behind a blank line may be
    /// those of another game.
    pub odd_tags: bool,
    /// Tags may have been given to the game before theirs: where a section of tags ends at a blank line is not seen here.
    pub torn_tags: bool,
    /// Texts are read that begin and end where the lines tell that games do: a tag that is given twice begins no other.
    pub is_of_one_game: bool,
    /// The moves of games that nobody wants are read, too, for the results that end them.
    pub reads_unwanted: bool,
    /// Moves stand behind a blank line of a game whose moves were passed over: if it has ended there, they are those of another one.
    pub passed_a_blank_line: bool,
    /// A move that promotes was read.
    pub has_promotion: bool,
    /// A variation is open: so it stays behind a blank line.
    in_variation: bool,
    /// Length of the comment that is being read, as far as it came in parts.
    comment_len: usize,
    /// The parts of the comment that is being read, where the handler wants comments.
    comment_parts: Vec<u8>,
    game: Game,
    /// The tag section goes on after an unreadable tag.
    resume_tags: bool,
    /// The section between two blank lines that is being read held a tag, a move, a result or a comment.
    section_used: bool,
    /// The handler is in the middle of the moves of the open game: the next one is simply passed on.
    streaming: bool,
    /// `pgn_reader` is behind the tags of the section.
    in_movetext: bool,
}

/// What is known about the game that is open; `pgn_reader`'s own idea of where it ends is only a hint.
#[derive(Clone, Copy, Default)]
struct Game {
    open: bool,
    /// In the current section of tags.
    in_tags: bool,
    has_event: bool,
    /// The name of the first tag, cut to this length.
    first_tag: [u8; 12],
    announced: bool,
    skipped: bool,
    /// A move or a result token was seen.
    has_text: bool,
    /// How it ended, and the same as far as it was asked for.
    result: Option<ResultToken>,
    token: Option<ResultToken>,
    /// Moves have stopped at a blank line.
    paused: bool,
    /// A variation was open at a blank line, at a tag or at the end.
    has_open_variation: bool,
}

impl<H: GameHandler> Bridge<H> {
    pub fn new(handler: H) -> Self {
        Bridge {
            handler,
            tags: Tags::default(),
            anomalies: Anomalies::default(),
            games: 0,
            tags_read: 0,
            comments: ReadComments::default(),
            suspicious: false,
            odd_tags: false,
            torn_tags: false,
            is_of_one_game: false,
            reads_unwanted: false,
            passed_a_blank_line: false,
            has_promotion: false,
            in_variation: false,
            comment_len: 0,
            comment_parts: Vec::new(),
            game: Game::default(),
            resume_tags: false,
            section_used: false,
            streaming: false,
            in_movetext: false,
        }
    }

    /// Reads a text or a part of it; `signs` are those of the whole.
    pub fn read(&mut self, text: &[u8], signs: &Signs, cut_off: bool) {
        let mut reader = Reader::build(Slice(text)).set_supported_tag_line_length(TAG_LINE_LEN).finish();
        let mut end = GameEnd::Whole;
        self.in_variation = false;
        self.tags.expect_plain(!signs.has_backslash);
        loop {
            match reader.read_game(self) {
                Ok(Some(())) => {}
                Ok(None) => break,
                // The reader of a slice fails only on a tag without an end, behind which it goes on, and on a comment
                // without an end. Tags come before the moves, and those of a skipped section are not looked at.
                Err(_) if !self.in_movetext => {
                    self.anomalies.unreadable_tags += 1;
                    self.resume_tags = true;
                }
                Err(_) => {
                    self.suspicious = true;
                    end = GameEnd::OpenComment;
                    break;
                }
            }
        }
        self.close(if cut_off { GameEnd::CutOff } else { end });
    }

    fn open(&mut self) {
        self.close(GameEnd::Whole);
        self.in_variation = false;
        self.game = Game { open: true, ..Game::default() };
        self.games += 1;
        self.tags.clear();
        self.handler.begin();
    }

    fn announce(&mut self) -> Interest {
        self.game.announced = true;
        let interest = self.handler.moves(&self.tags);
        self.game.skipped = interest == Interest::Nothing;
        self.comments.skipped(self.game.skipped && !self.reads_unwanted);
        interest
    }

    fn close(&mut self, end: GameEnd) {
        if self.game.open {
            if !self.game.announced {
                self.announce();
            }
            let end = match end {
                // What is open behind the result takes nothing away from the game.
                GameEnd::OpenComment if self.game.result.is_some() => GameEnd::Whole,
                GameEnd::Whole if self.game.has_open_variation => GameEnd::OpenVariation,
                _ => end,
            };
            self.handler.end(ReadGame { tags: &self.tags, token: self.game.token, end });
            self.game = Game::default();
        }
        self.comment_parts.clear();
    }

    /// Makes sure that a game is open for a move or a result; `false` if nobody wants to see it.
    #[cold]
    #[inline(never)]
    fn enter_text(&mut self) -> bool {
        if self.in_variation {
            return false;
        }
        if !self.game.open || self.game.result.is_some() {
            // Tags on the same line were passed over.
            self.odd_tags |= self.game.open;
            self.open();
        }
        if self.game.paused {
            self.game.paused = false;
            // They may be those of another game.
            self.odd_tags = true;
            self.anomalies.blank_line_in_game += 1;
        }
        if !self.game.announced {
            self.announce();
        }
        self.game.has_text = true;
        self.section_used = true;
        !self.game.skipped
    }
}

impl<H: GameHandler> Visitor for Bridge<H> {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        if !std::mem::take(&mut self.resume_tags) {
            self.game.in_tags = false;
            self.section_used = false;
        }
        self.streaming = false;
        self.in_movetext = false;
        ControlFlow::Continue(())
    }

    #[inline(never)]
    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        // `pgn_reader` takes away one blank before the value.
        let name = name.trim_ascii();
        self.tags_read += 1;
        self.torn_tags |= is_torn(name);
        let is_event = name == b"Event";
        let cut_name = cut(name);
        if !self.game.in_tags {
            let goes_on = if self.is_of_one_game {
                self.game.open && !(is_event && self.game.has_event)
            } else {
                !is_event && self.game.first_tag == cut(b"Event")
            };
            if goes_on && !self.game.has_text {
                self.anomalies.broken_tags += 1;
                self.torn_tags = true;
            } else {
                self.odd_tags |= self.game.open && self.game.first_tag != cut_name;
                self.open();
                self.game.first_tag = cut_name;
            }
        } else if (cut_name == self.game.first_tag && !self.is_of_one_game) || (is_event && self.game.has_event) {
            self.torn_tags = true;
            self.open();
            self.game.first_tag = cut_name;
        }
        self.game.in_tags = true;
        if is_event {
            self.comments.event();
            self.game.has_event = true;
        }
        self.section_used = true;
        self.torn_tags |= self.tags.insert(name, value.as_bytes());
        self.handler.tag(name, value.as_bytes());
        ControlFlow::Continue(())
    }

    #[inline(never)]
    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), ()> {
        self.in_movetext = true;
        if self.game.in_tags {
            self.game.in_tags = false;
            if self.announce() == Interest::Nothing && !self.reads_unwanted {
                self.odd_tags |= !self.game.has_event;
                return ControlFlow::Break(());
            }
        } else if self.game.open && self.game.skipped && self.game.result.is_none() && !self.reads_unwanted {
            // The moves of a skipped game go on behind a blank line.
            self.anomalies.blank_line_in_game += 1;
            self.passed_a_blank_line = true;
            self.odd_tags = true;
            return ControlFlow::Break(());
        } else if self.game.open && self.game.has_text && self.game.result.is_none() {
            self.game.paused = true;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn san(&mut self, (): &mut (), san_plus: SanPlus) -> ControlFlow<()> {
        if self.streaming || self.enter_text() {
            self.streaming = true;
            self.has_promotion |= matches!(san_plus.san, San::Normal { promotion: Some(_), .. });
            self.handler.san(san_plus.san);
        }
        ControlFlow::Continue(())
    }

    #[inline(never)]
    fn outcome(&mut self, (): &mut (), outcome: PgnOutcome) -> ControlFlow<()> {
        if self.in_variation {
            return ControlFlow::Continue(());
        }
        let token = match outcome {
            PgnOutcome::Known(KnownOutcome::Draw) => ResultToken::Draw,
            PgnOutcome::Known(KnownOutcome::Decisive { winner: Color::White }) => ResultToken::WhiteWin,
            PgnOutcome::Known(KnownOutcome::Decisive { winner: Color::Black }) => ResultToken::BlackWin,
            PgnOutcome::Unknown => ResultToken::Unknown,
        };
        // Home-made runners write it once more below the game, which is noticed as text that is no game.
        if self.game.result == Some(token) {
            return ControlFlow::Continue(());
        }
        if self.enter_text() {
            self.game.token = Some(token);
            self.handler.result(token);
        }
        self.game.result = Some(token);
        self.streaming = false;
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        self.section_used = true;
        self.comment_len = 0;
        self.comments.closed();
        if H::COMMENTS && self.game.announced && !self.game.skipped && !self.in_variation {
            if self.comment_parts.is_empty() {
                self.handler.comment(comment.as_bytes());
            } else {
                self.comment_parts.extend_from_slice(comment.as_bytes());
                self.handler.comment(&self.comment_parts);
                self.comment_parts.clear();
            }
        }
        ControlFlow::Continue(())
    }

    #[cold]
    fn partial_comment(&mut self, (): &mut (), part: RawComment<'_>) -> ControlFlow<()> {
        self.comment_len += part.as_bytes().len();
        if H::COMMENTS {
            self.comment_parts.extend_from_slice(part.as_bytes());
        }
        self.suspicious |= self.comment_len > LONG_COMMENT;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        self.in_variation = true;
        ControlFlow::Continue(Skip(true))
    }

    fn end_variation(&mut self, (): &mut ()) -> ControlFlow<()> {
        self.in_variation = false;
        self.game.has_open_variation = false;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {
        if self.in_variation {
            // Within a variation no result is seen: it stands before.
            self.game.has_open_variation |= self.game.result.is_none();
            self.suspicious = true;
        }
        self.odd_tags |= self.game.open && !self.game.has_text;
        if !self.section_used {
            self.anomalies.stray_text += 1;
            // It may be the first tag, on several lines.
            self.odd_tags = true;
        }
    }
}

/// Whether what the reader takes for a name is none: a comment or a vertical tab stands in front of it or behind, its quotes are escaped, or, of
/// a tag that is kept, blanks of other kinds, quotes or a part of the value belong to it.
fn is_torn(name: &[u8]) -> bool {
    let letters = name.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    letters < name.len()
        && (is_kept(&name[..letters]) || matches!(name, [b'{' | VERTICAL_TAB, ..] | [.., b'}' | VERTICAL_TAB | b'\\']))
}
