//! What Lucas Chess writes into the Termination tag of games that ended abnormally: in the language of its user, by the language files of version R6.

/// For `Won on time`.
pub(super) const WON_ON_TIME: [&str; 23] = [
    "Auf Zeit gewonnen",
    "Chiến thắng nhờ thời gian",
    "Denboragatik irabazi zuen",
    "Gagné au temps",
    "Ganado por tiempo",
    "Gewonnen door tijd",
    "Guanyat a temps",
    "Időben nyert",
    "Menang waktu",
    "Pobeda na vreme",
    "Vittoria per il tempo",
    "Vitória por tempo",
    "Voitto ajan vuoksi",
    "Wen op tyd",
    "Wygrana przez czas",
    "Zamanında kazandı",
    "Κερδίσατε στον χρόνο",
    "Победа по времени",
    "Հաղթանակ ժամանակի սպառմամբ",
    "برد با زمان",
    "فوز بانتهاء الوقت",
    "因超时赢棋",
    "時間切れによる勝利",
];

/// For `Engine malfunction`.
pub(super) const ENGINE_MALFUNCTION: [&str; 17] = [
    "Dysfonctionnement du moteur",
    "Engineproblem",
    "Funcionamiento erróneo del motor",
    "Greška engine-a",
    "Koneen toimintahäiriö",
    "Mal funcionamento da engine",
    "Motor meghibásodás",
    "Motore malfunzionante",
    "Motorraren akatsa",
    "Slecht functioneren motor",
    "Usterka silnika",
    "Δυσλειτουργία σκακιστικής μηχανής",
    "Неисправность движка",
    "Շարժիչի խափանում",
    "عطل في المحرك",
    "エンジンの不具合",
    "引擎故障",
];
