//! Lists of reasons and of what was noticed: each has a name for programs and a meaning for people.

/// A list of named things that are counted, with what each means.
macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $text:literal $meaning:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        #[expect(missing_docs, reason = "`meaning` says what each is")]
        pub enum $name { $($variant,)* }

        impl $name {
            /// All, in the order in which they are looked for.
            pub const ALL: [$name; [$($name::$variant),*].len()] = [$($name::$variant),*];

            /// The name in files, in JSON and in messages.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// What it is, in a few words.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $($name::$variant => $meaning,)* }
            }

            /// The one with this name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<$name> {
                $name::ALL.into_iter().find(|one| one.name() == name)
            }
        }
    };
}

pub(crate) use named;
