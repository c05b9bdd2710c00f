/* The few functions of a C library that the client uses, on bare system calls (Linux, x86-64).
 *
 * A C library starts by asking the processor for all its features. In a virtual machine every such question
 * traps, and starting the library takes longer than the whole call: 270 of 400 microseconds where this was
 * measured. Other platforms, and the builds with sanitizers, use the system's library.
 */
#ifdef FAIRLEAD_NO_LIBC
#define _DEFAULT_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int count, char **words);

char **environ;
static const unsigned long *auxiliary; /* pairs of type and value, from the kernel */
static int last_error;
int *__errno_location(void) { return &last_error; }

/* --- the kernel ------------------------------------------------------------------------------------------ */

/* A sixth argument, which only mmap() has, is zero. */
static long ask_kernel(long number, long a, long b, long c, long d, long e) {
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = 0;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

static long call_kernel(long number, long a, long b, long c, long d, long e) {
    const long result = ask_kernel(number, a, b, c, d, e);
    if (result >= 0 || result < -4095) return result;
    last_error = (int)-result;
    return -1;
}

#define CALL(number, a, b, c) call_kernel(number, (long)(a), (long)(b), (long)(c), 0, 0)

__attribute__((used, noreturn)) static void start(long *stack) {
    const int count = (int)stack[0];
    char **words = (char **)(stack + 1);
    environ = words + count + 1;
    char **end = environ;
    while (*end != NULL) end++;
    auxiliary = (const unsigned long *)(end + 1);
    _exit(main(count, words));
}

__asm__(".globl _start\n"
        "_start:\n"
        "    xor %ebp, %ebp\n"
        "    mov %rsp, %rdi\n"
        "    and $-16, %rsp\n"
        "    call start\n");

unsigned long getauxval(unsigned long type) {
    for (const unsigned long *pair = auxiliary; pair[0] != AT_NULL; pair += 2)
        if (pair[0] == type) return pair[1];
    return 0;
}

long syscall(long number, ...) {
    long given[5];
    va_list rest;
    va_start(rest, number);
    for (size_t i = 0; i < 5; i++) given[i] = va_arg(rest, long);
    va_end(rest);
    return call_kernel(number, given[0], given[1], given[2], given[3], given[4]);
}

void _exit(int code) {
    for (;;) ask_kernel(SYS_exit_group, code, 0, 0, 0, 0);
}

ssize_t read(int fd, void *data, size_t length) { return CALL(SYS_read, fd, data, length); }
ssize_t write(int fd, const void *data, size_t length) { return CALL(SYS_write, fd, data, length); }
int close(int fd) { return (int)CALL(SYS_close, fd, 0, 0); }
int poll(struct pollfd *ends, nfds_t count, int milliseconds) { return (int)CALL(SYS_poll, ends, count, milliseconds); }
int fstat(int fd, struct stat *found) { return (int)CALL(SYS_fstat, fd, found, 0); }
int stat(const char *path, struct stat *found) { return (int)CALL(SYS_stat, path, found, 0); }
int lstat(const char *path, struct stat *found) { return (int)CALL(SYS_lstat, path, found, 0); }
int access(const char *path, int mode) { return (int)CALL(SYS_access, path, mode, 0); }
int pipe2(int ends[2], int flags) { return (int)CALL(SYS_pipe2, ends, flags, 0); }
int mkdir(const char *path, mode_t mode) { return (int)CALL(SYS_mkdir, path, mode, 0); }
int unlink(const char *path) { return (int)CALL(SYS_unlink, path, 0, 0); }
int rename(const char *from, const char *to) { return (int)CALL(SYS_rename, from, to, 0); }
int fsync(int fd) { return (int)CALL(SYS_fsync, fd, 0, 0); }
int dup2(int from, int to) { return (int)CALL(SYS_dup2, from, to, 0); }
int kill(pid_t process, int number) { return (int)CALL(SYS_kill, process, number, 0); }
uid_t getuid(void) { return (uid_t)CALL(SYS_getuid, 0, 0, 0); }
pid_t waitpid(pid_t process, int *status, int options) {
    return (pid_t)call_kernel(SYS_wait4, process, (long)status, options, 0, 0);
}
pid_t fork(void) { return (pid_t)CALL(SYS_fork, 0, 0, 0); }
int socket(int family, int type, int protocol) { return (int)CALL(SYS_socket, family, type, protocol); }
ssize_t readlink(const char *path, char *name, size_t room) { return CALL(SYS_readlink, path, name, room); }
ssize_t getrandom(void *data, size_t length, unsigned flags) { return CALL(SYS_getrandom, data, length, flags); }
int clock_gettime(clockid_t clock, struct timespec *now) { return (int)CALL(SYS_clock_gettime, clock, now, 0); }
ssize_t sendmsg(int fd, const struct msghdr *message, int flags) { return CALL(SYS_sendmsg, fd, message, flags); }

int connect(int fd, const struct sockaddr *address, socklen_t length) {
    return (int)CALL(SYS_connect, fd, address, length);
}

int getsockopt(int fd, int level, int option, void *value, socklen_t *length) {
    return (int)call_kernel(SYS_getsockopt, fd, level, option, (long)value, (long)length);
}

int execve(const char *path, char *const words[], char *const environment[]) {
    return (int)CALL(SYS_execve, path, words, environment);
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const int mode = (flags & O_CREAT) != 0 ? va_arg(rest, int) : 0;
    va_end(rest);
    return (int)CALL(SYS_open, path, flags, mode);
}

int fcntl(int fd, int command, ...) {
    va_list rest;
    va_start(rest, command);
    const long argument = va_arg(rest, long);
    va_end(rest);
    return (int)CALL(SYS_fcntl, fd, command, argument);
}

char *getcwd(char *path, size_t room) { return CALL(SYS_getcwd, path, room, 0) > 0 ? path : NULL; }

time_t time(time_t *unused) {
    struct timespec now = {0};
    (void)unused;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec;
}

/* Only for SIG_IGN and SIG_DFL: a function would need a way back from it. */
__sighandler_t signal(int number, __sighandler_t action) {
    const struct {
        __sighandler_t action;
        unsigned long flags;
        void (*way_back)(void);
        unsigned long mask;
    } wanted = {action, 0, NULL, 0};
    return call_kernel(SYS_rt_sigaction, number, (long)&wanted, 0, sizeof wanted.mask, 0) == 0 ? SIG_DFL : SIG_ERR;
}

/* --- memory ---------------------------------------------------------------------------------------------- */

void *memcpy(void *restrict to, const void *restrict from, size_t length) {
    void *result = to;
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(length) : : "memory");
    return result;
}

