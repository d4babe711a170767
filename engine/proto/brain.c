// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of a manager, obeyed.
//
// Order matters more than the protocol says: managers send INFO before START, between any two
// commands and in one breath with the command that it is meant for. So INFO only notes what was
// said, and the next command that plays makes the engine fit (is_ready).
#include "engine/proto/brain.h"

#include "engine/base/check.h"
#include "engine/base/text.h"
#include "engine/proto/brain_time.h"
#include "engine/proto/gomocup.h"
#include "engine/proto/search_talk.h"
#include "engine/proto/stone_list.h"

#include <stdlib.h>
#include <string.h>

enum {
    MIN_SIDE = 5,
    WIN_LENGTH = 5,
    CONTINUOUS_BIT = 2,
    BASE_MEMORY_MB = 16, // of a process without a transposition table, with room to spare
};
static const char UNKNOWN_RULE[] =
    "unsupported rule: 0 (freestyle) and 1 (exactly five) are played";

struct Brain {
    BrainSetup setup;
    KnobSet knobs;
    Engine *engine;    // owned; NULL before START
    int width, height; // of the engine
    Rule engine_rule;
    // What the engine was made with; and what the manager wants the next one to be made with.
    int64_t engine_tt_mb;
    Rule rule;            // as INFO asked for; takes effect with the next command that plays
    bool is_rule_known;   // the rule asked for is one that we play
    bool is_rule_told;    // INFO rule has come
    int64_t max_memory;   // bytes, 0 = no limit
    bool is_memory_short; // to be reported at the next command
    // Limits of the next searches.
    uint64_t seed;
    BrainTime time;
    int64_t max_depth;  // 0 = none
    uint64_t max_nodes; // 0 = none
    // Between BOARD and DONE the lines are stones.
    bool in_board, is_board_silent; // between BOARD (or YXBOARD) and DONE
    StoneList listed;               // the stones of this BOARD
    Board scratch;                  // a position on its way into the engine
    Text out;
};

Status brain_new(const BrainSetup *setup, Brain **out, ErrorText *err) {
    Brain *brain = calloc(1, sizeof *brain);
    if (!brain)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    brain->setup = *setup;
    brain->knobs = *setup->knobs;
    brain->rule = RULE_FREESTYLE;
    brain->is_rule_known = true;
    brain->time = brain_time_unknown();
    *out = brain;
    return STATUS_OK;
}

void brain_free(Brain *brain) {
    if (!brain)
        return;
    engine_free(brain->engine);
    text_release(&brain->out);
    free(brain);
}

// --- answers

// One write an answer: a manager that reads by the piece never sees half a line.
static void flush_answer(Brain *brain) {
    if (brain->out.failed) { // never silence: the manager waits for an answer
        static const char OUT_OF_MEMORY[] = "ERROR out of memory\n";
        text_release(&brain->out);
        brain->setup.write(brain->setup.ctx, OUT_OF_MEMORY, strlen(OUT_OF_MEMORY));
        return;
    }
    if (brain->out.length > 0)
        brain->setup.write(brain->setup.ctx, text_cstr(&brain->out), brain->out.length);
    text_clear(&brain->out);
}

static void answer(Brain *brain, const char *word, const char *text) {
    text_printf(&brain->out, text[0] ? "%s %s\n" : "%s%s\n", word, text);
    flush_answer(brain);
}

static void answer_move(Brain *brain, Move move) {
    text_printf(&brain->out, "%d,%d\n", move % brain->width, move / brain->width);
    flush_answer(brain);
}

// --- the engine behind

// The table that memory allows: what is left beside the rest of the process.
static int64_t allowed_tt_mb(const Brain *brain) {
    int64_t wanted = knob_int(&brain->knobs, KNOB_SEARCH_TT_MB);
    if (brain->max_memory <= 0)
        return wanted;
    // Whole MiB, and none rather than a table that the limit has no room for.
    int64_t room = brain->max_memory / (1024 * 1024) - BASE_MEMORY_MB;
    return room < 0 ? 0 : room < wanted ? room : wanted;
}

// Makes an engine of this size and of the rule and memory asked for, with an empty board. The old
// one goes first, since both together could be more than max_memory: on failure there is none.
static Status make_engine(Brain *brain, int width, int height, ErrorText *err) {
    KnobSet knobs = brain->knobs;
    int64_t tt_mb = allowed_tt_mb(brain);
    knobs.number[KNOB_SEARCH_TT_MB] = (double)tt_mb;
    EngineSetup setup = {.knobs = &knobs,
                         .width = width,
                         .height = height,
                         .k = WIN_LENGTH,
                         .rule = brain->rule,
                         .clock = brain->setup.clock};
    engine_free(brain->engine);
    brain->engine = NULL;
    Status status = engine_new(&setup, &brain->engine, err);
    if (status)
        return status;
    engine_clear(brain->engine, brain->seed);
    brain->width = width;
    brain->height = height;
    brain->engine_rule = brain->rule;
    brain->engine_tt_mb = tt_mb;
    return STATUS_OK;
}

