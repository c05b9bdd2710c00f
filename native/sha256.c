/* SHA-256, as FIPS 180-4 describes it. The constants are the first bits of the fractions of roots of primes. */
#include "sha256.h"

#include <string.h>

enum { BLOCK = 64, ROUNDS = 64 };

static const uint32_t CONSTANTS[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t turned(uint32_t word, int bits) { return word >> bits | word << (32 - bits); }

static void spread(const uint8_t block[BLOCK], uint32_t words[ROUNDS]) {
    for (size_t i = 0; i < 16; i++) {
        const uint8_t *four = block + 4 * i;
        words[i] = (uint32_t)four[0] << 24 | (uint32_t)four[1] << 16 | (uint32_t)four[2] << 8 | four[3];
    }
    for (size_t i = 16; i < ROUNDS; i++) {
        const uint32_t early = words[i - 15], late = words[i - 2];
        const uint32_t one = turned(early, 7) ^ turned(early, 18) ^ early >> 3;
        const uint32_t two = turned(late, 17) ^ turned(late, 19) ^ late >> 10;
        words[i] = words[i - 16] + one + words[i - 7] + two;
    }
}

static void take_block(uint32_t state[8], const uint8_t block[BLOCK]) {
    uint32_t words[ROUNDS], s[8];
    spread(block, words);
    memcpy(s, state, sizeof s);
    for (size_t i = 0; i < ROUNDS; i++) {
        const uint32_t chosen = (s[4] & s[5]) ^ (~s[4] & s[6]), most = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        const uint32_t one = turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25);
        const uint32_t two = turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22);
        const uint32_t first = s[7] + one + chosen + CONSTANTS[i] + words[i];
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += first;
        s[0] = first + two + most;
    }
    for (size_t i = 0; i < 8; i++) state[i] += s[i];
}

void sha256(const void *data, size_t length, uint8_t digest[SHA256_LENGTH]) {
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const uint8_t *at = data;
    size_t left = length;
    for (; left >= BLOCK; left -= BLOCK, at += BLOCK) take_block(state, at);
    uint8_t rest[2 * BLOCK] = {0};
    memcpy(rest, at, left);
    rest[left] = 0x80;
    const size_t end = left + 9 > BLOCK ? 2 * BLOCK : BLOCK;
    const uint64_t bits = (uint64_t)length * 8;
    for (size_t i = 0; i < 8; i++) rest[end - 1 - i] = (uint8_t)(bits >> 8 * i);
    for (size_t i = 0; i < end; i += BLOCK) take_block(state, rest + i);
    for (size_t i = 0; i < SHA256_LENGTH; i++) digest[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}
