//! To which name a number belongs: results are printed as `W: 10 L: 5` and as `10 won, 5 lost`.

/// Where the numbers stand that belong to names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// `W: 10 L: 5`.
    Behind,
    /// `10 won, 5 lost`.
    Before,
    /// Either would do.
    Unclear,
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

pub(super) fn order(words: &[&str], line: &str) -> Order {
    let is_name = |word: &&str| name_of(word).is_some();
    let (Some(first), Some(last)) = (words.iter().position(is_name), words.iter().rposition(is_name)) else {
        return Order::Behind;
    };
    let is_led = first > 0 && is_number(words[first - 1]);
    let is_followed = words.get(last + 1).is_some_and(|word| is_number(word));
    // `Round 3, W: 10 L: 5 D: 85`: a sign says to which side a name belongs.
    let is_sign = |c: char| matches!(c, ':' | '=');
    let parts: Vec<&str> = line.split_inclusive(is_sign).collect();
    let is_signed = parts.iter().filter_map(|part| part.strip_suffix(is_sign)).any(|part| {
        part.rsplit(|c: char| !c.is_alphanumeric())
            .find(|word| !word.is_empty())
            .is_some_and(|word| name_of(word).is_some_and(|place| place < ALL_GAMES))
    });
    match (is_led, is_followed) {
        (false, _) => Order::Behind,
        (true, false) => Order::Before,
        (true, true) if is_signed => Order::Behind,
        (true, true) => Order::Unclear,
    }
}

/// The words with the number before each name put behind it; a number of several groups goes as one, which is then none.
pub(super) fn swapped<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let (mut swapped, mut free) = (Vec::new(), 0);
    for &word in words {
        let mut at = swapped.len();
        swapped.push(word);
        if name_of(word).is_some() {
            let is_group = |word: &str| word.len() <= 3 && word.bytes().all(|byte| byte.is_ascii_digit());
            while at > free
                && is_number(swapped[at - 1])
                && (at + 1 == swapped.len()
                    || swapped[at].len() == 3 && is_group(swapped[at]) && is_group(swapped[at - 1]))
            {
                at -= 1;
            }
            swapped[at..].rotate_right(1);
            // What follows belongs to a later name.
            swapped.push("-");
            free = swapped.len();
        }
    }
    swapped
}

/// Where the number of all games belongs, by [`name_of`].
pub(super) const ALL_GAMES: usize = 3;

/// Where the number beside a name belongs: wins, losses, draws, all games.
pub(super) fn name_of(word: &str) -> Option<usize> {
    Some(match word.trim_end_matches('.').to_ascii_lowercase().as_str() {
        "w" | "win" | "wins" | "won" => 0,
        "l" | "loss" | "losses" | "lost" => 1,
        "d" | "draw" | "draws" | "drawn" => 2,
        "n" | "total" | "games" | "played" => ALL_GAMES,
        _ => return None,
    })
}
