/* Lets fsync and fdatasync of the files below one folder fail, as long as a file is there that says so, or once for a file that it
   takes away: the disk has lost what it was given. Loaded before the system's library, which does the rest. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_lost(int file) {
    const char *folder = getenv("FAILING_FOLDER"), *always = getenv("FAILING_WHILE"), *once = getenv("FAILING_ONCE");
    char link[64], path[PATH_MAX];
    if (!folder || !always || !once) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    if (strncmp(path, folder, strlen(folder)) != 0) return 0;
    return access(always, F_OK) == 0 || unlink(once) == 0;
}

static int ask(const char *name, int file) {
    if (is_lost(file)) {
        errno = EIO;
        return -1;
    }
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    return real(file);
}

int fsync(int file) { return ask("fsync", file); }
int fdatasync(int file) { return ask("fdatasync", file); }
