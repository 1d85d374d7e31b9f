/* Stands between a process and its files: writes down what is done to those below one folder, in one
 * order, and lets it fail when told to. Loaded with LD_PRELOAD. What is written to a mapping is not
 * seen: of SQLite's files that is the shared index alone, which is rebuilt after a power cut.
 *
 * From the environment, looked at until POWER_ROOT is there:
 *   POWER_ROOT    the folder, as a resolved path; nothing outside it is looked at
 *   POWER_LOG     where to write down; the layout is in log.py
 *   POWER_SWITCH  a file that orders a fault when it appears; it is taken away when it is obeyed:
 *                 "WHAT SUFFIX ERRNO SKIP TIMES", as in "sync -wal 5 3 1": after three more syncs of
 *                 a file with that ending, one fails. WHAT is "write" or "sync"; a later order
 *                 takes the place of an earlier one, and one for no times mends the disk.
 *   POWER_LIES    the ending of files whose syncs are not done and reported as done
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { FILES_MAX = 65536 };
enum { EXISTED = 1, TRUNCATED = 2, FOLDER = 4 };

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX];
static int log_file = -1;
/* The path of a file that is looked at, by its descriptor. */
static char *paths[FILES_MAX];

static struct {
    char what[8], suffix[32];
    int error, skip, times;
} fault;
static volatile int hits;

/* How many faults have been put in so far; for the process itself. */
int power_hits(void) { return hits; }

