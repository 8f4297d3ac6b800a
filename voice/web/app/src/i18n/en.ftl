### Every text of the page, in English. The same ids, with the same placeables, are in ru.ftl.

## Pages and doors

title-home = voicetable
title-join = An invitation to a table
title-table = A table
title-moderate = Moderation
title-at = { $name } · voicetable
title-your-minute = ● Your minute · { $name }
lang-other = Русский
loading = Loading…
close = Close
yes = yes
no = no
you = You
bot = bot
home-title = A voice table for sport Mafia
home-lead = Ten seats, an automatic host, your own voice. Empty seats are taken by bots, so you can begin alone.
home-new = Create a table
home-table-name = Name of the table
home-table-default = { $name }’s table
home-table-lang = Language spoken at the table
home-create = Create the table
home-creating = Creating…
home-back = To the first page
join-title = An invitation
join-title-table = Join: { $name }
join-lang =
    { $lang ->
        [ru] The table speaks Russian.
       *[en] The table speaks English.
    }
join-nobody = Nobody sits there yet.
join-people = At the table: { $people }. Seats: { $seats }.
join-sit = Sit down
join-joining = Sitting down…
join-seated = You already have a seat at this table.
join-return = Back to my seat
join-running = The game has begun: the table takes nobody new.
join-over = This table’s game is over.
door-name = Your name at the table
door-name-needed = Say what the table should call you.
door-consent-title = What happens to what you say
door-consent-text = While your microphone is open, a program on this server turns your speech into text. Everybody at the table reads it as captions, and the text is checked for insults.
door-consent-memory = Sound stays in the server’s memory for a few seconds only, to recognise it. The game is not recorded.
door-consent-kept = A line that the check flags, or that a player reports, is kept for the moderators, with the lines around it.
door-consent = I agree to this
door-consent-needed = Without your agreement the table cannot give you a microphone.
error-unknown = Something went wrong on this page. Reload it.
error-other = The server refused: { $message }
error-unreachable = The server cannot be reached. Check your connection and try again.
error-name-taken = Somebody at this table has that name already. Choose another one.
error-consent-needed = Without your agreement the table cannot give you a microphone.
error-invite-unknown = This invitation is not valid. Ask for a new link.
error-invite-expired = This invitation has expired. Ask for a new link.
error-table-full = All seats at this table are taken.
error-table-started = The game has begun: the table takes nobody new.
error-table-broken = This table had to be closed. Make a new one.
error-too-many = Too many tries. Wait a minute.
error-no-table = This table is gone. Make a new one.
error-busy = The table is too busy or closed. Try again in a moment.
error-server-full = The server has no room for another table now. Try later.
error-bad-token = This token is not valid here.
error-not-owner = Only the one who made the table can start the game.
error-no-line = There is no such line any more.

## The microphone before the table

check-title = Microphone check
check-why = Check it before you sit down: choose the device, say something and listen to yourself.
check-start = Check my microphone
check-device = Device
check-device-number = Microphone { $number }
check-say = Say something: the bars should move.
check-heard = We hear you.
check-record = Record 4 seconds and play them
check-record-again = Record again
check-recording = Recording: speak…
check-clean = Remove echo and noise from my sound
mic-again = Try again
mic-asking = The browser is asking you…
mic-off = The microphone is off
mic-ready = The microphone is ready
mic-denied = Microphone not allowed in the browser
mic-missing = No microphone was found
mic-busy = The microphone is busy or broken
mic-insecure = A microphone needs https
mic-ended = The microphone was unplugged
mic-muted = Your device has muted the microphone

## The lobby

table-title = The table
lobby-invite = Invitation link
lobby-invite-text = Send it to those who should play. Whoever has the link can sit down.
lobby-copy = Copy
lobby-copied = Copied.
lobby-people = At the table: { $people } of { $seats }
lobby-owner = made the table
lobby-gone = not connected
lobby-ready = ready
lobby-not-ready = not ready yet
lobby-ready-on = I am ready ✓
lobby-ready-off = I am ready
lobby-bots =
    { $bots ->
        [0] Every seat is taken.
        [one] A bot will take the one empty seat.
       *[other] Bots will take the { $bots } empty seats.
    }
lobby-start = Start the game
lobby-wait = The one who made the table starts the game.
leave = Leave
rejected-title = No seat here
rejected-text = This tab has no valid seat at that table. Use your invitation link.
ended-title = This table is closed
ended-text = The game here is over, or the table had to be closed.
join-broken = This table had to be closed.
taken-title = Opened elsewhere
taken-text = Your seat was opened in another tab or on another device. The newest one plays.
taken-back = Take the seat back here

