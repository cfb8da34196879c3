//! How much less late moves are searched.

/// log2 in 1/256, straight between powers of two: the same on every machine.
const fn log2_256(n: u32) -> i32 {
    let whole = n.ilog2();
    ((whole << 8) + ((n << 8) >> whole) - 256) as i32
}

/// How many plies a late quiet move is searched less, in 1/1024: grows with the logarithms of depth and number.
pub(super) const fn reduction(depth: i32, number: usize) -> i32 {
    let depth = if depth > 63 { 63 } else { depth };
    let number = if number > 63 { 63 } else { number };
    REDUCTIONS[depth as usize][number]
}

static REDUCTIONS: [[i32; 64]; 64] = {
    let mut table = [[0; 64]; 64];
    let mut depth = 1;
    while depth < 64 {
        let mut number = 1;
        while number < 64 {
            // 0.8 + log2(d) log2(n) / 4.8 = 0.8 + ln(d) ln(n) / 2.3
            table[depth][number] = 820 + log2_256(depth as u32) * log2_256(number as u32) / 64 * 10 / 48;
            number += 1;
        }
        depth += 1;
    }
    table
};
