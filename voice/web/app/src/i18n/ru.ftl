### Все тексты страницы по-русски. Те же имена и те же подстановки, что и в en.ftl.

## Страницы и вход

title-home = voicetable
title-join = Приглашение за стол
title-table = Стол
title-moderate = Модерация
title-at = { $name } · voicetable
title-your-minute = ● Твоя минута · { $name }
lang-other = English
loading = Загрузка…
close = Закрыть
yes = да
no = нет
you = Ты
bot = бот
home-title = Голосовой стол спортивной мафии
home-lead = Десять мест, автоматический ведущий, твой голос. Пустые места занимают боты — можно начать и одному.
home-new = Создать стол
home-table-name = Название стола
home-table-default = Стол игрока { $name }
home-table-lang = Язык стола
home-create = Создать стол
home-creating = Создаём…
home-back = На главную
join-title = Приглашение
join-title-table = Сесть за стол: { $name }
join-lang =
    { $lang ->
        [ru] За столом говорят по-русски.
       *[en] За столом говорят по-английски.
    }
join-nobody = За столом пока никого.
join-people = За столом: { $people }. Мест: { $seats }.
join-sit = Сесть за стол
join-joining = Садимся…
join-seated = У тебя уже есть место за этим столом.
join-return = Вернуться на своё место
join-running = Игра началась: новых за стол не сажают.
join-over = Игра за этим столом закончена.
door-name = Твоё имя за столом
door-name-needed = Напиши, как тебя звать за столом.
door-consent-title = Что происходит с твоими словами
door-consent-text = Пока микрофон открыт, программа на этом сервере превращает твою речь в текст. Все за столом читают его субтитрами, и его проверяют на оскорбления.
door-consent-memory = Звук остаётся в памяти сервера на несколько секунд — только для распознавания. Игра не записывается.
door-consent-kept = Реплику, которую отметила проверка или на которую пожаловался игрок, сохраняют для модераторов вместе с соседними.
door-consent = Я согласен или согласна
door-consent-needed = Без согласия стол не может дать тебе микрофон.
error-unknown = На странице что-то сломалось. Обнови её.
error-other = Сервер отказал: { $message }
error-unreachable = Сервер недоступен. Проверь связь и попробуй ещё раз.
error-name-taken = Такое имя за столом уже есть. Выбери другое.
error-consent-needed = Без согласия стол не может дать тебе микрофон.
error-invite-unknown = Это приглашение недействительно. Попроси новую ссылку.
error-invite-expired = Приглашение устарело. Попроси новую ссылку.
error-table-full = Все места за столом заняты.
error-table-started = Игра началась: новых за стол не сажают.
error-table-broken = Этот стол пришлось закрыть. Создай новый.
error-too-many = Слишком много попыток. Подожди минуту.
error-no-table = Этого стола больше нет. Создай новый.
error-busy = Стол перегружен или закрыт. Попробуй ещё раз через минуту.
error-server-full = На сервере сейчас нет места для ещё одного стола. Попробуй позже.
error-bad-token = Этот ключ здесь не действует.
error-not-owner = Игру может начать только хозяин стола.
error-no-line = Такой реплики больше нет.

## Микрофон до игры

check-title = Проверка микрофона
check-why = Проверь до игры: выбери устройство, скажи что-нибудь и послушай себя.
check-start = Проверить микрофон
check-device = Устройство
check-device-number = Микрофон { $number }
check-say = Скажи что-нибудь: полоски должны двигаться.
check-heard = Тебя слышно.
check-record = Записать 4 секунды и послушать
check-record-again = Записать ещё раз
check-recording = Запись: говори…
check-clean = Убирать эхо и шум из моего звука
mic-again = Ещё раз
mic-asking = Браузер спрашивает тебя…
mic-off = Микрофон выключен
mic-ready = Микрофон готов
mic-denied = Браузер не дал микрофон
mic-missing = Микрофон не найден
mic-busy = Микрофон занят или сломан
mic-insecure = Микрофону нужен https
mic-ended = Микрофон отключили
mic-muted = Устройство заглушило микрофон

## Лобби

