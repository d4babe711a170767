// SPDX-License-Identifier: GPL-3.0-or-later
// `gomolab audit`: blunders that need no search to see, and games that cannot be.
#include "engine/base/check.h"
#include "harness/cli/command.h"
#include "harness/report/table.h"
#include "harness/study/audit.h"

#include <math.h>
#include <stdio.h>

typedef struct AuditOptions {
    const char *database;
    double flip;
    int format;
} AuditOptions;

static const Option OPTIONS[] = {
    OPTION_ARG(AuditOptions, database, "DB", "database of `run`, `merge` or `import`"),
    OPTION_REAL(AuditOptions, flip, "--flip", "V", 1000, 0, 1e12, NULL,
                "count a sign flip when a player's value goes from V to -V, or back, between two "
                "of its moves"),
    OPTION_CHOICE(AuditOptions, format, "--format", TABLE_FORMATS, TABLE_TEXT,
                  "how to print the table"),
};

enum { PLAYER, FINDING, COUNT, CHANCES, PER_1000, GAMES, MOVES, FIRST };
static const TableColumn COLUMNS[] = {
    {"player", COLUMN_TEXT, 0, NULL},         {"finding", COLUMN_TEXT, 0, NULL},
    {"count", COLUMN_INT, 0, NULL},           {"chances", COLUMN_INT, 0, NULL},
    {"per_1000_moves", COLUMN_REAL, 2, NULL}, {"games", COLUMN_INT, 0, NULL},
    {"moves", COLUMN_INT, 0, NULL},           {"first", COLUMN_TEXT, 0, "first (game:ply)"},
};

// The example is game:ply, the two numbers that `gomolab show DB GAME --ply N` takes. Findings
// about a game as a whole have no ply.
static void add_row(Table *table, const char *name, const AuditPlayer *player,
                    AuditFinding finding) {
    const AuditCount *count = &player->finding[finding];
    char first[48] = "";
    if (count->first_slot >= 0 && count->first_ply > 0)
        snprintf(first, sizeof first, "%lld:%d", (long long)count->first_slot, count->first_ply);
    else if (count->first_slot >= 0)
        snprintf(first, sizeof first, "%lld", (long long)count->first_slot);
    table_row(table);
    table_set_text(table, PLAYER, name);
    table_set_text(table, FINDING, audit_finding_name(finding));
    table_set_int(table, COUNT, count->count);
    table_set_int(table, CHANCES, count->chances);
    // A player without moves has no rate; 0 would praise it.
    table_set_real(table, PER_1000,
                   player->moves ? 1000.0 * (double)count->count / (double)player->moves : NAN);
    table_set_int(table, GAMES, player->games);
    table_set_int(table, MOVES, player->moves);
    table_set_text(table, FIRST, first[0] ? first : NULL);
}

// Prints the table; *impossible tells whether a record contradicts itself.
static Status print_audit(const Store *store, const Audit *audit, int format, bool *impossible,
                          ErrorText *err) {
    Table *table = table_new(COLUMNS, ARRAY_LEN(COLUMNS));
    if (!table)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    for (int i = 0; i < audit->player_count; i++)
        // Zeros too: "looked for and not found" is an answer.
        for (int finding = 0; finding < AUDIT_NB; finding++) {
            add_row(table, store_player(store, i)->name, &audit->players[i], (AuditFinding)finding);
            *impossible |= audit->players[i].finding[AUDIT_IMPOSSIBLE].count > 0;
        }
    Status status = table_print(table, (TableFormat)format, stdout, err);
    table_free(table);
    // Said aloud, so that a clean table is not taken for clean games.
    if (audit->games_without_moves)
        fprintf(stderr, "gomolab audit: %lld of %lld games have no moves kept and were left out\n",
                (long long)audit->games_without_moves, (long long)audit->games);
    if (!audit->rows_are_judged)
        fputs("gomolab audit: not five in a row: wins and fours were not looked for\n", stderr);
    return status;
}

static int run(const void *values) {
    const AuditOptions *options = values;
    ErrorText err = {0};
    Store *store = NULL;
    Audit audit = {0};
    bool impossible = false;
    Status status = store_open(options->database, &store, &err);
    if (!status)
        status = audit_run(store, options->flip, NULL, NULL, &audit, &err);
    if (!status)
        status = print_audit(store, &audit, options->format, &impossible, &err);
    audit_release(&audit);
    store_close(store);
    if (status)
        return command_fail(status, &err);
    // Blunders are what games consist of; only a record that contradicts itself is an answer of
    // "no".
    return impossible ? EXIT_ANSWER_NO : EXIT_DONE;
}

const Command command_audit = {
    .name = "audit",
    .summary = "blunders that need no search to see, and games that cannot be",
    .details = "missed_win: five in a row was there and not played; unblocked_five: the enemy's "
               "one cell for five left\n"
               "open; open_four_allowed: the enemy could make a straight four and still can, "
               "though a move prevented it;\n"
               "sign_flip: one's own value turned round between two moves; illegal, impossible: "
               "moves and records that may\n"
               "not be; identical: the same game as an earlier one. Exit status 1 when a record "
               "contradicts itself.\n",
    .options = {.rows = OPTIONS, .count = ARRAY_LEN(OPTIONS)},
    .values_size = sizeof(AuditOptions),
    .run = run,
};
