"""Sport Mafia: how the game differs from the club rulebook, and why."""

from __future__ import annotations

from engine.rulebook.rule import Rule, Section, Words

DIFFERS = Section(
    "differs",
    Words("How this differs from the club rulebook, and why", "Чем это отличается от клубного регламента и почему"),
    (
        Rule(
            "sport.differs.edition",
            Words("The edition", "Редакция"),
            Words(
                "The mechanics are those of the club rulebook in its edition of {club_edition_day} February "
                "{club_edition_year}; the wording is our own. These are the places where this table plays otherwise.",
                "Механика — клубного регламента в редакции от {club_edition_day} февраля {club_edition_year} года, "
                "слова наши. Ниже — места, где этот стол играет иначе.",
            ),
            "seed 000, For club players",
        ),
        Rule(
            "sport.differs.deal",
            Words("Dealing", "Раздача"),
            Words(
                "In a club people deal, the sheriff makes himself known by a sign in the first night, and "
                "{club_seating_s|second|seconds} of free seating follow. Here the program has dealt and knows the "
                "cards: neither is needed.",
                "В клубе раздают люди, шериф в первую ночь знаком показывается ведущему, и на свободную посадку "
                "даётся {club_seating_s|секунда|секунды|секунд}. Здесь программа раздала карты и знает их: ни то ни "
                "другое не нужно.",
            ),
            "seed 000, differences",
        ),
        Rule(
            "sport.differs.agreement",
            Words("Agreement", "Договорка"),
            Words(
                "In a club the agreement always runs to its end. Here “OK” shortens it where the rest of the team are "
                "bots, as no person waits.",
                "В клубе договорка всегда идёт до конца. Здесь «Понятно» сокращает её, если остальные в команде — "
                "боты: ни один человек не ждёт.",
            ),
            "seed 000, differences",
        ),
        Rule(
            "sport.differs.hands",
            Words("Voting", "Голосование"),
            Words(
                "In a club hands go up openly, nominee by nominee. Here votes are hidden for up to "
                "{vote_s|second|seconds} and open together: no network shows hands on all screens at the same instant.",
                "В клубе руки поднимают открыто, по кандидатуре за раз. Здесь голоса скрыты до "
                "{vote_s|секунды|секунд|секунд} и открываются вместе: по сети руки не появятся на всех экранах в одно "
                "мгновение.",
            ),
            "seed 000, differences",
        ),
        Rule(
            "sport.differs.accepted",
            Words("“Accepted”", "«Принято»"),
            Words(
                "In a club the host answers each nomination aloud. Here it is a caption, so that nobody is talked "
                "over.",
                "В клубе ведущий отвечает на каждое выставление вслух. Здесь это подпись, чтобы никого не перебивать.",
            ),
            "seed 000, differences",
        ),
        Rule(
            "sport.differs.signs",
            Words("Hand signs", "Жесты"),
            Words(
                "In a club the host judges when gestures are too many. Here the number is fixed: "
                "{signs_per_speech|sentence|sentences} a speech, in anybody’s speech; the next is a foul.",
                "В клубе меру жестам определяет ведущий. Здесь число твёрдое: {signs_per_speech|фраза|фразы|фраз} за "
                "речь, в чью угодно речь; следующая — фол.",
            ),
            "seed 000, differences",
        ),
        Rule(
            "sport.differs.talking",
            Words("Talking out of turn", "Слова не в очередь"),
            Words(
                "In a club that is what most fouls are for. Here it cannot happen: microphones open in turn.",
                "В клубе за это и дают большинство фолов. Здесь это невозможно: микрофоны открываются по очереди.",
            ),
            "seed 000, differences",
        ),
        Rule(
            "sport.differs.insult",
            Words("Insults", "Оскорбления"),
            Words(
                "In a club whoever insults or swears is removed at once. Here it is a foul on the common ladder, "
                "after a warning unless it is repeated or clear, and a report needs a person: a machine may mishear, "
                "and one mistake of it must never throw a player out of a running game.",
                "В клубе того, кто оскорбил или выругался, удаляют сразу. Здесь это фол на общей лестнице, после "
                "предупреждения, если это не повтор и не явный случай, а жалобе нужен человек: машина может "
                "ослышаться, и одна её ошибка не должна выбрасывать игрока из идущей игры.",
            ),
            "seed 000, differences",
        ),
        Rule(
            "sport.differs.last_word",
            Words("Violations in the last word", "Нарушение в последнем слове"),
            Words(
                "In a club it costs {club_last_word_points:+} and a removal. Here it has no effect yet: the player "
                "leaves anyway, and a machine cannot judge it well enough.",
                "В клубе за это удаляют и дают {club_last_word_points:+}. Здесь пока без последствий: игрок и так "
                "уходит, а машина судит об этом недостаточно надёжно.",
            ),
            "seed 000, differences",
        ),
        Rule(
            "sport.differs.removal_time",
            Words("When a removal happens", "Когда удаляют"),
            Words(
                "In a club the {removal_fouls:th} foul removes on the spot. Here the running speech is heard to its "
                "end, so that its speaker is not cut off.",
                "В клубе {removal_fouls:-й} фол удаляет на месте. Здесь идущую речь дослушивают, чтобы не обрывать "
                "говорящего.",
            ),
            "seed 000, differences",
        ),
        Rule(
            "sport.differs.cancelled",
            Words("The cancelled vote", "Отменённое голосование"),
            Words(
                "In a club the nearest vote is cancelled by a removal. Here too, but on a day without a vote (nobody "
                "put up, or fewer than {first_day_nominees} on the first day) the cancelling is spent that day.",
                "В клубе удаление отменяет ближайшее голосование. Здесь тоже, но в день без голосования (никто не "
                "выставлен или в первый день выставлено меньше {first_day_nominees}) отмена сгорает в этот день.",
            ),
            "seed 000, differences",
        ),
        Rule(
            "sport.differs.shot_time",
            Words("Time for the shot", "Время на выстрел"),
            Words(
                "The club rulebook names none. Here it is {shot_s|second|seconds}; the checks have {don_check_s} and "
                "{sheriff_check_s}.",
                "Клубный регламент его не называет. Здесь это {shot_s|секунда|секунды|секунд}; у проверок "
                "{don_check_s} и {sheriff_check_s}.",
            ),
            "seed 000, differences",
        ),
        Rule(
            "sport.differs.checks",
            Words("Useless checks", "Пустые проверки"),
            Words(
                "In a club checks of the same seat, of a teammate or of somebody who has left are possible and "
                "penalised. Here they cannot be made, as the move would be lost: the don checks no teammate and no "
                "seat again, nobody checks their own seat or one that has left.",
                "В клубе проверить то же место, своего или выбывшего можно, но за это штраф. Здесь этого не сделать, "
                "ведь ход пропал бы зря: дон не проверяет своих и место повторно, никто не проверяет себя и выбывших.",
            ),
            "seed 000, differences",
        ),
        Rule(
            "sport.differs.best_move",
            Words("Best move", "Лучший ход"),
            Words(
                "In a club it may name any seats. Here it names living ones other than one’s own: so the owner "
                "decided.",
                "В клубе можно назвать любые места. Здесь — живые и не своё: так решил владелец.",
            ),
            "seed 000, differences",
        ),
        Rule(
            "sport.differs.draw_nights",
            Words("Nights of a draw", "Ночи до ничьей"),
            Words(
                "In a club any {club_draw_nights|night|nights} in a row without a leaver are a draw. Here "
                "{draw_nights}, and shooting nights alone count: in the agreement night there is no shot to miss.",
                "В клубе к ничьей ведут любые {club_draw_nights|ночь|ночи|ночей} подряд без ушедших. Здесь "
                "{draw_nights}, и считаются только ночи стрельбы: в договорку и промахнуться нечем.",
            ),
            "seed 000, differences",
        ),
        Rule(
            "sport.differs.draw_points",
            Words("Points of a draw", "Очки за ничью"),
            Words(
                "In a club a draw pays everybody {club_draw_points}, less small penalties. Here it is {points_draw}: "
                "so the owner decided.",
                "В клубе ничья даёт каждому {club_draw_points} минус мелкие штрафы. Здесь {points_draw}: так решил "
                "владелец.",
            ),
            "seed 000, differences",
        ),
        Rule(
            "sport.differs.extra_points",
            Words("Extra points", "Дополнительные баллы"),
            Words(
                "In a club the host may give more points, penalties and compensation. Here not: no person watches a "
                "game as a club host does. The review tells what a host might have punished.",
                "В клубе ведущий может добавить баллы, штраф или компенсацию. Здесь нет: человек не следит за партией "
                "так, как клубный ведущий. Где он оштрафовал бы, подскажет разбор.",
            ),
            "seed 000, differences",
        ),
        Rule(
            "sport.differs.pause",
            Words("Pauses", "Паузы"),
            Words(
                "In a club a technical pause stops the game. Here whoever is gone may come back within "
                "{away_s|second|seconds}, and is played by a bot after that, so that the other "
                "{others|player goes|players go} on.",
                "В клубе игру останавливает техническая пауза. Здесь на потерянную связь есть "
                "{away_s|секунда|секунды|секунд}, потом играет бот, и игра идёт для остальных, а их {others}.",
            ),
            "seed 000, differences",
        ),
        Rule(
            "sport.differs.phrases",
            Words("The host’s phrases", "Фразы ведущего"),
            Words(
                "A club host speaks fixed phrases. This host says the same in the same order, in words of its own, "
                "and takes no side.",
                "Клубный ведущий говорит установленными фразами. Здешний говорит то же в том же порядке, но "
                "по-своему, и ничью сторону не занимает.",
            ),
            "seed 000, differences",
        ),
        Rule(
            "sport.differs.self_vote",
            Words("Against oneself", "Против себя"),
            Words(
                "In a club whoever votes himself out is penalised. Here players may put themselves up and vote "
                "against themselves without a penalty, and the last nominee gets each vote not cast, even their own: "
                "one rule without exceptions.",
                "В клубе за вывод самого себя штраф. Здесь можно и выставить себя, и голосовать против себя, а "
                "неотданный голос идёт последнему выставленному, кто бы он ни был: одно правило без исключений.",
            ),
            "seed 000, differences",
        ),
    ),
)
