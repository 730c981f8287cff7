"""What each command does, in a few words, for lists of keys and for the key tester."""

from __future__ import annotations

from kozel.session.commands import Command

COMMAND_TEXTS: dict[Command, dict[str, str]] = {
    Command.WALK_LEFT: {"ru": "влево по костям", "en": "left along the tiles"},
    Command.WALK_RIGHT: {"ru": "вправо по костям", "en": "right along the tiles"},
    Command.WALK_HOME: {"ru": "к первой кости", "en": "to the first tile"},
    Command.WALK_END: {"ru": "к последней кости", "en": "to the last tile"},
    Command.ZONE_BEFORE: {
        "ru": "область выше: свои кости, стол, базар",
        "en": "the zone before: own tiles, table, bazaar",
    },
    Command.ZONE_AFTER: {
        "ru": "область ниже: свои кости, стол, базар",
        "en": "the zone after: own tiles, table, bazaar",
    },
    Command.NEXT_FIT: {"ru": "следующая кость, которая подходит", "en": "the next tile that fits"},
    Command.PREVIOUS_FIT: {"ru": "предыдущая кость, которая подходит", "en": "the previous tile that fits"},
    Command.ACT: {
        "ru": "положить кость или отмеченные; на базаре взять",
        "en": "lay the tile, or the marked ones; in the bazaar, draw",
    },
    Command.CONFIRM: {
        "ru": "да, дальше; в своих костях положить",
        "en": "yes, go on; in own tiles, lay",
    },
    Command.MARK: {
        "ru": "отметить дупль; в Осле ещё раз: закрытым; потом снять отметку",
        "en": "mark a double; in Osel again: closed; then no mark",
    },
    Command.DRAW: {"ru": "взять с базара", "en": "draw from the bazaar"},
    Command.LEAVE: {"ru": "выйти, партия сохранится", "en": "leave, the match is kept"},
    Command.HELP: {"ru": "клавиши; ещё раз: правила", "en": "the keys; again: the rules"},
    Command.WHOSE_TURN: {
        "ru": "чей ход и сколько костей подходит",
        "en": "whose turn, and how many tiles fit",
    },
    Command.REPEAT: {"ru": "повторить последнее сообщение", "en": "the last announcement again"},
    Command.LAST_MOVE: {"ru": "последний ход", "en": "the last move"},
    Command.MOVES_SINCE_TURN: {
        "ru": "все ходы после вашего",
        "en": "all moves since your last turn",
    },
    Command.COUNTS: {"ru": "сколько костей у каждого", "en": "how many tiles each player has"},
    Command.BAZAAR: {"ru": "сколько костей на базаре", "en": "how many tiles the bazaar holds"},
    Command.END_LEFT: {"ru": "левый конец", "en": "the left end"},
    Command.END_RIGHT: {"ru": "правый конец", "en": "the right end"},
    Command.END_UP: {"ru": "верхний конец", "en": "the upper end"},
    Command.END_DOWN: {"ru": "нижний конец", "en": "the lower end"},
    Command.HAND: {"ru": "все свои кости", "en": "all own tiles"},
    Command.CHAIN: {"ru": "вся цепочка", "en": "the whole chain"},
    Command.SCORES: {"ru": "счёт", "en": "the scores"},
    Command.LAST_ROUND: {"ru": "итог прошлого раунда", "en": "the round before"},
    Command.EGGS: {"ru": "яйца", "en": "the eggs"},
    **{
        Command(f"tile_{number}"): {"ru": f"своя кость {number}", "en": f"own tile {number}"} for number in range(1, 11)
    },
    Command.OLDER: {"ru": "сообщение раньше", "en": "an older message"},
    Command.NEWER: {"ru": "сообщение позже", "en": "a newer message"},
    Command.KIND_BEFORE: {"ru": "предыдущий вид сообщений", "en": "the kind of messages before"},
    Command.KIND_AFTER: {"ru": "следующий вид сообщений", "en": "the kind of messages after"},
    Command.HINT: {"ru": "подсказка", "en": "a hint"},
    Command.UNDO: {
        "ru": "вернуть ход, только на тренировке",
        "en": "take a move back, in practice only",
    },
    Command.SPEECH_MODE: {"ru": "режим речи", "en": "the next speech mode"},
    Command.VERBOSITY: {"ru": "подробность", "en": "the next verbosity"},
}


def command_text(command: Command, lang: str) -> str:
    """What a command does, in 'ru' or 'en', without a full stop."""
    return COMMAND_TEXTS[command][lang]