## Header and panels

menu = Menu
rules = Rules
settings = Settings
report = Report
seats = Seats
seat = seat { $seat }
seat-name = seat { $seat }, { $name }
seat-word = Seat
seat-column = Seat
head-over = The game is over
head-night = Night { $number }
head-day = Day { $number }
head-living = { $living } living
head-nominated = Nominated
head-nobody = nobody
phase-agreement = agreement
phase-speech = speeches
phase-short_turn = short turn
phase-vote = vote
phase-tie_speech = tie
phase-lift = lift
phase-shot = shot
phase-don_check = don’s check
phase-sheriff_check = sheriff’s check
phase-best_move = best move
phase-last_word = last word
phase-over = over
speaking = speaking
turn = thinking
nominated = nominated
away = away
out = out
back-within = back within { $time }
left-shot = shot, night { $number }
left-vote = voted out, day { $number }
left-lift = lifted, day { $number }
left-removal = removed, { $number }
warnings =
    { $count ->
        [one] 1 warning
       *[other] { $count } warnings
    }
fouls =
    { $count ->
        [0] no fouls
        [one] 1 foul
       *[other] { $count } fouls
    }
link-alive = voice connected
link-dead = no voice connection
side-label = What was said and done
tab-captions = Captions
tab-events = Events
tab-signs = Signs
tab-votes = Votes
dock-label = Your microphone and your moves
prompt-label = Your move

## The middle of the table

now-agreement = The mafia agree on their order
now-speech = Seat { $seat }, { $name }, has the minute
now-speech-you = Your minute: speak
now-short_turn = Seat { $seat }, { $name }: nominate or pass
now-short_turn-you = Your speech is skipped: nominate or pass
now-vote = The table votes
now-tie_speech = Seat { $seat }, { $name }: tie speech
now-tie_speech-you = Your tie speech: speak
now-lift = Should all of them leave?
now-shot = The mafia choose a seat
now-don_check = The don checks a seat
now-sheriff_check = The sheriff checks a seat
now-best_move = Seat { $seat }, { $name }: best move
now-best_move-you = Your best move
now-last_word = Seat { $seat }, { $name }: last word
now-last_word-you = Your last word: speak
now-over = The game is over
next = next: seat { $seat }, { $name }
next-you = next: you
next-after-speeches = next: the end of the speeches
help-agreement = Night one: nobody is shot. The don sets the order in which the mafia will shoot.
help-speech = Listen. You can show hand signs, { $signs_per_speech } sentences in each speech.
help-speech-you = Say whom you suspect and why. One nomination a day. “Pass” ends your minute.
help-short_turn = After foul { $skip_fouls } the next speech is skipped: { $short_turn_s } seconds to nominate or pass.
help-short_turn-you = Foul { $skip_fouls } took this speech away. You can still nominate, or pass.
help-vote = One vote each, hidden; all are opened at once. A vote not cast goes to the last name.
help-tie_speech = The tied players speak again, then the table votes between them.
help-tie_speech-you = The vote was a tie. Say why you should stay.
help-lift = The same tie again. More than half of the living for it: all of them leave.
help-shot = All of the mafia on one seat: that player is killed. Else it is a miss.
help-don_check = The don looks for the sheriff. The host calls the don every night, living or not.
help-sheriff_check = The sheriff learns whether a seat is red or black. Called every night, living or not.
help-best_move = Killed on the first shooting night: up to { $best_move_seats } seats the player thinks are black.
help-best_move-you = Name up to { $best_move_seats } seats you think are black, or pass.
help-last_word = Who leaves has a last word. The card stays closed until the end.
help-last_word-you = Your last word. Your card stays closed until the end.
help-over = All microphones are open: talk it over.
time-left = { $seconds } seconds left
time-over = Time is over

## The microphone’s pill

pill-label = Your microphone
pill-open = Microphone open
pill-heard = You are heard
pill-silent = Nothing comes from your microphone: speak up, or check it in Settings
pill-closed = Microphone closed by the host
pill-offline = No connection
pill-reconnect = Reconnect
pill-allow = Turn it on
pill-asking = Waiting…
pill-no-sound = The browser keeps the table silent
pill-sound = Turn the sound on
pill-trouble-open = It is open, but you are not heard
pill-trouble-closed = Mend it before your minute
voice-off = Voice not connected
voice-connecting = Voice is connecting…
voice-failed = Voice not connected
voice-flood = Closed: far too much came from this device
voice-busy = Many are connecting: a moment…
minute-now = it is your minute
minute-next = your minute is next
minute-in =
    { $minutes ->
        [one] your minute is in about a minute
       *[other] your minute is in about { $minutes } minutes
    }
