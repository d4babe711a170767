// SPDX-License-Identifier: GPL-3.0-or-later
// Runs two builds in turns and reads their tables.
#include "harness/study/bench_compare.h"

#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "harness/play/process.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUN_LIMIT_S = 900 }; // no run takes so long

static const char TABLE_HEAD[] = "measure\tbest_per_s\t";
static const char SIGNATURE[] = "signature";

// --- one run of one build
// ------------------------------------------------------------------------------------------------

typedef struct BenchRun { // what a build's table said
    char measure[COMPARE_MAX_ROWS][MEASURE_NAME_CAP];
    double per_s[COMPARE_MAX_ROWS];
    int count;
    int64_t signature;
    bool has_signature;
} BenchRun;

// Takes one line "measure TAB best/s TAB median/s TAB count TAB ..." of the table; what it does not
// understand is passed over.
static void take_line(const char *line, BenchRun *run) {
    const char *tab = strchr(line, '\t');
    char cell[4][32] = {{0}};
    if (!tab || (size_t)(tab - line) >= MEASURE_NAME_CAP)
        return;
    const char *from = tab + 1;
    for (int i = 0; i < 3; i++) {
        int length = (int)strcspn(from, "\t");
        snprintf(cell[i], sizeof cell[i], "%.*s", length, from);
        from += length + (from[length] == '\t');
    }
    double per_s;
    if (strncmp(line, SIGNATURE, (size_t)(tab - line)) == 0)
        run->has_signature = text_parse_int(cell[2], 0, INT64_MAX, &run->signature);
    else if (run->count < COMPARE_MAX_ROWS && text_parse_double(cell[0], 1e-9, 1e15, &per_s)) {
        snprintf(run->measure[run->count], MEASURE_NAME_CAP, "%.*s", (int)(tab - line), line);
        run->per_s[run->count++] = per_s;
    }
}

// With the program's own words: mostly a usage message of something that is no gomolab.
static Status no_table(const char *path, Process *process, ErrorText *err) {
    Text said = {0};
    process_stop(process, 0);
    process_write_exit(process, &said);
    text_append(&said, ": ");
    process_write_stderr_tail(process, &said);
    Status status = error_set(err, STATUS_INVALID,
                              "--compare: %s does not print the table of `gomolab bench` (%s)",
                              path, text_cstr(&said));
    text_release(&said);
    return status;
}

static Status read_table(const char *path, Process *process, BenchRun *run, ErrorText *err) {
    int64_t deadline_ns = clock_now_ns(clock_monotonic()) + RUN_LIMIT_S * (int64_t)1000000000;
    ProcessLine line;
    // The head of the table tells gomolab from any other program before its numbers are believed.
    Status status = process_read_line(process, deadline_ns, NULL, &line);
    if (status || strncmp(line.text, TABLE_HEAD, strlen(TABLE_HEAD)) != 0)
        return no_table(path, process, err);
    while (!(status = process_read_line(process, deadline_ns, NULL, &line)))
        take_line(line.text, run);
    process_await_end(process, 1000000);
    Text end = {0};
    process_stop(process, 1000000);
    process_write_exit(process, &end);
    // Reading ends when the program closes its output, which readers of engines call a crash; well
    // is what then ends with status 0.
    bool is_well = status == STATUS_CRASH && strcmp(text_cstr(&end), "exit status 0") == 0;
    text_release(&end);
    return is_well ? STATUS_OK : no_table(path, process, err);
}

static Status run_bench(const char *path, char *const *args, int count, BenchRun *run,
                        ErrorText *err) {
    Process *process = NULL;
    ProcessSpec spec = {.path = path, .args = args, .arg_count = count};
    *run = (BenchRun){0};
    if (process_spawn(&spec, &process, err))
        return error_wrap(err, STATUS_INVALID, "--compare");
    Status status = read_table(path, process, run, err);
    process_free(process);
    return status;
}

// --- turns
// ------------------------------------------------------------------------------------------------------------

typedef struct Duel {
    const CompareSetup *setup;
    const char *path[2];
    bool is_quick[2]; // does the build know --quick? An older one measures what it measures
    char *args[COMPARE_MAX_ARGS + 8];
    BenchRun run; // the last
    double log_ratio[COMPARE_MAX_ROWS][COMPARE_MAX_ROUNDS];
    double block[COMPARE_MAX_ROWS]; // logarithms of the block so far, the other's with a minus
    int seen[COMPARE_MAX_ROWS];     // runs of this block that had the row
} Duel;