void *memset(void *to, int byte, size_t length) {
    void *result = to;
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(length) : "a"(byte) : "memory");
    return result;
}

void *memmove(void *to, const void *from, size_t length) {
    char *target = to;
    const char *source = from;
    if (target <= source || target >= source + length) return memcpy(to, from, length);
    while (length-- > 0) target[length] = source[length];
    return to;
}

int memcmp(const void *one, const void *other, size_t length) {
    const unsigned char *a = one, *b = other;
    for (size_t i = 0; i < length; i++)
        if (a[i] != b[i]) return a[i] - b[i];
    return 0;
}

enum { LARGE = 64 * 1024, ARENA = 256 * 1024 }; /* of which only what is touched takes memory */
struct block { /* in front of what malloc() gives; 16 bytes, so that the rest stays aligned */
    size_t size, mapped;
};

static char arena[ARENA] __attribute__((aligned(16)));
static size_t taken;

/* Small blocks come from the arena and are never given back: the client lives for a millisecond. */
void *malloc(size_t length) {
    const size_t size = (length + sizeof(struct block) + 15) & ~(size_t)15;
    if (length > SIZE_MAX / 2) return NULL;
    struct block *block;
    if (size < LARGE && taken + size <= ARENA) {
        block = (struct block *)(arena + taken);
        taken += size;
        *block = (struct block){size, 0};
        return block + 1;
    }
    const long place = ask_kernel(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    if (place < 0 && place >= -4095) return NULL;
    block = (struct block *)place;
    *block = (struct block){size, 1};
    return block + 1;
}

void free(void *data) {
    if (data == NULL) return;
    struct block *block = (struct block *)data - 1;
    if (block->mapped) ask_kernel(SYS_munmap, (long)block, (long)block->size, 0, 0, 0);
}

void *realloc(void *data, size_t length) {
    if (data == NULL) return malloc(length);
    const size_t had = ((struct block *)data - 1)->size - sizeof(struct block);
    if (length <= had) return data;
    void *grown = malloc(length);
    if (grown == NULL) return NULL;
    memcpy(grown, data, had);
    free(data);
    return grown;
}

void *calloc(size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / 2 / size) return NULL;
    void *data = malloc(count * size);
    return data == NULL ? NULL : memset(data, 0, count * size);
}

/* --- text ------------------------------------------------------------------------------------------------ */

size_t strlen(const char *text) {
    size_t length = 0;
    while (text[length] != '\0') length++;
    return length;
}

int strncmp(const char *one, const char *other, size_t most) {
    for (size_t i = 0; i < most; i++) {
        const unsigned char a = (unsigned char)one[i], b = (unsigned char)other[i];
        if (a != b || a == '\0') return a - b;
    }
    return 0;
}

int strcmp(const char *one, const char *other) { return strncmp(one, other, SIZE_MAX); }

char *strchr(const char *text, int character) {
    for (;; text++) {
        if (*text == (char)character) return (char *)text;
        if (*text == '\0') return NULL;
    }
}

char *strrchr(const char *text, int character) {
    char *found = NULL;
    for (; (text = strchr(text, character)) != NULL; text++) found = (char *)text;
    return found;
}

char *strstr(const char *text, const char *part) {
    const size_t length = strlen(part);
    for (; *text != '\0'; text++)
        if (strncmp(text, part, length) == 0) return (char *)text;
    return length == 0 ? (char *)text : NULL;
}

size_t strcspn(const char *text, const char *ends) {
    size_t length = 0;
    while (text[length] != '\0' && strchr(ends, text[length]) == NULL) length++;
    return length;
}

size_t strspn(const char *text, const char *letters) {
    size_t length = 0;
    while (text[length] != '\0' && strchr(letters, text[length]) != NULL) length++;
    return length;
}

static int small(char letter) { return letter >= 'A' && letter <= 'Z' ? letter + ('a' - 'A') : (unsigned char)letter; }

int strcasecmp(const char *one, const char *other) {
    for (; *one != '\0' && small(*one) == small(*other); one++) other++;
    return small(*one) - small(*other);
}

char *strndup(const char *text, size_t most) {
    size_t length = 0;
    while (length < most && text[length] != '\0') length++;
    char *copy = malloc(length + 1);
    if (copy == NULL) return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *strdup(const char *text) { return strndup(text, strlen(text)); }

char *stpcpy(char *restrict to, const char *restrict from) {
    const size_t length = strlen(from);
    memcpy(to, from, length + 1);
    return to + length;
}

char *strsep(char **rest, const char *ends) {
    char *part = *rest;
    if (part == NULL) return NULL;
    char *end = part + strcspn(part, ends);
    *rest = *end == '\0' ? NULL : end + 1;
    *end = '\0';
    return part;
}

#else
typedef int the_system_has_a_library;
#endif
