/* Records what hooks in a bash script write: the same as src/fairlead/doors/bash/bridge.py, and quicker to
 * start. Arguments: the pipes that hooks write on (stdout, stderr), the pipe of orders, the script's process
 * id. Orders: `b` begins a capture, `d` ends it, `t SECONDS` bounds the rest of the script. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { STDOUT_PIPE, STDERR_PIPE, ORDERS, SCRIPT, WATCHED };
enum { PACKET = 65536, MOST_BYTES = 64 << 20, MOST_WRITES = 1000000 };

struct write {
    char tag;
    size_t start, end; /* in `written`; `start` moves on as lines are taken */
};

static char *written;
static size_t written_size, written_room;
static struct write *writes;
static size_t writes_count, writes_room;
static size_t dropped; /* bytes that were too many to keep */

static char page[1 << 16];
static size_t page_size;
static off_t place_size;
static int place;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void *grown(void *memory, size_t size) {
    void *more = realloc(memory, size);
    if (more == NULL) fail("memory");
    return more;
}

/* A reading end of our own. The flag is on that of the script, which we share while we hold it. */
static int opened(int number) {
    char path[64], before[PACKET];
    int flags = fcntl(number, F_GETFL);
    if (flags < 0 || fcntl(number, F_SETFL, flags | O_DIRECT) < 0) fail("packets");
    if (fcntl(number, F_SETPIPE_SZ, 1) < 0) fail("one slot");
    snprintf(path, sizeof path, "/proc/self/fd/%d", number);
    int own = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (own < 0) fail("pipe");
    close(number);
    /* What was there before it was in packet mode would swallow the first packet. */
    if (read(own, before, sizeof before) < 0 && errno != EAGAIN) fail("pipe");
    return own;
}

static void watch(int poller, int descriptor, unsigned which, unsigned events) {
    struct epoll_event event = {.events = events, .data.u32 = which};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event) < 0) fail("epoll");
}

static void record(char tag, const char *data, size_t size) {
    if (written_size + size > MOST_BYTES || writes_count == MOST_WRITES) {
        dropped += size;
        return;
    }
    if (written_size + size > written_room)
        written = grown(written, written_room = (written_size + size) * 2);
    memcpy(written + written_size, data, size);
    if (writes_count == writes_room)
        writes = grown(writes, (writes_room = writes_room * 2 + 64) * sizeof *writes);
    writes[writes_count++] = (struct write){tag, written_size, written_size + size};
    written_size += size;
}

static void flush_page(void) {
    for (size_t done = 0; done < page_size;) {
        ssize_t put = pwrite(place, page + done, page_size - done, place_size);
        if (put < 0) fail("capture");
        done += (size_t)put;
        place_size += put;
    }
    page_size = 0;
}

static void put(char byte) {
    if (byte == 0) return; /* a shell cannot hold it */
    if (page_size == sizeof page) flush_page();
    page[page_size++] = byte;
}

/* Puts what is left of a line in one write; 1 when it ended there. */
static int take_line(struct write *from) {
    while (from->start < from->end) {
        char byte = written[from->start++];
        if (byte == '\n') return 1;
        put(byte);
    }
    return 0;
}

/* Whole lines, each at the place of its first byte. */
static size_t keep(void) {
    size_t lines = 0;
    page_size = 0;
    place_size = 0;
    if (ftruncate(place, 0) < 0) fail("capture");
    for (size_t each = 0; each < writes_count; each++) {
        while (writes[each].start < writes[each].end) {
            size_t next = each;
            put(writes[each].tag);
            put(':');
            put(' ');
            while (!take_line(&writes[next])) {
                do next++;
                while (next < writes_count && writes[next].tag != writes[each].tag);
                if (next >= writes_count) break;
            }
            put('\n');
            lines++;
        }
    }
    flush_page();
    return lines;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
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
static void end_script(long script) {
    struct timespec grace = {.tv_nsec = 200000000};
    kill((pid_t)script, SIGALRM);
    signal_descendants(script, SIGTERM);
    nanosleep(&grace, NULL);
    signal_descendants(script, SIGKILL);
}

static void obey(const char *order, double *deadline) {
    char answer[64];
    if (order[0] == 'd') {
        int size = snprintf(answer, sizeof answer, "%zu %zu\n", keep(), dropped);
        if (write(1, answer, (size_t)size) < 0) exit(0);
    }
    if (order[0] == 'd' || order[0] == 'b') written_size = writes_count = dropped = 0;
    if (order[0] == 't') *deadline = now() + strtod(order + 1, NULL);
}

static void serve(int poller, const int *pipes, long script) {
    static char packet[PACKET + 1];
    struct epoll_event events[WATCHED];
    double deadline = 0;
    for (;;) {
        double left = deadline - now();
        int wait = deadline == 0 ? -1 : left <= 0 ? 0 : (int)(left * 1000) + 1;
        int count = epoll_wait(poller, events, WATCHED, wait);
        if (count < 0 && errno != EINTR) fail("epoll");
        for (int each = 0; each < count; each++) {
            unsigned which = events[each].data.u32;
            if (which == SCRIPT) return;
            ssize_t size = read(pipes[which], packet, PACKET);
            if (size <= 0) continue;
            packet[size] = 0;
            if (which == ORDERS)
                obey(packet, &deadline);
            else
                record(which == STDOUT_PIPE ? '1' : '2', packet, (size_t)size);
        }
        if (deadline != 0 && now() >= deadline) {
            end_script(script);
            deadline = 0;
        }
    }
}

/* It ends with the script and not before it: whoever ends both still wants to see what a hook printed. */
static void outlive_signals(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) signal(numbers[i], SIG_IGN);
}

int main(int count, char **words) {
    outlive_signals();
    int pipes[3];
    if (count != 5) {
        fputs("usage: fairlead-recorder STDOUT STDERR ORDERS PID (hooks.bash starts it)\n", stderr);
        return 64;
    }
    int poller = epoll_create1(EPOLL_CLOEXEC);
    for (unsigned each = 0; each < 3; each++) {
        pipes[each] = opened(atoi(words[each + 1]));
        watch(poller, pipes[each], each, EPOLLIN | EPOLLET);
    }
    long script = atol(words[4]);
    int alive = (int)syscall(SYS_pidfd_open, (pid_t)script, 0);
    if (alive < 0) fail("pidfd");
    watch(poller, alive, SCRIPT, EPOLLIN);
    place = memfd_create("capture", 0);
    if (place < 0) fail("memfd");
    printf("/proc/%ld/fd/%d\n", (long)getpid(), place);
    fflush(stdout);
    serve(poller, pipes, script);
    return 0;
}
