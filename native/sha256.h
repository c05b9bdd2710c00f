/* SHA-256 of texts that are there in one piece. */
#ifndef FAIRLEAD_SHA256_H
#define FAIRLEAD_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_LENGTH = 32 };

void sha256(const void *data, size_t length, uint8_t digest[SHA256_LENGTH]);

#endif
