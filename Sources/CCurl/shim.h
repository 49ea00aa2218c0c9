// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <curl/curl.h>

// Initialises libcurl. OpenSSL, which libcurl brings along in most builds, frees what it holds when the process exits,
// while threads that used it may still be ending: the heap is then damaged. With OPENSSL_INIT_NO_ATEXIT, 0x80000 in
// openssl/crypto.h, it leaves all to the system.
CURLcode transfer_global_init(void);

// Variadic functions, which Swift cannot call, once for each type of argument.

static inline CURLcode transfer_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode transfer_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode transfer_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode transfer_set_data(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode transfer_set_receiver(
    CURL *handle, CURLoption option, size_t (*receive)(char *, size_t, size_t, void *)) {
  return curl_easy_setopt(handle, option, receive);
}

static inline CURLcode transfer_set_progress(
    CURL *handle, int (*progress)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t)) {
  return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, progress);
}

static inline CURLcode transfer_set_check(CURL *handle, int (*check)(void *, char *, char *, int, int)) {
  return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, check);
}