// Sets the engine's board up anew with just the listed stones, `own` to move.
static Status set_stones(Brain *brain, const StoneList *stones, Colour own, ErrorText *err) {
    enum { ANY_RADIUS = 2 }; // only stones are copied: the engine's board keeps its own radius
    Board *board = &brain->scratch;
    Status status = board_init(board, brain->width, brain->height, WIN_LENGTH, brain->engine_rule,
                               ANY_RADIUS, err);
    if (status)
        return status;
    stone_list_put(stones, board, own);
    return engine_set_position(brain->engine, board, err);
}

// Is there a board, of the rule asked for? An INFO that came after START takes effect here. Says
// ERROR when not.
static bool is_ready(Brain *brain) {
    ErrorText err = {""};
    if (!brain->engine) {
        answer(brain, "ERROR", "no board yet: START comes first");
        return false;
    }
    if (!brain->is_rule_known) {
        answer(brain, "ERROR", UNKNOWN_RULE);
        return false;
    }
    // Almost always: nothing was said since the engine was made.
    if (brain->engine_rule == brain->rule && brain->engine_tt_mb == allowed_tt_mb(brain))
        return true;
    // A new engine takes over the stones and the turn; what the old one had learned is lost.
    Colour side = engine_board(brain->engine)->side;
    StoneList stones;
    stone_list_take(&stones, engine_board(brain->engine), side);
    Status status = make_engine(brain, brain->width, brain->height, &err);
    // Without stones the engine stays as make_engine has left it, its random numbers from the seed.
    if (!status && stones.count > 0)
        status = set_stones(brain, &stones, side, &err);
    if (status)
        answer(brain, "ERROR", err.text);
    return status == STATUS_OK;
}

// --- thinking

static int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

// The limits of the next search: what reading and waiting have used since `received_ns` is gone.
static ThinkLimits limits_now(const Brain *brain, int64_t received_ns) {
    int64_t used_ms = (clock_now_ns(brain->setup.clock) - received_ns) / 1000000;
    int64_t depth = knob_int(&brain->knobs, KNOB_SEARCH_DEPTH);
    ThinkLimits limits = {.nodes = brain->max_nodes, .as_played = true, .stop = brain->setup.stop};
    brain_time_limit(&brain->time, engine_board(brain->engine), brain->setup.margin_ms, used_ms,
                     &limits);
    if (brain->max_depth > 0 && brain->max_depth < depth)
        limits.depth = (int)brain->max_depth;
    return limits;
}

// Chooses a move for the side to move, plays it and says it.
static void think(Brain *brain, int64_t received_ns) {
    // Managers that do not judge games go on asking. A move now would only hide that the game is
    // over.
    if (engine_game_is_over(brain->engine)) {
        answer(brain, "ERROR", "no move: the game is over");
        return;
    }
    ThinkLimits limits = limits_now(brain, received_ns);
    ThinkReport report;
    int64_t began_ns = clock_now_ns(brain->setup.clock);
    engine_think(brain->engine, &limits, &report);
    brain_time_watch(&brain->time, &limits,
                     (clock_now_ns(brain->setup.clock) - began_ns) / 1000000);
    if (report.move == MOVE_NONE) {
        answer(brain, "ERROR", "no move");
        return;
    }
    // Before it is said: the manager's next line may come at once.
    engine_place(brain->engine, report.move);
    search_talk_write(&brain->out, &report, brain->width);
    answer_move(brain, report.move);
}

// --- commands

// Managers say the rule after START, in one breath with the first command that plays. The tables of
// a rule take up to a second on large boards and are kept once made: that belongs to the time of
// START, not of a move.
static void prepare_rules(const Brain *brain, int width, int height) {
    KnobSet knobs = brain->knobs;
    // The tables of a rule are wanted, not those of the search.
    knobs.number[KNOB_SEARCH_TT_MB] = 0;
    for (int rule = 0; rule < RULE_NB; rule++) {
        EngineSetup setup = {.knobs = &knobs,
                             .width = width,
                             .height = height,
                             .k = WIN_LENGTH,
                             .rule = (Rule)rule,
                             .clock = brain->setup.clock};
        Engine *engine = NULL;
        ErrorText err;
        if (setup.rule != brain->rule && engine_new(&setup, &engine, &err) == STATUS_OK)
            engine_free(engine); // a failure shows when the rule is asked for
    }
}

