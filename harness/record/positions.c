// SPDX-License-Identifier: GPL-3.0-or-later
// Reads TSV files of positions.
#include "harness/record/positions.h"

#include "engine/base/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { K_IN_A_ROW = 5 };

typedef enum Column { COLUMN_ID, COLUMN_MOVES, COLUMN_BOARD, COLUMN_SIDE, COLUMN_KIND_NB } Column;

// Names of the columns; a later name of the same column counts only where the earlier ones are
// missing.
static const struct {
    const char *name;
    Column column;
    // Names that public files of positions use beside ours.
} NAMES[] = {
    {"id", COLUMN_ID},
    {"moves", COLUMN_MOVES},
    {"board", COLUMN_BOARD},
    {"board_top_row_first", COLUMN_BOARD},
    {"board_rows_from_top", COLUMN_BOARD},
    {"side", COLUMN_SIDE},
    {"side_to_move", COLUMN_SIDE},
    {"stm", COLUMN_SIDE},
};

// What is read while a file is open.
typedef struct Reader {
    const char *name;
    int line;
    int column[COLUMN_KIND_NB]; // place in a row, from 0; -1 = not in the file
    int board_side;
    Board *board; // scratch, owned
} Reader;

static void position_release(Position *position) {
    free(position->id);
    free(position->stones);
    free(position->colours);
}

void positions_release(PositionList *list) {
    for (int i = 0; i < list->count; i++)
        position_release(&list->items[i]);
    free(list->items);
    *list = (PositionList){0};
}

// Black has as many stones as white, or one more with white to move: then the position can come
// from play.
static bool counts_are_usual(const Board *board) {
    int stones[COLOUR_NB] = {0};
    for (int i = 0; i < board->stone_count; i++)
        stones[board->cells[board->moves[i]]]++;
    int lead = stones[BLACK] - stones[WHITE];
    return lead == (board->side == WHITE);
}

static Status add(PositionList *list, const char *id, const Board *board, bool has_order, int line,
                  ErrorText *err) {
    if (list->count == list->cap) {
        int cap = list->cap ? 2 * list->cap : 64;
        Position *items = realloc(list->items, (size_t)cap * sizeof *items);
        if (!items)
            return error_set(err, STATUS_NO_MEMORY, "no memory for positions");
        list->items = items;
        list->cap = cap;
    }
    // calloc of nothing may be NULL, which would look like a lack of memory.
    size_t room = board->stone_count ? (size_t)board->stone_count : 1;
    Position position = {
        .id = strdup(id),
        .line = line,
        .width = board->width,
        .height = board->height,
        .side = board->side,
        .has_order = has_order,
        .has_usual_counts = counts_are_usual(board),
        .stone_count = board->stone_count,
        .stones = calloc(room, sizeof *position.stones),
        .colours = calloc(room, sizeof *position.colours),
    };
    if (!position.id || !position.stones || !position.colours) {
        position_release(&position);
        return error_set(err, STATUS_NO_MEMORY, "no memory for positions");
    }
    for (int i = 0; i < board->stone_count; i++) {
        position.stones[i] = board->moves[i];
        position.colours[i] = board->cells[board->moves[i]];
    }
    list->items[list->count++] = position;
    return STATUS_OK;
}

static Status board_make(int width, int height, Board **out, ErrorText *err) {
    Board *board = malloc(sizeof *board);
    if (!board)
        return error_set(err, STATUS_NO_MEMORY, "no memory for a board");
    Status status = board_init(board, width, height, K_IN_A_ROW, RULE_FREESTYLE, 0, err);
    if (status)
        free(board);
    else
        *out = board;
    return status;
}

Status positions_add_moves(PositionList *list, const char *id, const char *moves, int board_side,
                           ErrorText *err) {
    Board *board = NULL;
    Status status = board_make(board_side, board_side, &board, err);
    if (!status)
        status = notation_play_moves(board, ROWS_BOTTOM, moves, err);
    if (!status)
        status = add(list, id, board, true, 0, err);
    free(board);
    return status;
}

