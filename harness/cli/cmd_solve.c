// SPDX-License-Identifier: GPL-3.0-or-later
// `gomolab solve`: proofs of single positions, by continuous fours or threats, or to the end of the
// game.
#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "engine/base/large_memory.h"
#include "engine/proof.h"
#include "harness/cli/command.h"
#include "harness/cli/position_input.h"
#include "harness/report/table.h"

#include <stdlib.h>

typedef struct SolveOptions {
    PositionInput input;
    bool vcf, vct, end;
    int64_t k, nodes, table_mb;
    int format;
} SolveOptions;

static const Option OPTIONS[] = {
    OPTION_FLAG(SolveOptions, vcf, "--vcf", "does the side to move win by continuous fours?"),
    OPTION_FLAG(SolveOptions, vct, "--vct",
                "does the side to move win by continuous threats, fours and open threes?"),
    OPTION_FLAG(SolveOptions, end, "--end",
                "solve to the end of the game: value, distance, all best moves (few empty cells)"),
    POSITION_INPUT_OPTIONS(SolveOptions, input),
    OPTION_INT(SolveOptions, k, "--in-a-row", "K", 5, BOARD_MIN_K, BOARD_MAX_K, NULL,
               "stones in a row that win"),
    // 0 is no limit, and may be given: scripts then need no second form of the command.
    OPTION_INT(SolveOptions, nodes, "--nodes", "N", 0, 0, 1000000000000, "no limit",
               "give a position up after N nodes"),
    OPTION_INT(SolveOptions, table_mb, "--table", "MIB", 64, 1, 65536, NULL,
               "table of --end in MiB"),
    OPTION_CHOICE(SolveOptions, format, "--format", TABLE_FORMATS, TABLE_TEXT,
                  "how to print the table"),
};

static const OptionNeed NEEDS[] = {
    {"--table", "--end"},
};

// The columns are a promise to scripts: names and order stay.
enum { VCF_ID, VCF_ANSWER, VCF_MOVES, VCF_FIRST, VCF_LINE, VCF_NODES, VCF_TIME };
static const TableColumn VCF_COLUMNS[] = {
    {"id", COLUMN_TEXT, 0, NULL},     {"answer", COLUMN_TEXT, 0, NULL},
    {"moves", COLUMN_INT, 0, NULL},   {"first_move", COLUMN_TEXT, 0, NULL},
    {"line", COLUMN_TEXT, 0, NULL},   {"nodes", COLUMN_INT, 0, NULL},
    {"time_us", COLUMN_INT, 0, NULL},
};

enum { END_ID, END_VALUE, END_DISTANCE, END_BEST, END_KEEP, END_LINE, END_NODES, END_TIME };
static const TableColumn END_COLUMNS[] = {
    {"id", COLUMN_TEXT, 0, NULL},          {"value", COLUMN_TEXT, 0, NULL},
    {"distance", COLUMN_INT, 0, NULL},     {"best_moves", COLUMN_TEXT, 0, NULL},
    {"value_moves", COLUMN_TEXT, 0, NULL}, {"line", COLUMN_TEXT, 0, NULL},
    {"nodes", COLUMN_INT, 0, NULL},        {"time_us", COLUMN_INT, 0, NULL},
};

static void set_moves(Table *table, int column, const Board *board, const Move *moves, int count) {
    Text text = {0};
    for (int i = 0; i < count; i++)
        text_printf(&text, "%s%s", i ? " " : "", notation_square(board, moves[i]).text);
    table_set_text(table, column, count ? text_cstr(&text) : NULL);
    text_release(&text);
}

static Status solve_fours(const SolveOptions *options, const char *id, const Board *board,
                          Table *table, ErrorText *err) {
    static const char *const ANSWERS[] = {[PROOF_FIVE_NOW] = "FIVE_NOW",
                                          [PROOF_WIN] = "VCF",
                                          [PROOF_NONE] = "NO_VCF",
                                          [PROOF_UNKNOWN] = "unknown"};
    FoursProof proof;
    // Of the search alone: reading and setting up positions is not in it.
    int64_t start_ns = clock_now_ns(clock_monotonic());
    Status status = proof_fours(board, (uint64_t)options->nodes, &proof, err);
    if (status)
        return status;
    table_row(table);
    table_set_text(table, VCF_ID, id);
    table_set_text(table, VCF_ANSWER, ANSWERS[proof.answer]);
    // Without a line the cells stay empty: no moves are not 0 moves.
    if (proof.line_length) {
        table_set_int(table, VCF_MOVES, proof.fours);
        table_set_text(table, VCF_FIRST, notation_square(board, proof.line[0]).text);
    }
    set_moves(table, VCF_LINE, board, proof.line, proof.line_length);
    table_set_int(table, VCF_NODES, (int64_t)proof.nodes);
    table_set_int(table, VCF_TIME, (clock_now_ns(clock_monotonic()) - start_ns) / 1000);
    return STATUS_OK;
}

