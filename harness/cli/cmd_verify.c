// SPDX-License-Identifier: GPL-3.0-or-later
// `gomolab verify`: do pruning, ordering and tables change the answer of plain minimax?
#include "engine/base/check.h"
#include "engine/base/nearest.h"
#include "harness/cli/command.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/position_input.h"
#include "harness/cli/verify_config.h"
#include "harness/report/table.h"
#include "harness/study/verify_positions.h"
#include "harness/study/work.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct VerifyOptions {
    const char *file, *positions, *db, *depths, *rule, *plant, *tie;
    OptionList set, candidates;
    int64_t random, seed, board, node_limit, jobs, show;
    bool quiet;
    int format;
} VerifyOptions;

// By SearchFault. The words are part of the command line: they stay when the enum changes.
static const char *const FAULT_NAMES[FAULT_NB] = {
    [FAULT_NONE] = "none",
    [FAULT_TABLE_WITHOUT_BOUNDS] = "table-without-bounds",
    [FAULT_NARROW_ROOT_WINDOW] = "narrow-root-window",
    [FAULT_STONE_LEFT] = "stone-left",
    [FAULT_HISTORY_OVERFLOW] = "history-overflow",
    [FAULT_ORDER_CHANGES_CANDIDATES] = "order-changes-candidates",
};

static const Option OPTIONS[] = {
    OPTION_ARG(VerifyOptions, file, "FILE", "a verification or a player, YAML"),
    OPTION_LIST(VerifyOptions, candidates, "--candidate", "NAME",
                "hold this against the reference instead of the file's: all, orderings, alphabeta, "
                "pvs, table, ..., "
                "random:N, or KEY=VALUE;KEY=VALUE"),
    OPTION_TEXT(VerifyOptions, positions, "--file", "FILE", NULL, "positions of a TSV file"),
    OPTION_TEXT(VerifyOptions, db, "--db", "DB", NULL, "every position of the games in a database"),
    OPTION_INT(VerifyOptions, random, "--random", "N", 0, 1, 10000000, "50",
               "N positions of random games"),
    OPTION_TEXT(VerifyOptions, depths, "--depths", "LIST", "1,2,3", "search to these depths"),
    OPTION_INT(VerifyOptions, seed, "--seed", "S", -1, 0, 1e15, "1",
               "seed of random positions and combinations"),
    OPTION_INT(VerifyOptions, node_limit, "--node-limit", "N", 0, 1, 1e15, "1000000",
               "skip positions for which the reference needs more than N nodes"),
    OPTION_TEXT(VerifyOptions, tie, "--tie", "RULE", "board",
                "board: the first of equal moves in board order; order: the first reached"),
    OPTION_LIST(VerifyOptions, set, "--set", "KEY=VALUE", "change a knob of the player"),
    OPTION_TEXT(VerifyOptions, rule, "--rule", "RULE", "freestyle", "rule of the game"),
    OPTION_INT(VerifyOptions, board, "--board", "N", 0, BOARD_MIN_SIDE, BOARD_MAX_SIDE, "15",
               "board of N x N where a file has no `board` column"),
    OPTION_INT(VerifyOptions, jobs, "--jobs", "N", 0, 1, 1024, "all cores", "use N threads"),
    OPTION_INT(VerifyOptions, show, "--show", "N", 3, 0, 1000000, NULL,
               "draw the first N differing positions"),
    OPTION_TEXT(VerifyOptions, plant, "--plant", "FAULT", "none",
                "plant a fault into every candidate, to see it found: table-without-bounds, "
                "narrow-root-window, "
                "stone-left, history-overflow, order-changes-candidates"),
    OPTION_FLAG(VerifyOptions, quiet, "--quiet", "no progress"),
    OPTION_CHOICE(VerifyOptions, format, "--format", TABLE_FORMATS, TABLE_TEXT,
                  "how to print the table"),
};

