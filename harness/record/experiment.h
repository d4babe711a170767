// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment as plain data: what the YAML loader makes, the plan turns into games, and the store
// keeps.
//
// Everything is resolved: bases merged, sweeps multiplied out, --set applied, paths made relative
// to the working directory. The struct owns its strings and arrays.
#pragma once

#include "engine/base/knob.h"
#include "engine/board/notation.h"
#include "engine/board/rule.h"
#include "harness/record/file_hash.h"

#include <stdbool.h>
#include <stdint.h>

// An external program as a player.
// Where the program lies is no part of the identity: it may move between sittings.
typedef struct ExternalSpec {
    char *command;      // owned; resolved path (NULL: the player is our own engine)
    char *command_text; // owned; as written in the file
    char **args;        // owned strings, arg_count of them (without the command itself)
    int arg_count;
    char *dir;  // owned; working directory, NULL = the program's own
    char **env; // owned strings "NAME=value" added to the environment, env_count of them
    int env_count;
    // A program that has failed is started anew by default: one crash should cost one game.
    enum { RESTART_NEVER, RESTART_FAILURE, RESTART_GAME } restart;
    int gap_ms;        // wait between the engine's move and the next command to it
    bool suspend;      // stop the process while it is not on move
    int64_t memory_mb; // told to the engine as max_memory; 0 = no limit
    int threads;       // threads the engine uses, for affinity; 0 = unknown, 1 = one
} ExternalSpec;

// A player, whoever it is: our own engine by its knobs, or a program by its command.
// `external.command` tells which of the two it is.
typedef struct PlayerSpec {
    char *name;    // owned; unique in the experiment
    char *source;  // owned; the file it came from, for messages
    KnobSet knobs; // of our own engine; for external players depth, nodes and time limits act
    ExternalSpec external;
} PlayerSpec;

// How a file of openings is read; AUTO goes by its content.
typedef enum OpeningFormat {
    OPENING_AUTO,
    OPENING_POS,
    OPENING_OFFSET,
    OPENING_PSQ,
    OPENING_JSONL,
    OPENING_TSV
} OpeningFormat;
// `sequential` | `random` (by seed).
typedef enum OpeningOrder { OPENING_SEQUENTIAL, OPENING_SHUFFLED } OpeningOrder;

// Where the games start.
// At most one of `file` and `random_plies` is set.
typedef struct OpeningSpec {
    // Owned; NULL: random openings, or none (start from the empty board) when random_plies = 0.
    char *file;
    OpeningFormat format;
    // Where row 1 of the squares in the file lies; programs differ.
    RowOrder rows;
    OpeningOrder order;
    int random_plies; // openings: {random: N}
    bool transform;   // play each opening under a random symmetry (by seed)
    char *file_text;  // owned; the path as written
    // Of the contents, "" = not taken; with it another file of that name is another experiment.
    FileHash file_hash;
} OpeningSpec;

// Who meets whom: everybody everybody, or the first few the rest.
typedef enum Schedule { SCHEDULE_ROUND_ROBIN, SCHEDULE_GAUNTLET } Schedule;

// Limits of the game's clock, in ms; the players' own limits hold as well.
// A move that ends within margin_ms after its limit is no time forfeit: pipes and schedulers take
// time, too.
typedef struct ClockSpec {
    int64_t move_ms, match_ms, increment_ms; // 0 = no limit
    int64_t margin_ms;                       // tolerated overrun
    // Deadlines for starting, ending and the first move of a program.
    int64_t start_ms, end_ms, first_ms;
} ClockSpec;

// The sequential test of the first player against the second, as the file says it;
// harness/stats/sprt.h has its meaning.
// elo0 < elo1; 0 < alpha, beta < 1. Checked by the loader.
typedef struct SprtSpec {
    bool enabled;
    double elo0, elo1, alpha, beta;
    bool normalized; // model: normalized (default) or logistic
} SprtSpec;

// What ends games before the board does.
typedef struct AdjudicateSpec { // all 0 = off
    int resign_plies;           // both sides agree for N plies that ...
    double resign_value;        // ... |value| >= this
    int draw_plies;             // draw after N plies in all
    int max_moves;              // end as a draw after N plies
    bool vcf;                   // a proven win by continuous fours ends the game
} AdjudicateSpec;

// Which cores workers and the programs of their games run on. `auto` keeps both on one core if
// every program uses one thread: a pipe answers several times faster then.
typedef enum AffinityMode { AFFINITY_AUTO, AFFINITY_NONE, AFFINITY_CORES } AffinityMode;
// Cores that a list in the file may name.
enum { AFFINITY_MAX_CORES = 256 };
// Where workers and programs run.
typedef struct AffinitySpec {
    AffinityMode mode;
    int cores[AFFINITY_MAX_CORES]; // AFFINITY_CORES: worker i runs on cores[i % core_count]
    int core_count;
} AffinitySpec;

// The resolved file. What of it decides the games is its identity (experiment_write_identity);
// `pairs`, jobs and affinity may change between sittings.
// Read-only while games are played, and shared by all workers.
typedef struct Experiment {
    char *name; // owned
    char *path; // owned; file it was read from
    char *text; // owned; the YAML as run (after --set), stored in the database
    Rule rule;
    int width, height, k;
    OpeningSpec openings;
    Schedule schedule;
    int gauntlet_heads;    // gauntlet: the first N players meet all others (default 1)
    int64_t pairs;         // per pairing
    bool pairs_until_sprt; // pairs: until-sprt
    ClockSpec clock;
    // Every random number of the run is drawn from it and the slot, never from time or thread.
    uint64_t seed;
    SprtSpec sprt;
    AdjudicateSpec adjudicate;
    // Whether pairs that must repeat an earlier one are played; whether a turned opening counts as
    // another.
    bool allow_duplicates, symmetries;
    int stop_after_failures; // 0 = never
    AffinitySpec affinity;   // how the games are run, not what they are: no part of the identity
    PlayerSpec *players;     // owned
    int player_count;
} Experiment;

// Frees all that the experiment owns and zeroes it. Thread: owner.
void experiment_release(Experiment *experiment);

// Has the player a limit in time, of the game's clock or of its own knobs? Thread: reader.
bool experiment_is_timed(const Experiment *experiment, int player);

// Frees all that the player owns and zeroes it. Thread: owner.
void player_spec_release(PlayerSpec *player);

// Appends the player as one JSON object: {"name", "knobs": {every knob}, "engine": {...} for an
// external one}. Thread: owner of `out`.
void player_spec_write_json(const PlayerSpec *player, Text *out);

// Appends the identity of an experiment: one canonical text of everything that decides the games
// (rule, board, openings, clocks, seed, players with every knob), leaving out what may change
// between sittings (pairs, --games, --jobs, paths of nothing else). Two runs belong to one database
// when these texts are equal. Thread: owner of `out`.
void experiment_write_identity(const Experiment *experiment, Text *out);