table-title = Стол
lobby-invite = Ссылка-приглашение
lobby-invite-text = Отправь её тем, с кем играешь. По ссылке за стол может сесть любой.
lobby-copy = Копировать
lobby-copied = Скопировано.
lobby-people = За столом: { $people } из { $seats }
lobby-owner = хозяин стола
lobby-gone = нет связи
lobby-ready = на месте
lobby-not-ready = ещё не готов
lobby-ready-on = Готово ✓
lobby-ready-off = К игре всё готово
lobby-bots =
    { $bots ->
        [0] Все места заняты.
        [one] { $bots } пустое место займёт бот.
        [few] { $bots } пустых места займут боты.
       *[other] { $bots } пустых мест займут боты.
    }
lobby-start = Начать игру
lobby-wait = Игру начинает хозяин стола.
leave = Выйти
rejected-title = Здесь нет твоего места
rejected-text = У этой вкладки нет места за этим столом. Открой ссылку-приглашение.
ended-title = Этот стол закрыт
ended-text = Игра здесь закончена, или стол пришлось закрыть.
join-broken = Этот стол пришлось закрыть.
taken-title = Открыто в другом месте
taken-text = Твоё место открыли в другой вкладке или на другом устройстве. Играет та, что открыта последней.
taken-back = Вернуть место сюда

## Шапка и панели

menu = Меню
rules = Правила
settings = Настройки
report = Жалоба
seats = Места
seat = место { $seat }
seat-name = место { $seat }, { $name }
seat-word = Место
seat-column = Место
head-over = Игра окончена
head-night = Ночь { $number }
head-day = День { $number }
head-living = живых { $living }
head-nominated = Выставлены
head-nobody = никто
phase-agreement = договорка
phase-speech = речи
phase-short_turn = короткий ход
phase-vote = голосование
phase-tie_speech = ничья
phase-lift = подъём
phase-shot = выстрел
phase-don_check = проверка дона
phase-sheriff_check = проверка шерифа
phase-best_move = лучший ход
phase-last_word = последнее слово
phase-over = конец
speaking = говорит
turn = думает
nominated = выставлен
away = нет связи
out = выбыл
back-within = ждём ещё { $time }
left-shot = убит, ночь { $number }
left-vote = заголосован, день { $number }
left-lift = поднят, день { $number }
left-removal = удалён, { $number }
warnings =
    { $count ->
        [one] { $count } предупреждение
        [few] { $count } предупреждения
       *[other] { $count } предупреждений
    }
fouls =
    { $count ->
        [0] фолов нет
        [one] { $count } фол
        [few] { $count } фола
       *[other] { $count } фолов
    }
link-alive = голос на связи
link-dead = голос не на связи
side-label = Что сказано и сделано
tab-captions = Субтитры
tab-events = События
tab-signs = Жесты
tab-votes = Голоса
dock-label = Твой микрофон и твои ходы
prompt-label = Твой ход

## Середина стола

now-agreement = Мафия договаривается о порядке
now-speech = Минута у места { $seat }, { $name }
now-speech-you = Твоя минута: говори
now-short_turn = Место { $seat }, { $name }: выставить или пас
now-short_turn-you = Речь пропущена: выставь или пас
now-vote = Стол голосует
now-tie_speech = Место { $seat }, { $name }: речь при ничьей
now-tie_speech-you = Твоя речь при ничьей: говори
now-lift = Уходят ли все они?
now-shot = Мафия выбирает место
now-don_check = Дон проверяет место
now-sheriff_check = Шериф проверяет место
now-best_move = Место { $seat }, { $name }: лучший ход
now-best_move-you = Твой лучший ход
now-last_word = Место { $seat }, { $name }: последнее слово
now-last_word-you = Твоё последнее слово: говори
now-over = Игра окончена
next = дальше: место { $seat }, { $name }
next-you = дальше: ты
next-after-speeches = дальше: конец речей
help-agreement = Первая ночь: никого не убивают. Дон задаёт порядок выстрелов мафии.
help-speech = Слушай. Можно показывать жесты: { $signs_per_speech } фразы за каждую речь.
help-speech-you = Скажи, кого подозреваешь и почему. Одно выставление в день. «Пас» завершает минуту.
help-short_turn = После фола { $skip_fouls } следующая речь пропускается: { $short_turn_s } секунд, чтобы выставить или сказать «Пас».
help-short_turn-you = Фол { $skip_fouls } отнял эту речь. Можно ещё выставить или сказать «Пас».
help-vote = По одному голосу, скрыто; открываются все разом. Неотданный голос — последнему имени.
help-tie_speech = Равные говорят ещё раз, потом стол голосует между ними.
help-tie_speech-you = Голоса разделились поровну. Скажи, почему тебе остаться.
help-lift = Снова та же ничья. Больше половины живых «за» — уходят все.
help-shot = Вся мафия на одном месте — игрок убит. Иначе промах.
help-don_check = Дон ищет шерифа. Ведущий зовёт дона каждую ночь, жив он или нет.
help-sheriff_check = Шериф узнаёт, красное место или чёрное. Зовут каждую ночь, жив он или нет.
help-best_move = Убитый в первую ночь стрельбы называет до { $best_move_seats } мест, которые считает чёрными.
help-best_move-you = Назови до { $best_move_seats } мест, которые считаешь чёрными, или скажи «Пас».
help-last_word = Кто уходит, говорит последнее слово. Карта закрыта до конца игры.
help-last_word-you = Твоё последнее слово. Карта останется закрытой до конца игры.
help-over = Все микрофоны открыты: обсудите игру.
time-left = Осталось секунд: { $seconds }
time-over = Время вышло