minute-spoken = you have spoken today
minute-night = it is night: nobody is heard
minute-vote = the table is voting: nobody is heard
minute-out = you have left the table: you can listen
minute-later = it opens when your minute comes
minute-watching = you are watching

## Moves

act-signs = Hand signs
act-signs-short = Signs
act-nominate = Nominate
act-claim = Claim
act-defend = Defend
act-ask = Ask
act-pass = Pass
pass-sure = Press “Pass” again: your minute ends at once.
pass-sure-best-move = Press “Pass” again: you name nobody.
place = place { $place }
pick-first = Pick a seat
night-order = Set the order of the shots: press seats in order
night-order-confirm = Set this order
night-ordered = Order: { $seats }. You may change it until the time ends.
night-shoot = Whom does the mafia shoot? Pick your seat
night-shoot-confirm = Shoot at seat { $seats }
night-check = Which seat do you check?
night-check-confirm = Check seat { $seats }
night-team = You are awake: hold your card to see your team
night-team-note = The don sets the order of the shots; without one, it is drawn by lot.
night-later = Your move comes later tonight: wait
night-none = You have no move tonight: wait for the morning
night-none-note = The night runs its full time for everybody.
night-out = You have left the table: you only watch
night-watching = The night, as the table sees it
night-change = You may change your pick until the time ends.
night-made = Stands now: { $seats }. You may change it until the time ends.
night-wait = Wait
night-ok = Understood
night-ok-done = Understood. The others may still be thinking.
vote-title = Your vote: one name
vote-watching = The table is voting
vote-note = Your vote is hidden and can’t be changed. If you don’t vote, it goes to seat { $seat }.
vote-hidden = The votes stay hidden until all are opened at once.
vote-given = You voted for seat { $seat } to leave. All votes open at once.
vote-confirm = Vote for { $seat } to leave
vote-wait = Waiting for the table
lift-title = Should all of them leave? { $seats }
lift-yes = Yes, all leave
lift-no = No, all stay
lift-first = Choose an answer
lift-note = Your answer can’t be changed. No answer counts as no.
lift-given = Your answer is given. All answers open at once.
lift-confirm-yes = Answer yes: all leave
lift-confirm-no = Answer no: all stay
best-move-title = Your best move — name up to { $most } seats you think are mafia
best-move-note = Everybody will see it, and it can’t be changed. Or press “Pass” to name nobody.
best-move-confirm = Name { $seats } as mafia
nominate-title = Whom do you put up for the vote?
nominate-note = One nomination a day; it can’t be taken back. Your minute goes on.
nominate-confirm = Nominate { $seat }
claim-title = Which card do you claim?
claim-note = The table reads it as a caption. It may be true or not.
say-defend-title = Whom do you defend?
say-defend-confirm = Defend { $seat }
say-ask-title = Whom do you ask?
say-ask-confirm = Ask { $seat }
say-note = The table reads it as a caption.
signs-title = Hand signs
signs-numbers = Seat numbers
signs-names = Signs
signs-empty = Up to { $most } signs in a sentence
signs-left = Sentences left in this speech: { $left } of { $of }
signs-back = Take back
signs-send = Show
signs-foul = Show: this is a foul
signs-foul-sure = Really show it, and take a foul?
sign-civilian = civilian
sign-sheriff = sheriff
sign-mafia = mafia
sign-don = don
sign-red = red
sign-black = black
sign-check = check
sign-shot = shot
sign-vote = vote
sign-trust = trust
sign-yes = yes
sign-no = no
why-no-game = There is no game to move in.
why-watching = You are watching: you have no moves.
why-out = You have left the table.
why-no-speech = Hand signs are for speeches only.
why-nominated-already = One nomination a day: you have made yours.
why-not-your-minute = Only in your own minute.
refused-rule = Not allowed: { $why }
refused-late = Too late: that phase was over.
refused-lost = Not sent: there was no connection. Look at the table and try again.
card-title = Your card
card-hold = hold to show
card-new = something new: hold to show
card-civilian = Civilian
card-sheriff = Sheriff
card-mafia = Mafia
card-don = Don
team-red = red
team-black = black
card-mates = Your team: { $seats }
card-order-don = Order of the shots: { $seats }
card-order-lot = Order of the shots, by lot: { $seats }
card-check = Night { $night }, seat { $seat }: { $answer }
answer-red = red
answer-black = black
answer-sheriff = the sheriff
answer-not_sheriff = not the sheriff
answer-mafia = mafia
answer-not_mafia = not mafia