enum {
    CANDIDATE,
    DEPTH,
    POSITIONS,
    SKIPPED,
    AGREEMENTS,
    SAVING,
    SAVING_P10,
    SAVING_P90,
    MINIMUM_RATIO,
    FIRST_CUTOFFS
};
static const TableColumn COLUMNS[] = {
    {"candidate", COLUMN_TEXT, 0, NULL},
    {"depth", COLUMN_INT, 0, NULL},
    {"positions", COLUMN_INT, 0, NULL},
    {"skipped", COLUMN_INT, 0, NULL},
    {"agreements", COLUMN_INT, 0, NULL},
    {"saving_median", COLUMN_REAL, 3, "node saving"},
    {"saving_p10", COLUMN_REAL, 3, "p10"},
    {"saving_p90", COLUMN_REAL, 3, "p90"},
    {"minimum_ratio", COLUMN_REAL, 2, "nodes/minimum"},
    {"first_cutoff_rate", COLUMN_REAL, 3, "first-move cutoff rate"},
};

// Totals over the whole table.
typedef struct Totals {
    int64_t compared, skipped, differences;
} Totals;

// --- from options to searches
// -----------------------------------------------------------------------------------------

// Commas and blanks both separate, since shells make one as easy as the other.
static Status apply_depths(const char *text, VerifyConfig *config, ErrorText *err) {
    config->depth_count = 0;
    for (const char *c = text; *c;) {
        char word[24];
        size_t length = strcspn(c, ", ");
        int64_t depth;
        snprintf(word, sizeof word, "%.*s", (int)length, c);
        if (!text_parse_int(word, 1, 64, &depth) || config->depth_count == VERIFY_MAX_DEPTHS)
            return error_set(err, STATUS_INVALID,
                             "--depths %s: expected up to %d whole numbers 1..64, as in 1,2,3",
                             text, VERIFY_MAX_DEPTHS);
        config->depths[config->depth_count++] = depth;
        c += length;
        c += strspn(c, ", ");
    }
    int64_t twice;
    if (verify_depth_twice(config->depths, config->depth_count, &twice))
        return error_set(err, STATUS_INVALID, "--depths %s: %lld is given twice", text,
                         (long long)twice);
    return config->depth_count
               ? STATUS_OK
               : error_set(err, STATUS_INVALID, "--depths: expected at least one depth");
}

static Status replace_text(char **text, const char *with, ErrorText *err) {
    char *copy = strdup(with);
    if (!copy)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    free(*text);
    *text = copy;
    return STATUS_OK;
}

// Which positions the options ask for, in place of the file's.
static Status apply_positions(const VerifyOptions *options, VerifyConfig *config, ErrorText *err) {
    if ((options->positions != NULL) + (options->db != NULL) + (options->random > 0) > 1)
        return error_set(err, STATUS_INVALID,
                         "gomolab verify: only one of --file, --db and --random");
    // One source of positions: an option takes the place of whatever the file names.
    if (options->positions || options->db || options->random) {
        free(config->positions_file);
        free(config->positions_db);
        config->positions_file = config->positions_db = NULL;
    }
    if (options->random)
        config->random = options->random;
    if (options->positions)
        return replace_text(&config->positions_file, options->positions, err);
    if (options->db)
        return replace_text(&config->positions_db, options->db, err);
    return STATUS_OK;
}

static Status apply_options(const VerifyOptions *options, VerifyConfig *config, SearchFault *fault,
                            ErrorText *err) {
    Status status = apply_positions(options, config, err);
    if (!status && options->depths)
        status = apply_depths(options->depths, config, err);
    if (options->board)
        config->board = (int)options->board;
    if (options->node_limit)
        config->node_limit = options->node_limit;
    if (!status && options->rule && !rule_parse(options->rule, &config->rule))
        status = error_set(err, STATUS_INVALID, "--rule %s: expected freestyle or standard",
                           options->rule);
    if (!status && options->tie) {
        bool by_order = strcmp(options->tie, "order") == 0;
        if (!by_order && strcmp(options->tie, "board") != 0)
            status =
                error_set(err, STATUS_INVALID, "--tie %s: expected board or order", options->tie);
        config->tie = by_order ? VERIFY_TIE_ORDER : VERIFY_TIE_BOARD;
    }
    for (*fault = FAULT_NONE; !status && options->plant && *fault < FAULT_NB; (*fault)++)
        if (strcmp(FAULT_NAMES[*fault], options->plant) == 0)
            return STATUS_OK;
    if (!status && *fault == FAULT_NB) {
        status = error_set(
            err, STATUS_INVALID, "--plant %s: no such fault%s", options->plant,
            nearest_hint(options->plant, FAULT_NAMES, FAULT_NB, "; --help lists them").text);
    }
    return status;
}

