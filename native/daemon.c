/* The warm path: one call through the daemon's socket. */
#include "client.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

extern char **environ;

bool is_private_directory(const struct stat *found) {
    return S_ISDIR(found->st_mode) && found->st_uid == getuid() && (found->st_mode & 07777) == 0700;
}

static char *runtime_directory(const char *home) {
    if (*home != '\0') return join(home, "/run");
    char *session = join_uid("/run/user/");
    char *directory = NULL;
    struct stat found;
    if (lstat(session, &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == getuid())
        directory = join(session, "/fairlead");
    free(session);
    return directory != NULL ? directory : join_uid("/tmp/fairlead-");
}

static const char SOCKET[] = "/daemon.sock";

/* Whoever listens there has to be ours, too: see is_peer_ours(). */
static bool name_socket(const char *directory, struct sockaddr_un *address) {
    struct stat found;
    if (lstat(directory, &found) != 0 || !is_private_directory(&found)) return false;
    stpcpy(stpcpy(address->sun_path, directory), SOCKET);
    return true;
}

/* -1 when there is none, or none that is ours. */
int connect_to_daemon(const char *home) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char *path = runtime_directory(home);
    const bool fits = strlen(path) + sizeof SOCKET <= sizeof address.sun_path;
    const int directory = fits ? -1 : name_by_other_way(path, SOCKET, &address);
    int fd = -1;
    if (fits ? name_socket(path, &address) : directory >= 0) {
        fd = open_local_socket();
        if (fd >= 0 && (connect(fd, (struct sockaddr *)&address, sizeof address) != 0 || !is_peer_ours(fd))) {
            close(fd);
            fd = -1;
        }
    }
    if (directory >= 0) close(directory);
    free(path);
    return fd;
}

static size_t open_frame(struct bytes *bytes, unsigned char kind) {
    const size_t start = bytes->length;
    append_u32(bytes, 0);
    append(bytes, &kind, 1);
    return start;
}

/* Fills in the length; `beyond` bytes of the frame are sent from elsewhere. */
static void close_frame(struct bytes *bytes, size_t start, size_t beyond) {
    const size_t end = bytes->length;
    bytes->length = start;
    append_u32(bytes, (uint32_t)(end - start - FRAME_HEADER + beyond));
    bytes->length = end;
}

/* Everything before the payload's own bytes. */
static struct bytes describe(const struct call *call) {
    struct bytes head = {0};
    char *allowed = decimal(allowance(call)), *root = name_root();
    char cwd[PATH_MAX];
    size_t start = open_frame(&head, HELLO);
    append_u32(&head, WIRE_VERSION);
    append(&head, BUILD_ID, strlen(BUILD_ID));
    close_frame(&head, start, 0);
    start = open_frame(&head, CALL);
    append_text(&head, call->request);
    append_text(&head, call->agent);
    append_text(&head, call->event);
    append_text(&head, allowed);
    append_text(&head, root);
    close_frame(&head, start, 0);
    start = open_frame(&head, CWD);
    if (getcwd(cwd, sizeof cwd) != NULL) append(&head, cwd, strlen(cwd));
    close_frame(&head, start, 0);
    start = open_frame(&head, ENVIRONMENT);
    for (char **variable = environ; *variable != NULL; variable++) append_text(&head, *variable);
    close_frame(&head, start, 0);
    start = open_frame(&head, PAYLOAD);
    close_frame(&head, start, call->payload.length);
    free(allowed);
    free(root);
    return head;
}

static size_t advance(struct iovec *part, size_t count) {
    const size_t taken = count < part->iov_len ? count : part->iov_len;
    part->iov_base = (char *)part->iov_base + taken;
    part->iov_len -= taken;
    return count - taken;
}

static bool send_call(int fd, const struct call *call) {
    struct bytes head = describe(call);
    struct iovec parts[2] = {{head.data, head.length}, {call->payload.data, call->payload.length}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    struct pollfd writable = {.fd = fd, .events = POLLOUT};
    while (parts[0].iov_len + parts[1].iov_len > 0) {
        const ssize_t count = sendmsg(fd, &message, MSG_NOSIGNAL);
        if (count > 0) advance(&parts[1], advance(&parts[0], (size_t)count));
        if (count >= 0 || errno == EINTR) continue;
        if (errno != EAGAIN) break;
        if (!wait_until(&writable, 1, earlier(milliseconds() + ACKNOWLEDGE_MS, call->deadline))) break;
    }
    free(head.data);
    return parts[0].iov_len + parts[1].iov_len == 0;
}

/* Returns only if the daemon gave no answer. */
enum outcome ask_daemon(const struct call *call) {
    const int fd = call->daemon >= 0 ? call->daemon : connect_to_daemon(call->home);
    if (fd < 0) return UNANSWERED;
    enum outcome outcome = send_call(fd, call) ? WAITING : UNANSWERED;
    struct reception reception = {.until = earlier(milliseconds() + ACKNOWLEDGE_MS, call->deadline)};
    while (outcome == WAITING) {
        if (!readable(fd, reception.until))
            outcome = reception.acknowledged ? TOO_LATE : UNANSWERED;
        else if (read_some(fd, &reception.bytes, REPLY_LIMIT) <= 0)
            outcome = UNANSWERED;
        else
            outcome = take_frames(&reception, call->deadline);
    }
    free(reception.bytes.data);
    close(fd);
    return outcome;
}
