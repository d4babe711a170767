// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: files of openings in every format. What is accepted must start a game and read back
// from what is written; what is refused must say why in one line.
#include "engine/base/check.h"
#include "engine/board/symmetry.h"
#include "harness/play/opening_book.h"
#include "harness/play/opening_reader.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const int SIDES[] = {15, 20, 5, 22};

static void check_set(const OpeningSet *set) {
    static OpeningSet again;
    Text text = {0};
    ErrorText err;
    for (int64_t i = 0; i < set->count; i++) {
        opening_write_pos(set, i, false, &text);
        text_append(&text, "\n");
    }
    CHECK(!text.failed);
    CHECK(opening_set_init(&again, set->width, set->height, set->k, set->rule, &err) == STATUS_OK);
    OpeningText input = {"again", text_cstr(&text), text.length, OPENING_POS, ROWS_BOTTOM};
    CHECK(opening_read_text(&again, &input, &err) == STATUS_OK);
    CHECK(again.count == set->count);
    for (int64_t i = 0; i < set->count; i++) {
        int count, count_again;
        const Move *moves = opening_set_get(set, i, &count);
        const Move *moves_again = opening_set_get(&again, i, &count_again);
        CHECK(count == count_again && count < set->width * set->height);
        CHECK(count == 0 || memcmp(moves, moves_again, (size_t)count * sizeof *moves) == 0);
    }
    opening_set_release(&again);
    text_release(&text);
}

// The first byte chooses the board, the rule, the order of rows and the format.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    OpeningSet set;
    ErrorText err = {0};
    if (size < 1)
        return 0;
    unsigned choice = data[0] - (unsigned)'0';
    int side = SIDES[choice & 3];
    Rule rule = choice & 4 ? RULE_STANDARD : RULE_FREESTYLE;
    OpeningText text = {"input", (const char *)data + 1, size - 1,
                        (OpeningFormat)(choice / 16 % (OPENING_TSV + 1)),
                        choice & 8 ? ROWS_TOP : ROWS_BOTTOM};
    CHECK(opening_set_init(&set, side, side, 5, rule, &err) == STATUS_OK);
    Status status = opening_read_text(&set, &text, &err);
    if (status == STATUS_OK)
        check_set(&set);
    else
        CHECK(status == STATUS_INVALID && err.text[0] && !strchr(err.text, '\n'));
    opening_set_release(&set);
    return 0;
}
