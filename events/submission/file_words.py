"""What the readers of tournament files (`events.files`) say, in the reader's language. Reports keep it in English."""

import re

from django.utils.translation import gettext, gettext_noop

from config.lib.pure_texts import PureTexts

# What a file seems to be that is no tournament file.
_FORMATS = PureTexts(
    gettext_noop("a spreadsheet’s workbook; save the sheet with the results as CSV and send that"),
    gettext_noop("a zip archive or an Office document; unpack it and send the tournament file that it holds"),
    gettext_noop("an empty zip archive"),
    gettext_noop("a gzip archive; unpack it and send the tournament file that it holds"),
    gettext_noop("a RAR archive; unpack it and send the tournament file that it holds"),
    gettext_noop("a 7-Zip archive; unpack it and send the tournament file that it holds"),
    gettext_noop("a PDF document"),
    gettext_noop("a PNG image"),
    gettext_noop("a JPEG photograph"),
    gettext_noop("a GIF image"),
    gettext_noop("a TIFF image"),
    gettext_noop("a rich text document"),
    gettext_noop("an SQLite database, which Sharly Chess uses; export a TRF there"),
    gettext_noop("an Access database, which Papi uses; export a TRF there"),
    gettext_noop("an old Excel or Word document; save a sheet with the results as CSV"),
    gettext_noop(
        "one of the three files of a SwissPerfect tournament; send its .ini, .trn and .sco together, or in a zip"
    ),
    gettext_noop("a web page; export the file itself instead of saving the page"),
    gettext_noop("an XML file"),
    gettext_noop("a JSON file"),
    gettext_noop("a PGN file of games"),
    gettext_noop("a Vega file (.tdf); export a TRF there"),
    gettext_noop("a rating list"),
    gettext_noop("a table (CSV) whose heading is not known here"),
    gettext_noop("a binary file of an unknown program"),
    gettext_noop("a text without any tournament record"),
)
_FIELDS = (  # what a file leaves blank, or says at length
    gettext_noop("name"),
    gettext_noop("city"),
    gettext_noop("federation"),
    gettext_noop("start"),
    gettext_noop("end"),
    gettext_noop("chief arbiter"),
    gettext_noop("time control"),
    gettext_noop("type"),
    gettext_noop("deputies"),
    gettext_noop("time controls"),
    gettext_noop("tie-breaks"),
)
_RECORD = re.compile(r"([0-9]+) \((.+)\)")


def _fields(text: str) -> str:
    """Return fields of a tournament, some with the number of their record, `022 (city), 042 (start)`."""
    return ", ".join(_field(part) for part in text.split(", "))


def _field(text: str) -> str:
    match = _RECORD.fullmatch(text)
    return f"{match[1]} ({gettext(match[2])})" if match else gettext(text)