static Status load_positions(const VerifyConfig *config, VerifySpec *spec, ErrorText *err) {
    if (config->positions_db)
        return verify_positions_database(config->positions_db, config->limit, &spec->positions,
                                         &spec->rule, err);
    if (config->positions_file) {
        Status status =
            positions_read(config->positions_file, config->board, &spec->positions, err);
        if (!status)
            position_note_unusual("verify", config->positions_file, &spec->positions);
        if (!status && spec->positions.count == 0)
            status =
                error_set(err, STATUS_INVALID, "%s: no positions in it", config->positions_file);
        return status;
    }
    RandomPositions wish = {config->random, config->plies[0], config->plies[1],
                            config->seed,   config->board,    config->rule};
    return verify_positions_random(&wish, &spec->positions, err);
}

static Status make_spec(const VerifyOptions *options, VerifySpec *spec, ErrorText *err) {
    VerifyConfig config;
    OptionList words = options->candidates;
    Status status =
        verify_config_load(options->file, &options->set, &words, options->seed, &config, err);
    if (status)
        return status;
    status = apply_options(options, &config, &spec->fault, err);
    // Also after a failure: the spec then owns what was made so far, and its release frees it.
    spec->reference = config.reference;
    spec->candidates = config.candidates;
    // Moved into the spec, which frees them.
    config.candidates = (VerifyCandidates){0};
    for (; spec->depth_count < config.depth_count; spec->depth_count++)
        spec->depths[spec->depth_count] = (int)config.depths[spec->depth_count];
    spec->rule = config.rule;
    spec->node_limit = (uint64_t)config.node_limit;
    spec->tie_by_order = config.tie == VERIFY_TIE_ORDER;
    spec->jobs = options->jobs ? (int)options->jobs : work_cores();
    if (!status)
        status = load_positions(&config, spec, err);
    verify_config_release(&config);
    return status;
}

// --- progress
// ---------------------------------------------------------------------------------------------------------

typedef struct VerifyProgress {
    PoolControl control;
    bool is_quiet, is_terminal;
    int64_t shown; // positions when the last line was printed
} VerifyProgress;

// A line that is written over on a terminal; elsewhere ten lines in all, which a log can bear.
static bool show_progress(void *ctx, int64_t done, int64_t count) {
    VerifyProgress *progress = ctx;
    bool wants = progress->is_terminal ? done != progress->shown
                                       : done - progress->shown >= (count + 9) / 10;
    if (!progress->is_quiet && (wants || (progress->is_terminal && done == count))) {
        fprintf(stderr, progress->is_terminal ? "\r%lld/%lld positions" : "%lld/%lld positions\n",
                (long long)done, (long long)count);
        if (progress->is_terminal && done == count)
            fputs("\r\033[K", stderr);
        fflush(stderr);
        progress->shown = done;
    }
    // Raised by the handler of Ctrl-C at any time.
    return atomic_load(&progress->control.level) == 0;
}

// --- results
// ----------------------------------------------------------------------------------------------------------

static Status fill_table(const VerifyResult *result, Table *table, Totals *totals, ErrorText *err) {
    const VerifySpec *spec = result->spec;
    Status status = STATUS_OK;
    for (int c = 0; c < spec->candidates.count && !status; c++)
        for (int d = 0; d < spec->depth_count && !status; d++) {
            VerifySummary summary;
            if (!verify_is_compared(spec, c, d))
                continue;
            status = verify_summarize(result, c, d, &summary, err);
            if (status)
                break;
            // Skipped positions are no agreement: they are counted apart, and a run in which all
            // are skipped is no success.
            int64_t compared = summary.positions - summary.skipped;
            totals->compared += compared;
            totals->skipped += summary.skipped;
            totals->differences += compared - summary.agreements;
            table_row(table);
            table_set_text(table, CANDIDATE, spec->candidates.items[c].name);
            table_set_int(table, DEPTH, spec->depths[d]);
            table_set_int(table, POSITIONS, summary.positions);
            table_set_int(table, SKIPPED, summary.skipped);
            table_set_int(table, AGREEMENTS, summary.agreements);
            table_set_real(table, SAVING, summary.saving_median);
            table_set_real(table, SAVING_P10, summary.saving_p10);
            table_set_real(table, SAVING_P90, summary.saving_p90);
            table_set_real(table, MINIMUM_RATIO, summary.minimum_ratio);
            table_set_real(table, FIRST_CUTOFFS, summary.first_cutoffs);
        }
    return status;
}

