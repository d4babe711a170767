// SPDX-License-Identifier: GPL-3.0-or-later
// Taking and giving back the lock of a run.
#include "harness/store/run_lock.h"

#include "engine/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// The name may have been removed by its last holder between our open and our lock: then the lock is
// on nothing.
static bool still_there(int fd, const char *name) {
    struct stat held, named;
    return fstat(fd, &held) == 0 && stat(name, &named) == 0 && held.st_ino == named.st_ino &&
           held.st_dev == named.st_dev;
}

// For the message to whoever is refused only: that a full disk cannot hold it must not matter.
static void write_pid(int fd) {
    char pid[24];
    int length = snprintf(pid, sizeof pid, "%ld\n", (long)getpid());
    if (ftruncate(fd, 0) == 0 && pwrite(fd, pid, (size_t)length, 0) != length)
        errno = 0;
}

static Status refuse(int fd, const char *path, ErrorText *err) {
    char pid[24] = "";
    ssize_t length = pread(fd, pid, sizeof pid - 1, 0);
    pid[length > 0 ? length : 0] = '\0';
    pid[strcspn(pid, "\n")] = '\0';
    return error_set(err, STATUS_CONFLICT, "%s: another gomolab (process %s) is writing to it",
                     path, *pid ? pid : "unknown");
}

// flock, not fcntl: a lock of fcntl belongs to the process, so that a second opening in the same
// one is not refused, and it ends as soon as either descriptor is closed. Close-on-exec keeps
// engines from inheriting the lock and holding it after us.
Status run_lock_take(const char *path, int *fd, ErrorText *err) {
    Text name = {0};
    text_printf(&name, "%s-lock", path);
    Status status =
        name.failed ? error_set(err, STATUS_NO_MEMORY, "%s: out of memory", path) : STATUS_OK;
    int lock = -1;
    // Again when the lock turns out to be on a file that has lost its name: its holder ended
    // between our open and our lock.
    while (!status) {
        lock = open(text_cstr(&name), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (lock < 0) {
            status = error_set(err, errno == ENOSPC || errno == EDQUOT ? STATUS_IO : STATUS_INVALID,
                               "%s: cannot be written: %s", path, strerror(errno));
        } else if (flock(lock, LOCK_EX | LOCK_NB)) {
            status = errno == EWOULDBLOCK ? refuse(lock, path, err)
                                          : error_set(err, STATUS_IO, "%s: cannot be locked: %s",
                                                      path, strerror(errno));
        } else if (still_there(lock, text_cstr(&name))) {
            write_pid(lock);
            break;
        }
        if (lock >= 0)
            close(lock);
        lock = -1;
    }
    text_release(&name);
    if (!status)
        *fd = lock;
    return status;
}

void run_lock_release(const char *path, int fd) {
    if (fd < 0)
        return;
    Text name = {0};
    text_printf(&name, "%s-lock", path);
    if (!name.failed)
        unlink(text_cstr(
            &name)); // while it is still locked: whoever opened it in between sees that it is gone
    text_release(&name);
    close(fd);
}
