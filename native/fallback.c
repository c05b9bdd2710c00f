/* The cold path: the same call through an interpreter of its own. */
#include "client.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

enum { REPLY_FD = 3 };

struct pipes {
    int payload[2], reply[2], noise[2];
};

/* As recorded; else beside the client, as in a virtual environment; else the one that runs `fairlead`. */
char *find_interpreter(const struct record *record) {
    char *recorded = value_of(record->text, "interpreter");
    if (recorded != NULL) return recorded;
    char *beside = join(record->directory, "/python3");
    if (access(beside, X_OK) == 0) return beside;
    free(beside);
    char line[PATH_MAX + 3];
    char *script = join(record->directory, "/fairlead");
    const int fd = open(script, O_RDONLY | O_CLOEXEC);
    const ssize_t count = fd < 0 ? -1 : read(fd, line, sizeof line - 1);
    if (fd >= 0) close(fd);
    free(script);
    if (count < 3 || memcmp(line, "#!/", 3) != 0) return NULL;
    line[count] = '\0';
    return strndup(line + 2, strcspn(line + 2, " \n"));
}

/* Nothing of the caller's under its own name: PYTHONPATH, LD_PRELOAD, OPENSSL_CONF and their like would put foreign
 * code into the interpreter. Hook scripts get the caller's environment, so it is kept under other names. */
static char **clean_environment(void) {
    size_t count = 0;
    while (environ[count] != NULL) count++;
    char **cleaned = calloc(count + 3, sizeof *cleaned);
    if (cleaned == NULL) _exit(2);
    cleaned[0] = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    cleaned[1] = "LANG=C.UTF-8";
    for (size_t i = 0; i < count; i++) cleaned[i + 2] = join("FAIRLEAD_KEPT_", environ[i]);
    return cleaned;
}

static void become_interpreter(const char **words, const struct pipes *pipes) __attribute__((noreturn));
static void become_interpreter(const char **words, const struct pipes *pipes) {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    const int reply = fcntl(pipes->reply[1], F_DUPFD_CLOEXEC, REPLY_FD + 1);
    signal(SIGPIPE, SIG_DFL);
    dup2(pipes->payload[0], STDIN_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    dup2(pipes->noise[1], STDERR_FILENO);
    dup2(reply, REPLY_FD); /* last, because one of the others may have had this number */
    execve(words[0], (char *const *)words, clean_environment());
    _exit(127);
}

static pid_t start_interpreter(const struct call *call, const char *interpreter, const struct pipes *pipes) {
    char *seconds = decimal(allowance(call) / 1000);
    const char *words[20] = {interpreter, "-I", "-m", "fairlead"};
    const char *rest[] = {"hook", "--request", call->request, "--reply-fd", "3", "--seconds", seconds, call->agent};
    size_t count = 4;
    if (*call->home != '\0') {
        words[count++] = "--home";
        words[count++] = call->home;
    }
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) words[count++] = rest[i];
    if (*call->event != '\0') words[count++] = call->event;
    const pid_t child = fork();
    if (child == 0) become_interpreter(words, pipes);
    free(seconds);
    return child;
}

static void feed(const struct call *call, size_t *fed, struct pollfd *writable) {
    const ssize_t count = write(writable->fd, call->payload.data + *fed, call->payload.length - *fed);
    if (count > 0) *fed += (size_t)count;
    const bool refused = count < 0 && errno != EAGAIN && errno != EINTR;
    if (!refused && *fed < call->payload.length) return;
    close(writable->fd);
    writable->fd = -1;
}

/* Returns only if no reply came: with what was written to stderr instead. */
static struct bytes supervise(const struct call *call, const struct pipes *pipes) {
    struct reception reception = {.until = call->deadline};
    struct bytes noise = {0};
    struct pollfd ends[3] = {{pipes->payload[1], POLLOUT, 0},
                             {pipes->reply[0], POLLIN, 0},
                             {pipes->noise[0], POLLIN, 0}};
    size_t fed = 0;
    fcntl(ends[0].fd, F_SETFL, O_NONBLOCK);
    while (wait_until(ends, 3, call->deadline)) {
        if (ends[0].fd >= 0 && ends[0].revents != 0) feed(call, &fed, &ends[0]);
        if (ends[2].revents != 0 && (noise.length >= NOISE_LIMIT || read_some(ends[2].fd, &noise, 512) <= 0))
            ends[2].fd = -1;
        if (ends[1].revents == 0) continue;
        if (read_some(ends[1].fd, &reception.bytes, REPLY_LIMIT) <= 0) break;
        if (take_frames(&reception, call->deadline) != WAITING) break;
    }
    while (noise.length < NOISE_LIMIT && readable(pipes->noise[0], 0))
        if (read_some(pipes->noise[0], &noise, 512) <= 0) break;
    free(reception.bytes.data);
    return noise;
}

/* What is gone, and commands that are not: this program is there, or it would not say so. */
static char *name_what_is_gone(const struct call *call, const char *interpreter) {
    const char *parts[] = {"its interpreter is gone: ", interpreter,
                           "\nA person can run `fairlead install` (after `pipx install fairlead`, if that is gone too), or\n`",
                           call->record.directory, "/fairlead-hook", *call->home != '\0' ? " --home " : "", call->home,
                           " off` to go on without Fairlead for an hour."};
    struct bytes words = {0};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) append(&words, parts[i], strlen(parts[i]));
    append(&words, "", 1);
    return words.data;
}

void answer_cold(struct call *call) {
    struct pipes pipes;
    struct bytes noise = {0};
    char *interpreter = find_interpreter(&call->record);
    if (interpreter == NULL) answer_by_itself(call, "no interpreter is recorded", &noise);
    if (access(interpreter, X_OK) != 0) answer_by_itself(call, name_what_is_gone(call, interpreter), &noise);
    if (!open_pipe(pipes.payload) || !open_pipe(pipes.reply) || !open_pipe(pipes.noise))
        answer_by_itself(call, "no descriptors are left", &noise);
    const pid_t child = start_interpreter(call, interpreter, &pipes);
    if (child < 0) answer_by_itself(call, "no process could be started", &noise);
    close(pipes.payload[0]);
    close(pipes.reply[1]);
    close(pipes.noise[1]);
    noise = supervise(call, &pipes);
    kill(child, SIGTERM);
    free(interpreter);
    const bool late = milliseconds() >= call->deadline;
    answer_by_itself(call, late ? "the interpreter did not answer in time" : "the interpreter gave no answer", &noise);
}