static void write_answer(Text *out, const Board *board, const char *who,
                         const VerifyAnswer *answer) {
    text_printf(out, "  %s: ", who);
    // No move and no value: what an unfinished search holds is no answer to compare.
    if (answer->stopped) {
        text_printf(out, "no answer within %llu nodes\n", (unsigned long long)answer->nodes);
        return;
    }
    text_printf(out, "%s, value ", notation_square(board, answer->move).text);
    if (isnan(answer->value))
        text_append(out, "-");
    else
        text_append_double(out, answer->value);
    text_printf(out, ", %llu nodes\n", (unsigned long long)answer->nodes);
}

// The board with both answers: r the reference's move, c the candidate's, b both.
// Row 1 is at the bottom, as in the squares that are printed beside it.
static void write_board(Text *out, const Board *board, Move reference, Move candidate) {
    for (int y = 0; y < board->height; y++) {
        text_printf(out, "  %2d ", board->height - y);
        for (int x = 0; x < board->width; x++) {
            Move cell = (Move)(y * board->width + x);
            char mark = cell == reference && cell == candidate ? 'b'
                        : cell == reference                    ? 'r'
                        : cell == candidate                    ? 'c'
                                                               : "XO."[board->cells[cell]];
            text_printf(out, "%c%s", mark, x + 1 < board->width ? " " : "\n");
        }
    }
    text_append(out, "     ");
    for (int x = 0; x < board->width; x++)
        text_printf(out, "%c%s", 'a' + x, x + 1 < board->width ? " " : "\n");
}

static Status write_difference(Text *out, const VerifyResult *result, int candidate,
                               int64_t position, int depth_index, ErrorText *err) {
    static const char *const SAYS[] = {[VERIFY_AGREES] = "",
                                       [VERIFY_SKIPPED] = "",
                                       [VERIFY_OTHER_VALUE] = "another value",
                                       [VERIFY_OTHER_MOVE] = "another move",
                                       [VERIFY_UNFINISHED] = "no end in sight"};
    const VerifySpec *spec = result->spec;
    const VerifyAnswer *reference = verify_reference(result, position, depth_index);
    const VerifyAnswer *answer = verify_answer(result, candidate, position, depth_index);
    Board *board = malloc(sizeof *board);
    if (!board)
        return error_set(err, STATUS_NO_MEMORY, "no memory for a board");
    Status status = position_set_up(&spec->positions.items[position], spec->rule, 0, board, err);
    if (!status) {
        text_printf(out, "\nposition %s, depth %d, candidate %s: %s\n",
                    spec->positions.items[position].id, spec->depths[depth_index],
                    spec->candidates.items[candidate].name,
                    SAYS[verify_verdict(result, candidate, position, depth_index)]);
        write_answer(out, board, "reference", reference);
        write_answer(out, board, "candidate", answer);
        write_board(out, board, reference->move, answer->move);
        text_printf(out, "  %s to move; r = reference, c = candidate, b = both\n",
                    board->side == BLACK ? "X" : "O");
        // A position of a board alone has no order of stones that could be replayed.
        if (spec->positions.items[position].has_order) {
            text_append(out, "  moves: ");
            notation_write_moves(board, out);
            text_append(out, "\n");
        }
    }
    free(board);
    return status;
}

// The first differing positions, one candidate each at the smallest depth.
// At the smallest depth, because the smallest tree is the one that can be followed by hand.
static Status write_differences(Text *out, const VerifyResult *result, int64_t show,
                                ErrorText *err) {
    const VerifySpec *spec = result->spec;
    Status status = STATUS_OK;
    for (int64_t p = 0; p < result->positions_done && show > 0 && !status; p++) {
        bool found = false;
        for (int d = 0; d < spec->depth_count && !found && !status; d++)
            for (int c = 0; c < spec->candidates.count && !found && !status; c++) {
                VerifyVerdict verdict = verify_is_compared(spec, c, d)
                                            ? verify_verdict(result, c, p, d)
                                            : VERIFY_SKIPPED;
                if (verdict == VERIFY_AGREES || verdict == VERIFY_SKIPPED)
                    continue;
                status = write_difference(out, result, c, p, d, err);
                found = true;
            }
        show -= found;
    }
    return status;
}