// Stones that were set up have no order: the last of them is nobody's last move.
Status positions_add_board(PositionList *list, const char *id, const Board *board, ErrorText *err) {
    return add(list, id, board, board->setup_count == 0, 0, err);
}

Status position_set_up(const Position *position, Rule rule, int radius, Board *board,
                       ErrorText *err) {
    const PositionGame game = {rule, K_IN_A_ROW, radius};
    return position_set_up_game(position, &game, board, err);
}

// Stone by stone with the colours said, not by placing in turn: a board text has no order.
Status position_set_up_game(const Position *position, const PositionGame *game, Board *board,
                            ErrorText *err) {
    Status status = board_init(board, position->width, position->height, game->k, game->rule,
                               game->radius, err);
    if (status)
        return error_wrap(err, status, "position %s", position->id);
    for (int i = 0; i < position->stone_count; i++)
        board_put(board, position->stones[i], (Colour)position->colours[i],
                  colour_other((Colour)position->colours[i]));
    board_set_side(board, position->side);
    // No last stone is known then: whoever asks for it gets none.
    if (!position->has_order)
        board->setup_count = board->stone_count;
    return STATUS_OK;
}

// --- one row
// ----------------------------------------------------------------------------------------------------------

// Ends the field that `text` begins and returns the start of the next one, NULL after the last.
static char *field_end(char *text) {
    char *tab = strchr(text, '\t');
    if (!tab)
        return NULL;
    *tab = '\0';
    return tab + 1;
}

// Width and height of a board text: its rows, or a square in one string.
static Status board_text_size(const char *text, int *width, int *height, ErrorText *err) {
    const char *slash = strchr(text, '/');
    size_t cells = strlen(text);
    if (!slash) {
        // Without rows a board can only be a square.
        int side = BOARD_MIN_SIDE;
        while ((size_t)(side * side) < cells)
            side++;
        if ((size_t)(side * side) != cells || side > BOARD_MAX_SIDE)
            return error_set(err, STATUS_INVALID,
                             "board of %zu cells: expected a square of %d to %d a side, or rows "
                             "joined by /",
                             cells, BOARD_MIN_SIDE, BOARD_MAX_SIDE);
        *width = *height = side;
        return STATUS_OK;
    }
    size_t rows = 1, row_length = (size_t)(slash - text);
    for (const char *row = text;; row = slash + 1, rows++) {
        slash = strchr(row, '/');
        size_t length = slash ? (size_t)(slash - row) : strlen(row);
        if (length != row_length)
            return error_set(err, STATUS_INVALID,
                             "board row %zu has %zu cells, expected %zu as in the first", rows,
                             length, row_length);
        if (!slash)
            break;
    }
    if (row_length < BOARD_MIN_SIDE || row_length > BOARD_MAX_SIDE || rows < BOARD_MIN_SIDE ||
        rows > BOARD_MAX_SIDE)
        return error_set(err, STATUS_INVALID, "board %zux%zu: sides must be %d..%d", row_length,
                         rows, BOARD_MIN_SIDE, BOARD_MAX_SIDE);
    *width = (int)row_length;
    *height = (int)rows;
    return STATUS_OK;
}

static Status parse_side(const char *text, Colour *out, ErrorText *err) {
    static const char *const WORDS[COLOUR_NB][3] = {{"x", "b", "black"}, {"o", "w", "white"}};
    for (int colour = 0; colour < COLOUR_NB; colour++)
        for (int i = 0; i < 3; i++)
            if (strcasecmp(text, WORDS[colour][i]) == 0) {
                *out = (Colour)colour;
                return STATUS_OK;
            }
    return error_set(err, STATUS_INVALID, "side '%s', expected X (black) or O (white)", text);
}