static Status solve_threats(const SolveOptions *options, const char *id, const Board *board,
                            Table *table, ErrorText *err) {
    static const char *const ANSWERS[] = {[PROOF_FIVE_NOW] = "FIVE_NOW",
                                          [PROOF_WIN] = "VCT",
                                          [PROOF_NONE] = "NO_VCT",
                                          [PROOF_UNKNOWN] = "unknown"};
    ThreatsProof proof;
    int64_t start_ns = clock_now_ns(clock_monotonic());
    Status status = proof_vct(board, (uint64_t)options->nodes, &proof, err);
    if (status)
        return status;
    // A win that needs no threes is told by its stronger name.
    const char *answer = ANSWERS[proof.answer];
    if (proof.answer == PROOF_WIN && proof.by_fours)
        answer = "VCF";
    table_row(table);
    table_set_text(table, VCF_ID, id);
    table_set_text(table, VCF_ANSWER, answer);
    if (proof.line_length) {
        table_set_int(table, VCF_MOVES, proof.moves);
        table_set_text(table, VCF_FIRST, notation_square(board, proof.line[0]).text);
    }
    set_moves(table, VCF_LINE, board, proof.line, proof.line_length);
    table_set_int(table, VCF_NODES, (int64_t)proof.nodes);
    table_set_int(table, VCF_TIME, (clock_now_ns(clock_monotonic()) - start_ns) / 1000);
    return STATUS_OK;
}

static Status solve_end(const SolveOptions *options, const char *id, const Board *board,
                        Table *table, ErrorText *err) {
    static const char *const VALUES[] = {"LOSS", "DRAW", "WIN"};
    int64_t start_ns = clock_now_ns(clock_monotonic());
    // On the heap, as it lists all moves of a board twice.
    EndProof *proof = malloc(sizeof *proof);
    Status status =
        proof ? proof_end(board, (int)options->table_mb, (uint64_t)options->nodes, proof, err)
              : error_set(err, STATUS_NO_MEMORY, "out of memory");
    if (!status) {
        table_row(table);
        table_set_text(table, END_ID, id);
        // The outcome is -1, 0 or 1, seen from the side to move.
        table_set_text(table, END_VALUE, proof->solved ? VALUES[proof->outcome + 1] : "unknown");
        // A position that was given up has no best moves yet, not even likely ones.
        if (proof->solved) {
            table_set_int(table, END_DISTANCE, proof->plies);
            set_moves(table, END_BEST, board, proof->distance_move, proof->by_distance);
            set_moves(table, END_KEEP, board, proof->value_move, proof->by_value);
            set_moves(table, END_LINE, board, proof->line, proof->line_length);
        }
        table_set_int(table, END_NODES, (int64_t)proof->nodes);
        table_set_int(table, END_TIME, (clock_now_ns(clock_monotonic()) - start_ns) / 1000);
    }
    free(proof);
    return status;
}

// Stops at the first position that cannot be set up, which the message names by its place in the
// file: skipped rows would shift the answers of a script that counts them.
static Status solve_all(const SolveOptions *options, Table *table, ErrorText *err) {
    PositionList positions = {0};
    PositionGame game = {.k = (int)options->k, .radius = 0};
    Board *board = malloc(sizeof *board);
    Status status = board
                        ? position_input_read(&options->input, "solve", &positions, &game.rule, err)
                        : error_set(err, STATUS_NO_MEMORY, "out of memory");
    for (int i = 0; i < positions.count && !status; i++) {
        const Position *position = &positions.items[i];
        status = position_set_up_game(position, &game, board, err);
        if (!status)
            status = options->vcf   ? solve_fours(options, position->id, board, table, err)
                     : options->vct ? solve_threats(options, position->id, board, table, err)
                                    : solve_end(options, position->id, board, table, err);
        if (status)
            status = position_input_fault(&options->input, position, status, err);
    }
    positions_release(&positions);
    free(board);
    return status;
}

static int run(const void *values) {
    const SolveOptions *options = values;
    ErrorText err = {0};
    if (options->vcf + options->vct + options->end != 1)
        return command_usage(&command_solve, "say one of --vcf, --vct and --end");
    if (!options->end && options->k != 5)
        return command_usage(&command_solve,
                             "--in-a-row: --vcf and --vct know five in a row only, not %lld; "
                             "use --end",
                             (long long)options->k);
    // Not a range of the option table, since it depends on the machine. Linux would grant the
    // memory and kill the program later.
    if (options->end && options->table_mb > large_memory_machine_mb())
        return command_usage(&command_solve,
                             "--table: %lld, but this machine has %lld MiB of memory",
                             (long long)options->table_mb, (long long)large_memory_machine_mb());
    Table *table = options->end ? table_new(END_COLUMNS, ARRAY_LEN(END_COLUMNS))
                                : table_new(VCF_COLUMNS, ARRAY_LEN(VCF_COLUMNS));
    Status status = table ? solve_all(options, table, &err)
                          : error_set(&err, STATUS_NO_MEMORY, "out of memory");
    if (!status)
        status = table_print(table, (TableFormat)options->format, stdout, &err);
    table_free(table);
    return status ? command_fail(status, &err) : EXIT_DONE;
}

const Command command_solve = {
    .name = "solve",
    .summary = "prove single positions: continuous fours or threats, or to the end of the game",
    .details =
        "--vcf: FIVE_NOW, VCF with the least number of fours and a line that ends in the five, or\n"
        "NO_VCF, which is a proof by exhaustion. --vct: FIVE_NOW, VCF, VCT with the attacker's "
        "moves\n"
        "before the five and one line (a win against every defence, not always the shortest), or\n"
        "NO_VCT: no sequence of fours and open threes wins. `unknown` only with --nodes.\n"
        "--end: WIN, DRAW or LOSS for the side to move, the moves to the end with best play, the\n"
        "moves that keep value and distance, those that keep the value\n",
    .options = {OPTIONS, ARRAY_LEN(OPTIONS), NEEDS, ARRAY_LEN(NEEDS)},
    .values_size = sizeof(SolveOptions),
    .run = run,
};
