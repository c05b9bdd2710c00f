/* `managed.yaml` without a reader of YAML. */
#ifndef FAIRLEAD_PLAIN_H
#define FAIRLEAD_PLAIN_H

#include <stdbool.h>
#include <stddef.h>

bool plainly_forbids(const char *text, size_t length, const char *deed);

#endif
