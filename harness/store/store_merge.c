// SPDX-License-Identifier: GPL-3.0-or-later
// Shards into one file.
#include "harness/store/store_merge.h"

#include "harness/record/experiment_diff.h"
#include "harness/store/connection.h"
#include "harness/store/schema.h"
#include "harness/store/stamp.h"
#include "harness/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct MergeSources {
    const char *const *paths;
    int count;
    int largest; // the one with the longest plan, whose settings the result takes
} MergeSources;

// Compared with the first only: equality is transitive.
static Status same_experiment(Store *first, Store *shard, ErrorText *err) {
    Text difference = {0};
    Status status = STATUS_OK;
    if (experiment_diff(first->experiment.identity, shard->experiment.identity, &difference))
        status = error_set(err, STATUS_CONFLICT, "%s is of another experiment than %s: %s",
                           shard->path, first->path, text_cstr(&difference));
    text_release(&difference);
    return status;
}

// Reads every source before anything is made.
static Status check_sources(MergeSources *sources, ErrorText *err) {
    Store *first = NULL;
    int64_t longest = -1;
    Status status = STATUS_OK;
    for (int i = 0; i < sources->count && !status; i++) {
        Store *shard = NULL;
        // Opening migrates old files where it may, so that copying meets one schema.
        status = store_open(sources->paths[i], &shard, err);
        if (!status && first)
            status = same_experiment(first, shard, err);
        if (!status && shard->experiment.planned_games > longest) {
            longest = shard->experiment.planned_games;
            sources->largest = i;
        }
        // The first stays open to be compared with, the others need not.
        if (!first)
            first = shard;
        else
            connection_close(shard);
    }
    connection_close(first);
    return status;
}

// ATTACH by parameter: a path may hold quotes.
static Status attach(Store *out, const char *path, ErrorText *err) {
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(out->db, "ATTACH ? AS shard", -1, &stmt, NULL))
        return connection_error(out, err);
    sqlite3_bind_text(stmt, 1, path, -1, SQLITE_STATIC);
    Status status = connection_finish(out, stmt, err);
    sqlite3_finalize(stmt);
    return status;
}

// Statements on `shard` are prepared anew for each one: their tables are others.
static Status copy(Store *out, SqlId id, int64_t number, ErrorText *err) {
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(out->db, sql_text(id), -1, &stmt, NULL))
        return connection_error(out, err);
    // Some of these statements move ids by a number, the others take none.
    if (sqlite3_bind_parameter_count(stmt) > 0)
        sqlite3_bind_int64(stmt, 1, number);
    Status status = connection_finish(out, stmt, err);
    sqlite3_finalize(stmt);
    return status;
}

static Status check_overlap(Store *out, const char *path, ErrorText *err) {
    sqlite3_stmt *stmt = NULL;
    bool row;
    if (sqlite3_prepare_v2(out->db, sql_text(SQL_MERGE_OVERLAP), -1, &stmt, NULL))
        return connection_error(out, err);
    Status status = connection_step(out, stmt, &row, err);
    if (!status && row)
        status = error_set(err, STATUS_CONFLICT,
                           "%s: slot %lld is in another of these databases as well", path,
                           (long long)sqlite3_column_int64(stmt, 0));
    sqlite3_finalize(stmt);
    return status;
}

// Rows go from file to file inside SQLite, without passing through our structs. Sittings are
// numbered anew, behind those that are there, and games follow theirs.
static Status copy_shard(Store *out, const char *path, StoreMergeStats *stats, ErrorText *err) {
    int64_t sittings = 0;
    // A transaction a shard, and all of it in a file that has no name yet: whichever step fails,
    // the file is thrown away.
    Status status = connection_run(out, SQL_BEGIN, err);
    if (!status)
        status = check_overlap(out, path, err);
    if (!status)
        status =
            connection_int(out, "SELECT coalesce(max(id), 0) FROM main.sitting", &sittings, err);
    if (!status)
        status = copy(out, SQL_MERGE_SITTINGS, sittings, err);
    if (!status)
        status = copy(out, SQL_MERGE_GAMES, sittings, err);
    if (!status)
        stats->games += sqlite3_changes64(out->db);
    if (!status)
        status = copy(out, SQL_MERGE_MOVES, 0, err);
    if (!status)
        stats->moves += sqlite3_changes64(out->db);
    if (!status)
        status = copy(out, SQL_MERGE_WATCHES, 0, err);
    if (!status)
        status = copy(out, SQL_MERGE_SOURCES, 0, err);
    return connection_end_transaction(out, status, err);
}

// ATTACH and DETACH must stay outside of the transaction.
static Status add_shard(Store *out, const char *path, StoreMergeStats *stats, ErrorText *err) {
    Status status = attach(out, path, err);
    if (!status)
        status = copy_shard(out, path, stats, err);
    if (!status)
        status = connection_exec(out, "DETACH shard", err);
    return status;
}