// Do the stones that `moves` put on the board stand in `text` as well?
// Two columns that say the same thing differently are an error of the file, most often rows counted
// from the other side: not to be settled by preferring one.
static Status stones_agree(const Board *board, const char *text, ErrorText *err) {
    int cell = 0;
    for (const char *c = text; *c; c++) {
        if (*c == '/')
            continue;
        char here = "XO."[board->cells[cell]];
        if (here != *c && !(here == 'X' && *c == 'x') && !(here == 'O' && *c == 'o'))
            return error_set(err, STATUS_INVALID,
                             "moves and board disagree at %s: '%c' by the moves, '%c' on the board",
                             notation_square(board, (Move)cell).text, here, *c);
        cell++;
    }
    return STATUS_OK;
}

// Makes the scratch board of the wanted size, empty.
// One board for a file, made anew only where the size changes: a board is large.
static Status scratch_board(Reader *reader, int width, int height, ErrorText *err) {
    if (reader->board && reader->board->width == width && reader->board->height == height) {
        board_clear(reader->board);
        return STATUS_OK;
    }
    free(reader->board);
    reader->board = NULL;
    return board_make(width, height, &reader->board, err);
}

static Status read_stones(Reader *reader, char *const field[COLUMN_KIND_NB], ErrorText *err) {
    const char *moves = field[COLUMN_MOVES], *text = field[COLUMN_BOARD],
               *side_text = field[COLUMN_SIDE];
    int width = reader->board_side, height = reader->board_side;
    Colour side = BLACK;
    // `-` is an empty cell of the table: the moves say it all.
    if (moves && text && strcmp(text, "-") == 0)
        text = NULL;
    Status status = text ? board_text_size(text, &width, &height, err) : STATUS_OK;
    if (!status && side_text)
        status = parse_side(side_text, &side, err);
    if (!status)
        status = scratch_board(reader, width, height, err);
    if (status)
        return status;
    if (!moves)
        return notation_set_board(reader->board, text, side, err);
    status = notation_play_moves(reader->board, ROWS_BOTTOM, moves, err);
    if (!status && text)
        status = stones_agree(reader->board, text, err);
    if (!status && side_text && side != reader->board->side)
        return error_set(err, STATUS_INVALID,
                         "moves and side disagree: after %d moves %s is to move",
                         reader->board->stone_count, side == BLACK ? "white (O)" : "black (X)");
    return status;
}

// Fields are looked for by their place, so the order of columns is the file's business.
static Status read_row(Reader *reader, char *row, PositionList *out, ErrorText *err) {
    char *field[COLUMN_KIND_NB] = {NULL};
    int at = 0;
    for (char *text = row, *next; text; text = next, at++) {
        next = field_end(text);
        for (int i = 0; i < COLUMN_KIND_NB; i++)
            if (reader->column[i] == at)
                field[i] = text;
    }
    for (int i = 0; i < COLUMN_KIND_NB; i++)
        if (reader->column[i] >= 0 && !field[i])
            return error_set(err, STATUS_INVALID, "%d columns, expected at least %d", at,
                             reader->column[i] + 1);
    // Results are told by id; an empty one could not be found again.
    if (!*field[COLUMN_ID])
        return error_set(err, STATUS_INVALID, "the id is empty");
    Status status = read_stones(reader, field, err);
    return status ? error_wrap(err, status, "position %s", field[COLUMN_ID])
                  : add(out, field[COLUMN_ID], reader->board, field[COLUMN_MOVES] != NULL,
                        reader->line, err);
}

