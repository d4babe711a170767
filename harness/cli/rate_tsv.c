// SPDX-License-Identifier: GPL-3.0-or-later
// TSV files of results: counts a pairing, or a game a line with the pair it belongs to.
#include "harness/cli/rate_tsv.h"

#include "engine/base/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST, SECOND, FIRST_WINS, DRAWS, SECOND_WINS, RESULT_FIRST, PAIR, COLUMN_NB };
static const char *const COLUMN_NAMES[COLUMN_NB] = {
    "first", "second", "first_wins", "draws", "second_wins", "result_first", "pair"};

// A game that says which pair it is one of.
typedef struct PairedGame {
    char *pair; // owned
    int first, second, half_points;
    int64_t line;
} PairedGame;

// A file while it is read line by line; only games that name their pair are kept in memory.
typedef struct Tsv {
    ResultPool *input;
    const char *path;
    FILE *file;
    char *line; // owned by getline
    size_t line_cap;
    int64_t line_number;
    int column[COLUMN_NB]; // field index, -1 = not there
    PairedGame *games;     // owned
    size_t game_nb, game_cap;
    ErrorText *err;
} Tsv;

static Status out_of_memory(Tsv *tsv) {
    return error_set(tsv->err, STATUS_NO_MEMORY, "%s: out of memory", tsv->path);
}

// The next line with something on it, without its end. False at the end of the file.
static bool line_next(Tsv *tsv, Status *status) {
    ssize_t length;
    *status = STATUS_OK;
    while ((length = getline(&tsv->line, &tsv->line_cap, tsv->file)) >= 0) {
        tsv->line_number++;
        // What follows works on C strings: a NUL would hide the rest of the line.
        if (memchr(tsv->line, '\0', (size_t)length)) {
            *status = error_set(tsv->err, STATUS_INVALID, "%s:%lld:1: a NUL byte, expected text",
                                tsv->path, (long long)tsv->line_number);
            return false;
        }
        while (length > 0 && (tsv->line[length - 1] == '\n' || tsv->line[length - 1] == '\r'))
            tsv->line[--length] = '\0';
        if (tsv->line_number == 1 && strncmp(tsv->line, "\xef\xbb\xbf", 3) == 0)
            memmove(tsv->line, tsv->line + 3, (size_t)length - 2);
        if (tsv->line[0] && tsv->line[0] != '#')
            return true;
    }
    if (ferror(tsv->file))
        *status = error_set(tsv->err, STATUS_INVALID, "%s: %s", tsv->path, strerror(errno));
    return false;
}

// Field `index` of the line as start and length; false when the line is shorter.
// Fields are found anew for every column: lines have a handful of them, and nothing is copied.
static bool field_at(const char *line, int index, const char **start, size_t *length) {
    for (; index > 0; index--) {
        line = strchr(line, '\t');
        if (!line)
            return false;
        line++;
    }
    *start = line;
    *length = strcspn(line, "\t");
    return true;
}

static Status header_read(Tsv *tsv) {
    for (int c = 0; c < COLUMN_NB; c++)
        tsv->column[c] = -1;
    const char *start;
    size_t length;
    for (int index = 0; field_at(tsv->line, index, &start, &length); index++)
        for (int c = 0; c < COLUMN_NB; c++)
            if (strlen(COLUMN_NAMES[c]) == length && strncmp(COLUMN_NAMES[c], start, length) == 0) {
                if (tsv->column[c] >= 0)
                    return error_set(tsv->err, STATUS_INVALID,
                                     "%s:%lld:%lld: column '%s' is named twice", tsv->path,
                                     (long long)tsv->line_number,
                                     (long long)(start - tsv->line) + 1, COLUMN_NAMES[c]);
                tsv->column[c] = index;
            }
    bool is_counts =
        tsv->column[FIRST_WINS] >= 0 && tsv->column[DRAWS] >= 0 && tsv->column[SECOND_WINS] >= 0;
    if (tsv->column[FIRST] < 0 || tsv->column[SECOND] < 0 ||
        (!is_counts && tsv->column[RESULT_FIRST] < 0))
        return error_set(tsv->err, STATUS_INVALID,
                         "%s:%lld:1: '%.60s', expected a header with the columns first, second, "
                         "first_wins, draws, second_wins "
                         "(or first, second, result_first), separated by tabs",
                         tsv->path, (long long)tsv->line_number, tsv->line);
    // With both kinds of columns the counts win: a file of counts may keep a result beside them.
    if (is_counts)
        tsv->column[RESULT_FIRST] = -1;
    return STATUS_OK;
}