// The tables, the experiment and its players as in `source`. The file has no name yet that anybody
// reads, so it needs no log on the disk.
// `source` is the one with the longest plan: shards may have been started with fewer pairs.
static Status begin_result(Store *out, const char *source, ErrorText *err) {
    Status status =
        connection_exec(out, "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF", err);
    if (!status)
        status = attach(out, source, err);
    if (!status)
        status = connection_run(out, SQL_BEGIN, err);
    if (!status)
        status = schema_apply(out->db, SCHEMA_STEPS, 0, STORE_SCHEMA_VERSION, err);
    if (!status)
        status = copy(out, SQL_MERGE_EXPERIMENT, 0, err);
    if (!status)
        status = copy(out, SQL_MERGE_PLAYERS, 0, err);
    if (!status)
        status = connection_run(out, SQL_COMMIT, err);
    return status ? status : connection_exec(out, "DETACH shard", err);
}

// Complete if the shards together are the plan; a merge of some of them can be gone on with.
static Status end_result(Store *out, ErrorText *err) {
    StampText now = stamp_now();
    sqlite3_stmt *stmt;
    Status status = connection_prepare(out, SQL_MERGE_FINISHED, &stmt, err);
    if (status)
        return status;
    sqlite3_bind_text(stmt, 1, now.text, -1, SQLITE_STATIC);
    status = connection_finish(out, stmt, err);
    if (!status)
        // As every database of ours, for the readers and runs to come.
        status = connection_exec(out, "PRAGMA journal_mode = WAL", err);
    return status;
}

// SQLite speaks of the connection, which has a name that nobody gave: that of the unfinished file.
// It becomes `path`, the file that is meant.
static Status name_in_error(const char *unfinished, const char *path, Status status,
                            ErrorText *err) {
    size_t length = strlen(unfinished);
    if (!status || strncmp(err->text, unfinished, length) != 0)
        return status;
    ErrorText said = *err;
    return error_set(err, status, "%s%s", path, said.text + length);
}

// What is damaged can only be the shard, as the result was made just now.
static Status blame_shard(const char *unfinished, const char *path, Status status, ErrorText *err) {
    return status == STATUS_INVALID ? name_in_error(unfinished, path, status, err) : status;
}

static Status write_result(const char *name, const MergeSources *sources, StoreMergeStats *stats,
                           ErrorText *err) {
    Store *out = NULL;
    Status status = connection_open(name, CONNECTION_CREATE, &out, err);
    if (!status) {
        const char *source = sources->paths[sources->largest];
        status = blame_shard(name, source, begin_result(out, source, err), err);
    }
    for (int i = 0; i < sources->count && !status; i++) {
        const char *shard = sources->paths[i];
        status = blame_shard(name, shard, add_shard(out, shard, stats, err), err);
    }
    if (!status)
        status = end_result(out, err);
    // Before it is published: closing writes the log back into the file.
    connection_close(out);
    return status;
}

// On the disk before it gets its name, so that the name never stands for half a file.
static Status publish(const char *name, const char *out, ErrorText *err) {
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    bool synced = fd >= 0 && fsync(fd) == 0;
    // Nothing was written through this descriptor, so that close has nothing to report.
    if (fd >= 0)
        close(fd);
    // link, since rename would replace what is there; not every file system can.
    if (!synced || (link(name, out) && (errno == EEXIST || rename(name, out))))
        return error_set(err, errno == EEXIST ? STATUS_CONFLICT : STATUS_IO,
                         "%s: cannot be written: %s", out, strerror(errno));
    return STATUS_OK;
}

// The temporary name, after success and failure alike: the result is another link to the same file,
// or the renamed file itself.
static void remove_with_log(const char *name) {
    static const char *const SUFFIXES[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof SUFFIXES / sizeof *SUFFIXES; i++) {
        Text file = {0};
        text_printf(&file, "%s%s", name, SUFFIXES[i]);
        unlink(text_cstr(&file));
        text_release(&file);
    }
}

Status store_merge(const char *out, const char *const *paths, int count, StoreMergeStats *stats,
                   ErrorText *err) {
    struct stat info;
    MergeSources sources = {paths, count, 0};
    // lstat, as a dangling link is something that is there, too. link() in publish asks the same
    // without a race; here it saves the work.
    if (lstat(out, &info) == 0)
        return error_set(err, STATUS_CONFLICT, "%s: is there already", out);
    Status status = check_sources(&sources, err);
    if (status)
        return status;
    Text name = {0};
    StoreMergeStats merged = {0};
    // Beside the result, as a link cannot leave its file system; with the process id, as two merges
    // may run at once.
    text_printf(&name, "%s.part-%ld", out, (long)getpid());
    status = name.failed ? error_set(err, STATUS_NO_MEMORY, "out of memory")
                         : write_result(text_cstr(&name), &sources, &merged, err);
    if (!status)
        status = publish(text_cstr(&name), out, err);
    status = name_in_error(text_cstr(&name), out, status, err);
    if (!name.failed)
        remove_with_log(text_cstr(&name));
    text_release(&name);
    if (!status && stats)
        *stats = merged;
    return status;
}