## Состояние микрофона

pill-label = Твой микрофон
pill-open = Микрофон открыт
pill-heard = Тебя слышно
pill-silent = От микрофона ничего не слышно: говори громче или проверь его в настройках
pill-closed = Микрофон закрыт ведущим
pill-offline = Нет связи
pill-reconnect = Соединить
pill-allow = Включить
pill-asking = Ждём…
pill-no-sound = Браузер не даёт столу звучать
pill-sound = Включить звук
pill-trouble-open = Открыт, но тебя не слышно
pill-trouble-closed = Почини до своей минуты
voice-off = Голос не на связи
voice-connecting = Голос соединяется…
voice-failed = Голос не на связи
voice-flood = Закрыто: от устройства шло слишком много
voice-busy = Многие подключаются: минутку…
minute-now = сейчас твоя минута
minute-next = следующая минута — твоя
minute-in =
    { $minutes ->
        [one] твоя минута примерно через { $minutes } минуту
        [few] твоя минута примерно через { $minutes } минуты
       *[other] твоя минута примерно через { $minutes } минут
    }
minute-spoken = сегодня твоя минута уже была
minute-night = ночь: никого не слышно
minute-vote = стол голосует: никого не слышно
minute-out = твоя игра закончена: можно слушать
minute-later = откроется, когда придёт твоя минута
minute-watching = ты смотришь

## Ходы

