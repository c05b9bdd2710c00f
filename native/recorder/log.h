/* What was read from the pipes of hooks, and whose it is. It is in files of memory that the script has open as
 * well, so that it outlives this process. `log_index` holds for each write a byte for its stream and four for
 * its length. */

#include <stddef.h>

extern int log_data, log_index;
extern size_t log_cut; /* bytes of the middle that were too many to keep */
extern int log_lost;   /* whether contract lines were among them */

void log_create(void);
void log_open(int data, int index);
void log_clear(void);
void log_mend(void);
void log_take(char tag, int pipe);
void log_print_lines(int place, size_t *nuls);
void fail(const char *what) __attribute__((noreturn));
