/* Records what hooks in a bash script write: the same as src/fairlead/doors/bash/bridge.py, which says what it
 * is told and what it answers, and quicker to start. */

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "log.h"

enum { STDOUT_PIPE, STDERR_PIPE, ORDERS, SCRIPT, WATCHED };
enum { PACKET = 65536, LINGER_MS = 100, MOST_PROCESSES = 5000, TURNS = 20 };

static int pipes[2], write_ends[2], orders[2], replies[2]; /* of a pipe: its reading end, its writing end */
static int poller, alive, lines;
static long script, newest;
static struct stat identities[2];
static int left, open_pipes = 2; /* `left`: the script takes new pipes, and nobody reads these */
static int took_over; /* from one that was killed */
static double *deadline; /* shared with who takes over */

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int drop(int pipe) {
    char ignored[PACKET];
    return read(pipe, ignored, sizeof ignored) > 0;
}

static long newest_process(void) {
    long number = 0;
    FILE *file = fopen("/proc/loadavg", "r");
    if (file == NULL || fscanf(file, "%*s %*s %*s %*s %ld", &number) != 1) fail("/proc/loadavg");
    fclose(file);
    return number;
}

static void watch(int descriptor, unsigned which, unsigned events) {
    struct epoll_event event = {.events = events, .data.u32 = which};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event) < 0) fail("epoll");
}

/* One packet for each write, one slot for a packet; and no flag that a hook has set for its own life. */
static void as_packets(int end) {
    if (fcntl(end, F_SETFL, O_DIRECT) < 0) fail("packets");
}

static void watch_all(void) {
    poller = epoll_create1(EPOLL_CLOEXEC);
    for (unsigned each = 0; each < 2; each++) watch(pipes[each], each, EPOLLIN | EPOLLET);
    watch(orders[0], ORDERS, EPOLLIN);
    watch(alive, SCRIPT, EPOLLIN);
}