act-signs = Жесты
act-signs-short = Жесты
act-nominate = Выставить
act-claim = Заявка
act-defend = Защита
act-ask = Вопрос
act-pass = Пас
pass-sure = Нажми «Пас» ещё раз: минута сразу закончится.
pass-sure-best-move = Нажми «Пас» ещё раз: никто не будет назван.
place = по порядку { $place }
pick-first = Выбери место
night-order = Порядок выстрелов: нажимай места по порядку
night-order-confirm = Задать порядок
night-ordered = Порядок: { $seats }. Можно менять, пока не вышло время.
night-shoot = В кого стреляет мафия? Выбери своё место
night-shoot-confirm = Стрелять в место { $seats }
night-check = Какое место проверяешь?
night-check-confirm = Проверить место { $seats }
night-team = Ты не спишь: держи карту, чтобы увидеть своих
night-team-note = Порядок выстрелов задаёт дон; не задаст — решит жребий.
night-later = Твой ход позже этой ночью: жди
night-none = Этой ночью у тебя хода нет: жди утра
night-none-note = Ночь для всех идёт полное время.
night-out = Твоя игра закончена: можно смотреть
night-watching = Ночь, какой её видит стол
night-change = Выбор можно менять, пока не вышло время.
night-made = Сейчас: { $seats }. Можно менять, пока не вышло время.
night-wait = Жди
night-ok = Понятно
night-ok-done = Понятно. Другие, может быть, ещё думают.
vote-title = Твой голос: одно имя
vote-watching = Стол голосует
vote-note = Голос скрыт, изменить его нельзя. Не проголосуешь — он уйдёт против места { $seat }.
vote-hidden = Голоса скрыты, пока не откроются все разом.
vote-given = Твой голос: уходит место { $seat }. Все голоса откроются разом.
vote-confirm = Голосовать: уходит { $seat }
vote-wait = Ждём стол
lift-title = Уходят ли все они? { $seats }
lift-yes = Да, уходят все
lift-no = Нет, остаются все
lift-first = Выбери ответ
lift-note = Ответ изменить нельзя. Нет ответа — значит «нет».
lift-given = Ответ дан. Все ответы откроются разом.
lift-confirm-yes = Ответить «да»: уходят все
lift-confirm-no = Ответить «нет»: остаются все
best-move-title = Твой лучший ход — назови до { $most } мест, которые считаешь мафией
best-move-note = Его увидят все, изменить нельзя. Или нажми «Пас», чтобы никого не называть.
best-move-confirm = Назвать мафией: { $seats }
nominate-title = Кого выставляешь на голосование?
nominate-note = Одно выставление в день; забрать его нельзя. Минута продолжается.
nominate-confirm = Выставить: { $seat }
claim-title = Какую карту заявляешь?
claim-note = Стол прочтёт это субтитром. Это может быть и неправдой.
say-defend-title = Кого защищаешь?
say-defend-confirm = Защитить: { $seat }
say-ask-title = Кому вопрос?
say-ask-confirm = Спросить: { $seat }
say-note = Стол прочтёт это субтитром.
signs-title = Жесты
signs-numbers = Номера мест
signs-names = Жесты
signs-empty = До { $most } жестов во фразе
signs-left = Осталось фраз в этой речи: { $left } из { $of }
signs-back = Убрать
signs-send = Показать
signs-foul = Показать: это фол
signs-foul-sure = Точно показать и получить фол?
sign-civilian = мирный
sign-sheriff = шериф
sign-mafia = мафия
sign-don = дон
sign-red = красный
sign-black = чёрный
sign-check = проверка
sign-shot = выстрел
sign-vote = голос
sign-trust = верю
sign-yes = да
sign-no = нет
why-no-game = Игры сейчас нет.
why-watching = Ты смотришь: ходов у тебя нет.
why-out = Твоя игра закончена.
why-no-speech = Жесты — только во время речей.
why-nominated-already = Одно выставление в день: твоё уже сделано.
why-not-your-minute = Только в свою минуту.
refused-rule = Нельзя: { $why }
refused-late = Поздно: та фаза уже закончилась.
refused-lost = Не отправлено: связи не было. Посмотри на стол и попробуй ещё раз.
card-title = Твоя карта
card-hold = держи, чтобы увидеть
card-new = есть новое: держи
card-civilian = Мирный
card-sheriff = Шериф
card-mafia = Мафиози
card-don = Дон
team-red = красный
team-black = чёрный
card-mates = Твоя команда: { $seats }
card-order-don = Порядок выстрелов: { $seats }
card-order-lot = Порядок выстрелов, жребий: { $seats }
card-check = Ночь { $night }, место { $seat }: { $answer }
answer-red = красный
answer-black = чёрный
answer-sheriff = шериф
answer-not_sheriff = не шериф
answer-mafia = мафия
answer-not_mafia = не мафия

## Что показывают ведущий и игроки

