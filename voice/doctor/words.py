"""The doctor's sentences: what was found, and what to do about it, in English and Russian."""

from __future__ import annotations

from typing import Final

WORDS: Final[dict[str, dict[str, tuple[str, str]]]] = {
    "python": {
        "en": ("Python {found}", ""),
        "ru": ("Python {found}", ""),
    },
    "cores": {
        "en": ("{cores} CPU cores", ""),
        "ru": ("ядер процессора: {cores}", ""),
    },
    "one_core": {
        "en": ("one CPU core: captions will come late while somebody speaks", "give the server two cores or more"),
        "ru": ("одно ядро процессора: субтитры будут отставать", "дайте серверу хотя бы два ядра"),
    },
    "files": {
        "en": ("{limit} open files allowed", ""),
        "ru": ("открытых файлов разрешено: {limit}", ""),
    },
    "few_files": {
        "en": (
            "only {limit} open files allowed: enough for about {people} people",
            "raise it: ulimit -n 65536, LimitNOFILE=65536 (systemd) or --ulimit nofile=65536 (Docker)",
        ),
        "ru": (
            "открытых файлов разрешено всего {limit}: хватит примерно на {people} человек",
            "увеличьте: ulimit -n 65536, LimitNOFILE=65536 (systemd) или --ulimit nofile=65536 (Docker)",
        ),
    },
    "disk": {
        "en": ("{free_mb} MB free for the data folder {folder}", ""),
        "ru": ("свободно {free_mb} МБ для папки данных {folder}", ""),
    },
    "little_disk": {
        "en": (
            "only {free_mb} MB free for the data folder {folder}: the models need 300, each game about 1",
            "make room, or choose another folder with --data",
        ),
        "ru": (
            "свободно всего {free_mb} МБ для папки данных {folder}: моделям нужно 300, игре около 1",
            "освободите место или выберите другую папку: --data",
        ),
    },
    "no_disk": {
        "en": ("{free_mb} MB free for the data folder {folder}: a game can't be written down", "make room"),
        "ru": ("свободно {free_mb} МБ для папки данных {folder}: игру не записать", "освободите место"),
    },
    "no_folder": {
        "en": ("the data folder {folder} can't be written to ({why})", "make it writable, or choose another: --data"),
        "ru": ("в папку данных {folder} нельзя писать ({why})", "дайте права или выберите другую: --data"),
    },
    "clock": {
        "en": ("the clock runs evenly and says {now} UTC", ""),
        "ru": ("часы идут ровно, сейчас {now} UTC", ""),
    },
    "wrong_clock": {
        "en": (
            "the clock says {now} UTC, before this program was made: invitations and certificates go by it",
            "set the clock: timedatectl set-ntp true",
        ),
        "ru": (
            "часы показывают {now} UTC, раньше выпуска этой программы: по ним идут приглашения, сертификаты и пароли",
            "поставьте время: timedatectl set-ntp true",
        ),
    },
    "clock_not_kept": {
        "en": (
            "the clock says {now} UTC, and no time service keeps it",
            "start one: timedatectl set-ntp true (in a container: on its host)",
        ),
        "ru": (
            "часы показывают {now} UTC, и служба времени их не поправляет",
            "включите: timedatectl set-ntp true (для контейнера на его хосте)",
        ),
    },
    "models": {
        "en": ("{count} files of the embedded speech models have their checksums", ""),
        "ru": ("контрольные суммы встроенных моделей речи совпали, файлов: {count}", ""),
    },
    "bad_model": {
        "en": ("{path}: {why}", "reinstall the package, or start without captions: --asr off"),
        "ru": ("{path}: {why}", "переустановите пакет или запустите без субтитров: --asr off"),
    },
    "recognisers": {
        "en": ("speech becomes text in {count} process(es) of its own", ""),
        "ru": ("процессов распознавания речи: {count}", ""),
    },
    "many_recognisers": {
        "en": (
            "{count} recogniser processes share {cores} core(s): captions will be no earlier for it",
            "leave out --asr-workers, or give it no more than there are cores",
        ),
        "ru": (
            "процессов распознавания {count}, а ядер {cores}: субтитры от этого не быстрее",
            "уберите --asr-workers или задайте не больше, чем ядер",
        ),
    },
    "recogniser": {
        "en": ("the recogniser {name} can be loaded from", ""),
        "ru": ("распознаватель {name} загружается", ""),
    },
    "bad_recogniser": {
        "en": ("{why}", "install the module, or leave VOICETABLE_RECOGNISER out"),
        "ru": ("{why}", "установите модуль или уберите VOICETABLE_RECOGNISER"),
    },
    "compute_type": {
        "en": ("{device} does the compute type {name}", ""),
        "ru": ("{device} умеет тип вычислений {name}", ""),
    },
    "bad_compute_type": {
        "en": ("compute type: {why}", "name one of those, or leave out --asr-compute-type"),
        "ru": ("тип вычислений: {why}", "назовите один из них или уберите --asr-compute-type"),
    },
    "toxicity": {
        "en": ("second opinions: the toxicity model {name} is there", ""),
        "ru": ("вторые мнения: модель {name} на месте", ""),
    },
    "toxicity_to_fetch": {
        "en": (
            "second opinions: the toxicity model {name} will be fetched at the first start",
            "run voicetable models fetch {name} while the machine is online, or name a folder: --toxicity FOLDER",
        ),
        "ru": (
            "вторые мнения: модель {name} будет загружена при первом запуске",
            "запустите voicetable models fetch {name}, пока машина в сети, или назовите папку: --toxicity FOLDER",
        ),
    },
    "bad_toxicity": {
        "en": ("second opinions: {why}", "mend that, or leave out --toxicity"),
        "ru": ("вторые мнения: {why}", "исправьте это или уберите --toxicity"),
    },
    "other_model": {
        "en": ("the speech model {name} is there", ""),
        "ru": ("модель речи {name} на месте", ""),
    },
    "model_to_fetch": {
        "en": (
            "the speech model {name} is no folder and not embedded: it will be fetched at the first start",
            "see that the machine reaches the model hub then, or name a folder: --asr FOLDER",
        ),
        "ru": (
            "модель речи {name} не папка и не встроенная: она будет загружена при первом запуске",
            "проверьте, что машина достанет до хранилища моделей, или назовите папку: --asr FOLDER",
        ),
    },
    "no_captions": {
        "en": ("speech recognition is off: no captions and no moderation of speech", "leave out --asr off to have it"),
        "ru": ("распознавание речи выключено: нет субтитров и проверки речи", "уберите --asr off"),
    },
    "database": {
        "en": ("the database {path} opens, has this version's schema and can be written", ""),
        "ru": ("база данных {path} открывается, схема подходит, запись возможна", ""),
    },
    "new_database": {
        "en": ("the database {path} is not there yet and can be made", ""),
        "ru": ("базы данных {path} ещё нет, её можно создать", ""),
    },
    "old_database": {
        "en": ("the database {path} is of an older version: its upgrade works, tried on a copy", ""),
        "ru": ("база данных {path} от старой версии: обновление проходит, проверено на копии", ""),
    },
    "bad_database": {
        "en": ("{why}", "put a backup in its place, or name another with --db"),
        "ru": ("база данных {path} не годится: {why}", "верните резервную копию или назовите другую: --db"),
    },
    "broker": {
        "en": ("no broker is used: this version runs in one process", ""),
        "ru": ("брокер не нужен: эта версия работает одним процессом", ""),
    },
    "gpu": {
        "en": ("{count} CUDA GPU(s) can be used for speech recognition", ""),
        "ru": ("для распознавания речи доступно GPU с CUDA: {count}", ""),
    },
    "no_gpu": {
        "en": ("no CUDA GPU is seen, and none is needed: speech recognition runs on the CPU", ""),
        "ru": ("GPU с CUDA не видно, и он не нужен: распознавание идёт на процессоре", ""),
    },
    "gpu_asked": {
        "en": (
            "--device cuda was asked for, and no CUDA GPU is seen{why}",
            "install the NVIDIA driver with CUDA 12 (Docker: --gpus all), or leave out --device cuda",
        ),
        "ru": (
            "задано --device cuda, а GPU с CUDA не видно{why}",
            "поставьте драйвер NVIDIA с CUDA 12 (Docker: --gpus all) или уберите --device cuda",
        ),
    },
    "audio": {
        "en": ("{inputs} microphone(s), {outputs} loudspeaker(s) for `voicetable mic`", ""),
        "ru": ("для `voicetable mic`: микрофонов {inputs}, динамиков {outputs}", ""),
    },
    "no_audio": {
        "en": (
            "no audio device is seen: a server needs none",
            "only to play by `voicetable mic` here: connect a headset, or use files as its --input, --output",
        ),
        "ru": (
            "звуковых устройств не видно: серверу они не нужны",
            "только для игры через `voicetable mic` здесь: подключите гарнитуру или задайте файлы: --input, --output",
        ),
    },
    "no_sounddevice": {
        "en": (
            "audio devices were not looked at ({why}): a server needs none",
            "only to play by `voicetable mic` here: pip install 'voicetable[mic]', apt install libportaudio2",
        ),
        "ru": (
            "звуковые устройства не проверялись ({why}): серверу они не нужны",
            "только для игры через `voicetable mic` здесь: pip install 'voicetable[mic]', apt install libportaudio2",
        ),
    },
    "no_tls_local": {
        "en": (
            "no certificate: browsers give the microphone on {address} only to this machine's own",
            "for other people: --tls-cert and --tls-key, or a reverse proxy with --public-url https://...",
        ),
        "ru": (
            "сертификата нет: микрофон на {address} получит только браузер этой машины",
            "для других людей: --tls-cert и --tls-key или обратный прокси и --public-url https://...",
        ),
    },
    "no_tls": {
        "en": (
            "the page is served as http for other machines: their browsers give it no microphone",
            "--tls-cert and --tls-key, or a reverse proxy that does TLS with --public-url https://...",
        ),
        "ru": (
            "страница отдаётся другим машинам по http: их браузеры не дадут ей микрофон",
            "--tls-cert и --tls-key или обратный прокси с TLS и --public-url https://...",
        ),
    },
    "tls_elsewhere": {
        "en": ("a reverse proxy does TLS for {url}; its certificate is not looked at here", ""),
        "ru": ("TLS для {url} делает обратный прокси; его сертификат здесь не проверяется", ""),
    },
    "tls": {
        "en": ("the certificate and its key match; it holds {days} days more, for {names}", ""),
        "ru": ("сертификат и ключ подходят друг другу; действует ещё {days} дн., для {names}", ""),
    },
    "tls_unusable": {
        "en": (
            "{cert} and {key} can't be used together: {why}",
            "give the certificate and the key made for it, as PEM",
        ),
        "ru": ("{cert} и {key} вместе не годятся: {why}", "укажите сертификат и его ключ в PEM"),
    },
    "tls_expired": {
        "en": ("the certificate {cert} ended on {until}", "renew it, then start the server again"),
        "ru": ("сертификат {cert} закончился {until}", "продлите его и перезапустите сервер"),
    },
    "tls_early": {
        "en": ("the certificate {cert} begins on {since}", "look at this machine's clock, or wait"),
        "ru": ("сертификат {cert} начнёт действовать {since}", "проверьте часы машины или подождите"),
    },
    "tls_soon": {
        "en": ("the certificate {cert} ends in {days} days", "renew it, then start the server again"),
        "ru": ("сертификат {cert} закончится через {days} дн.", "продлите его и перезапустите сервер"),
    },
    "tls_name": {
        "en": ("the certificate is for {names}, and people open {host}", "get one for {host}, or mend --public-url"),
        "ru": (
            "сертификат выдан для {names}, а люди открывают {host}",
            "получите для {host} или исправьте --public-url",
        ),
    },
    "tls_own": {
        "en": (
            "the certificate {cert} is signed by itself: browsers will warn everybody",
            "get one from a certificate authority (Let's Encrypt costs nothing)",
        ),
        "ru": (
            "сертификат {cert} подписан сам собой: браузеры будут всех предупреждать",
            "получите от удостоверяющего центра (Let's Encrypt бесплатен)",
        ),
    },
    "ports": {
        "en": ("{free} of {all} UDP ports ({ports}) are free at {address}", ""),
        "ru": ("по адресу {address} свободно UDP-портов: {free} из {all} ({ports})", ""),
    },
    "any_port": {
        "en": ("UDP ports are chosen by the system", "behind a firewall or in Docker: --udp-ports 20000-20200"),
        "ru": ("UDP-порты выбирает система", "за файрволом или в Docker: --udp-ports 20000-20200"),
    },
    "few_ports": {
        "en": (
            "only {free} of {all} UDP ports ({ports}) are free at {address}: a table of ten needs 20",
            "choose a wider range, or stop what uses it (a running server's tables count too)",
        ),
        "ru": (
            "по адресу {address} свободно UDP-портов всего {free} из {all} ({ports}): столу на десять нужно 20",
            "возьмите диапазон шире или остановите, кто его занял (столы работающего сервера тоже)",
        ),
    },
    "no_port": {
        "en": ("{address}: no UDP port can be had ({why})", "mend --listen-address, or choose other --udp-ports"),
        "ru": (
            "{address}: UDP-порта не получить ({why})",
            "исправьте --listen-address или возьмите другие --udp-ports",
        ),
    },
    "ephemeral": {
        "en": (
            "the range {ports} lies within the system's own ports ({low}-{high}): other programs may take some",
            "choose one outside, such as 20000-20200, or net.ipv4.ip_local_reserved_ports={ports}",
        ),
        "ru": (
            "диапазон {ports} внутри собственного диапазона системы ({low}-{high}): порты могут занять другие",
            "возьмите другой, например 20000-20200, или net.ipv4.ip_local_reserved_ports={ports}",
        ),
    },
    "call": {
        "en": ("a WebRTC call to oneself at {address} went both ways in {ms} ms", ""),
        "ru": ("звонок WebRTC самому себе по {address} прошёл в обе стороны за {ms} мс", ""),
    },
    "no_call": {
        "en": (
            "a WebRTC call to oneself at {address} failed: {why}",
            "let UDP through in this machine's own firewall (nft list ruleset, ufw status)",
        ),
        "ru": (
            "звонок WebRTC самому себе по {address} не удался: {why}",
            "пропустите UDP в файрволе этой машины (nft list ruleset, ufw status)",
        ),
    },
    "slow_aiortc": {
        "en": (
            "the fast voice path can't be used: {why}",
            "install the pinned versions: pip install --force-reinstall",
        ),
        "ru": ("быстрый путь голоса недоступен: {why}", "поставьте закреплённые версии: pip install --force-reinstall"),
    },
    "private": {
        "en": (
            "this machine has private addresses only ({addresses}): players outside its network can't reach the voice",
            "--public-address with the address that is mapped to it, or a TURN server; in one LAN all is well",
        ),
        "ru": (
            "у машины только частные адреса ({addresses}): снаружи сети голос недоступен",
            "--public-address с внешним адресом или сервер TURN; внутри одной локальной сети всё хорошо",
        ),
    },
    "addresses": {
        "en": ("the voice is told to clients at {addresses}", ""),
        "ru": ("клиентам сообщаются адреса голоса: {addresses}", ""),
    },
    "public_inside": {
        "en": ("a call through the public address {address} came back to this machine", ""),
        "ru": ("звонок через внешний адрес {address} вернулся на эту машину", ""),
    },
    "public_unproven": {
        "en": (
            "from inside it can't be proven that {address} leads here (many routers send nothing back to its sender)",
            "with the server running, on another machine: voicetable doctor --from-outside {url} --token TOKEN",
        ),
        "ru": (
            "изнутри не доказать, что {address} ведёт сюда (многие маршрутизаторы не возвращают пакеты отправителю)",
            "при запущенном сервере с другой машины: voicetable doctor --from-outside {url} --token ТОКЕН-МОДЕРАТОРА",
        ),
    },
    "no_turn": {
        "en": (
            "no TURN server: players whose network lets no UDP through have no voice",
            "docs/deploy.md has coturn beside the server in a few lines",
        ),
        "ru": (
            "сервера TURN нет: игроки, чья сеть не пропускает UDP, останутся без голоса",
            "в docs/deploy.md coturn рядом с сервером настраивается в несколько строк",
        ),
    },
    "turn": {
        "en": ("{url} gave a relay at {relay}, and a call through it went both ways in {ms} ms", ""),
        "ru": ("{url} дал ретранслятор {relay}, звонок через него прошёл в обе стороны за {ms} мс", ""),
    },
    "turn_no_relay": {
        "en": (
            "{url} gave no relay: {why}",
            "compare --turn-secret with coturn's static-auth-secret, both machines' clocks, and open its port",
        ),
        "ru": (
            "{url} не дал ретранслятор: {why}",
            "сверьте --turn-secret и static-auth-secret у coturn, часы обеих машин и откройте порт",
        ),
    },
    "turn_no_call": {
        "en": (
            "{url} gave a relay at {relay}, but no call went through it: {why}",
            "open coturn's min-port to max-port, and let it reach this server (denied-peer-ip, external-ip)",
        ),
        "ru": (
            "{url} дал ретранслятор {relay}, но звонок через него не прошёл: {why}",
            "откройте у coturn порты min-port..max-port и путь к этому серверу (denied-peer-ip, external-ip)",
        ),
    },
    "outside_page": {
        "en": ("{url} answers: voicetable {version}", ""),
        "ru": ("{url} отвечает: voicetable {version}", ""),
    },
    "outside_no_page": {
        "en": ("{why}", "start the server, open its port, and see that the name leads to it"),
        "ru": ("{url} не отвечает: {why}", "запустите сервер, откройте его порт и проверьте имя"),
    },
    "outside_refused": {
        "en": ("{url} refused the call: {why}", "--token takes what lies in data/moderator-token on the server"),
        "ru": ("{url} отказал в звонке: {why}", "--token берёт содержимое data/moderator-token на сервере"),
    },
    "outside_socket": {
        "en": ("a WebSocket to {url} opens and is answered", ""),
        "ru": ("WebSocket к {url} открывается и отвечает", ""),
    },
    "outside_no_socket": {
        "en": (
            "a WebSocket to {url} does not work: {why}",
            "let the reverse proxy pass Upgrade on /ws (docs/deploy.md)",
        ),
        "ru": ("WebSocket к {url} не работает: {why}", "пусть прокси пропускает Upgrade на /ws (docs/deploy.md)"),
    },
    "outside_call": {
        "en": ("a WebRTC call from here to {address} went both ways in {ms} ms", ""),
        "ru": ("звонок WebRTC отсюда на {address} прошёл в обе стороны за {ms} мс", ""),
    },
    "outside_no_call": {
        "en": (
            "no WebRTC call from here reached the server; it told {addresses}: {why}",
            "open its UDP ports in every firewall, publish them in Docker, set --public-address, or use TURN",
        ),
        "ru": (
            "звонок WebRTC отсюда до сервера не дошёл; он назвал {addresses}: {why}",
            "откройте UDP-порты во всех файрволах, опубликуйте их в Docker, задайте --public-address или TURN",
        ),
    },
}