## What the host and the players show

host-says = Host: { $text }
host-agreement = Night 1. The mafia have { $seconds } seconds to agree. Nobody is shot tonight.
host-night = Night { $number }. The table falls asleep.
host-shot = The mafia choose: { $seconds } seconds.
host-don-check = The don looks for the sheriff: { $seconds } seconds.
host-sheriff-check = The sheriff checks a seat: { $seconds } seconds.
host-morning-killed = Good morning. Seat { $seat }, { $name }, was killed tonight.
host-morning-missed = Good morning. Nobody was killed tonight: the mafia missed.
host-day = Day { $number }.
host-speech = Seat { $seat }, { $name }, has { $seconds } seconds.
host-short-turn = Seat { $seat }, { $name }: this speech is skipped. { $seconds } seconds to nominate or pass.
host-tie-speech = Seat { $seat }, { $name }, has { $seconds } more seconds.
host-accepted = Accepted: { $seat }
host-no-vote = Nobody was nominated: no vote today.
host-no-vote-one = Only one name on day one: no vote today.
host-vote = The vote. Nominated: { $seats }. { $seconds } seconds, one name, hidden.
host-revote = The vote again, between { $seats }. { $seconds } seconds.
host-votes = The votes are open. { $votes }
host-tie = A tie: { $seats }.
host-lift = Should all of them leave? { $seats }. { $seconds } seconds.
host-lifted = For: { $yes }, against: { $no }. They all leave.
host-not-lifted = For: { $yes }, against: { $no }. They all stay.
host-left-vote = Seat { $seat }, { $name }, leaves the table by the vote.
host-left-lift = Seat { $seat }, { $name }, leaves the table.
host-left-removal = Seat { $seat }, { $name }, is removed from the game.
host-best-move-asked = Seat { $seat }, { $name }: { $seconds } seconds for the best move.
host-best-move = Best move of seat { $seat }: { $seats }.
host-best-move-none = Seat { $seat }, { $name }, names nobody.
host-last-word = Seat { $seat }, { $name }: the last word, { $seconds } seconds.
host-vote-cancelled = A player was removed: this day’s vote is cancelled.
host-away = Seat { $seat }, { $name }, has lost the connection.
host-back = Seat { $seat }, { $name }, is back.
host-bot = A bot plays seat { $seat } to the end.
host-over-town = The town wins.
host-over-mafia = The mafia win.
host-over-draw = A draw.
host-abandoned = The game was stopped, without a winner.
said-claim = I am: { $card }.
said-defend = I defend seat { $seat }.
said-ask = A question to seat { $seat }.
signed = shows:
warned = Warning, seat { $seat }.
warned-next = The next such line is a foul.
fouled = Foul, seat { $seat } ({ $fouls } of { $of }).
foul-signs = Too many hand signs in one speech.
foul-line = For what was said.
foul-ruling = A moderator’s ruling.
cleared = Seat { $seat }: a moderator took it back. Fouls now: { $fouls }.
why = Why?
why-title = Seat { $seat }: why?
why-your-line = Your line, as it was recognised:
why-person = A moderator sees every flagged line and can take a warning or foul back.
category-insult = Insult
category-hate = Hate
category-sexual = Sexual remark
policy-category = Category
policy-is = Is
policy-not = Is not
policy-insult-is = Abuse of a person at the table, with swear words or without: demeaning, patronising, implied; swearing at a player; wishing a player harm outside the game.
policy-insult-not = Game talk, however violent or coloured; attacks on a speech, version, vote or logic; swearing at nobody; abuse of oneself.
policy-hate-is = An attack on people for ethnicity, nationality, religion, sex, sexuality or disability, stereotypes used against somebody included; slurs.
policy-hate-not = Talk of such groups without an attack; team colours (“the blacks won this round”).
policy-sexual-is = A sexual remark, demand or offer; a comment on somebody’s body or sexual life.
policy-sexual-not = Role names of other variants (lover, prostitute); words with a rare second sense.
votes-title = The votes
votes-title-again = The votes, once more
votes-from = votes, from seats
votes-none = No vote has been opened yet.
votes-column = Day { $day }, vote { $round }
lift-column = Day { $day }, all leave?

## The result

result-name = Player
result-card = Card
result-left = Left
result-points = Points
result-lived = stayed
result-talk = All microphones are open: talk the game over.
result-new = A new table
points = { $value }

