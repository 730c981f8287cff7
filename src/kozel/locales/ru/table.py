"""Клавиши за столом, которым нужны свои слова. {key}: название клавиши; {tile}: кость."""

MESSAGES: dict[str, str | dict[str, str]] = {
    "answer.no_move": "Ещё никто не ходил.",
    "answer.no_round": "Ещё не сыграно ни одного раунда.",
    "question.single": "Только {tile:tile}? Ещё раз пробел; {key} отмечает.",
    "question.taken_back": "Ход отменён.",
    "question.x_marks": "Чтобы положить два дупля сразу, отметьте их клавишей {key}.",
    "question.x_closes": "{key:Text} отмечает дупль открытым, ещё раз закрытым, ещё раз никак. Отмеченные кладут вместе.",
    "match.new": "Новая партия. {game}: {who:who}.",
    "refusal.not_saved": "Освободите место и нажмите ещё раз: {file} не записывается, {why}.",
    "refusal.record_vanished": "Нажмите ещё раз, и партия пойдёт дальше в {elsewhere}: файл {file} исчез.",
    "refusal.record_replaced": "Нажмите ещё раз, игра пойдёт дальше в {elsewhere}: {file} подменён.",
    "refusal.record_changed": "Нажмите ещё раз, игра пойдёт дальше в {elsewhere}: {file} изменён.",
}
