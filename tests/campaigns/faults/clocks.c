/* In front of the clocks that show the time of day: from one call in three on they show another, hours to years before or after,
 * by a generator that CLOCKS=seed starts. CALLS=file gets the number of calls. CLOCK_MONOTONIC and its like never jump, by their
 * definition, and are left alone.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static _Atomic unsigned long long state;
static _Atomic long calls, shift;

static void __attribute__((constructor)) begin(void)
{
    const char *seed = getenv("CLOCKS");
    state = seed ? strtoull(seed, 0, 10) * 0x9e3779b97f4a7c15ull + 1 : 1;
}

static void __attribute__((destructor)) end(void)
{
    const char *path = getenv("CALLS");
    FILE *file = path ? fopen(path, "w") : 0;
    if (file) {
        long count = calls;
        fprintf(file, "%ld\n", count);
        fclose(file);
    }
}

/* By how many seconds the clock is wrong now. */
static long wrong(void)
{
    unsigned long long next = atomic_load(&state) * 6364136223846793005ull + 1442695040888963407ull;
    atomic_store(&state, next);
    unsigned chance = (unsigned)(next >> 33) % 12;
    long hours = (long)((next >> 40) % 97) - 48;
    if (++calls == 1 || chance < 3) shift = 3600 * hours;
    else if (chance == 3) shift = 3600 * 24 * 365 * (hours > 0 ? 40 : -60); /* Before 1970, or after 2038. */
    return shift;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int failed = real(clock, now);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI)) now->tv_sec += wrong();
    return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    (void)zone;
    struct timespec found;
    int failed = clock_gettime(CLOCK_REALTIME, &found);
    now->tv_sec = found.tv_sec;
    now->tv_usec = found.tv_nsec / 1000;
    return failed;
}

time_t time(time_t *now)
{
    struct timespec found;
    clock_gettime(CLOCK_REALTIME, &found);
    if (now) *now = found.tv_sec;
    return found.tv_sec;
}
