// SPDX-License-Identifier: GPL-3.0-or-later
// The table of formats.
#include "harness/record/game_format.h"

#include "engine/base/check.h"
#include "harness/record/game_csv.h"
#include "harness/record/game_json.h"
#include "harness/record/pgn.h"
#include "harness/record/psq.h"
#include "harness/record/sgf.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

// In the order of GAME_FORMATS, which is that of the enum.
static const GameFormatInfo FORMATS[GAME_FORMAT_NB] = {
    [GAME_FORMAT_PSQ] = {"psq", NULL, psq_write, psq_read},
    [GAME_FORMAT_SGF] = {"sgf", NULL, sgf_write, sgf_read},
    [GAME_FORMAT_CSV] = {"csv", game_csv_write_header, game_csv_write, NULL},
    [GAME_FORMAT_JSONL] = {"jsonl", NULL, game_json_write, NULL},
    [GAME_FORMAT_PGN] = {"pgn", NULL, pgn_write, NULL},
};

const GameFormatInfo *game_format(GameFormat format) {
    CHECK((unsigned)format < GAME_FORMAT_NB);
    return &FORMATS[format];
}

// By content, never by the name: files come as .txt and without an ending.
GameFormat game_format_guess(const char *text, size_t length) {
    const char *end = text + length;
    // A byte order mark, as some editors of Windows write it.
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        text += 3;
    while (text < end && isspace((unsigned char)*text))
        text++;
    if ((size_t)(end - text) >= 9 && strncasecmp(text, "Piskvorky", 9) == 0)
        return GAME_FORMAT_PSQ;
    return text < end && *text == '(' ? GAME_FORMAT_SGF : GAME_FORMAT_NB;
}