static void obey_start(Brain *brain, int width, int height) {
    ErrorText err = {""};
    if (!brain->is_rule_known) {
        answer(brain, "ERROR", UNKNOWN_RULE);
        return;
    }
    if (width < MIN_SIDE || height < MIN_SIDE || width > BOARD_MAX_SIDE ||
        height > BOARD_MAX_SIDE) {
        error_set(&err, STATUS_UNSUPPORTED, "unsupported size: sides of %d to %d are played",
                  MIN_SIDE, BOARD_MAX_SIDE);
        answer(brain, "ERROR", err.text);
        return;
    }
    if (!brain->is_rule_told) {
        engine_free(brain->engine); // see make_engine
        brain->engine = NULL;
        prepare_rules(brain, width, height);
    }
    if (make_engine(brain, width, height, &err)) {
        answer(brain, "ERROR", err.text);
        return;
    }
    engine_claim_memory(brain->engine); // no move is due yet
    answer(brain, "OK", "");
}

// The cell of x, y, or MOVE_NONE.
static Move cell_at(const Brain *brain, int x, int y) {
    bool is_on_board = x >= 0 && y >= 0 && x < brain->width && y < brain->height;
    return is_on_board ? (Move)(y * brain->width + x) : MOVE_NONE;
}

// Reads the "x,y" of a command into an empty cell (or, for TAKEBACK, a stone). Says ERROR when it
// is none.
static bool read_cell(Brain *brain, const GomocupCommand *command, bool wants_stone, Move *out) {
    if (command->count != 2 || !command->is_clean) {
        answer(brain, "ERROR", "expected x,y");
        return false;
    }
    Move cell = cell_at(brain, command->number[0], command->number[1]);
    if (cell == MOVE_NONE) {
        answer(brain, "ERROR", "outside the board");
        return false;
    }
    if ((engine_board(brain->engine)->cells[cell] != EMPTY) != wants_stone) {
        answer(brain, "ERROR", wants_stone ? "no stone there" : "there is a stone already");
        return false;
    }
    *out = cell;
    return true;
}

// Takes any stone back; the one played last is the usual case, for others the position is built
// again without it.
static void obey_takeback(Brain *brain, const GomocupCommand *command) {
    Move cell;
    if (!read_cell(brain, command, true, &cell))
        return;
    const Board *board = engine_board(brain->engine);
    Colour colour = (Colour)board->cells[cell];
    if (board_last_move(board) == cell && board->side == colour_other(colour)) {
        engine_undo(brain->engine);
        answer(brain, "OK", "");
        return;
    }
    StoneList stones;
    stone_list_take(&stones, board, colour);
    stone_list_remove(&stones, cell);
    ErrorText err = {""};
    if (set_stones(brain, &stones, colour, &err))
        answer(brain, "ERROR", err.text);
    else
        answer(brain, "OK", "");
}

static void begin_board(Brain *brain, bool is_silent) {
    brain->in_board = true;
    brain->is_board_silent = is_silent;
    stone_list_clear(&brain->listed);
}

// All stones are listed: black is whoever would be, had black begun and the colours alternated.
static void end_board(Brain *brain, int64_t received_ns) {
    brain->in_board = false;
    ErrorText err = brain->listed.error;
    Colour own = brain->listed.count % 2 ? WHITE : BLACK;
    Status status = err.text[0] ? STATUS_INVALID : set_stones(brain, &brain->listed, own, &err);
    if (status)
        answer(brain, "ERROR", err.text);
    else if (!brain->is_board_silent)
        think(brain, received_ns);
}

// The code is a sum of bits. That of continuous games says what a manager does after the end of a
// game, not how one is played.
static void set_rule(Brain *brain, int64_t code) {
    if (code >= 0 && code & CONTINUOUS_BIT) {
        answer(brain, "MESSAGE", "rule: the bit of continuous games, 2, is ignored");
        code &= ~(int64_t)CONTINUOUS_BIT;
    }
    for (int rule = 0; rule < RULE_NB; rule++)
        if (rule_gomocup_code((Rule)rule) == code) {
            brain->rule = (Rule)rule;
            brain->is_rule_known = true;
            return;
        }
    brain->is_rule_known = false;
}

// With stones on the board it is noted only: the engine's own numbers go on until RESTART.
static void set_seed(Brain *brain, const char *text) {
    char *end;
    uint64_t seed = strtoull(text, &end, 10);
    if (end == text || *end)
        return;
    brain->seed = seed;
    if (brain->engine && engine_board(brain->engine)->stone_count == 0)
        engine_clear(brain->engine, seed);
}