host-says = Ведущий: { $text }
host-agreement = Ночь 1, договорка. У мафии { $seconds } секунд. Этой ночью никого не убивают.
host-night = Ночь { $number }. Стол засыпает.
host-shot = Мафия выбирает: { $seconds } секунд.
host-don-check = Дон ищет шерифа: { $seconds } секунд.
host-sheriff-check = Шериф проверяет место: { $seconds } секунд.
host-morning-killed = Доброе утро. Этой ночью убит игрок на месте { $seat }, { $name }.
host-morning-missed = Доброе утро. Этой ночью никто не убит: мафия промахнулась.
host-day = День { $number }.
host-speech = Место { $seat }, { $name }: { $seconds } секунд.
host-short-turn = Место { $seat }, { $name }: эта речь пропущена. { $seconds } секунд, чтобы выставить или сказать «Пас».
host-tie-speech = Место { $seat }, { $name }: ещё { $seconds } секунд.
host-accepted = Принято: { $seat }
host-no-vote = Никто не выставлен: сегодня голосования нет.
host-no-vote-one = В первый день только одно имя: голосования нет.
host-vote = Голосование. Выставлены: { $seats }. { $seconds } секунд, одно имя, скрыто.
host-revote = Переголосование между { $seats }. { $seconds } секунд.
host-votes = Голоса открыты. { $votes }
host-tie = Ничья: { $seats }.
host-lift = Уходят ли все они? { $seats }. { $seconds } секунд.
host-lifted = За: { $yes }, против: { $no }. Уходят все.
host-not-lifted = За: { $yes }, против: { $no }. Остаются все.
host-left-vote = Место { $seat }, { $name }: покидает стол по голосованию.
host-left-lift = Место { $seat }, { $name }: покидает стол.
host-left-removal = Место { $seat }, { $name }: удаление из игры.
host-best-move-asked = Место { $seat }, { $name }: { $seconds } секунд на лучший ход.
host-best-move = Лучший ход места { $seat }: { $seats }.
host-best-move-none = Место { $seat }, { $name }: никто не назван.
host-last-word = Место { $seat }, { $name }: последнее слово, { $seconds } секунд.
host-vote-cancelled = Игрок удалён: голосование этого дня отменено.
host-away = Место { $seat }, { $name }: пропала связь.
host-back = Место { $seat }, { $name }: снова на связи.
host-bot = За место { $seat } до конца играет бот.
host-over-town = Победил город.
host-over-mafia = Победила мафия.
host-over-draw = Ничья.
host-abandoned = Игра остановлена, победителя нет.
said-claim = Я — { $card }.
said-defend = Защищаю место { $seat }.
said-ask = Вопрос к месту { $seat }.
signed = показывает:
warned = Предупреждение, место { $seat }.
warned-next = Следующая такая реплика — фол.
fouled = Фол, место { $seat } ({ $fouls } из { $of }).
foul-signs = Слишком много жестов за одну речь.
foul-line = За сказанное.
foul-ruling = Решение модератора.
cleared = Место { $seat }: модератор отменил. Фолов теперь: { $fouls }.
why = Почему?
why-title = Место { $seat }: почему?
why-your-line = Твоя реплика, как её распознали:
why-person = Каждую отмеченную реплику видит модератор и может отменить предупреждение или фол.
category-insult = Оскорбление
category-hate = Ненависть
category-sexual = Сексуальное высказывание
policy-category = Категория
policy-is = Это
policy-not = Это не
policy-insult-is = Оскорбление человека за столом, с бранью или без: унижение, высокомерие, намёк; брань в адрес игрока; пожелание игроку зла вне игры.
policy-insult-not = Игровые слова, какими бы жёсткими они ни были; критика речи, версии, голоса или логики; брань ни в чей адрес; ругань на себя.
policy-hate-is = Нападки на людей из-за этничности, национальности, веры, пола, ориентации или инвалидности, в том числе стереотипами; оскорбительные клички.
policy-hate-not = Разговор о таких группах без нападок; цвета команд («чёрные выиграли круг»).
policy-sexual-is = Сексуальное замечание, требование или предложение; слова о чьём-то теле или сексуальной жизни.
policy-sexual-not = Названия ролей других вариантов (любовница, путана); слова с редким вторым смыслом.
votes-title = Голоса
votes-title-again = Голоса, ещё раз
votes-from = голоса мест
votes-none = Голоса ещё не открывались.
votes-column = День { $day }, голосование { $round }
lift-column = День { $day }, уходят все?

## Итог

result-name = Игрок
result-card = Карта
result-left = Как ушёл
result-points = Очки
result-lived = за столом
result-talk = Все микрофоны открыты: обсудите игру.
result-new = Новый стол
points = { $value }

## Окна

