# fish completion for kozel; made by tools/command_pages.py
complete -c kozel -f
complete -c kozel -n __fish_use_subcommand -a play -d 'start a match'
complete -c kozel -n __fish_use_subcommand -a resume -d 'resume the newest unfinished match, or the match in a file'
complete -c kozel -n __fish_use_subcommand -a replay -d 'replay game records by the rules'
complete -c kozel -n __fish_use_subcommand -a rules -d 'the rulesets: list them, show ID in words, check FILE for mistakes'
complete -c kozel -n __fish_use_subcommand -a keys -d 'the keymap in force: list it, test it'
complete -c kozel -n __fish_use_subcommand -a speech -d 'the speech outputs: list them, test them'
complete -c kozel -n __fish_use_subcommand -a sounds -d 'the sounds and what each means: list them, test them'
complete -c kozel -n __fish_use_subcommand -a doctor -d 'what is there of readers, sounds, terminal, keys and folders, and what to do; for a report too'
complete -c kozel -n __fish_use_subcommand -a serve -d 'keep tables for friends: one port, by ssh or with the game'
complete -c kozel -n __fish_use_subcommand -a join -d 'play at a friend'\''s server'
complete -c kozel -n __fish_use_subcommand -s h -l help -d 'show this help'
complete -c kozel -n __fish_use_subcommand -l version -d 'show the program'\''s version'
complete -c kozel -n __fish_use_subcommand -l lang -d 'the language' -x -a 'ru en'
complete -c kozel -n __fish_use_subcommand -l speech -d 'how to speak: as it finds, in lines, directly, not at all' -x -a 'auto lines direct off'
complete -c kozel -n __fish_use_subcommand -l verbosity -d 'how much is said' -x -a 'brief normal full'
complete -c kozel -n __fish_use_subcommand -l keymap -d 'a keymap, or its file' -r -F
complete -c kozel -n __fish_use_subcommand -l transcript -d 'write all that is said to a file, one JSON object a line' -r -F
complete -c kozel -n __fish_use_subcommand -l log -d 'write a debug log to a file: keys, commands, events, messages, each with its time' -r -F
complete -c kozel -n __fish_use_subcommand -l data-dir -d 'the folder of matches, rulesets and settings' -x -a '(__fish_complete_directories)'
complete -c kozel -n '__fish_seen_subcommand_from play' -s h -l help -d 'show this help'
complete -c kozel -n '__fish_seen_subcommand_from play' -l lang -d 'the language' -x -a 'ru en'
complete -c kozel -n '__fish_seen_subcommand_from play' -l speech -d 'how to speak: as it finds, in lines, directly, not at all' -x -a 'auto lines direct off'
complete -c kozel -n '__fish_seen_subcommand_from play' -l verbosity -d 'how much is said' -x -a 'brief normal full'
complete -c kozel -n '__fish_seen_subcommand_from play' -l keymap -d 'a keymap, or its file' -r -F
complete -c kozel -n '__fish_seen_subcommand_from play' -l transcript -d 'write all that is said to a file, one JSON object a line' -r -F
complete -c kozel -n '__fish_seen_subcommand_from play' -l log -d 'write a debug log to a file: keys, commands, events, messages, each with its time' -r -F
complete -c kozel -n '__fish_seen_subcommand_from play' -l data-dir -d 'the folder of matches, rulesets and settings' -x -a '(__fish_complete_directories)'
complete -c kozel -n '__fish_seen_subcommand_from play' -l player -d 'once a seat; with a level, novice, amateur, strong or master, the computer plays' -x
complete -c kozel -n '__fish_seen_subcommand_from play' -l pairs -d 'play in pairs: first and third against second and fourth'
complete -c kozel -n '__fish_seen_subcommand_from play' -l option -d 'an option of the ruleset, such as target=50' -x
complete -c kozel -n '__fish_seen_subcommand_from play' -l seed -d 'the same deals again' -x
complete -c kozel -n '__fish_seen_subcommand_from play' -l record -d 'where the match is recorded' -r -F
complete -c kozel -n '__fish_seen_subcommand_from play' -l practice -d 'moves can be taken back, and the match does not count'
complete -c kozel -n '__fish_seen_subcommand_from play' -d 'a ruleset'\''s id; without it a menu sets up the match' -a 'domino kozel kozel-yard kozel-101 osel kozel-1x1 kozel-2x2 kozel-deferred'
complete -c kozel -n '__fish_seen_subcommand_from resume' -s h -l help -d 'show this help'
complete -c kozel -n '__fish_seen_subcommand_from resume' -l lang -d 'the language' -x -a 'ru en'
complete -c kozel -n '__fish_seen_subcommand_from resume' -l speech -d 'how to speak: as it finds, in lines, directly, not at all' -x -a 'auto lines direct off'
complete -c kozel -n '__fish_seen_subcommand_from resume' -l verbosity -d 'how much is said' -x -a 'brief normal full'
complete -c kozel -n '__fish_seen_subcommand_from resume' -l keymap -d 'a keymap, or its file' -r -F
complete -c kozel -n '__fish_seen_subcommand_from resume' -l transcript -d 'write all that is said to a file, one JSON object a line' -r -F
complete -c kozel -n '__fish_seen_subcommand_from resume' -l log -d 'write a debug log to a file: keys, commands, events, messages, each with its time' -r -F
complete -c kozel -n '__fish_seen_subcommand_from resume' -l data-dir -d 'the folder of matches, rulesets and settings' -x -a '(__fish_complete_directories)'
complete -c kozel -n '__fish_seen_subcommand_from resume' -d 'a match'\''s file' -r -F
complete -c kozel -n '__fish_seen_subcommand_from replay' -s h -l help -d 'show this help'
complete -c kozel -n '__fish_seen_subcommand_from replay' -l lang -d 'the language' -x -a 'ru en'
complete -c kozel -n '__fish_seen_subcommand_from replay' -l speech -d 'how to speak: as it finds, in lines, directly, not at all' -x -a 'auto lines direct off'
complete -c kozel -n '__fish_seen_subcommand_from replay' -l verbosity -d 'how much is said' -x -a 'brief normal full'
complete -c kozel -n '__fish_seen_subcommand_from replay' -l keymap -d 'a keymap, or its file' -r -F
complete -c kozel -n '__fish_seen_subcommand_from replay' -l transcript -d 'write all that is said to a file, one JSON object a line' -r -F
complete -c kozel -n '__fish_seen_subcommand_from replay' -l log -d 'write a debug log to a file: keys, commands, events, messages, each with its time' -r -F
complete -c kozel -n '__fish_seen_subcommand_from replay' -l data-dir -d 'the folder of matches, rulesets and settings' -x -a '(__fish_complete_directories)'
complete -c kozel -n '__fish_seen_subcommand_from replay' -l json -d 'one JSON object a file'
complete -c kozel -n '__fish_seen_subcommand_from replay' -l promise -d 'what your own program was promised of the deals: compared with the records' -r -F
complete -c kozel -n '__fish_seen_subcommand_from replay' -d 'matches'\'' files' -r -F
complete -c kozel -n '__fish_seen_subcommand_from rules' -s h -l help -d 'show this help'
complete -c kozel -n '__fish_seen_subcommand_from rules' -l lang -d 'the language' -x -a 'ru en'
complete -c kozel -n '__fish_seen_subcommand_from rules' -l speech -d 'how to speak: as it finds, in lines, directly, not at all' -x -a 'auto lines direct off'
complete -c kozel -n '__fish_seen_subcommand_from rules' -l verbosity -d 'how much is said' -x -a 'brief normal full'
complete -c kozel -n '__fish_seen_subcommand_from rules' -l keymap -d 'a keymap, or its file' -r -F
complete -c kozel -n '__fish_seen_subcommand_from rules' -l transcript -d 'write all that is said to a file, one JSON object a line' -r -F
complete -c kozel -n '__fish_seen_subcommand_from rules' -l log -d 'write a debug log to a file: keys, commands, events, messages, each with its time' -r -F
complete -c kozel -n '__fish_seen_subcommand_from rules' -l data-dir -d 'the folder of matches, rulesets and settings' -x -a '(__fish_complete_directories)'
complete -c kozel -n '__fish_seen_subcommand_from rules' -d 'what to do; list by itself' -a 'list show check'
complete -c kozel -n '__fish_seen_subcommand_from rules' -d 'a ruleset'\''s id for show, files for check' -r -F -a 'domino kozel kozel-yard kozel-101 osel kozel-1x1 kozel-2x2 kozel-deferred'
complete -c kozel -n '__fish_seen_subcommand_from keys' -s h -l help -d 'show this help'
complete -c kozel -n '__fish_seen_subcommand_from keys' -l lang -d 'the language' -x -a 'ru en'
complete -c kozel -n '__fish_seen_subcommand_from keys' -l speech -d 'how to speak: as it finds, in lines, directly, not at all' -x -a 'auto lines direct off'
complete -c kozel -n '__fish_seen_subcommand_from keys' -l verbosity -d 'how much is said' -x -a 'brief normal full'
complete -c kozel -n '__fish_seen_subcommand_from keys' -l keymap -d 'a keymap, or its file' -r -F
complete -c kozel -n '__fish_seen_subcommand_from keys' -l transcript -d 'write all that is said to a file, one JSON object a line' -r -F
complete -c kozel -n '__fish_seen_subcommand_from keys' -l log -d 'write a debug log to a file: keys, commands, events, messages, each with its time' -r -F
complete -c kozel -n '__fish_seen_subcommand_from keys' -l data-dir -d 'the folder of matches, rulesets and settings' -x -a '(__fish_complete_directories)'
complete -c kozel -n '__fish_seen_subcommand_from keys' -d 'what to do; list by itself' -a 'list test'
complete -c kozel -n '__fish_seen_subcommand_from speech' -s h -l help -d 'show this help'
complete -c kozel -n '__fish_seen_subcommand_from speech' -l lang -d 'the language' -x -a 'ru en'
complete -c kozel -n '__fish_seen_subcommand_from speech' -l speech -d 'how to speak: as it finds, in lines, directly, not at all' -x -a 'auto lines direct off'
complete -c kozel -n '__fish_seen_subcommand_from speech' -l verbosity -d 'how much is said' -x -a 'brief normal full'
complete -c kozel -n '__fish_seen_subcommand_from speech' -l keymap -d 'a keymap, or its file' -r -F
complete -c kozel -n '__fish_seen_subcommand_from speech' -l transcript -d 'write all that is said to a file, one JSON object a line' -r -F
complete -c kozel -n '__fish_seen_subcommand_from speech' -l log -d 'write a debug log to a file: keys, commands, events, messages, each with its time' -r -F
complete -c kozel -n '__fish_seen_subcommand_from speech' -l data-dir -d 'the folder of matches, rulesets and settings' -x -a '(__fish_complete_directories)'
complete -c kozel -n '__fish_seen_subcommand_from speech' -d 'what to do; list by itself' -a 'list test'
complete -c kozel -n '__fish_seen_subcommand_from sounds' -s h -l help -d 'show this help'
complete -c kozel -n '__fish_seen_subcommand_from sounds' -l lang -d 'the language' -x -a 'ru en'
complete -c kozel -n '__fish_seen_subcommand_from sounds' -l speech -d 'how to speak: as it finds, in lines, directly, not at all' -x -a 'auto lines direct off'
complete -c kozel -n '__fish_seen_subcommand_from sounds' -l verbosity -d 'how much is said' -x -a 'brief normal full'
complete -c kozel -n '__fish_seen_subcommand_from sounds' -l keymap -d 'a keymap, or its file' -r -F
complete -c kozel -n '__fish_seen_subcommand_from sounds' -l transcript -d 'write all that is said to a file, one JSON object a line' -r -F
complete -c kozel -n '__fish_seen_subcommand_from sounds' -l log -d 'write a debug log to a file: keys, commands, events, messages, each with its time' -r -F
complete -c kozel -n '__fish_seen_subcommand_from sounds' -l data-dir -d 'the folder of matches, rulesets and settings' -x -a '(__fish_complete_directories)'
complete -c kozel -n '__fish_seen_subcommand_from sounds' -d 'what to do; list by itself' -a 'list test'
complete -c kozel -n '__fish_seen_subcommand_from doctor' -s h -l help -d 'show this help'
complete -c kozel -n '__fish_seen_subcommand_from doctor' -l lang -d 'the language' -x -a 'ru en'
complete -c kozel -n '__fish_seen_subcommand_from doctor' -l speech -d 'how to speak: as it finds, in lines, directly, not at all' -x -a 'auto lines direct off'
complete -c kozel -n '__fish_seen_subcommand_from doctor' -l verbosity -d 'how much is said' -x -a 'brief normal full'
complete -c kozel -n '__fish_seen_subcommand_from doctor' -l keymap -d 'a keymap, or its file' -r -F
complete -c kozel -n '__fish_seen_subcommand_from doctor' -l transcript -d 'write all that is said to a file, one JSON object a line' -r -F
complete -c kozel -n '__fish_seen_subcommand_from doctor' -l log -d 'write a debug log to a file: keys, commands, events, messages, each with its time' -r -F
complete -c kozel -n '__fish_seen_subcommand_from doctor' -l data-dir -d 'the folder of matches, rulesets and settings' -x -a '(__fish_complete_directories)'
complete -c kozel -n '__fish_seen_subcommand_from serve' -s h -l help -d 'show this help'
complete -c kozel -n '__fish_seen_subcommand_from serve' -l lang -d 'the language' -x -a 'ru en'
complete -c kozel -n '__fish_seen_subcommand_from serve' -l speech -d 'how to speak: as it finds, in lines, directly, not at all' -x -a 'auto lines direct off'
complete -c kozel -n '__fish_seen_subcommand_from serve' -l verbosity -d 'how much is said' -x -a 'brief normal full'
complete -c kozel -n '__fish_seen_subcommand_from serve' -l keymap -d 'a keymap, or its file' -r -F
complete -c kozel -n '__fish_seen_subcommand_from serve' -l transcript -d 'write all that is said to a file, one JSON object a line' -r -F
complete -c kozel -n '__fish_seen_subcommand_from serve' -l log -d 'write a debug log to a file: keys, commands, events, messages, each with its time' -r -F
complete -c kozel -n '__fish_seen_subcommand_from serve' -l data-dir -d 'the folder of matches, rulesets and settings' -x -a '(__fish_complete_directories)'
complete -c kozel -n '__fish_seen_subcommand_from serve' -l address -d 'the address to listen at; without it all' -x
complete -c kozel -n '__fish_seen_subcommand_from serve' -l port -d 'the port, 2222 if nothing else is said' -x
complete -c kozel -n '__fish_seen_subcommand_from serve' -l name -d 'what the server calls itself' -x
complete -c kozel -n '__fish_seen_subcommand_from serve' -l guests -d 'yes or no: may people without a key come' -x -a 'yes no'
complete -c kozel -n '__fish_seen_subcommand_from serve' -l allow -d 'only the keys in this file may come, one a line as in authorized_keys' -r -F
complete -c kozel -n '__fish_seen_subcommand_from serve' -l bar -d 'keys and addresses in this file may not come; it is read again when it changes' -r -F
complete -c kozel -n '__fish_seen_subcommand_from serve' -l tables -d 'how many tables at most' -x
complete -c kozel -n '__fish_seen_subcommand_from serve' -l away -d 'seconds until a computer may play for somebody who is away' -x
complete -c kozel -n '__fish_seen_subcommand_from serve' -l reach -d 'how players reach this server, where it is not its own address' -x
complete -c kozel -n '__fish_seen_subcommand_from serve' -l nats -d 'one club on many servers: where NATS is' -x
complete -c kozel -n '__fish_seen_subcommand_from serve' -l nats-credentials -d 'the credentials file for NATS' -r -F
complete -c kozel -n '__fish_seen_subcommand_from serve' -l nats-ca -d 'the certificate to trust at NATS' -r -F
complete -c kozel -n '__fish_seen_subcommand_from serve' -l status -d 'do not serve, but tell how the club'\''s servers at this NATS are' -x
complete -c kozel -n '__fish_seen_subcommand_from serve' -l json -d 'with --status: as JSON'
complete -c kozel -n '__fish_seen_subcommand_from join' -s h -l help -d 'show this help'
complete -c kozel -n '__fish_seen_subcommand_from join' -l lang -d 'the language' -x -a 'ru en'
complete -c kozel -n '__fish_seen_subcommand_from join' -l speech -d 'how to speak: as it finds, in lines, directly, not at all' -x -a 'auto lines direct off'
complete -c kozel -n '__fish_seen_subcommand_from join' -l verbosity -d 'how much is said' -x -a 'brief normal full'
complete -c kozel -n '__fish_seen_subcommand_from join' -l keymap -d 'a keymap, or its file' -r -F
complete -c kozel -n '__fish_seen_subcommand_from join' -l transcript -d 'write all that is said to a file, one JSON object a line' -r -F
complete -c kozel -n '__fish_seen_subcommand_from join' -l log -d 'write a debug log to a file: keys, commands, events, messages, each with its time' -r -F
complete -c kozel -n '__fish_seen_subcommand_from join' -l data-dir -d 'the folder of matches, rulesets and settings' -x -a '(__fish_complete_directories)'
complete -c kozel -n '__fish_seen_subcommand_from join' -l name -d 'the name to come by, if your key has none there yet' -x
