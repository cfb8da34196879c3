//! Margins of the search as numbers that can be tuned.

macro_rules! margins {
    ($($name:ident = $default:literal, $meaning:literal;)+) => {
        /// Margins of the search, in conventional centipawns. The search plays by [`Margins::default`] unless it is given others.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Margins {
            $(#[doc = $meaning] pub $name: i32,)+
        }

        impl Default for Margins {
            fn default() -> Margins {
                Margins { $($name: $default),+ }
            }
        }

        impl Margins {
            /// Their names and what they mean.
            pub const NAMES: &'static [(&'static str, &'static str)] = &[$((stringify!($name), $meaning)),+];

            /// The margin of a name.
            pub fn by_name(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)+
                    _ => None,
                }
            }

            /// Each margin by itself put through a function.
            #[must_use]
            pub fn map(self, of: impl Fn(i32) -> i32) -> Margins {
                Margins { $($name: of(self.$name)),+ }
            }
        }
    };
}

margins! {
    reverse_futility = 75, "Reverse futility: above the window by so much for each ply, a node is not searched.";
    razor = 220, "Razoring: below the window by so much for each ply, only captures are searched.";
    razor_base = 60, "Razoring: and by so much besides.";
    null_move = 180, "Null move: for each such step above the window the search is a ply shallower.";
    futility = 85, "Futility: below the window by so much for each ply, a quiet move is not searched.";
    futility_base = 90, "Futility: and by so much besides.";
}

impl Margins {
    /// The greatest margin that is accepted: a queen and a rook.
    pub const GREATEST: i32 = 1500;
}
