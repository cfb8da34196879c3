/* In front of the calls that read and write, and of those that change what is on the disk.
 *
 * SHORT=seed   some calls answer EINTR, others do part of what was asked; a timer interrupts what the program waits for, too
 * FULL=n       from the n-th call on that changes the disk, those that need room find none, a write after some bytes
 * DIE=n        before the n-th call that changes the disk, or after half of a write with TORN=1, the program is killed
 * CALLS=file   the number of these calls goes there when the program ends
 *
 * Calls that change the disk write to files, make, cut, rename or remove them or directories, or ask for all to be on the disk.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

static _Atomic unsigned long long state;
static _Atomic long changes;
static long room, death;
static int is_torn;
static _Atomic int is_short;

static void nothing(int signal) { (void)signal; }

static void __attribute__((constructor)) begin(void)
{
    const char *seed = getenv("SHORT"), *full = getenv("FULL"), *die = getenv("DIE");
    if (full) room = atol(full);
    if (die) death = atol(die);
    is_torn = getenv("TORN") != 0;
    if (!seed) return;
    state = strtoull(seed, 0, 10) * 0x9e3779b97f4a7c15ull + 1;
    is_short = 1;
    struct sigaction action = { .sa_handler = nothing }; /* Without SA_RESTART. */
    sigaction(SIGALRM, &action, 0);
    struct itimerval timer = { { 0, 3000 }, { 0, 3000 } };
    setitimer(ITIMER_REAL, &timer, 0);
}

static void __attribute__((destructor)) end(void)
{
    const char *path = getenv("CALLS");
    FILE *file = path ? fopen(path, "w") : 0;
    if (file) {
        long count = changes;
        fprintf(file, "%ld\n", count);
        fclose(file);
    }
}

/* How much of a call is done: all, part, or nothing (0: interrupted). */
static size_t part(size_t asked)
{
    if (!is_short || asked == 0) return asked;
    unsigned long long next = atomic_load(&state) * 6364136223846793005ull + 1442695040888963407ull;
    atomic_store(&state, next);
    unsigned chance = (unsigned)(next >> 33) % 8;
    return chance == 0 ? 0 : chance < 4 && asked > 1 ? 1 + (size_t)(next >> 40) % (asked - 1) : asked;
}

/* The number of a call that changes the disk, if it is not the one that is never done. */
static long change(int file, const void *bytes, size_t count)
{
    long number = ++changes;
    if (number == death) {
        if (is_torn && count > 1) syscall(SYS_write, file, bytes, count / 2);
        kill(getpid(), SIGKILL);
        pause();
    }
    return number;
}

/* Whether a call that changes the disk, and needs room for that, finds none. */
static int is_full(void)
{
    if (change(-1, 0, 0) < room || !room) return 0;
    errno = ENOSPC;
    return 1;
}

/* How much of a write is done; there may be no room for it. */
static size_t part_of_write(int file, const void *bytes, size_t asked)
{
    struct stat found;
    if (asked && file > 2 && fstat(file, &found) == 0 && S_ISREG(found.st_mode)) {
        long number = change(file, bytes, asked);
        if (room && number == room && asked > 1) return asked / 2;
        if (room && number >= room) { errno = ENOSPC; return 0; }
    }
    errno = EINTR;
    return part(asked);
}

#define REAL(name) static __typeof__(name) *real; if (!real) real = (__typeof__(real))dlsym(RTLD_NEXT, #name)
#define SOME(count, found) size_t some = found; if (count && some == 0) return -1

ssize_t read(int file, void *bytes, size_t count)
{
    REAL(read);
    errno = EINTR;
    SOME(count, part(count));
    return real(file, bytes, some);
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t at)
{
    REAL(pread64);
    errno = EINTR;
    SOME(count, part(count));
    return real(file, bytes, some, at);
}

ssize_t recv(int file, void *bytes, size_t count, int flags)
{
    REAL(recv);
    errno = EINTR;
    SOME(count, part(count));
    return real(file, bytes, some, flags);
}

ssize_t send(int file, const void *bytes, size_t count, int flags)
{
    REAL(send);
    errno = EINTR;
    SOME(count, part(count));
    return real(file, bytes, some, flags);
}

ssize_t write(int file, const void *bytes, size_t count)
{
    REAL(write);
    SOME(count, part_of_write(file, bytes, count));
    return real(file, bytes, some);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at)
{
    REAL(pwrite64);
    SOME(count, part_of_write(file, bytes, count));
    return real(file, bytes, some, at);
}

int fsync(int file)
{
    REAL(fsync);
    return is_full() ? -1 : real(file);
}

int fdatasync(int file)
{
    REAL(fdatasync);
    return is_full() ? -1 : real(file);
}

int mkdir(const char *path, mode_t mode)
{
    REAL(mkdir);
    return access(path, F_OK) && is_full() ? -1 : real(path, mode);
}

int open64(const char *path, int flags, ...)
{
    REAL(open64);
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    return flags & O_CREAT && access(path, F_OK) && is_full() ? -1 : real(path, flags, mode);
}

/* Those that need no room. */
int rename(const char *from, const char *to)
{
    REAL(rename);
    change(-1, 0, 0);
    return real(from, to);
}

int unlink(const char *path)
{
    REAL(unlink);
    change(-1, 0, 0);
    return real(path);
}

int rmdir(const char *path)
{
    REAL(rmdir);
    change(-1, 0, 0);
    return real(path);
}

int ftruncate64(int file, off64_t length)
{
    REAL(ftruncate64);
    change(-1, 0, 0);
    return real(file, length);
}

/* Of several pieces only the first that has bytes is read or written, as far as it goes. */
static const struct iovec *first(const struct iovec *pieces, int count)
{
    for (int at = 0; at < count; at++)
        if (pieces[at].iov_len) return &pieces[at];
    return 0;
}

ssize_t readv(int file, const struct iovec *pieces, int count)
{
    const struct iovec *piece = first(pieces, count);
    return piece ? read(file, piece->iov_base, piece->iov_len) : 0;
}

ssize_t writev(int file, const struct iovec *pieces, int count)
{
    const struct iovec *piece = first(pieces, count);
    return piece ? write(file, piece->iov_base, piece->iov_len) : 0;
}

/* Copying within the kernel is not there, so that the calls above are used. */
ssize_t copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at, size_t count, unsigned flags)
{
    (void)from, (void)from_at, (void)to, (void)to_at, (void)count, (void)flags;
    errno = ENOSYS;
    return -1;
}
