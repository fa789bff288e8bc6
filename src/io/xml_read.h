/* SPDX-License-Identifier: MIT
 * An XML document, as the JSON that says the same: an element with others in it is an object, any other is its text;
 * elements of one name stand one after the other under one key. Attributes and prefixes of names are left out. Used by
 * grid/live.c. Begin with xml_to_json(). */
#ifndef IO_XML_READ_H
#define IO_XML_READ_H

#include "base/error.h"

/* Freed by the caller. NULL: not a complete document, or it has a document type (and so its own entities). */
char *xml_to_json(const char *xml, struct error *err) MUST_CHECK;

#endif