static Status read_header(Reader *reader, char *row, ErrorText *err) {
    size_t rank[COLUMN_KIND_NB];
    for (int i = 0; i < COLUMN_KIND_NB; i++) {
        reader->column[i] = -1;
        rank[i] = ARRAY_LEN(NAMES);
    }
    int at = 0;
    for (char *text = row, *next; text; text = next, at++) {
        next = field_end(text);
        for (size_t i = 0; i < ARRAY_LEN(NAMES); i++) {
            Column column = NAMES[i].column;
            // The rank of a name is its place in NAMES: the lower, the closer to what this program
            // writes itself.
            if (strcmp(text, NAMES[i].name) != 0 || i > rank[column])
                continue;
            if (i == rank[column])
                return error_set(err, STATUS_INVALID, "column '%s' is named twice", text);
            reader->column[column] = at;
            rank[column] = i;
        }
    }
    if (reader->column[COLUMN_ID] < 0)
        return error_set(
            err, STATUS_INVALID,
            "no column 'id' in the header; expected id and moves, or id, board and side");
    if (reader->column[COLUMN_MOVES] < 0 &&
        (reader->column[COLUMN_BOARD] < 0 || reader->column[COLUMN_SIDE] < 0))
        return error_set(err, STATUS_INVALID,
                         "the header has neither 'moves' nor both 'board' and 'side'");
    return STATUS_OK;
}

// `text` is cut into lines and fields in place.
// Lines are counted before anything else: comments and blank lines have numbers too.
static Status parse(Reader *reader, char *text, PositionList *out, ErrorText *err) {
    bool has_header = false;
    Status status = STATUS_OK;
    for (char *row = text, *next; row && *row && !status; row = next) {
        next = strchr(row, '\n');
        if (next)
            *next++ = '\0';
        reader->line++;
        size_t length = strlen(row);
        if (length && row[length - 1] == '\r')
            row[--length] = '\0';
        if (length == 0 || row[0] == '#')
            continue;
        status = has_header ? read_row(reader, row, out, err) : read_header(reader, row, err);
        has_header = true;
    }
    if (!status && !has_header)
        return error_set(err, STATUS_INVALID,
                         "%s:1: empty, expected a header that names id and moves", reader->name);
    return status ? error_wrap(err, status, "%s:%d", reader->name, reader->line) : STATUS_OK;
}

// All or nothing: a list with a fault in line 900 does not hold 899 positions.
Status positions_parse(const char *name, const char *text, int board_side, PositionList *out,
                       ErrorText *err) {
    Reader reader = {.name = name, .board_side = board_side};
    PositionList list = {0};
    // Windows programs begin text files so; without this the first column would not be called `id`.
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
        text += 3; // a byte order mark
    char *copy = strdup(text);
    Status status = copy ? parse(&reader, copy, &list, err)
                         : error_set(err, STATUS_NO_MEMORY, "no memory for %s", name);
    free(copy);
    free(reader.board);
    if (status)
        positions_release(&list);
    else
        *out = list;
    return status;
}

// Appends the rest of the stream. STATUS_INVALID for a NUL byte: what follows it would silently be
// lost.
static Status read_all(FILE *file, const char *path, Text *out, ErrorText *err) {
    char block[65536];
    size_t got;
    while ((got = fread(block, 1, sizeof block, file)) > 0) {
        if (memchr(block, '\0', got))
            return error_set(err, STATUS_INVALID, "%s: holds a NUL byte, expected a text file",
                             path);
        text_append_bytes(out, block, got);
    }
    if (ferror(file))
        return error_set(err, errno == EISDIR ? STATUS_INVALID : STATUS_IO, "%s: %s", path,
                         strerror(errno));
    return out->failed ? error_set(err, STATUS_NO_MEMORY, "%s: no memory for the file", path)
                       : STATUS_OK;
}

Status positions_read(const char *path, int board_side, PositionList *out, ErrorText *err) {
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    if (file == stdin)
        path = "standard input"; // as messages name it
    if (!file)
        return error_set(err, STATUS_NOT_FOUND, "%s: %s", path, strerror(errno));
    Text text = {0};
    Status status = read_all(file, path, &text, err);
    if (file != stdin)
        fclose(file);
    if (!status)
        status = positions_parse(path, text_cstr(&text), board_side, out, err);
    text_release(&text);
    return status;
}