## Dialogs

leave-title = Leave the table?
leave-text = Your seat stands empty for { $seconds } seconds, then a bot plays it to the end. You can’t come back.
leave-text-over = The game is over. You will no longer hear the table.
leave-confirm = Leave the table
stay = Stay
report-title = Report a line to the moderators
report-text = Choose what was said. A person will look at it; the table is told nothing unless they rule.
report-none = Nobody else’s words have been recognised yet.
report-send = Report this line
report-done = Reported. A moderator will look at it.
setting-captions = Begin with the captions open
setting-contrast = More contrast
setting-help = A line of help at each phase
setting-sounds = Sounds when my microphone opens and closes
setting-shortcuts = Keyboard shortcuts (G, N, L, D, A, P, C, digits)
setting-size = Size of the captions
setting-size-1 = normal
setting-size-2 = large
setting-size-3 = very large
lost-title = The connection is lost
lost-retry = Coming back by itself…
lost-kept = Coming back by itself. Your seat is kept for { $time }.
lost-bot = Coming back by itself. A bot may play your seat by now.
lost-now = Try now
rules-title = The rules in short
rules-head-game = The game
rules-cards = { $seats } players: 7 red, the town (6 civilians and the sheriff), and 3 black, the mafia (2 mafia and the don). The black know each other.
rules-win-town = The town wins when no black player is left.
rules-win-mafia = The mafia win when there are as many black players as red ones. { $draw_nights } shooting nights in a row with nobody leaving are a draw.
rules-closed = Cards stay closed until the end, even of players who are out.
rules-head-night = The night
rules-agreement = The first night: { $agreement_s } seconds for the mafia to agree on the order of their shots. Nobody is shot.
rules-shot = Then each night: { $shot_s } seconds, each of the mafia picks a seat. All on one seat: killed. Else a miss.
rules-checks = Then the don checks one seat (is it the sheriff?), { $don_check_s } seconds, and the sheriff one seat (red or black), { $sheriff_check_s } seconds.
rules-head-day = The day
rules-speech = Everybody speaks in seat order, { $speech_s } seconds each. The host opens your microphone. “Pass” ends your minute.
rules-nominate = In your minute you may put one player up for the vote.
rules-signs = Hand signs are allowed in anybody’s speech: { $signs_per_speech } sentences a speech, the next is a foul.
rules-head-vote = The vote
rules-cast = { $vote_s } seconds, one name, hidden, all opened at once. A vote not cast goes to the last name on the list.
rules-one = Day one with one name only: no vote.
rules-tie = A tie: each of the tied speaks { $tie_speech_s } seconds, then the table votes between them.
rules-lift = The same tie again: “Should all of them leave?” More than half of the living say yes, and they all leave.
rules-head-leaving = Leaving
rules-last-word = Whoever leaves by a shot or a vote has a last word: { $last_word_s } seconds.
rules-best-move = The player killed on the first shooting night first names up to { $best_move_seats } seats: the best move, { $best_move_s } seconds.
rules-head-fouls = Fouls and absence
rules-fouls-why = A foul is given for a sign sentence too many, and for insults, hate and sexual remarks: first a warning, then a foul; a clear case is a foul at once.
rules-fouls-steps = Foul { $skip_fouls }: your next speech is skipped. Foul { $removal_fouls }: you leave the game, without a last word.
rules-away = A lost connection: { $away_s } seconds to come back, then a bot plays your seat.

## Moderation

moderate-title = Flagged lines
moderate-forget = Forget my token
moderate-rejected = This token is not valid here.
moderate-token = Moderator’s token
moderate-enter = Enter
moderate-filter = Which lines
moderate-open = Open
moderate-ruled = Ruled
moderate-all = All
moderate-empty = Nothing here. New lines come by themselves.
moderate-queue = Lines, oldest first
moderate-line = The line
moderate-where = { $table }: seat { $seat }, { $name }
moderate-severity = Severity
moderate-source = From
moderate-check = the check
moderate-report = a player’s report
moderate-reported = Reported
moderate-rules = Rules hit
moderate-scores = Scores
moderate-ruling = Ruling
moderate-reason = Reason (kept with the ruling)
moderate-keys = U and D rule, J and K move through the list
moderate-upheld = Upheld: seat { $seat }, { $name }
moderate-dismissed = Dismissed: seat { $seat }, { $name }
moderate-state-upheld = upheld
moderate-state-dismissed = dismissed
severity-likely = likely
severity-clear = clear
severity-person = for a person to judge
uphold = Uphold
dismiss = Dismiss
