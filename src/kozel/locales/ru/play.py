"""Что происходит за столом, и вопросы хода. {who}: игрок; {n}: кости, если не сказано другое."""

MESSAGES: dict[str, str | dict[str, str]] = {
    # начало раунда
    "opening.round": {"you": "Раунд {number}: заходите вы.", "they": "Раунд {number}: заходит {who:who}."},
    "opening.begins": "Раунд {number}.",
    "opening.opens": {"you": "Заходите вы.", "they": "Заходит {who:who}."},
    "opening.lot": {"you": "По жребию заходите вы.", "they": "По жребию заходит {who:who}."},
    "opening.dealt": {
        "one": "У каждого костей: {each:count}, на базаре {n:count} кость.",
        "few": "У каждого костей: {each:count}, на базаре {n:count} кости.",
        "many": "У каждого костей: {each:count}, на базаре {n:count} костей.",
    },
    "opening.draws": "До захода берут: {draws:draws}; заход: {tile:tile}.",
    "opening.round_taken": {
        "you": "Раунд {number}: вы берёте {tile:tile} и заходите.",
        "they": "Раунд {number}: {who:who} берёт {tile:tile} и заходит.",
    },
    "opening.taken": {"you": "Вы берёте {tile:tile}.", "they": "{who:Who} берёт {tile:tile}."},
    "opening.asked": {"you": "Вы можете просить пересдачу.", "they": "{who:Who} может просить пересдачу."},
    "opening.kept": {"you": "Вы оставляете сдачу.", "they": "{who:Who} оставляет сдачу."},
    "opening.again_number": {
        "you": "Пересдача: у вас слишком много {pips:pips_many}.",
        "they": "Пересдача, слишком много {pips:pips_many}: {who:who}.",
    },
    "opening.again_asked": {"you": "Пересдача: просите вы.", "they": "Пересдача: просит {who:who}."},
    # ход
    "turn.open": {"you": "Вы: {laid:lays}.", "they": "{who:Who} заходит: {laid:lays}."},
    "turn.lay": {"you": "Вы: {laid:lays}.", "they": "{who:Who}: {laid:lays}."},
    "turn.lay_one_left": {
        "you": "Вы: {laid:lays}; одна кость.",
        "they": "{who:Who}: {laid:lays}; одна кость.",
    },
    "turn.draw_lay": {
        "you": "Вы: {laid:lays}; {n:drew}.",
        "they": "{who:Who}: {laid:lays}; {n:drew}.",
    },
    "turn.draw_lay_one_left": {
        "you": "Вы: {laid:lays}; {n:drew}; одна кость.",
        "they": "{who:Who}: {laid:lays}; {n:drew}; одна кость.",
    },
    "turn.draw": {
        "you": "Вы берёте {n:taken}.",
        "one": "{who:Who} берёт {n:taken} кость.",
        "few": "{who:Who} берёт {n:taken} кости.",
        "many": "{who:Who} берёт {n:taken} костей.",
    },
    "turn.draw_brief": {"you": "Вы берёте {n:taken}.", "they": "{who:Who} берёт {n:taken}."},
    "turn.draw_pass": {"you": "Вы берёте {n:taken}, пас.", "they": "{who:Who} берёт {n:taken}, пас."},
    "turn.pass": {"you": "Вы пасуете.", "they": "{who:Who} пасует."},
    "turn.snot": "Сопля: {thrown:tiles}.",
    "turn.snot_pair": "Сопля: {thrown:thrown}.",
    "turn.one_left": {"you": "У вас одна кость.", "they": "{who:Who}: осталась одна кость."},
    "turn.ends": "Концы: {ends:open_ends}.",
    "turn.ends_and_left": {
        "one": "Концы: {ends:open_ends}; осталась {n:count} кость.",
        "few": "Концы: {ends:open_ends}; осталось {n:count} кости.",
        "many": "Концы: {ends:open_ends}; осталось {n:count} костей.",
    },
    "turn.takes_bazaar": {
        "you": "Вы берёте весь базар: {n:taken}.",
        "they": "{who:Who} берёт весь базар: {n:taken}.",
    },
    "draw.own": "Взято: {drawn:hand}.",
    "draw.own_brief": "{drawn:Hand}.",
    "draw.own_full": {
        "one": "Взято: {drawn:hand}. На базаре {n:count} кость.",
        "few": "Взято: {drawn:hand}. На базаре {n:count} кости.",
        "many": "Взято: {drawn:hand}. На базаре {n:count} костей.",
    },
    "draw.again": "{said} Ещё раз {key}.",
    # ход для брайлевской строки, кости цифрами
    "braille.drew": "+{n}",
    "braille.pass": "пас",
    "braille.snot": "сопля",
    "braille.one_left": "ост. 1",
    # тот, кто решает следующим
    "yours.fit": {
        "one": "Ваш ход, подходит {n:count}.",
        "few": "Ваш ход, подходят {n:count}.",
        "many": "Ваш ход, подходят {n:count}.",
    },
    "yours.draw": "Ваш ход, берите: {key}.",
    "yours.open_any": "Ваш ход, заходите любой костью.",
    "yours.open_with": "Ваш ход, заходите: {tiles:any_tile}.",
    "handover.next": "{name}, Enter.",
    "handover.after": "{said} {name}, Enter.",
    "handover.fit": {
        "one": "{ends:Open_ends}. Подходит {n:count}.",
        "few": "{ends:Open_ends}. Подходят {n:count}.",
        "many": "{ends:Open_ends}. Подходят {n:count}.",
    },
    "handover.draw": "{ends:Open_ends}. Берите: {key}.",
    "question.end": "{ends:Open_ends}?",
    "question.tile_end": "{tile:Tile}: {ends:open_ends}?",
    "question.redeal": "Дуплей {n:count}. Пересдать? Enter да, Escape нет.",
    "question.leave": "Выйти? Партия сохранится. Enter да, Escape нет.",
    "next.round": "Enter: следующий раунд.",
    # продолжение партии
    "resume.seats": "{game}: {who:who}.",
    "resume.sides": "{game}, парами: {one:who}; {other:who}.",
    "resume.round": "Раунд {number}.",
    "resume.between": "Раунд {number} окончен.",
    "resume.before": "Ещё ни одного раунда.",
    "resume.ends": "Концы: {ends:open_ends}.",
}
