#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/carbon-fields.5, made from the program's descriptions of its documents.
#
#   fields-page.sh CARBON > docs/carbon-fields.5
set -eu
cat << 'END'
.\" SPDX-License-Identifier: MIT
.\" Made by build-aux/fields-page.sh of `carbon help --fields all`: change the tables in src, then `make fields`.
.Dd November 30, 2026
.Dt CARBON-FIELDS 5
.Os
.Sh NAME
.Nm carbon-fields
.Nd every field of carbon's documents
.Sh DESCRIPTION
The documents that the commands of
.Xr carbon 1
write as JSON, field by field, with the columns of CSV where there are some.
.Ql [\&]
means each item of a list.
A field that has the name of a part behind it
.Pq Ql object: factor
has the fields of that part, which are listed at the end.
The unit that ends a key is in brackets.
Times are UTC, and numbers the shortest that read back as the same value.
.Pp
Unknown values are null, never 0; a field that can be null for another reason says so.
.Ql carbon help --fields NAME
prints one document,
.Ql carbon help --schema NAME
its JSON Schema.
.Sh DOCUMENTS
END
"$1" help --fields all | sed 's/\\/\\e/g' | awk '
    /^[^ ]/ { if (open) print ".Ed"; open = 0
              if ($0 == "Parts of these") print ".Sh PARTS"; else print ".Ss " $0
              next }
    !open && /^$/ { next }
    !open { print ".Bd -literal"; open = 1 }
    /^$/ { blank = 1; next }
    { if (blank) print ""; blank = 0; print }
    END { if (open) print ".Ed" }'
cat << 'END'
.Sh SEE ALSO
.Xr carbon 1 ,
.Xr libcarbon 3
END