# A longer text stands before one that it could be taken for.
FILE_FINDINGS = PureTexts(
    gettext_noop("%(file)s is empty. Export it again and look whether it has a size."),
    gettext_noop("%(file)s has more than %(most)s bytes, which no tournament needs. Send the tournament file alone."),
    gettext_noop("%(file)s has more than %(most)s lines, which no tournament needs. Send the tournament alone."),
    gettext_noop("The file cannot be opened: %(reason)s."),
    gettext_noop(
        "This seems to be %(kind)s. Send the tournament as a TRF file (Swiss-Manager: FIDE report), Swiss-Manager’s TUNX"
        " file, the three files of a SwissPerfect tournament in a zip, or a table of results saved as CSV with the columns"
        " round, white_id or white, black_id or black, and result."
    ),
    gettext_noop("The zip is damaged or cut off, or holds thousands of files. Pack the three again, and send that."),
    gettext_noop(
        "The zip has two %(suffix)s files, %(first)s and %(second)s. Pack the .ini, .trn and .sco of one tournament."
    ),
    gettext_noop(
        "The zip lacks %(first)s and %(second)s: SwissPerfect keeps a tournament in three files of one name, .ini, .trn"
        " and .sco. Pack all three."
    ),
    gettext_noop(
        "The zip lacks %(suffix)s: SwissPerfect keeps a tournament in three files of one name, .ini, .trn and .sco. Pack"
        " all three."
    ),
    gettext_noop("The zip also holds what is not read: %(files)s."),
    gettext_noop(
        "The files have different names, %(files)s: players and results may be of two tournaments. Pack the three files of"
        " one tournament, which have one name."
    ),
    gettext_noop("%(file)s has a password, or is packed in an unusual way. Pack the files again, as a plain zip."),
    gettext_noop("%(file)s cannot be unpacked: it is damaged. Pack the files again, and send that."),
    gettext_noop("%(file)s has more than %(most)s bytes when unpacked, which no tournament needs."),
    gettext_noop(
        "The zip holds more than %(most)s MB when it is unpacked, which no tournament needs. Pack the .ini, .trn and .sco"
        " alone."
    ),
    gettext_noop("%(file)s is no dBase table, as SwissPerfect writes it. Pack the files again."),
    gettext_noop("%(file)s is damaged, or of another program: it has no column %(columns)s."),
    gettext_noop("%(file)s is cut off: it announces %(count)s records and has %(found)s. Pack the files again."),
    gettext_noop("%(file)s has %(count)s records; at most %(most)s are read."),
    gettext_noop("%(file)s, record %(record)s: the player’s number %(text)s is no number from 1 to %(most)s."),
    gettext_noop("%(file)s, record %(record)s: the player’s number %(number)s is that of record %(other)s, too."),
    gettext_noop("%(file)s does not give every player a start number; the program’s own numbers are taken instead."),
    gettext_noop("%(file)s, record %(record)s: player %(number)s has no name."),
    gettext_noop(
        "%(file)s, record %(record)s: player %(number)s has a bonus of %(text)s, points without a game; it is not read."
    ),
    gettext_noop("%(file)s, record %(record)s: %(text)s is no FIDE id, a number from %(first)s on; it is left out."),
    gettext_noop("%(file)s, record %(record)s: the sex %(text)s is unknown; it is left out."),
    gettext_noop("%(file)s, record %(record)s: the title %(text)s is unknown; it is left out."),
    gettext_noop("%(file)s, record %(record)s: the rating %(text)s is no number; it is left out."),
    gettext_noop(
        "%(file)s, record %(record)s: the birth date %(text)s cannot be read, YYYYMMDD was expected; it is left out."
    ),
    gettext_noop("%(file)s, record %(record)s: %(players)s has no player with the number %(number)s."),
    gettext_noop("%(file)s, record %(record)s: White and Black are the same player."),
    gettext_noop(
        "%(file)s, record %(record)s: player %(player)s is paired in round %(round)s already, by record %(other)s. Correct"
        " the round or the player in SwissPerfect, and pack the files again."
    ),
    gettext_noop("%(file)s, record %(record)s names no player; it is not read."),
    gettext_noop("%(file)s, record %(record)s: the round %(text)s is no number from 1 to %(most)s."),
    gettext_noop(
        "%(file)s, record %(record)s: the game of round %(round)s has no result. Enter it, or say that the game was"
        " adjourned."
    ),
    gettext_noop(
        "%(file)s, record %(record)s: the points %(white)s and %(black)s of one game do not go together. Correct the one"
        " that is wrong."
    ),
    gettext_noop(
        "%(file)s, record %(record)s: the game of round %(round)s ended %(result)s, which only an arbiter’s penalty"
        " explains; an officer decides what is rated."
    ),
    gettext_noop(
        "%(file)s, record %(record)s: a point without an opponent, of type %(type)s, is read as a full-point bye."
    ),
    gettext_noop(
        "%(file)s, record %(record)s: the result has SwissPerfect’s types %(white)s and %(black)s, whose meaning is not"
        " known here; ask the arbiter for the result."
    ),
    gettext_noop("The results go up to round %(last)s, but there is none of round %(round)s."),
    gettext_noop("The line has a NUL character, which no text file has: the file is damaged. Export it again."),
    gettext_noop(
        "The line has the control character %(character)s, which no text file has: choose another encoding if names are"
        " wrong, else the file is damaged; export it again."
    ),
    gettext_noop("The tournament starts on %(first)s and ends on %(last)s, before it starts."),
    gettext_noop(
        "%(count)s of the round dates, %(day)s the first, lie outside the tournament’s %(first)s to %(last)s."
    ),
    gettext_noop(
        "The players have %(in_file)s rounds, the tournament is said to have %(planned)s. Correct the number of rounds or"
        " the results."
    ),
    gettext_noop("%(count)s start numbers up to %(last)s are missing, %(first)s the first."),
    gettext_noop("Players %(first)s and %(second)s have the same FIDE id %(id)s."),
    gettext_noop("Players %(first)s and %(second)s have the same national id %(id)s."),
    gettext_noop("Round %(round)s has %(count)s pairing-allocated byes (U), one was expected."),
    gettext_noop("The file calls itself %(encoding)s but holds bytes that have no meaning there. Export it again."),
    gettext_noop("The file is in UTF-16; it is read, but other programs expect UTF-8."),
    gettext_noop(
        "The file does not tell its encoding; it is read as %(encoding)s. Look at these names, and choose another"
        " encoding if they are wrong: %(samples)s."
    ),
    gettext_noop("The file does not say, or leaves blank: %(fields)s."),
    gettext_noop("The time control %(text)s is not certain; state the base time and the increment."),
    gettext_noop("The last line stops in the middle: the file was cut off on its way. Send it again."),
    gettext_noop("The Swiss-Manager file is damaged or cut off: %(error)s. Send it again."),
    gettext_noop("The file announces %(players)s players, at most %(most)s can be told apart."),
    gettext_noop("The type of tournament %(type)s is unknown; 0, 1 and 2 are known."),
    gettext_noop("The %(field)s %(text)s is no date of the form YYYYMMDD; it is left out."),
    gettext_noop("The file has no player. Save the tournament with its players."),
    gettext_noop("Player %(number)s has no name."),
    gettext_noop("The title %(text)s is no FIDE title; it is left out."),
    gettext_noop("Pairing %(pairing)s is of %(white)s and %(black)s, the file has players 1 to %(last)s."),
    gettext_noop("Pairing %(pairing)s is of player %(white)s with the same player."),
    gettext_noop("The pairings make more than %(most)s rounds; the rest is not read."),
    gettext_noop(
        "%(count)s absences are on record for rounds after round %(last)s; they are counted as byes, but are no rounds of"
        " the tournament yet."
    ),
    gettext_noop(
        "Round %(round)s: %(white)s against %(black)s has no result. Enter it, or say that the game was adjourned."
    ),
    gettext_noop(
        "Round %(round)s: %(white)s against %(black)s has Swiss-Manager’s result code %(code)s, whose meaning is not"
        " known here; ask the arbiter for the result."
    ),
    gettext_noop(
        "Round %(round)s: %(white)s against %(black)s has Swiss-Manager’s result code %(code)s, whose meaning is not"
        " known here; ask the arbiter for the result, until then it counts as lost by both."
    ),
    gettext_noop(
        "Round %(round)s: %(white)s, who is not paired, has Swiss-Manager’s result code %(code)s, whose meaning is not"
        " known here; ask the arbiter for the result."
    ),
    gettext_noop("The heading has no column %(columns)s. The table needs %(needed)s."),
    gettext_noop("The number of rounds %(text)s is no number of rounds; it is left out."),
    gettext_noop("The table has no player. Enter a line for every game and bye."),
    gettext_noop(
        "Round %(round)s is of %(day)s here and of %(other)s on an earlier line, which is taken for the round."
    ),
    gettext_noop("The line names neither White nor Black: enter their ids or names."),
    gettext_noop(
        "The line names two players and the result %(text)s, but a bye has no opponent. Give the result of the game, or"
        " leave Black blank."
    ),
    gettext_noop("The game of round %(round)s has no result. Enter it, or say that the game was adjourned."),
    gettext_noop(
        "The game of round %(round)s ended %(text)s, which only an arbiter’s penalty explains; an officer decides what is"
        " rated. Two who both stayed away have ---."
    ),
    gettext_noop("The line has one player and no result. Name the opponent, or enter bye, bye-half or bye-zero."),
    gettext_noop("%(text)s without an opponent is read as bye-zero."),
    gettext_noop(
        "The line has the result %(text)s but one player only; bye, bye-half or bye-zero, or the opponent was expected."
        " It is taken as a bye and not rated."
    ),
    gettext_noop(
        "The table goes up to round %(last)s, but has no line of round %(round)s. Enter it or correct the numbers."
    ),
    gettext_noop("Round %(round)s: White and Black are the same player. Correct one of them."),
    gettext_noop(
        "Round %(round)s: player %(player)s stands on line %(line)s already. Correct the round or the player, or delete"
        " one of the lines."
    ),
    gettext_noop("Two columns, %(first)s and %(second)s, give the same: %(what)s. Delete one of them."),
    gettext_noop("The column %(text)s is not known here; it is not read."),
    gettext_noop("The table has %(count)s lines, at most %(most)s are read. Send one section alone, or a TRF file."),
    gettext_noop("The line begins with %(text)s, which an earlier line gives too; it is not read."),
    gettext_noop("The line begins with %(text)s, no detail of a tournament that is known here; it is not read."),
    gettext_noop(
        "The quotation marks of this line do not close, or stand in the middle of a cell, or a cell is longer than 131072"
        " characters. A cell ends on its line; a quotation mark within it is written twice."
    ),
    gettext_noop(
        "The line has %(cells)s cells, the heading %(columns)s: which is which cannot be told. Put a cell that holds the"
        " separator %(separator)s in quotation marks."
    ),
    gettext_noop(
        "The heading has %(count)s columns, at most %(most)s are read. Leave out those that say nothing of the games."
    ),
    gettext_noop(
        "The line has %(count)s cells, at most %(most)s are read. Delete those that the heading does not name, blank ones"
        " too."
    ),
    gettext_noop("The heading stands here again; the line is not read."),
    gettext_noop("The file has %(players)s players, at most %(most)s can be told apart. Split it."),
    gettext_noop("Start number %(number)s has neither id nor name anywhere in the file. Give one of them."),
    gettext_noop("%(name)s is the name of %(count)s players of this file. Give the id here."),
    gettext_noop("%(name)s has the start numbers %(first)s and %(second)s. Correct one of them."),
    gettext_noop("The start number %(number)s of %(name)s is that of %(other)s too; no two players have the same."),
    gettext_noop(
        "%(count)s of the %(players)s players have no name in the file, %(name)s the first: the id alone says who they"
        " are, and nobody would see a wrong figure in it. Give the names."
    ),
    gettext_noop("%(key)s is %(name)s here and %(other)s on line %(line)s. Correct the id or the name."),
    gettext_noop(
        "%(name)s is here %(first)s and on line %(line)s %(second)s. If it is one person, correct the id; two persons are"
        " told apart by their birth dates."
    ),
    gettext_noop("%(name)s has no comma between last and first name; all of it is taken as the last name."),
    gettext_noop(
        "The %(detail)s of %(name)s is %(now)s here and %(before)s on an earlier line; the first is taken. Correct the"
        " one that is wrong."
    ),
    gettext_noop("The cell %(text)s is a spreadsheet’s formula or error, not a value. Enter the value itself."),
    gettext_noop("The round %(text)s is no number from 1 on. Enter the number of the round."),
    gettext_noop("The cell has %(count)s characters, at most %(most)s are kept. Shorten it."),
    gettext_noop("%(what)s has a name of %(count)s characters, at most %(most)s are kept. Shorten it."),
    gettext_noop("Round %(round)s: a file may have %(most)s rounds. Correct the number."),
    gettext_noop("The start number %(text)s is no number from 1 to %(most)s."),
    gettext_noop(
        "A spreadsheet has turned an id into %(text)s and may have lost its last figures. Make the column text and enter"
        " the ids again."
    ),
    gettext_noop("%(text)s is no id: %(digits)s figures (Chess SA) or a FIDE number were expected."),
    gettext_noop("The id %(text)s is read as %(id)s."),
    gettext_noop(
        "The Chess SA id %(text)s has %(count)s figures instead of %(digits)s: a spreadsheet drops zeros at the front. It"
        " is read as %(id)s; make the column text."
    ),
    gettext_noop(
        "The id %(text)s has %(count)s figures and is taken as FIDE’s; Chess SA’s have %(digits)s. If it is one that has"
        " lost a zero at its front, make the column text and enter it again."
    ),
    gettext_noop(
        "The id %(text)s has %(count)s figures: %(digits)s (Chess SA) or a FIDE number from %(first)s on were expected. A"
        " spreadsheet drops zeros at the front: make the column text and enter the id again."
    ),
    gettext_noop("The rating %(text)s is no whole number of four figures at the most; it is left out."),
    gettext_noop("The birth date %(text)s cannot be read, YYYY-MM-DD or YYYY was expected; it is left out."),
    gettext_noop(
        "%(text)s is how a spreadsheet counts days, perhaps %(day)s; it is left out. Format the column of birth dates as"
        " YYYY-MM-DD and save the list again."
    ),
    gettext_noop("The birth date %(text)s stands for one that is not known; it is left out."),
    gettext_noop(
        "%(file)s, record %(record)s: the birth date %(text)s stands for one that is not known; it is left out."
    ),
    gettext_noop("The birth date %(text)s is read as %(day)s; YYYY-MM-DD was expected."),
    gettext_noop("The sex %(text)s is neither M nor F; it is left out."),
    gettext_noop("%(text)s is no federation that FIDE knows, a code of three letters was expected; it is left out."),
    gettext_noop("The date %(text)s cannot be read, %(form)s was expected; it is left out."),
    gettext_noop("The date %(text)s is read as %(day)s; %(form)s was expected."),
    gettext_noop(
        "%(text)s does not say whether the colours are known: yes or no was expected. They are taken as known."
    ),
    gettext_noop("The result %(text)s is read from White’s side, as %(result)s."),
    gettext_noop("The result %(text)s gives two scores that do not go together. Correct the one that is wrong."),
    gettext_noop(
        "The result %(text)s is unknown; 1-0, 0-1 or 1/2-1/2 for games, +-- or --+ for forfeits, bye, bye-half or"
        " bye-zero without an opponent were expected."
    ),
    gettext_noop(
        "The result %(text)s is unknown; 1-0, 0-1 or 1/2-1/2 for games, +-- or --+ for forfeits, bye, bye-half or"
        " bye-zero without an opponent were expected. A spreadsheet has made a date of it, perhaps of 1/2."
    ),
    gettext_noop("The %(record)s line is for player %(number)s, whom the file does not have; it is left out."),
    gettext_noop("Player %(number)s has a second national line; the one of %(federation)s counts."),
    gettext_noop("The team has the member %(text)s, who is no player of the file and is left out."),
    gettext_noop("Column 10 holds %(text)s for the sex, m or w was expected; it is read."),
    gettext_noop("The title %(text)s is read as %(title)s."),
    gettext_noop("The rating %(text)s is no number; it is left out."),
    gettext_noop("%(text)s is no federation that FIDE knows, a code of three letters was expected."),
    gettext_noop("The FIDE number %(text)s is read as a national one: FIDE’s are numbers from 100000 on."),
    gettext_noop("The birth date %(text)s cannot be read, YYYY/MM/DD was expected; it is left out."),
    gettext_noop("The birth date %(text)s is read; YYYY/MM/DD was expected."),
    gettext_noop("The points %(text)s have a comma; they are read."),
    gettext_noop("The points %(text)s have a sign for the half; they are read."),
    gettext_noop("The points %(text)s cannot be read, a number such as 4.5 was expected; they are left out."),
    gettext_noop(
        "The start number %(number)s has more than four figures; 1 to 9999 fit in columns 5-8. Split the tournament."
    ),
    gettext_noop("Columns 5-8 hold %(text)s, a start number from 1 to 9999 was expected."),
    gettext_noop("The columns after the name were counted in bytes, not in characters; the line is read so."),
    gettext_noop("The birth date stands one column to the right of columns 70-79; it is read."),
    gettext_noop("The name leaves its columns 15-47 by one; the line is read, as all else stands right."),
    gettext_noop(
        "Column %(column)s must be blank, found %(text)s: the fields of this line do not stand in their columns. It seems"
        " to be shifted to the right by %(width)s. Correct the line or export the file again."
    ),
    gettext_noop(
        "Column %(column)s must be blank, found %(text)s: the fields of this line do not stand in their columns. It seems"
        " to be shifted to the left by %(width)s. Correct the line or export the file again."
    ),
    gettext_noop(
        "Column %(column)s must be blank, found %(text)s: the fields of this line do not stand in their columns. Correct"
        " the line or export the file again."
    ),
    gettext_noop("Player %(number)s has no name in columns 15-47."),
    gettext_noop(
        "Player %(number)s has no name in columns 15-47: the id %(id)s alone says who it is, and nobody would see a wrong"
        " figure in it. Give the name."
    ),
    gettext_noop("Player %(number)s has no rank in columns 86-89."),
    gettext_noop("Columns 90-91 hold %(text)s, blanks were expected."),
    gettext_noop("The line has %(rounds_on_line)s rounds, a file may have %(most)s; the rest is not read."),
    gettext_noop("%(text)s stands between the fields of a round, blanks were expected."),
    gettext_noop("The opponent %(text)s is no start number; four figures, 0000 or blanks were expected."),
    gettext_noop("The result %(text)s is read as %(result)s."),
    gettext_noop(
        "The result %(text)s is unknown; 1 = 0 for games, + - for forfeits, W D L for games of no move and H F Z U for"
        " byes were expected."
    ),
    gettext_noop("The colour %(text)s is unknown, w, b or - was expected; the opponent’s line decides."),
    gettext_noop("The line has the form of a player’s, but begins with %(text)s instead of 001. Correct it."),
    gettext_noop("The line begins with %(text)s, no record that is known here; it is kept as a comment."),
    gettext_noop(
        "The line has a tab where columns are counted, so its fields cannot be told apart. Export the file again and do"
        " not open it in an editor that turns blanks into tabs."
    ),
    gettext_noop("The line has a tab; it is read as a blank."),
    gettext_noop("Record %(record)s is indented; it is read."),
    gettext_noop(
        "The file is headed as FIDE’s draft of 2024, which numbers its records for teams, byes and forfeits otherwise"
        " than TRF26; these are not read."
    ),
    gettext_noop("The start number %(number)s is that of line %(line)s too; no two players have the same."),
    gettext_noop(
        "Up to this line the players have more than %(most)s rounds together; the rest is not read. Send one section alone."
    ),
    gettext_noop(
        "%(players)s players in %(rounds)s rounds have more than %(most)s rounds together. Send one section alone."
    ),
    gettext_noop("The file has %(count)s player lines, at most %(most)s can be told apart. Split it."),
    gettext_noop("The file has no player (record 001). Export the tournament with its players."),
    gettext_noop("Record 062 says %(said)s players, the file has %(players)s."),
    gettext_noop("%(text)s without an opponent is read as the bye %(letter)s."),
    gettext_noop(
        "Player %(number)s has the result %(text)s in round %(round)s but no opponent; a bye (H F Z U) or the opponent’s"
        " start number was expected. It is taken as a bye and not rated."
    ),
    gettext_noop("Player %(number)s meets player %(number)s in round %(round)s. Give the opponent’s number."),
    gettext_noop("Player %(number)s meets %(opponent)s in round %(round)s, but the file has no player %(opponent)s."),
    gettext_noop(
        "Player %(number)s meets %(opponent)s in round %(round)s, but %(opponent)s has no opponent there. Correct one of"
        " the two lines."
    ),
    gettext_noop(
        "Player %(number)s meets %(opponent)s in round %(round)s, but %(opponent)s meets %(other)s there. Correct one of"
        " the lines."
    ),
    gettext_noop(
        "Round %(round)s of %(white)s and %(black)s has the bye %(bye)s, but a bye has no opponent. Give the result of"
        " the game, or 0000 for the opponent."
    ),
    gettext_noop(
        "Round %(round)s: %(white)s has no result, %(black)s has %(second)s; the two do not go together. Correct the line"
        " that is wrong."
    ),
    gettext_noop(
        "Round %(round)s: %(white)s has %(first)s, %(black)s has no result; the two do not go together. Correct the line"
        " that is wrong."
    ),
    gettext_noop(
        "Round %(round)s: %(white)s has %(first)s, %(black)s has %(second)s; the two do not go together. Correct the line"
        " that is wrong."
    ),
    gettext_noop(
        "Round %(round)s: %(white)s against %(black)s ended %(result)s, which only an arbiter’s penalty explains; an"
        " officer decides what is rated."
    ),
    gettext_noop("Round %(round)s: %(white)s and %(black)s both have %(colour)s. Correct one of them."),
    gettext_noop("Round %(round)s: only one of %(white)s and %(black)s has a colour; the other gets the other one."),
    gettext_noop("The type %(text)s is none of FIDE’s codes; it is kept."),
    gettext_noop("Record %(record)s stands a second time; the first one counts."),
    gettext_noop("Record %(record)s holds %(text)s, a number was expected."),
    gettext_noop("Record %(record)s stands more than %(most)s times, which no tournament needs; the rest is not read."),
    gettext_noop("Record 112 is read as a list of %(count)s persons."),
    gettext_noop("%(fields)s: the file gives %(count)s, the first %(most)s are read."),
    gettext_noop("%(fields)s: the text has %(count)s characters, the first %(most)s are read."),
    gettext_noop("Record 222 holds %(text)s, which is no single base time and increment."),
    gettext_noop(
        "Record 222 means %(coded)s, record 122 %(free)s; 222 counts, unless another is said to have been played."
    ),
    gettext_noop("Player %(number)s has %(points)s points, but the results on the line are worth %(counted)s."),
    values={"kind": _FORMATS.said, "fields": _fields, "field": gettext},
)