leave-title = Выйти из-за стола?
leave-text = Твоё место простоит пустым { $seconds } секунд, дальше за тебя доиграет бот. Вернуться будет нельзя.
leave-text-over = Игра окончена. Стол больше не будет слышно.
leave-confirm = Выйти из-за стола
stay = Остаться
report-title = Пожаловаться модераторам на реплику
report-text = Выбери, что было сказано. Посмотрит человек; стол узнает, только если он так решит.
report-none = Чужих слов пока не распознано.
report-send = Пожаловаться на эту реплику
report-done = Жалоба отправлена. Её посмотрит модератор.
setting-captions = Сначала открывать субтитры
setting-contrast = Больше контраста
setting-help = Строка подсказки в каждой фазе
setting-sounds = Звуки, когда мой микрофон открывают и закрывают
setting-shortcuts = Клавиши (G, N, L, D, A, P, C, цифры)
setting-size = Размер субтитров
setting-size-1 = обычный
setting-size-2 = крупный
setting-size-3 = очень крупный
lost-title = Связь потеряна
lost-retry = Вернётся сама…
lost-kept = Вернётся сама. Место держим ещё { $time }.
lost-bot = Вернётся сама. За тебя, возможно, уже играет бот.
lost-now = Попробовать сейчас
rules-title = Правила коротко
rules-head-game = Игра
rules-cards = Игроков { $seats }: 7 красных — город (6 мирных и шериф), 3 чёрных — мафия (2 мафиози и дон). Чёрные знают друг друга.
rules-win-town = Город побеждает, когда чёрных не осталось.
rules-win-mafia = Мафия побеждает, когда чёрных столько же, сколько красных. Ночей стрельбы подряд без ушедших — { $draw_nights }: ничья.
rules-closed = Карты закрыты до конца — даже у тех, кто выбыл.
rules-head-night = Ночь
rules-agreement = Первая ночь — договорка: { $agreement_s } секунд у мафии на порядок выстрелов. Никого не убивают.
rules-shot = Потом каждую ночь: { $shot_s } секунд, каждый мафиози выбирает место. Все на одном — убит. Иначе промах.
rules-checks = Потом дон проверяет одно место (шериф ли это), { $don_check_s } секунд, и шериф — одно место (красный или чёрный), { $sheriff_check_s } секунд.
rules-head-day = День
rules-speech = Все говорят по порядку мест, по { $speech_s } секунд. Микрофон открывает ведущий. «Пас» завершает минуту.
rules-nominate = В свою минуту можно выставить одного игрока на голосование.
rules-signs = Жесты можно показывать в чью угодно речь: { $signs_per_speech } фразы за речь, следующая — фол.
rules-head-vote = Голосование
rules-cast = { $vote_s } секунд, одно имя, скрыто, открываются все разом. Неотданный голос — последнему имени в списке.
rules-one = Первый день и только одно имя: голосования нет.
rules-tie = Ничья: каждый из равных говорит ещё { $tie_speech_s } секунд, потом стол голосует между ними.
rules-lift = Снова та же ничья: «Уходят ли все они?» Больше половины живых «за» — уходят все.
rules-head-leaving = Кто уходит
rules-last-word = Кто ушёл выстрелом или голосованием, говорит последнее слово: { $last_word_s } секунд.
rules-best-move = Убитый в первую ночь стрельбы сначала называет до { $best_move_seats } мест: лучший ход, { $best_move_s } секунд.
rules-head-fouls = Фолы и связь
rules-fouls-why = Фол дают за лишнюю фразу жестами и за оскорбления, ненависть и сексуальные высказывания: сначала предупреждение, потом фол; явный случай — сразу фол.
rules-fouls-steps = Фол { $skip_fouls }: следующая речь пропускается. Фол { $removal_fouls }: выход из игры без последнего слова.
rules-away = Пропала связь: { $away_s } секунд, чтобы вернуться, дальше за тебя играет бот.

## Модерация

moderate-title = Отмеченные реплики
moderate-forget = Забыть мой ключ
moderate-rejected = Этот ключ здесь не действует.
moderate-token = Ключ модератора
moderate-enter = Войти
moderate-filter = Какие реплики
moderate-open = Открытые
moderate-ruled = Решённые
moderate-all = Все
moderate-empty = Здесь пусто. Новые реплики придут сами.
moderate-queue = Реплики, сначала старые
moderate-line = Реплика
moderate-where = { $table }: место { $seat }, { $name }
moderate-severity = Тяжесть
moderate-source = Откуда
moderate-check = проверка
moderate-report = жалоба игрока
moderate-reported = Жалоба
moderate-rules = Сработало
moderate-scores = Оценки
moderate-ruling = Решение
moderate-reason = Причина (хранится с решением)
moderate-keys = U и D — решение, J и K — по списку
moderate-upheld = Подтверждено: место { $seat }, { $name }
moderate-dismissed = Отклонено: место { $seat }, { $name }
moderate-state-upheld = подтверждено
moderate-state-dismissed = отклонено
severity-likely = вероятно
severity-clear = явно
severity-person = решает человек
uphold = Подтвердить
dismiss = Отклонить
