// SPDX-License-Identifier: GPL-3.0-or-later
// The reader thread of a brain, and the queue of lines between it and the thinker.
#include "harness/play/brain_stdio.h"

#include "engine/base/check.h"
#include "engine/proto/gomocup.h"
#include "engine/proto/line_buffer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    END_GRACE_MS = 500, // what a search may still take after END
    QUEUE_LIMIT = 8192, // lines read ahead at most
    GONE_POLL_MS = 100, // how often the output is looked at once the input has ended
};

typedef struct QueuedLine {
    struct QueuedLine *next;
    int64_t number; // of the line, from 1
    int64_t received_ns;
    size_t length;
    char text[];
} QueuedLine;

// Two threads: the reader (reader_main) owns in_fd and `lines`, the thinker (serve, which is the
// caller's thread) out_fd and `write_error`. All that both touch is below the mutex; `stop` is
// atomic because a search looks at it thousands of times a second and cannot take a lock for that.
typedef struct BrainStdio {
    int in_fd, out_fd;
    int wake[2]; // pipe: written to when the thinker has ended
    Clock clock;
    atomic_bool stop;     // of the brain
    int write_error;      // errno of the output, 0 = none; the thinker's own
    LineBuffer lines;     // the reader's own
    pthread_mutex_t lock; // guards everything below
    pthread_cond_t changed;
    QueuedLine *first, *last; // owned
    int queued;
    int64_t line_count, last_stop; // numbers of lines
    bool is_ended;                 // no line comes any more
    bool is_hurried;               // every search is to end now
    bool is_done;                  // the thinker has ended
    bool failed;                   // out of memory
} BrainStdio;

// ---- the reader

// Adds a line to the queue; a stop takes effect at once. Returns false after END or when memory is
// out.
static bool queue_line(BrainStdio *self, const char *text, size_t length) {
    QueuedLine *line = malloc(sizeof *line + length + 1);
    GomocupVerb verb = gomocup_read_command(text, length).verb;
    pthread_mutex_lock(&self->lock);
    // A manager that sends without end must not fill the memory. While the queue is full a stop is
    // not read either; nobody who plays has so many lines on the way.
    while (self->queued >= QUEUE_LIMIT && !self->is_done)
        pthread_cond_wait(&self->changed, &self->lock);
    bool goes_on = line && verb != VERB_END && !self->is_done;
    self->failed |= !line;
    if (line) {
        line->next = NULL;
        line->number = ++self->line_count;
        line->received_ns = clock_now_ns(self->clock);
        line->length = length;
        memcpy(line->text, text, length);
        line->text[length] = '\0';
        if (self->last)
            self->last->next = line;
        else
            self->first = line;
        self->last = line;
        self->queued++;
        // The number is what tells the search that this stop is meant for from later ones
        // (take_line); the flag ends the one in progress without waiting for the queue.
        if (verb == VERB_STOP) {
            self->last_stop = line->number;
            atomic_store_explicit(&self->stop, true, memory_order_relaxed);
        }
    }
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->lock);
    return goes_on;
}

// Nobody will hear an answer: ends the search in progress and every later one.
static void hurry(BrainStdio *self) {
    pthread_mutex_lock(&self->lock);
    self->is_hurried = true;
    atomic_store_explicit(&self->stop, true, memory_order_relaxed);
    pthread_mutex_unlock(&self->lock);
}

// Waits for input (or, when it has ended, only for the end of everything). False when the thinker
// is done or the reader of our output has gone.
static bool wait_for_input(BrainStdio *self, bool has_input, int timeout_ms) {
    // A descriptor of -1 is skipped by poll. The output is asked for no event: errors and the end
    // of its reader are reported in any case.
    struct pollfd fds[] = {{has_input ? self->in_fd : -1, POLLIN, 0},
                           {self->wake[0], POLLIN, 0},
                           {self->out_fd, 0, 0}};
    while (poll(fds, ARRAY_LEN(fds), timeout_ms) < 0 && errno == EINTR) {
    }
    if (fds[2].revents & (POLLERR | POLLHUP | POLLNVAL)) {
        hurry(self);
        return false;
    }
    return !fds[1].revents;
}

