/* What each system does in its own way: linux/ and macos/. */
#ifndef FAIRLEAD_SYSTEM_H
#define FAIRLEAD_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/un.h>

/* All of it, or false. */
bool fill_with_random(void *data, size_t length);

/* Closed when another program is started, as everything that the client opens. */
bool open_pipe(int ends[2]);

/* Never waits; -1 when there is none. */
int open_local_socket(void);

/* Whether whoever listens there runs as the same user. */
bool is_peer_ours(int fd);

/* For a folder whose name is too long for the address of a socket: its address by another way, and the descriptor
 * that keeps it valid, or -1 when it is not a private folder or there is no other way. */
int name_by_other_way(const char *directory, const char *name, struct sockaddr_un *address);

/* The name by which this program was started; empty when nobody knows. */
const char *started_as(void);

/* The file that runs, links followed, without a zero at its end; returns its length, 0 when nobody knows. */
size_t own_file(char *path, size_t room);

/* Which files this process sees, as far as the system says: two that see others have another name for it. A new
 * string; empty when nobody knows. */
char *name_root(void);

/* Names this start of the machine, as a new string; empty when nobody knows. */
char *name_boot(void);

/* Since then, asleep or awake, by a clock that nobody can set; -1 when nobody knows. */
int64_t seconds_since_boot(void);

/* The home of the uid when nobody has recorded it, as a new string or NULL. */
char *look_up_home(void);

/* What speaks against a person at the terminal; NULL when nothing does. */
const char *why_no_person(void);

#endif
