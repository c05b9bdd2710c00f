/* What markers share that switch off where `off` is forbidden. */
#ifndef FAIRLEAD_GLASS_H
#define FAIRLEAD_GLASS_H

#include "sha256.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GLASS_SALT = 8 };

struct glass_code { /* KIND-SALT-PUBLIC */
    uint8_t salt[GLASS_SALT], public[SHA256_LENGTH];
};

struct glass_time { /* numbers as they are written; `longest` in seconds */
    const char *boot, *start, *end, *wall;
    int64_t longest;
};

/* glass.c */
bool from_hex(const char *text, size_t length, uint8_t *bytes);
bool read_glass_code(const char *text, char kind, struct glass_code *code);
bool read_glass_fields(char *text, const char *head, const char *const *names, size_t count, char **values);
bool is_glass_time(const struct glass_time *time);
bool is_glass_code_in_force(const char *code, const char *state);

/* spoken.c */
bool is_answered_marker(const char *marker);
bool is_answered_glass_broken(const char *marker, const char *state);

/* granted.c */
bool is_granted_marker(const char *marker);
bool is_granted(const char *marker, const char *state);

#endif