static void write_verdict(Text *out, const VerifyResult *result, const Totals *totals) {
    const VerifySpec *spec = result->spec;
    if (totals->differences)
        text_printf(out, "DIFFERENT: %lld of %lld comparisons", (long long)totals->differences,
                    (long long)totals->compared);
    // Nothing compared is nothing proved, and the exit status is that of a difference.
    else if (totals->compared == 0)
        text_append(out, totals->skipped || result->positions_done == result->spec->positions.count
                             ? "NOTHING COMPARED: every position was skipped"
                             : "NOTHING COMPARED: interrupted before the first position");
    else
        text_printf(out, "OK: %lld comparisons agree", (long long)totals->compared);
    text_printf(out, " (%d candidate%s, %lld position%s)", spec->candidates.count,
                spec->candidates.count == 1 ? "" : "s", (long long)result->positions_done,
                result->positions_done == 1 ? "" : "s");
    if (totals->skipped)
        text_printf(out, "; %lld skipped, the reference needs more than %llu nodes",
                    (long long)totals->skipped, (unsigned long long)spec->node_limit);
    text_append(out, "\n");
}

// Prints the table and what follows from it; data formats keep standard output for the table.
static Status print_result(const VerifyResult *result, const VerifyOptions *options, Totals *totals,
                           ErrorText *err) {
    Table *table = table_new(COLUMNS, ARRAY_LEN(COLUMNS));
    Text text = {0};
    // A format for programs keeps the verdict out of its table, and standard error has it.
    bool for_people = options->format == TABLE_TEXT || options->format == TABLE_MD;
    Status status = table ? fill_table(result, table, totals, err)
                          : error_set(err, STATUS_NO_MEMORY, "out of memory");
    if (!status)
        status = table_print(table, (TableFormat)options->format, stdout, err);
    if (!status && for_people)
        text_append(&text, "\n");
    write_verdict(&text, result, totals);
    if (!status)
        status = write_differences(&text, result, options->show, err);
    if (!status && text.failed)
        status = error_set(err, STATUS_NO_MEMORY, "out of memory");
    if (!status)
        fputs(text_cstr(&text), for_people ? stdout : stderr);
    text_release(&text);
    table_free(table);
    return status;
}

static int run(const void *values) {
    const VerifyOptions *options = values;
    ErrorText err = {0};
    VerifySpec spec = {0};
    VerifyResult result = {0};
    Totals totals = {0};
    VerifyProgress progress = {.is_quiet = options->quiet,
                               .is_terminal = isatty(STDERR_FILENO) != 0};
    Status status = make_spec(options, &spec, &err), printed = STATUS_OK;
    if (!status) {
        interrupt_catch(&progress.control);
        status = verify_run(&spec, show_progress, &progress, &result, &err);
        interrupt_release();
    }
    // After an interruption, too: what was compared so far is printed.
    if (result.reference) {
        ErrorText print_err = {0};
        printed = print_result(&result, options, &totals, &print_err);
        if (printed && !status)
            err = print_err;
    }
    verify_result_release(&result);
    verify_spec_release(&spec);
    if (status || printed)
        return command_fail(status ? status : printed, &err);
    return totals.differences || totals.compared == 0 ? EXIT_ANSWER_NO : EXIT_DONE;
}

const Command command_verify = {
    .name = "verify",
    .summary = "does pruning change the answer? candidates against plain minimax",
    .details =
        "Exit status 0: every comparison agrees; 1: one does not, or nothing could be compared. "
        "Node saving is\n"
        "1 - nodes / nodes of the reference; the minimum is that of a perfectly ordered tree.\n",
    .options = {.rows = OPTIONS, .count = ARRAY_LEN(OPTIONS)},
    .values_size = sizeof(VerifyOptions),
    .run = run,
};