// A fault of a field of the present line.
static Status field_fault(Tsv *tsv, int column, const char *expected) {
    const char *start = tsv->line;
    size_t length = 0;
    if (!field_at(tsv->line, tsv->column[column], &start, &length))
        start = tsv->line + strlen(tsv->line);
    return error_set(tsv->err, STATUS_INVALID, "%s:%lld:%lld: '%.*s', expected %s", tsv->path,
                     (long long)tsv->line_number, (long long)(start - tsv->line) + 1,
                     (int)(length < 60 ? length : 60), start, expected);
}

static Status field_missing(Tsv *tsv, int column) {
    return error_set(tsv->err, STATUS_INVALID, "%s:%lld:%zu: the line ends before column %s",
                     tsv->path, (long long)tsv->line_number, strlen(tsv->line) + 1,
                     COLUMN_NAMES[column]);
}

// Copies a field into `out` of `cap` bytes.
static Status field_copy(Tsv *tsv, int column, char *out, size_t cap) {
    const char *start;
    size_t length;
    if (!field_at(tsv->line, tsv->column[column], &start, &length))
        return field_missing(tsv, column);
    if (length >= cap)
        return field_fault(tsv, column, "something shorter");
    memcpy(out, start, length);
    out[length] = '\0';
    return STATUS_OK;
}

static Status player_read(Tsv *tsv, int column, int *player) {
    char name[512];
    Status status = field_copy(tsv, column, name, sizeof name);
    if (status)
        return status;
    if (!name[0])
        return field_fault(tsv, column, "the name of a player");
    *player = result_pool_player(tsv->input, name);
    return *player < 0 ? out_of_memory(tsv) : STATUS_OK;
}

_Static_assert(COUNT_MAX == INT64_C(1000000000000000), "the range that count_read names");

static Status count_read(Tsv *tsv, int column, double *count) {
    char text[64];
    int64_t value;
    Status status = field_copy(tsv, column, text, sizeof text);
    if (status)
        return status;
    if (!text_parse_int(text, 0, COUNT_MAX, &value))
        return field_fault(tsv, column, "a count of games, 0..1000000000000000");
    *count = (double)value;
    return STATUS_OK;
}

static Status result_read(Tsv *tsv, RatingCount *games, int *half_points) {
    static const struct {
        const char *text;
        int half_points;
    } RESULTS[] = {{"1", 2}, {"0.5", 1}, {"0", 0}, {"1.0", 2}, {"0.0", 0}, {".5", 1}, {"1/2", 1}};
    char text[64];
    Status status = field_copy(tsv, RESULT_FIRST, text, sizeof text);
    if (status)
        return status;
    for (size_t i = 0; i < ARRAY_LEN(RESULTS); i++)
        if (strcmp(RESULTS[i].text, text) == 0) {
            *half_points = RESULTS[i].half_points;
            games->first_wins = *half_points == 2;
            games->draws = *half_points == 1;
            games->second_wins = *half_points == 0;
            return STATUS_OK;
        }
    return field_fault(tsv, RESULT_FIRST, "1, 0.5 or 0");
}

static Status game_keep(Tsv *tsv, const RatingCount *games, int half_points) {
    const char *start;
    size_t length;
    if (!field_at(tsv->line, tsv->column[PAIR], &start, &length))
        return field_missing(tsv, PAIR);
    if (length == 0 || (length == 1 && *start == '-'))
        return STATUS_OK; // not one of a pair
    if (tsv->game_nb == tsv->game_cap) {
        size_t cap = tsv->game_cap ? 2 * tsv->game_cap : 1024;
        PairedGame *grown = realloc(tsv->games, cap * sizeof *grown);
        if (!grown)
            return out_of_memory(tsv);
        tsv->games = grown;
        tsv->game_cap = cap;
    }
    char *pair = strndup(start, length);
    if (!pair)
        return out_of_memory(tsv);
    tsv->games[tsv->game_nb++] =
        (PairedGame){pair, games->first, games->second, half_points, tsv->line_number};
    return STATUS_OK;
}