static void prepare(char **words) {
    for (unsigned each = 0; each < 2; each++) {
        pipes[each] = atoi(words[1 + each * 2]);
        write_ends[each] = atoi(words[2 + each * 2]);
        as_packets(write_ends[each]);
        if (fcntl(write_ends[each], F_SETPIPE_SZ, 1) < 0) fail("one slot");
        if (fcntl(pipes[each], F_SETFL, O_NONBLOCK) < 0) fail("pipe");
        drop(pipes[each]); /* what was there before it was in packet mode would swallow the first packet */
        if (fstat(pipes[each], &identities[each]) < 0) fail("pipe");
    }
    if (pipe(orders) < 0 || pipe(replies) < 0) fail("pipe");
    script = atol(words[5]);
    alive = (int)syscall(SYS_pidfd_open, (pid_t)script, 0);
    if (alive < 0) fail("pidfd");
    watch_all();
    deadline = mmap(NULL, sizeof *deadline, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (deadline == MAP_FAILED) fail("memory");
    lines = memfd_create("lines", 0);
    if (lines < 0) fail("memfd");
    log_create();
    newest = newest_process();
}

static int is_ours(int number) {
    const int ours[] = {pipes[0],   pipes[1],  write_ends[0], write_ends[1], orders[0], orders[1], replies[0],
                        replies[1], poller,    alive,         lines,         log_data,  log_index};
    for (size_t each = 0; each < sizeof ours / sizeof *ours; each++)
        if (ours[each] == number) return 1;
    return 0;
}

/* Locks, files and folders of the script are not ours to hold. */
static void let_go_of_the_rest(void) {
    int numbers[4096];
    size_t count = 0;
    DIR *folder = opendir("/proc/self/fd");
    if (folder == NULL) fail("/proc/self/fd");
    for (struct dirent *entry; (entry = readdir(folder)) != NULL && count < 4096;)
        if (entry->d_name[0] != '.') numbers[count++] = atoi(entry->d_name);
    closedir(folder);
    for (size_t each = 0; each < count; each++)
        if (!is_ours(numbers[each])) close(numbers[each]);
    if (chdir("/") < 0) fail("/");
}

/* Takes all that was written before now, or comes within a time. */
static void settle(int milliseconds) {
    struct epoll_event events[WATCHED];
    for (;;) {
        int count = epoll_wait(poller, events, WATCHED, milliseconds), taken = 0;
        for (int each = 0; each < count; each++) {
            unsigned which = events[each].data.u32;
            if (which > STDERR_PIPE) continue;
            log_take(which == STDOUT_PIPE ? '1' : '2', pipes[which]);
            taken = 1;
        }
        if (!taken) return;
        milliseconds = 0;
    }
}

static int is_a_pipe_of_ours(const char *path) {
    struct stat found;
    if (stat(path, &found) < 0) return 0;
    for (int each = 0; each < 2; each++)
        if (found.st_dev == identities[each].st_dev && found.st_ino == identities[each].st_ino) return 1;
    return 0;
}

/* By other numbers than those that the script itself has, and which its own subshells inherit. */
static int holds(long process, const int *numbers) {
    char path[64];
    int found = 0;
    snprintf(path, sizeof path, "/proc/%ld/fd", process);
    DIR *folder = opendir(path);
    if (folder == NULL) return 0;
    for (struct dirent *entry; !found && (entry = readdir(folder)) != NULL;) {
        int number = atoi(entry->d_name);
        if (entry->d_name[0] == '.' || number == numbers[0] || number == numbers[1]) continue;
        snprintf(path, sizeof path, "/proc/%ld/fd/%d", process, number);
        found = is_a_pipe_of_ours(path);
    }
    closedir(folder);
    return found;
}

static int held_by(long process, const int *numbers) {
    return process != (long)getpid() && process != (long)getppid() && process != script && holds(process, numbers);
}

static int held_by_anyone(const int *numbers) {
    int found = 0;
    DIR *folder = opendir("/proc");
    if (folder == NULL) return 0;
    for (struct dirent *entry; !found && (entry = readdir(folder)) != NULL;) {
        long process = atol(entry->d_name);
        found = process > 0 && held_by(process, numbers);
    }
    closedir(folder);
    return found;
}

/* Whether a process that began since the capture before writes on the pipes. */
static int held(const int *numbers) {
    long latest = newest_process();
    if (latest < newest || latest - newest > MOST_PROCESSES) return held_by_anyone(numbers);
    for (long process = newest + 1; process <= latest; process++)
        if (held_by(process, numbers)) return 1;
    return 0;
}

static void close_write_ends(void) {
    for (int each = 0; each < 2; each++) {
        if (write_ends[each] >= 0) close(write_ends[each]);
        write_ends[each] = -1;
    }
}

static void leave(void) {
    left = 1;
    close_write_ends();
}

static void end_capture(const int *numbers) {
    char answer[96];
    size_t nuls = 0;
    settle(0);
    int is_held = held(numbers);
    for (double until = now() + LINGER_MS / 1e3; is_held && now() < until;) {
        settle(5);
        is_held = held(numbers);
    }
    settle(0);
    log_print_lines(lines, &nuls);
    is_held = is_held || took_over;
    int size = snprintf(answer, sizeof answer, "%zu %zu %d %d\n", log_cut, nuls, log_lost, is_held);
    if (log_cut == 0 && nuls == 0 && !log_lost && !is_held) size = snprintf(answer, sizeof answer, "\n");
    for (int each = 0; each < 2; each++)
        if (write_ends[each] >= 0) as_packets(write_ends[each]);
    if (write(replies[1], answer, (size_t)size) < 0) exit(0);
    if (is_held) leave();
}

static void signal_descendants(long process, int number) {
    char path[64];
    long child;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", process, process);
    FILE *file = fopen(path, "r");
    if (file == NULL) return;
    while (fscanf(file, "%ld", &child) == 1) {
        if (child == (long)getpid()) continue;
        signal_descendants(child, number);
        kill((pid_t)child, number);
    }
    fclose(file);
}

/* Ends what the script has running, so that it comes to its own end: it is told by SIGALRM. */
static void end_script(void) {
    struct timespec grace = {.tv_nsec = 200000000};
    kill((pid_t)script, SIGALRM);
    signal_descendants(script, SIGTERM);
    nanosleep(&grace, NULL);
    signal_descendants(script, SIGKILL);
}

static void obey(char *asked) {
    for (char *order = strtok(asked, "\n"); order != NULL; order = strtok(NULL, "\n")) {
        int numbers[2] = {-1, -1};
        if (order[0] == 'd' && !left && sscanf(order, "d %d %d", &numbers[0], &numbers[1]) >= 0)
            end_capture(numbers);
        if (order[0] == 'b') {
            log_clear();
            newest = newest_process();
            if (write(replies[1], "\n", 1) < 0) exit(0);
        }
        if (order[0] == 't') *deadline = now() + strtod(order + 1, NULL);
    }
}

static void take(unsigned which, unsigned events) {
    if (!left) log_take(which == STDOUT_PIPE ? '1' : '2', pipes[which]);
    while (left && drop(pipes[which])) continue;
    if (events & EPOLLHUP) {
        epoll_ctl(poller, EPOLL_CTL_DEL, pipes[which], NULL);
        open_pipes--;
    }
}

/* Events come in the order of the writes. */
static void serve(void) {
    struct epoll_event events[WATCHED];
    while (open_pipes > 0 || *deadline != 0) {
        char asked[4097] = "";
        double remaining = *deadline - now();
        int wait = *deadline == 0 ? -1 : remaining <= 0 ? 0 : (int)(remaining * 1000) + 1;
        int count = epoll_wait(poller, events, WATCHED, wait);
        for (int each = 0; each < count; each++) {
            unsigned which = events[each].data.u32;
            if (which == SCRIPT) return;
            if (which == ORDERS) {
                ssize_t size = read(orders[0], asked, sizeof asked - 1);
                asked[size > 0 ? size : 0] = 0;
            } else take(which, events[each].events);
        }
        obey(asked);
        if (*deadline != 0 && now() >= *deadline) {
            *deadline = 0;
            end_script();
        }
    }
}

/* They will be given again, unless they were obeyed: then the script reads `lines` at this moment. A bound has
 * no reply, so nobody gives it again. */
static void drop_orders(void) {
    char asked[4097];
    struct pollfd pending = {.fd = orders[0], .events = POLLIN};
    if (poll(&pending, 1, 0) <= 0) return;
    ssize_t size = read(orders[0], asked, sizeof asked - 1);
    asked[size > 0 ? size : 0] = 0;
    for (char *order = strtok(asked, "\n"); order != NULL; order = strtok(NULL, "\n"))
        if (order[0] == 't') *deadline = now() + strtod(order + 1, NULL);
}

/* Leaves the pipes after this capture: only who has their writing ends can clear the flags on them. */
static void take_over(void) {
    took_over = 1;
    watch_all(); /* anew: who was killed may have been told of writes that it did not take */
    log_mend();
    drop_orders();
    if (write(replies[1], "?\n", 2) < 0) exit(0);
}

/* Holds everything open, and has a child that records. If that is killed, another one goes on. */
static void guard(void) {
    for (int turn = 0, status; turn < TURNS; turn++) {
        pid_t child = fork();
        if (child < 0) fail("fork");
        if (child == 0) {
            if (turn > 0) take_over();
            serve();
            return;
        }
        close_write_ends();
        if (waitpid(child, &status, 0) < 0 || !WIFSIGNALED(status)) return;
    }
}

/* It ends with the script and not before it: whoever ends both still wants to see what a hook printed. */
static void outlive_signals(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) signal(numbers[i], SIG_IGN);
}

