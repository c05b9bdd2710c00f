/* What macOS does in its own way. */
#include "client.h"
#include "system.h"

#include <fcntl.h>
#include <mach-o/dyld.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/sysctl.h>
#include <time.h>
#include <unistd.h>

bool fill_with_random(void *data, size_t length) {
    arc4random_buf(data, length);
    return true;
}

static bool close_on_start(int fd) { return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0; }

/* The client has one thread, so that nothing can be started between the two steps. */
bool open_pipe(int ends[2]) { return pipe(ends) == 0 && close_on_start(ends[0]) && close_on_start(ends[1]); }

int open_local_socket(void) {
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0 || (close_on_start(fd) && fcntl(fd, F_SETFL, O_NONBLOCK) == 0)) return fd;
    close(fd);
    return -1;
}

bool is_peer_ours(int fd) {
    uid_t user;
    gid_t group;
    return getpeereid(fd, &user, &group) == 0 && user == getuid();
}

/* There is none: a call from so deep a home is answered cold. */
int name_by_other_way(const char *directory, const char *name, struct sockaddr_un *address) {
    (void)directory, (void)name, (void)address;
    return -1;
}

const char *started_as(void) {
    static char name[PATH_MAX];
    uint32_t room = sizeof name;
    return _NSGetExecutablePath(name, &room) == 0 ? name : "";
}

size_t own_file(char *path, size_t room) {
    char *real = realpath(started_as(), NULL);
    const size_t length = real == NULL ? 0 : strlen(real);
    if (length > 0 && length <= room) memcpy(path, real, length);
    free(real);
    return length <= room ? length : 0;
}

/* Every process sees the same files, or has another root, which no daemon of the user shares. */
char *name_root(void) { return join("", ""); }

char *name_boot(void) {
    char name[64] = "";
    size_t room = sizeof name - 1;
    return join("", sysctlbyname("kern.bootsessionuuid", name, &room, NULL, 0) == 0 ? name : "");
}

/* The monotonic clock of this system goes on while it sleeps. */
int64_t seconds_since_boot(void) {
    struct timespec now;
    return clock_gettime(CLOCK_MONOTONIC, &now) == 0 ? (int64_t)now.tv_sec : -1;
}

char *look_up_home(void) {
    const struct passwd *user = getpwuid(getuid());
    return user == NULL || user->pw_dir == NULL ? NULL : strdup(user->pw_dir);
}

/* The parents of a process are looked at by the package alone, which does so before the client is asked. */
const char *why_no_person(void) { return "on macOS the package alone can look for one, and it is gone"; }