static Status row_read(Tsv *tsv) {
    RatingCount games = {0};
    int half_points = 0;
    Status status = player_read(tsv, FIRST, &games.first);
    if (!status)
        status = player_read(tsv, SECOND, &games.second);
    if (!status && games.first == games.second)
        status = field_fault(tsv, SECOND, "another player than first");
    if (!status && tsv->column[RESULT_FIRST] >= 0) {
        status = result_read(tsv, &games, &half_points);
        if (!status && tsv->column[PAIR] >= 0)
            status = game_keep(tsv, &games, half_points);
    } else if (!status) {
        status = count_read(tsv, FIRST_WINS, &games.first_wins);
        if (!status)
            status = count_read(tsv, DRAWS, &games.draws);
        if (!status)
            status = count_read(tsv, SECOND_WINS, &games.second_wins);
    }
    return status ? status : result_pool_add_counts(tsv->input, &games, tsv->err);
}

// By name, then by line: faults are told in the order of the file, and the same file gives the same
// pairs.
static int game_compare(const void *left, const void *right) {
    const PairedGame *a = left, *b = right;
    int order = strcmp(a->pair, b->pair);
    return order ? order : (a->line > b->line) - (a->line < b->line);
}

// Two games of one name are a pair; one alone is a single game.
static Status pairs_make(Tsv *tsv) {
    if (tsv->game_nb)
        qsort(tsv->games, tsv->game_nb, sizeof *tsv->games, game_compare);
    for (size_t i = 0, next; i < tsv->game_nb; i = next) {
        for (next = i + 1;
             next < tsv->game_nb && strcmp(tsv->games[next].pair, tsv->games[i].pair) == 0;)
            next++;
        if (next - i == 1)
            continue;
        const PairedGame *one = &tsv->games[i], *two = &tsv->games[i + 1];
        if (next - i > 2)
            return error_set(tsv->err, STATUS_INVALID,
                             "%s:%lld:1: pair '%.40s' has %zu games, expected two", tsv->path,
                             (long long)tsv->games[i + 2].line, one->pair, next - i);
        if (one->first != two->second || one->second != two->first)
            return error_set(
                tsv->err, STATUS_INVALID,
                "%s:%lld:1: pair '%.40s' must be two games with first and second swapped",
                tsv->path, (long long)two->line, one->pair);
        RatingPairs pairs = {.a = one->first, .b = one->second};
        // Both from the side of player a: it moves first in game one and second in game two, whose
        // result is told from its opponent's side.
        pairs.n[one->half_points][2 - two->half_points] = 1.0;
        Status status = result_pool_add_pairs(tsv->input, &pairs, tsv->err);
        if (status)
            return status;
    }
    return STATUS_OK;
}

Status rate_tsv_read(ResultPool *input, const char *path, ErrorText *err) {
    bool is_stdin = strcmp(path, "-") == 0;
    Tsv tsv = {.input = input, .path = is_stdin ? "standard input" : path, .err = err};
    errno = 0;
    tsv.file = is_stdin ? stdin : fopen(path, "r");
    if (!tsv.file)
        return error_set(err, errno == ENOENT ? STATUS_NOT_FOUND : STATUS_INVALID, "%s: %s", path,
                         strerror(errno));
    Status status;
    bool has_header = line_next(&tsv, &status);
    if (!status && !has_header)
        status = error_set(err, STATUS_INVALID,
                           "%s:1:1: nothing, expected a header of columns and results", tsv.path);
    if (!status)
        status = header_read(&tsv);
    while (!status && line_next(&tsv, &status))
        status = row_read(&tsv);
    if (!status)
        status = pairs_make(&tsv);
    for (size_t i = 0; i < tsv.game_nb; i++)
        free(tsv.games[i].pair);
    free(tsv.games);
    free(tsv.line);
    if (!is_stdin)
        fclose(tsv.file);
    return status;
}
