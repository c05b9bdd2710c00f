/* What Linux does in its own way. */
#include "client.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

bool fill_with_random(void *data, size_t length) {
    size_t filled = 0;
    while (filled < length) {
        const ssize_t count = getrandom((char *)data + filled, length - filled, 0);
        if (count < 0 && errno != EINTR) return false;
        if (count > 0) filled += (size_t)count;
    }
    return true;
}

bool open_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0; }

int open_local_socket(void) { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

bool is_peer_ours(int fd) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == getuid();
}

/* Through /proc/self/fd. */
static bool name_by_number(int directory, const char *name, struct sockaddr_un *address) {
    struct stat found;
    if (directory < 0 || directory > 99) return false;
    if (fstat(directory, &found) != 0 || !is_private_directory(&found)) return false;
    char *end = stpcpy(address->sun_path, "/proc/self/fd/");
    if (directory > 9) *end++ = (char)('0' + directory / 10);
    *end++ = (char)('0' + directory % 10);
    stpcpy(end, name);
    return true;
}

int name_by_other_way(const char *directory, const char *name, struct sockaddr_un *address) {
    const int folder = open(directory, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (name_by_number(folder, name, address)) return folder;
    if (folder >= 0) close(folder);
    return -1;
}

const char *started_as(void) {
    const char *name = (const char *)getauxval(AT_EXECFN);
    return name != NULL ? name : "";
}

size_t own_file(char *path, size_t room) {
    const ssize_t length = readlink("/proc/self/exe", path, room);
    return length > 0 ? (size_t)length : 0;
}

struct facts { /* `struct statx` of Linux, which older headers lack */
    uint32_t known, block;
    uint64_t attributes;
    uint32_t links, uid, gid;
    uint16_t mode, spare;
    uint64_t inode, size, blocks, attributes_known, times[8];
    uint32_t devices[4];
    uint64_t mount, rest[13];
};

/* The number of the mount that is its root, which no other namespace has, and of the root itself. Where the kernel
 * does not say, the daemon finds out. */
char *name_root(void) {
    enum { INODE = 0x100, MOUNT = 0x1000 };
    struct facts root = {0};
#ifdef SYS_statx
    syscall(SYS_statx, (long)AT_FDCWD, "/", 0L, (long)(INODE | MOUNT), &root);
#endif
    if ((root.known & (INODE | MOUNT)) != (INODE | MOUNT)) return join("", "");
    char *mount = decimal((int64_t)root.mount), *inode = decimal((int64_t)root.inode);
    char *start = join(mount, ":"), *name = join(start, inode);
    free(mount);
    free(inode);
    free(start);
    return name;
}

char *name_boot(void) {
    char name[64];
    const int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    const ssize_t length = fd < 0 ? 0 : read(fd, name, sizeof name - 1);
    if (fd >= 0) close(fd);
    name[length > 0 ? length : 0] = '\0';
    name[strcspn(name, "\n")] = '\0';
    return join("", name);
}

int64_t seconds_since_boot(void) {
    struct timespec now;
    return clock_gettime(CLOCK_BOOTTIME, &now) == 0 ? (int64_t)now.tv_sec : -1;
}

/* The home field of the user's line, as a new string. */
static char *home_in(char *users, const char *uid) {
    char *line;
    while ((line = strsep(&users, "\n")) != NULL) {
        char *fields[6];
        for (size_t i = 0; i < 6; i++) fields[i] = strsep(&line, ":");
        if (fields[5] != NULL && strcmp(fields[2], uid) == 0) return strdup(fields[5]);
    }
    return NULL;
}

/* In /etc/passwd: the client is linked without what could ask a directory service. */
char *look_up_home(void) {
    const int fd = open("/etc/passwd", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return NULL;
    struct bytes users = {0};
    while (read_some(fd, &users, PAYLOAD_LIMIT) > 0)
        ;
    close(fd);
    append(&users, "", 1);
    char *uid = join_uid("");
    char *home = home_in(users.data, uid);
    free(uid);
    free(users.data);
    return home;
}
