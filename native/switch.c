/* fairlead-hook [--home DIR] off [--for TIME], and on: the way out for a person, which works when Python is gone.
 *
 * Where Python is not gone, the package decides, which knows more about people. With a passphrase only it can, so
 * this refuses.
 */
#include "client.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { WRONG_USAGE = 64, HOUR = 3600 };

static void end(int code, const char *words, const char *more) __attribute__((noreturn));
static void end(int code, const char *words, const char *more) {
    char *one = join(words, more), *line = join(one, "\n");
    const struct bytes nothing = {0}, said = {line, strlen(line), 0};
    relay((uint32_t)code, &nothing, &said);
}

static void refuse(const char *why, const char *more) __attribute__((noreturn));
static void refuse(const char *why, const char *more) { end(1, join("fairlead-hook: nothing was changed: ", why), more); }

static void refuse_with_a_passphrase(const struct call *call, const char *state) {
    char *passphrase = join(state, "/passphrase"), *seal = value_of(call->record.text, "sealed");
    struct stat found;
    if (seal != NULL || lstat(passphrase, &found) == 0)
        refuse("a passphrase is set, and `fairlead off` asks for it; ",
               "where that is gone, `pipx install fairlead` brings it back");
    free(passphrase);
    free(seal);
}

/* In seconds: digits, and m, h or d. */
static int64_t seconds_in(const char *text) {
    const size_t length = strlen(text);
    char *digits = strndup(text, length > 0 ? length - 1 : 0);
    const char unit = length > 0 ? text[length - 1] : '\0';
    const int64_t number = whole_number(digits), one = unit == 'm' ? 60 : unit == 'h' ? HOUR : unit == 'd' ? 24 * HOUR : 0;
    free(digits);
    return number > 0 && number < 100000 ? number * one : 0;
}

static void ask(int terminal, const char *time) {
    char *start = join("Switch Fairlead off for every agent, for ", time), *question = join(start, "? [y/N] ");
    char answer[64] = "";
    const ssize_t written = write(terminal, question, strlen(question));
    const ssize_t count = written > 0 ? read(terminal, answer, sizeof answer - 1) : 0;
    answer[count > 0 ? count : 0] = '\0';
    answer[strcspn(answer, "\r\n ")] = '\0';
    const bool yes = (*answer == 'y' || *answer == 'Y') && (answer[1] == '\0' || strcmp(answer + 1, "es") == 0);
    if (!yes) refuse("answer y to go on", "");
    free(start);
    free(question);
}

static void make_folders(const char *path) {
    for (const char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        char *folder = strndup(path, (size_t)(slash - path));
        mkdir(folder, 0700); /* what cannot be made shows when the file is written */
        free(folder);
    }
}

/* In one step, and for this user alone. */
static void write_marker(const char *path, int64_t until) {
    char *number = decimal(until), *line = join(number, "\n"), *draft = join(path, ".new");
    make_folders(path);
    unlink(draft);
    const int fd = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    const ssize_t length = (ssize_t)strlen(line);
    const bool written = fd >= 0 && write(fd, line, (size_t)length) == length && fsync(fd) == 0;
    if (fd >= 0) close(fd);
    if (!written || rename(draft, path) != 0) refuse("it cannot be written: ", path);
    free(number);
    free(line);
    free(draft);
}

/* Runs the interpreter with these words, and gives back its exit code; -1 when it cannot be run. */
static int silently(const char **words) {
    const pid_t child = access(words[0], X_OK) == 0 ? fork() : -1;
    int status = -1;
    if (child == 0) {
        dup2(open("/dev/null", O_RDWR), STDERR_FILENO);
        execve(words[0], (char *const *)words, environ);
        _exit(127);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return child > 0 && (status & 0x7f) == 0 ? status >> 8 & 0xff : -1;
}

/* Does not return where the package is there to do it. */
static void leave_to_python(const struct call *call, const char *time_given) {
    const char *interpreter = find_interpreter(&call->record);
    const bool moved = *call->home != '\0';
    const char *try[] = {interpreter, "-I", "-c", "import fairlead.policy.human", NULL};
    const char *there[] = {interpreter, "-I", "-m", "fairlead", "off", "--for", time_given, NULL};
    const char *elsewhere[] = {interpreter, "-I", "-m", "fairlead", "--home", call->home, "off", "--for", time_given, NULL};
    if (interpreter != NULL && silently(try) == 0)
        execve(interpreter, (char *const *)(moved ? elsewhere : there), environ);
}

static void switch_off(const struct call *call, const char *state, const char *marker, const char *time_given) {
    const int64_t seconds = seconds_in(time_given);
    if (seconds <= 0) end(WRONG_USAGE, "fairlead-hook: a time is given as 30m, 8h or 2d, not as ", time_given);
    if (is_forbidden(state, "off")) refuse("those who manage this machine forbid `off`, in managed.yaml", "");
    leave_to_python(call, time_given);
    refuse_with_a_passphrase(call, state);
    const int terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal < 0) refuse("a human is needed; run it in your own terminal", "");
    const char *why = why_no_person();
    if (why != NULL) refuse("a human is needed, and none is to be seen: ", why);
    ask(terminal, time_given);
    write_marker(marker, (int64_t)time(NULL) + seconds);
    end(0, "Fairlead is off for every agent for ", join(time_given, "; `fairlead-hook on` ends that"));
}

void switch_for_a_person(struct call *call, int count, char **words) {
    const bool on = strcmp(words[0], "on") == 0, timed = count == 3 && strcmp(words[1], "--for") == 0;
    if (on ? count != 1 : count != 1 && !timed)
        end(WRONG_USAGE, "usage: fairlead-hook [--home DIR] off [--for TIME]", " | on");
    find_record(&call->record);
    char *state = state_folder(call);
    if (state == NULL) refuse("the home of this user is not known", "");
    char *marker = join(state, "/off");
    if (!on) switch_off(call, state, marker, timed ? words[2] : "1h");
    if (unlink(marker) != 0 && errno != ENOENT) refuse("it cannot be removed: ", marker);
    end(0, "Fairlead is on", "");
}
