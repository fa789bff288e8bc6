#!/bin/sh
# SPDX-License-Identifier: MIT
# Holds the documents that are named to their schemas in docs/; without them, the schemas to the rules of JSON Schema.
#
#   check-schema.sh [DOCUMENT.json ...]
set -u
docs=${srcdir:-$(dirname "$0")/..}/docs
python=
for candidate in /usr/bin/python3 python3; do
    "$candidate" -c 'import importlib.util as u, sys; sys.exit(not u.find_spec("jsonschema"))' 2> /dev/null &&
        python=$candidate && break
done
[ -n "$python" ] || { echo 'SKIPPED: no jsonschema for python3 (Debian: python3-jsonschema)'; exit 77; }

"$python" - "$docs" "$@" << 'END'
import glob
import json
import os
import sys
import warnings

import jsonschema


def strict(text):
    def refuse(word):
        raise ValueError(f"'{word}' is not valid JSON")

    return json.loads(text, parse_constant=refuse)


def undescribed(node, path):
    """Keys that nobody describes, and objects that would take any key."""
    if isinstance(node, list):
        for i, item in enumerate(node):
            yield from undescribed(item, f"{path}/{i}")
    if not isinstance(node, dict):
        return
    for key, value in node.get("properties", {}).items():
        if not value.get("description"):
            yield f"{path}/{key}: no description"
    if node.get("type") == "object" and node.get("additionalProperties") is not False:
        yield f"{path}: takes any key"
    for key, value in node.items():
        yield from undescribed(value, f"{path}/{key}")


# RefResolver is the one way that the older and the newer library have.
warnings.simplefilter("ignore", DeprecationWarning)
schemas, validators, faults = {}, {}, []
for path in sorted(glob.glob(os.path.join(sys.argv[1], "*-schema.json"))):
    with open(path, encoding="utf-8") as file:
        schemas[os.path.basename(path)] = strict(file.read())
for name, schema in schemas.items():
    validator = jsonschema.validators.validator_for(schema)
    if not sys.argv[2:]:
        validator.check_schema(schema)
        faults += [f"{name}{fault}" for fault in undescribed(schema, "#")]
    resolver = jsonschema.RefResolver("", schema, store=schemas)
    validators[schema["title"]] = validator(schema, resolver=resolver, format_checker=jsonschema.FormatChecker())
for path in sys.argv[2:]:
    try:
        with open(path, encoding="utf-8") as file:
            document = strict(file.read())
        keeper = validators[document["schema"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        faults.append(f"{path}: {error!r}")
        continue
    for error in keeper.iter_errors(document):
        faults.append(f"{path}: {error.json_path}: {error.message[:300]}")
print("\n".join(faults) or (f"{len(sys.argv) - 2} documents keep to their schemas" if sys.argv[2:] else
                            f"{len(schemas)} schemas are sound"))
sys.exit(1 if faults else 0)
END
