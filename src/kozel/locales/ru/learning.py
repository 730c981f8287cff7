"""Подсказки, обучение и первая партия с проводником. {laid}: ход; {key}: клавиша; {n}: кости, если не сказано другое."""

MESSAGES: dict[str, str | dict[str, str]] = {
    # подсказки
    "hint.draw": "Берите: {key}. Ничего не подходит.",
    "hint.keep": "Оставьте сдачу, {key}: новая в среднем не лучше.",
    "hint.redeal": "Просите пересдачу, {key}: дуплей {n:count}, новая сдача в среднем лучше.",
    "hint.open_only": "{laid:Lays}: другой костью заходить нельзя.",
    "hint.only": "{laid:Lays}: больше ничего не подходит.",
    "hint.out": {
        "one": "{laid:Lays}: последняя кость, вы выходите.",
        "few": "{laid:Lays}: последние кости, вы выходите.",
        "many": "{laid:Lays}: последние кости, вы выходите.",
    },
    "hint.fish_won": "{laid:Lays}: рыба в вашу пользу, очки {mine} против {theirs}.",
    "hint.fish_equal": "{laid:Lays}: рыба, очков поровну, {mine} и {theirs}.",
    "hint.fish_lost": "{laid:Lays}: рыба, хоть и не в вашу пользу, очки {mine} против {theirs}.",
    "hint.fish": "{laid:Lays}: сразу рыба; на руке у вас очков {mine}.",
    "hint.blocks_draw": "{laid:Lays}: {who:who} остаётся без хода и берёт.",
    "hint.blocks_pass": "{laid:Lays}: {who:who} остаётся без хода и пасует.",
    "hint.keeps_shut": "{laid:Lays}: на руке очков {n}, запись не откроется, если сейчас проиграть.",
    "hint.both_ends": {
        "one": "{laid:Lays}: на обоих концах {pips:pips}, и у вас есть ещё {n:count}.",
        "few": "{laid:Lays}: на обоих концах {pips:pips}, и у вас есть ещё {n:count}.",
        "many": "{laid:Lays}: на обоих концах {pips:pips}, и у вас есть ещё {n:count}.",
    },
    "hint.all_fit": "{laid:Lays}: потом подходят все ваши кости.",
    "hint.most_fit": {
        "one": "{laid:Lays}: потом из ваших подходит {n:count}, больше, чем после другого хода.",
        "few": "{laid:Lays}: потом из ваших подходят {n:count}, больше, чем после другого хода.",
        "many": "{laid:Lays}: потом из ваших подходят {n:count}, больше, чем после другого хода.",
    },
    "hint.several": "{laid:Lays}: сразу уходят дупли, их {n:count}.",
    "hint.closes": "{laid:Lays}: этот конец закрыт для всех.",
    "hint.closes_useless": "{laid:Lays}: закрыт конец, для которого у вас больше ничего нет.",
    "hint.double": "{laid:Lays}: уходит дупль, ведь он подходит только к одному числу.",
    "hint.heaviest": "{laid:Lays}: уходит очков {n}, больше нельзя.",
    "hint.fits": {
        "one": "{laid:Lays}: потом из ваших подходит {n:count}.",
        "few": "{laid:Lays}: потом из ваших подходят {n:count}.",
        "many": "{laid:Lays}: потом из ваших подходят {n:count}.",
    },
    "hint.points": "{laid:Lays}: уходит очков {n}.",
    "hint.marked": "{said} Отметьте: {key}.",
    # обучение
    "undo.lay": "Возврат: {laid:lays}.",
    "undo.lay_more": "Возврат: {laid:lays}, и всё, что было потом.",
    "undo.draw": "Возврат: кость снова на базаре.",
    "undo.draw_more": "Возврат: кость снова на базаре, и всё, что было потом.",
    "undo.answer": "Возврат: ответ о пересдаче.",
    "undo.answer_more": "Возврат: ответ о пересдаче, и всё, что было потом.",
    "refusal.nothing_to_take_back": "Ходите: в этом раунде возвращать нечего.",
}