// Reads lines until END, the end of the input, or the end of everything. True when it was END.
static bool read_lines(BrainStdio *self) {
    while (wait_for_input(self, true, -1)) {
        const char *line;
        size_t length, room;
        char *space = line_buffer_space(&self->lines, &room);
        ssize_t count = read(self->in_fd, space, room);
        if (count < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        // The last line of a file or of `printf` may lack its newline; it counts.
        if (count <= 0) {
            if (line_buffer_last(&self->lines, &line, &length))
                return !queue_line(self, line, length);
            return false;
        }
        line_buffer_commit(&self->lines, (size_t)count);
        while (line_buffer_next(&self->lines, &line, &length))
            if (length > 0 && !queue_line(self, line, length))
                return true;
    }
    return false;
}

static void *reader_main(void *arg) {
    BrainStdio *self = arg;
    bool is_end = read_lines(self);
    pthread_mutex_lock(&self->lock);
    self->is_ended = true;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->lock);
    // After END the thinker has its grace; without END (end of the input) it finishes what it was
    // asked, however long that takes, unless nobody reads the answer any more. A pipe whose reader
    // has gone is seen only when it is looked at, so that is done now and then.
    if (is_end) {
        if (wait_for_input(self, false, END_GRACE_MS))
            hurry(self);
        return NULL;
    }
    bool is_done = false;
    while (!is_done && wait_for_input(self, false, GONE_POLL_MS)) {
        pthread_mutex_lock(&self->lock);
        is_done = self->is_done;
        pthread_mutex_unlock(&self->lock);
    }
    return NULL;
}

// ---- the thinker

// Takes the next line; NULL when none comes any more. The caller frees it.
static QueuedLine *take_line(BrainStdio *self) {
    pthread_mutex_lock(&self->lock);
    while (!self->first && !self->is_ended)
        pthread_cond_wait(&self->changed, &self->lock);
    QueuedLine *line = self->first;
    if (line) {
        self->first = line->next;
        if (!self->first)
            self->last = NULL;
        self->queued--;
        // A stop that was read after this line is meant for the search that this line begins.
        bool is_stopped = self->is_hurried || self->last_stop > line->number;
        atomic_store_explicit(&self->stop, is_stopped, memory_order_relaxed);
    }
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->lock);
    return line;
}

static void write_all(void *ctx, const char *bytes, size_t count) {
    BrainStdio *self = ctx;
    while (count > 0 && !self->write_error) {
        ssize_t written = write(self->out_fd, bytes, count);
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        } else if (errno == EAGAIN) {
            struct pollfd room = {self->out_fd, POLLOUT, 0};
            poll(&room, 1, -1);
        } else if (errno != EINTR) {
            self->write_error = errno;
        }
    }
}

static void serve(BrainStdio *self, Brain *brain) {
    bool goes_on = true;
    QueuedLine *line;
    while (goes_on && !self->write_error && (line = take_line(self)) != NULL) {
        goes_on = brain_line(brain, line->text, line->length, line->received_ns);
        free(line);
    }
    pthread_mutex_lock(&self->lock);
    self->is_done = true;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->lock);
    // Wakes the reader, which may sit in poll for an input that never ends.
    // A pipe of our own with room: it cannot fail, and if it did the reader would only wait for the
    // manager to go.
    ssize_t written = write(self->wake[1], "", 1);
    (void)written;
}

Status brain_stdio_run(const BrainSetup *setup, int in_fd, int out_fd, ErrorText *err) {
    Brain *brain = NULL;
    pthread_t reader;
    BrainStdio *self = calloc(1, sizeof *self);
    if (!self)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    self->in_fd = in_fd;
    self->out_fd = out_fd;
    self->clock = setup->clock;
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->changed, NULL);
    BrainSetup own = *setup;
    own.stop = &self->stop;
    own.write = write_all;
    own.ctx = self;
    Status status = brain_new(&own, &brain, err);
    if (!status && pipe(self->wake) != 0) {
        status = error_set(err, STATUS_IO, "cannot make a pipe: %s", strerror(errno));
    } else if (!status) {
        if (pthread_create(&reader, NULL, reader_main, self) != 0) {
            status = error_set(err, STATUS_NO_MEMORY, "cannot start a thread");
        } else {
            serve(self, brain);
            pthread_join(reader, NULL);
        }
        close(self->wake[0]);
        close(self->wake[1]);
    }
    if (!status && self->failed)
        status = error_set(err, STATUS_NO_MEMORY, "out of memory for a line");
    // EPIPE is how a manager leaves that does not say END; SIGPIPE is ignored by whoever runs a
    // brain.
    if (!status && self->write_error && self->write_error != EPIPE)
        status = error_set(err, STATUS_IO, "cannot write: %s", strerror(self->write_error));
    while (self->first) {
        QueuedLine *next = self->first->next;
        free(self->first);
        self->first = next;
    }
    brain_free(brain);
    pthread_mutex_destroy(&self->lock);
    pthread_cond_destroy(&self->changed);
    free(self);
    return status;
}
