// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: the protocol. Any bytes are a manager to a brain, and an engine to a manager: lines
// are cut the same whatever the pieces, replies stay inside their line, what engines say about
// their search stays in range, and the brain answers with whole lines, never with a move on a stone
// or outside.
#include "engine/base/check.h"
#include "engine/proto/brain.h"
#include "engine/proto/gomocup.h"
#include "engine/proto/line_buffer.h"
#include "engine/proto/search_talk.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_reply(const char *line, size_t length) {
    GomocupReply reply = gomocup_read_reply(line, length);
    CHECK(reply.text >= line && reply.text + reply.length <= line + length);
    SearchTalk talk = {0};
    search_talk_read(&talk, line, length, 15, 15);
    CHECK(talk.depth >= 0 && talk.seldepth >= 0 && isfinite(talk.value) && isfinite(talk.speed));
    CHECK(talk.pv_length >= 0 && talk.pv_length <= SEARCH_TALK_MAX_PV);
    for (int i = 0; i < talk.pv_length; i++)
        CHECK(talk.pv[i] >= 0 && talk.pv[i] < 15 * 15);
    GomocupCommand command = gomocup_read_command(line, length);
    CHECK(command.count >= 0 && command.count <= 3);
    CHECK(memchr(command.key, '\0', sizeof command.key) &&
          memchr(command.text, '\0', sizeof command.text));
}

// Every answer is one or more whole lines.
static void hear(void *ctx, const char *bytes, size_t count) {
    (void)ctx;
    CHECK(count > 0 && bytes[count - 1] == '\n' && !memchr(bytes, '\0', count));
}

// The first byte chooses the size of the pieces.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static LineBuffer lines;
    if (size < 1)
        return 0;
    KnobSet knobs = knob_defaults();
    CHECK(knob_set_text(&knobs, "search.depth", "1", NULL) == STATUS_OK);
    BrainSetup setup = {
        .knobs = &knobs, .name = "fuzz", .version = "0", .clock = clock_monotonic(), .write = hear};
    Brain *brain;
    if (brain_new(&setup, &brain, NULL) != STATUS_OK)
        return 0;
    size_t piece = data[0] % 64 + 1;
    line_buffer_clear(&lines);
    bool goes_on = true;
    for (size_t at = 1; at < size && goes_on;) {
        size_t room, length;
        char *space = line_buffer_space(&lines, &room);
        size_t count = size - at < piece ? size - at : piece;
        count = count < room ? count : room;
        memcpy(space, data + at, count);
        line_buffer_commit(&lines, count);
        at += count;
        const char *line;
        while (goes_on && line_buffer_next(&lines, &line, &length)) {
            check_reply(line, length);
            goes_on = brain_line(brain, line, length, 0);
        }
    }
    brain_free(brain);
    return 0;
}
