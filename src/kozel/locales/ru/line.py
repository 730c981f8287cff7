"""Строка, которую пишут."""

MESSAGES: dict[str, str | dict[str, str]] = {
    "line.how": "Напишите и нажмите Enter. Escape возвращает без этого, стрелка вверх читает написанное.",
    "line.typed": "Написано: {text}",
    "line.nothing": "Пока ничего не написано.",
    "line.nothing_to_erase": "Стирать нечего.",
    "line.beginning": "Начало строки.",
    "line.end": "Конец строки.",
    "line.full": "Строка полна, знаков в ней {n}.",
    "line.no_such_key": "{key:Text} здесь не действует. Enter отправляет, Escape возвращает.",
}
