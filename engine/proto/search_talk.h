// SPDX-License-Identifier: GPL-3.0-or-later
// What engines say about their search in MESSAGE, DEBUG and INFO lines: depth, nodes, value, speed,
// principal variation. Read from others, and written for a brain of ours.
//
// The protocol leaves these lines free, so every engine has its own words; one table
// (search_talk.c) knows them, a row a word and the families that use it. Within a line the first
// mention counts, of several lines the last one.
#pragma once

#include "engine/base/text.h"
#include "engine/engine.h"

enum { SEARCH_TALK_MAX_PV = 64 };

// Which fields were mentioned: nothing has a value that could stand for "never said".
typedef enum SearchTalkKnown {
    TALK_DEPTH = 1u << 0,
    TALK_SELDEPTH = 1u << 1,
    TALK_NODES = 1u << 2,
    TALK_VALUE = 1u << 3,
    TALK_SPEED = 1u << 4,
    TALK_PV = 1u << 5,
} SearchTalkKnown;

// Begins as zeros and gathers what the lines of one move say.
typedef struct SearchTalk {
    unsigned known; // SearchTalkKnown bits
    int depth, seldepth;
    uint64_t nodes; // as said: "141K" is 141000
    double value; // in the engine's own units, from the mover's side; a win in n is ENGINE_WIN - n
    double speed; // nodes a second
    Move pv[SEARCH_TALK_MAX_PV];
    int pv_length;
} SearchTalk;

// Reads one line (any bytes; with or without its keyword) and updates *talk with what it says.
// Thread: owner of `talk`.
void search_talk_read(SearchTalk *talk, const char *line, size_t length, int width, int height);

// Is it what follows a line end inside a MESSAGE? An engine that prints a depth of 10 as the byte
// 10 breaks its own lines:
// "-", " ev 222 nd 87k tm 455". True for a line that says at least two things about a search, or
// holds neither letter nor digit; to be asked about a line right after a MESSAGE, DEBUG or INFO
// only. Thread: any.
bool search_talk_is_torn(const char *line, size_t length);

// Appends the MESSAGE line of a finished search on a board of this width, in words that
// search_talk_read knows; without depth and value where nothing was searched. Thread: owner of
// `out`.
void search_talk_write(Text *out, const ThinkReport *report, int width);
