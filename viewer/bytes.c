/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bytes.c: see bytes.h.
 */
#include "bytes.h"

#include <stdlib.h>

void view_put(view_bytes *to, const void *from, size_t size) { (void)to, (void)from, (void)size; }
void view_put_text(view_bytes *to, const char *text) { (void)to, (void)text; }
void view_put_format(view_bytes *to, const char *format, ...) { (void)to, (void)format; }
void view_put_json_text(view_bytes *to, const char *text) { (void)to, (void)text; }
void view_put_json_number(view_bytes *to, double number) { (void)to, (void)number; }
void view_put_html_text(view_bytes *to, const char *text) { (void)to, (void)text; }
void view_put_base64(view_bytes *to, const void *from, size_t size) { (void)to, (void)from, (void)size; }
void view_bytes_release(view_bytes *bytes) { free(bytes->data); }