static Status measure(Duel *duel, int side, ErrorText *err) {
    static char bench[] = "bench", rounds[] = "--rounds", one[] = "1", format[] = "--format",
                tsv[] = "tsv", quick[] = "--quick";
    char *const fixed[] = {bench, rounds, one, format, tsv};
    int count = 0;
    for (size_t i = 0; i < ARRAY_LEN(fixed); i++)
        duel->args[count++] = fixed[i];
    if (duel->is_quick[side])
        duel->args[count++] = quick;
    for (int i = 0; i < duel->setup->arg_count; i++)
        duel->args[count++] = duel->setup->args[i];
    return run_bench(duel->path[side], duel->args, count, &duel->run, err);
}

static int find_row(const BenchComparison *out, const char *measure) {
    for (int i = 0; i < out->row_count; i++)
        if (strcmp(out->rows[i].measure, measure) == 0)
            return i;
    return -1;
}

// Adds the last run of a side to the block. The very first run names the rows.
static void add_run(Duel *duel, int side, bool is_first, BenchComparison *out) {
    const BenchRun *run = &duel->run;
    for (int i = 0; i < run->count; i++) {
        if (is_first)
            memcpy(out->rows[out->row_count++].measure, run->measure[i], MEASURE_NAME_CAP);
        int row = find_row(out, run->measure[i]);
        if (row < 0)
            continue;
        CompareRow *to = &out->rows[row];
        // The best of all runs is shown; the ratio comes from the blocks.
        to->per_s[side] = run->per_s[i] > to->per_s[side] ? run->per_s[i] : to->per_s[side];
        duel->block[row] += (side == 0 ? 1 : -1) * log(run->per_s[i]);
        duel->seen[row]++;
    }
}

enum { BLOCK_RUNS = 4 };

static Status play_block(Duel *duel, int round, BenchComparison *out, ErrorText *err) {
    // A drift of the machine that is even over the block cancels: 0 and 3 against 1 and 2.
    static const int TURNS[BLOCK_RUNS] = {0, 1, 1, 0};
    memset(duel->block, 0, sizeof duel->block);
    memset(duel->seen, 0, sizeof duel->seen);
    for (int turn = 0; turn < BLOCK_RUNS; turn++) {
        Status status = measure(duel, TURNS[turn], err);
        if (status)
            return status;
        add_run(duel, TURNS[turn], round == 0 && turn == 0, out);
    }
    for (int row = 0; row < out->row_count; row++)
        // Two runs of each side were added: half of the sum is the mean of the logarithms'
        // difference.
        duel->log_ratio[row][round] = duel->block[row] / 2;
    return STATUS_OK;
}

// Drops the rows that one of the builds does not have, and sums up the others.
static void sum_up(const Duel *duel, BenchComparison *out) {
    int kept = 0;
    for (int row = 0; row < out->row_count; row++) {
        // Seen in all four runs of the last block: both builds measure it.
        if (duel->seen[row] != BLOCK_RUNS)
            continue;
        out->rows[kept] = out->rows[row];
        out->rows[kept++].speed = speed_ratio(duel->log_ratio[row], duel->setup->rounds);
    }
    out->row_count = kept;
}

// Asks both for their signature: that shows at once whether they are what they are said to be.
static Status compare_signatures(Duel *duel, BenchComparison *out, ErrorText *err) {
    static char bench[] = "bench", signature[] = "--signature", format[] = "--format",
                tsv[] = "tsv";
    static char *const ARGS[] = {bench, signature, format, tsv};
    // The other one first: this build is what it is said to be.
    for (int side = 1; side >= 0; side--) {
        Status status = run_bench(duel->path[side], ARGS, 4, &duel->run, err);
        if (status)
            return status;
        if (!duel->run.has_signature)
            return error_set(err, STATUS_INVALID, "--compare: %s prints no signature",
                             duel->path[side]);
        out->signature[side] = duel->run.signature;
    }
    return STATUS_OK;
}

// An older build may not know --quick: it measures more then, which only takes longer.
static void find_manners(Duel *duel) {
    ErrorText unheard = {{0}};
    duel->is_quick[0] = duel->is_quick[1] = true;
    duel->is_quick[1] = measure(duel, 1, &unheard) == STATUS_OK;
}

Status bench_compare(const CompareSetup *setup, BenchComparison *out, ErrorText *err) {
    CHECK(setup->rounds >= 1 && setup->rounds <= COMPARE_MAX_ROUNDS &&
          setup->arg_count <= COMPARE_MAX_ARGS);
    Duel *duel = calloc(1, sizeof *duel);
    if (!duel)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    duel->setup = setup;
    duel->path[0] = setup->self;
    duel->path[1] = setup->other;
    *out = (BenchComparison){0};
    Status status = compare_signatures(duel, out, err);
    if (!status)
        find_manners(duel);
    for (int round = 0; round < setup->rounds && !status; round++) {
        status = play_block(duel, round, out, err);
        if (!status && setup->progress)
            setup->progress(setup->progress_ctx, round + 1, setup->rounds);
    }
    if (!status)
        sum_up(duel, out);
    free(duel);
    return status;
}