// INFO is never answered, at most remarked upon; keys and values that mean nothing here are
// ignored.
static void obey_info(Brain *brain, const GomocupCommand *command) {
    const char *key = command->key;
    if (strcmp(key, "seed") == 0) {
        set_seed(brain, command->text);
        return;
    }
    int64_t value;
    // No number where one belongs: not worth a game. Keys of text (folder) have nothing for us.
    if (!text_parse_int(command->text, INT64_MIN, INT64_MAX, &value))
        return;
    if (brain_time_note(&brain->time, key, value))
        return;
    if (strcmp(key, "max_memory") == 0) {
        brain->max_memory = max_i64(value, 0);
        brain->is_memory_short = value > 0 && value < (int64_t)BASE_MEMORY_MB * 1024 * 1024;
    } else if (strcmp(key, "rule") == 0) {
        brain->is_rule_told = true;
        set_rule(brain, value);
    } else if (strcmp(key, "max_depth") == 0) {
        brain->max_depth = max_i64(value, 0);
    } else if (strcmp(key, "max_node") == 0) {
        brain->max_nodes = value > 0 ? (uint64_t)value : 0;
    }
}

static void obey_about(Brain *brain) {
    text_printf(&brain->out,
                "name=\"%s\", version=\"%s\", author=\"gomolab\", country=\"-\", www=\"-\"\n",
                brain->setup.name, brain->setup.version);
    flush_answer(brain);
}

// The commands that need a board.
static void obey_on_board(Brain *brain, const GomocupCommand *command, int64_t received_ns) {
    Move cell;
    if (!is_ready(brain))
        return;
    switch (command->verb) {
    case VERB_RESTART:
        engine_clear(brain->engine, brain->seed);
        answer(brain, "OK", "");
        return;
    case VERB_BEGIN:
        if (engine_board(brain->engine)->stone_count > 0)
            answer(brain, "ERROR", "BEGIN is for the empty board");
        else
            think(brain, received_ns);
        return;
    case VERB_TURN:
        if (read_cell(brain, command, false, &cell)) {
            engine_place(brain->engine, cell);
            think(brain, received_ns);
        }
        return;
    // The move that a SUGGEST of ours would have asked about: made for us, and answered like our
    // own.
    case VERB_PLAY:
        if (read_cell(brain, command, false, &cell)) {
            engine_place(brain->engine, cell);
            answer_move(brain, cell);
        }
        return;
    case VERB_TAKEBACK:
        obey_takeback(brain, command);
        return;
    case VERB_BOARD:
        begin_board(brain, false);
        return;
    case VERB_YXBOARD:
        begin_board(brain, true);
        return;
    default:
        return;
    }
}

// Any other command than INFO: what an INFO asked for in vain is told first.
static void obey(Brain *brain, const GomocupCommand *command, int64_t received_ns) {
    // INFO has no answer of its own, so this is the first line on which an error can be told.
    if (brain->is_memory_short) {
        brain->is_memory_short = false;
        ErrorText err;
        error_set(&err, STATUS_INVALID, "max_memory is too small: %d MiB are needed",
                  BASE_MEMORY_MB);
        answer(brain, "ERROR", err.text);
        return;
    }
    switch (command->verb) {
    case VERB_START:
    case VERB_RECTSTART: {
        int wanted = command->verb == VERB_START ? 1 : 2;
        if (command->count != wanted || !command->is_clean)
            answer(brain, "ERROR",
                   wanted == 1 ? "expected START size" : "expected RECTSTART width,height");
        else
            obey_start(brain, command->number[0], command->number[wanted - 1]);
        return;
    }
    case VERB_ABOUT:
        obey_about(brain);
        return;
    case VERB_STOP:
    case VERB_BLANK:
        return; // nothing to stop: the search is over when this line is read
    case VERB_STONE:
    case VERB_DONE:
    case VERB_UNKNOWN:
        answer(brain, "UNKNOWN", "command");
        return;
    default:
        obey_on_board(brain, command, received_ns);
        return;
    }
}

bool brain_line(Brain *brain, const char *line, size_t length, int64_t received_ns) {
    GomocupCommand command = gomocup_read_command(line, length);
    if (command.verb == VERB_BLANK)
        return true;
    if (command.verb == VERB_END)
        return false;
    if (command.verb == VERB_INFO) {
        obey_info(brain, &command);
        return true;
    }
    // Inside BOARD a line that is no stone is an error of the BOARD, told at DONE; a known command
    // ends it, since a manager that sends one has given up waiting for DONE.
    if (!brain->in_board) {
        obey(brain, &command, received_ns);
    } else if (command.verb == VERB_DONE) {
        end_board(brain, received_ns);
    } else if (command.verb == VERB_STONE || command.verb == VERB_UNKNOWN) {
        stone_list_read(&brain->listed, &command, brain->width, brain->height);
    } else if (command.verb != VERB_STOP) { // the manager has given up on this BOARD
        brain->in_board = false;
        obey(brain, &command, received_ns);
    }
    return true;
}