static int opened(const char *process, const char *number) {
    char path[96];
    snprintf(path, sizeof path, "/proc/%.20s/fd/%.20s", process, number);
    int place = open(path, O_RDONLY | O_NONBLOCK);
    if (place < 0) fail(path);
    return place;
}

/* The lines of a capture whose recorder was killed. */
static int finish(char **words) {
    size_t nuls = 0;
    log_open(opened(words[2], words[5]), opened(words[2], words[6]));
    for (int each = 0; each < 2; each++) log_take(each == 0 ? '1' : '2', opened(words[2], words[3 + each]));
    log_print_lines(1, &nuls);
    return 0;
}

int main(int count, char **words) {
    if (count == 7 && strcmp(words[1], "finish") == 0) return finish(words);
    if (count != 6) {
        fputs("usage: fairlead-recorder OUT_READ OUT_WRITE ERR_READ ERR_WRITE PID (hooks.bash starts it)\n", stderr);
        return 64;
    }
    outlive_signals();
    prepare(words);
    pid_t child = fork();
    if (child < 0) fail("fork");
    if (child > 0) {
        printf("%d %d %d %d %d %d\n", child, orders[0], replies[0], lines, log_data, log_index);
        return 0;
    }
    let_go_of_the_rest();
    guard();
    return 0;
}
