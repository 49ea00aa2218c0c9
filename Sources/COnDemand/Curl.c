// SPDX-License-Identifier: GPL-3.0-or-later
// The functions of libcurl that are called.
#include "OnDemand.h"
#include "../CCurl/shim.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>

// The name has been this since 2006; no macro of the headers has it.
#define LIBRARY "libcurl.so.4"
ON_DEMAND(void, curl_easy_cleanup, (CURL *curl), (curl))
ON_DEMAND(CURL *, curl_easy_init, (void), ())
ON_DEMAND(CURLcode, curl_easy_perform, (CURL *curl), (curl))
ON_DEMAND(const char *, curl_easy_strerror, (CURLcode p0), (p0))
ON_DEMAND(void, curl_free, (void *p), (p))
ON_DEMAND(time_t, curl_getdate, (const char *p, const time_t *unused), (p, unused))
ON_DEMAND(CURLcode, curl_global_init, (long flags), (flags))
ON_DEMAND(struct curl_slist *, curl_slist_append, (struct curl_slist *list, const char *data), (list, data))
ON_DEMAND(void, curl_slist_free_all, (struct curl_slist *list), (list))
ON_DEMAND(CURLU *, curl_url, (void), ())
ON_DEMAND(void, curl_url_cleanup, (CURLU *handle), (handle))
ON_DEMAND(CURLUcode, curl_url_get, (CURLU *handle, CURLUPart what, char **part, unsigned int flags),
    (handle, what, part, flags))
ON_DEMAND(CURLUcode, curl_url_set, (CURLU *handle, CURLUPart what, const char *part, unsigned int flags),
    (handle, what, part, flags))

// Every value of an option is a long, a pointer or a curl_off_t, which travel alike where all have 64 bits.
_Static_assert(sizeof(long) == sizeof(void *) && sizeof(curl_off_t) == sizeof(void *), "options of one size");
#undef curl_easy_setopt
CURLcode curl_easy_setopt(CURL *curl, CURLoption option, ...) {
  va_list values;
  va_start(values, option);
  void *value = va_arg(values, void *);
  va_end(values);
  return ((__typeof__(&curl_easy_setopt))tilawa_on_demand(LIBRARY, "curl_easy_setopt"))(curl, option, value);
}

CURLcode transfer_global_init(void) {
  void *library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);
  int (*OPENSSL_init_crypto)(uint64_t options, const void *settings) =
      library ? dlsym(library, "OPENSSL_init_crypto") : NULL;
  if (OPENSSL_init_crypto) OPENSSL_init_crypto(0x80000, NULL);
  return curl_global_init(CURL_GLOBAL_DEFAULT);
}
