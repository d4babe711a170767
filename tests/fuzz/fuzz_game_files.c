// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: files of games. What is accepted and settled must be written by every format, and
// come back from PSQ and SGF as the same game.
#include "engine/base/check.h"
#include "harness/record/game_format.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Found {
    int count, complaints;
    const GameSheet *want; // what the next game must be, NULL: anything
} Found;

static void check_same(const GameSheet *got, const GameSheet *want) {
    CHECK(got->record->move_count == want->record->move_count);
    CHECK(got->record->result == want->record->result &&
          got->record->reason == want->record->reason);
    for (int i = 0; i < got->record->move_count; i++) {
        const MoveRecord *g = &got->record->moves[i], *w = &want->record->moves[i];
        CHECK(g->move == w->move && g->known == w->known);
        CHECK(memcmp(&g->cost, &w->cost, sizeof g->cost) == 0);
    }
}

static void write_and_read(const GameSheet *sheet);

static Status take(void *ctx, GameSheet *sheet, ErrorText *err) {
    Found *found = ctx;
    ErrorText fault;
    (void)err;
    found->count++;
    if (found->want)
        check_same(sheet, found->want);
    else if (game_sheet_settle(sheet, sheet->rule, &fault) == STATUS_OK)
        write_and_read(sheet);
    game_sheet_free(sheet);
    return STATUS_OK;
}

static void complain(void *ctx, int line, const char *what) {
    Found *found = ctx;
    CHECK(line >= 1 && *what && !strchr(what, '\n'));
    found->complaints++;
}

static void write_and_read(const GameSheet *sheet) {
    for (int i = 0; i < GAME_FORMAT_NB; i++) {
        const GameFormatInfo *format = game_format((GameFormat)i);
        Text text = {0};
        ErrorText err;
        Found found = {.want = sheet};
        format->write(sheet, &text);
        CHECK(!text.failed);
        if (format->read) {
            CHECK(format->read(text_cstr(&text), text.length, &(SheetTaker){take, complain, &found},
                               &err) == STATUS_OK);
            CHECK(found.count == 1 && found.complaints == 0);
        }
        text_release(&text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 4096)
        return 0;
    for (int i = GAME_FORMAT_PSQ; i <= GAME_FORMAT_SGF; i++) {
        Found found = {0};
        ErrorText err;
        CHECK(game_format((GameFormat)i)
                  ->read((const char *)data, size, &(SheetTaker){take, complain, &found}, &err) ==
              STATUS_OK);
    }
    return 0;
}