static void set_up(void) {
    const char *where = getenv("POWER_ROOT");
    if (root[0] || !where) return;
    snprintf(root, sizeof root, "%s/", where);
    const char *log = getenv("POWER_LOG");
    if (log) log_file = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int is_ours(const char *path) {
    set_up();
    size_t length = strlen(root);
    if (!length || !path) return 0;
    /* The folder itself, too: it is opened to be synced. */
    return !strncmp(path, root, length) || (strlen(path) == length - 1 && !strncmp(path, root, length - 1));
}

static int is_looked_at(int file) { return file >= 0 && file < FILES_MAX && paths[file]; }

static int ends_with(const char *path, const char *suffix) {
    size_t all = strlen(path), end = strlen(suffix);
    return end && all >= end && !strcmp(path + all - end, suffix);
}

static void note(char what, int file, int64_t offset, const void *data, size_t size) {
    if (log_file < 0) return;
    struct __attribute__((packed)) { char what; int32_t file; int64_t offset; uint32_t size; } head =
        { what, file, offset, (uint32_t)size };
    struct iovec both[2] = { { &head, sizeof head }, { (void *)data, size } };
    if (syscall(SYS_writev, log_file, both, 2) != (long)(sizeof head + size)) abort();
}

static void note_names(char what, int64_t flags, const char *first, const char *second) {
    char both[2 * PATH_MAX];
    int size = snprintf(both, sizeof both, "%s%c%s", first, '\n', second);
    note(what, -1, flags, both, size);
}

/* -- faults ---------------------------------------------------------------------------------- */

static void take_order(void) {
    const char *order = getenv("POWER_SWITCH");
    if (!order) return;
    int file = syscall(SYS_openat, AT_FDCWD, order, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    char text[128] = "";
    long size = syscall(SYS_read, file, text, sizeof text - 1);
    syscall(SYS_close, file);
    syscall(SYS_unlinkat, AT_FDCWD, order, 0);
    if (size <= 0 || sscanf(text, "%7s %31s %d %d %d", fault.what, fault.suffix, &fault.error, &fault.skip, &fault.times) != 5) abort();
}

/* Whether this is to fail; then errno says how. */
static int fails(const char *what, int file) {
    take_order();
    if (!fault.times || strcmp(what, fault.what) || !ends_with(paths[file], fault.suffix)) return 0;
    if (fault.skip) { fault.skip--; return 0; }
    fault.times--;
    hits++;
    errno = fault.error;
    return 1;
}

/* -- files ----------------------------------------------------------------------------------- */

static int open_file(int folder, const char *path, int flags, mode_t mode) {
    if (folder != AT_FDCWD && path && path[0] != '/') return syscall(SYS_openat, folder, path, flags, mode);
    if (!is_ours(path)) return syscall(SYS_openat, folder, path, flags, mode);
    pthread_mutex_lock(&turn);
    struct stat before, after;
    int existed = !fstatat(AT_FDCWD, path, &before, 0);
    int file = syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    int trouble = errno;
    if (file >= FILES_MAX) abort();
    if (file >= 0 && !fstat(file, &after)) {
        int told = (existed ? EXISTED : 0) | (flags & O_TRUNC ? TRUNCATED : 0) | (S_ISDIR(after.st_mode) ? FOLDER : 0);
        free(paths[file]);
        paths[file] = strdup(path);
        note('o', file, told, path, strlen(path));
    }
    pthread_mutex_unlock(&turn);
    errno = trouble;
    return file;
}

#define MODE mode_t mode = 0; if (flags & (O_CREAT | O_TMPFILE)) { va_list more; va_start(more, flags); mode = va_arg(more, mode_t); va_end(more); }
int open(const char *path, int flags, ...) { MODE return open_file(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE return open_file(AT_FDCWD, path, flags, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE return open_file(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE return open_file(folder, path, flags, mode); }
int creat(const char *path, mode_t mode) { return open_file(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return creat(path, mode); }

int close(int file) {
    if (!is_looked_at(file)) return syscall(SYS_close, file);
    pthread_mutex_lock(&turn);
    free(paths[file]);
    paths[file] = NULL;
    int done = syscall(SYS_close, file);
    pthread_mutex_unlock(&turn);
    return done;
}

/* A write that fails has done half of its work: nothing is promised of it. */
static ssize_t write_at(int file, const void *data, size_t size, int64_t offset) {
    pthread_mutex_lock(&turn);
    int is_failing = fails("write", file), trouble = errno;
    ssize_t done = syscall(SYS_pwrite64, file, data, is_failing ? size / 2 : size, offset);
    if (!is_failing) trouble = errno;
    if (done > 0) note('w', file, offset, data, done);
    pthread_mutex_unlock(&turn);
    errno = trouble;
    return is_failing ? -1 : done;
}

ssize_t pwrite(int file, const void *data, size_t size, off_t offset) {
    return is_looked_at(file) ? write_at(file, data, size, offset) : syscall(SYS_pwrite64, file, data, size, offset);
}
ssize_t pwrite64(int file, const void *data, size_t size, off64_t offset) { return pwrite(file, data, size, offset); }

ssize_t write(int file, const void *data, size_t size) {
    if (!is_looked_at(file)) return syscall(SYS_write, file, data, size);
    pthread_mutex_lock(&turn);
    ssize_t done = syscall(SYS_write, file, data, size);
    int trouble = errno;
    if (done > 0) note('w', file, lseek(file, 0, SEEK_CUR) - done, data, done);
    pthread_mutex_unlock(&turn);
    errno = trouble;
    return done;
}

ssize_t writev(int file, const struct iovec *pieces, int count) {
    if (!is_looked_at(file)) return syscall(SYS_writev, file, pieces, count);
    ssize_t all = 0;
    for (int place = 0; place < count; place++) {
        ssize_t done = write(file, pieces[place].iov_base, pieces[place].iov_len);
        if (done < 0) return all ? all : -1;
        all += done;
        if ((size_t)done < pieces[place].iov_len) break;
    }
    return all;
}

int ftruncate(int file, off_t size) {
    if (!is_looked_at(file)) return syscall(SYS_ftruncate, file, size);
    pthread_mutex_lock(&turn);
    int done = syscall(SYS_ftruncate, file, size);
    int trouble = errno;
    if (!done) note('t', file, size, "", 0);
    pthread_mutex_unlock(&turn);
    errno = trouble;
    return done;
}
int ftruncate64(int file, off64_t size) { return ftruncate(file, size); }

static int sync_file(int file, long call) {
    if (!is_looked_at(file)) return syscall(call, file);
    const char *lies = getenv("POWER_LIES");
    pthread_mutex_lock(&turn);
    int done, trouble = 0;
    if (fails("sync", file)) {
        done = -1;
        trouble = errno;
    } else if (lies && ends_with(paths[file], lies)) {
        done = 0;
    } else {
        done = syscall(call, file);
        trouble = errno;
        if (!done) note('s', file, 0, "", 0);
    }
    pthread_mutex_unlock(&turn);
    if (done) errno = trouble;
    return done;
}
int fsync(int file) { return sync_file(file, SYS_fsync); }
int fdatasync(int file) { return sync_file(file, SYS_fdatasync); }

/* -- names ----------------------------------------------------------------------------------- */

int mkdir(const char *path, mode_t mode) {
    if (!is_ours(path)) return syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    pthread_mutex_lock(&turn);
    int done = syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    int trouble = errno;
    if (!done) note('d', -1, 0, path, strlen(path));
    pthread_mutex_unlock(&turn);
    errno = trouble;
    return done;
}

int unlink(const char *path) {
    if (!is_ours(path)) return syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    pthread_mutex_lock(&turn);
    int done = syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    int trouble = errno;
    if (!done) note('u', -1, 0, path, strlen(path));
    pthread_mutex_unlock(&turn);
    errno = trouble;
    return done;
}

int rename(const char *old, const char *new) {
    if (!is_ours(old) && !is_ours(new)) return syscall(SYS_renameat2, AT_FDCWD, old, AT_FDCWD, new, 0);
    pthread_mutex_lock(&turn);
    int done = syscall(SYS_renameat2, AT_FDCWD, old, AT_FDCWD, new, 0);
    int trouble = errno;
    if (!done) note_names('r', 0, old, new);
    pthread_mutex_unlock(&turn);
    errno = trouble;
    return done;
}
