#!/bin/sh
# SPDX-License-Identifier: MIT
# Holds the schemas in docs/ to the rules of JSON Schema, and the documents that are named to the one that they name.
#
#   check-schema.sh [DOCUMENT.json ...]
set -u
docs=${srcdir:-$(dirname "$0")/..}/docs
python=
for candidate in /usr/bin/python3 python3; do
    "$candidate" -c 'import jsonschema' 2> /dev/null && python=$candidate && break
done
[ -n "$python" ] || { echo 'SKIPPED: no jsonschema for python3 (Debian: python3-jsonschema)'; exit 77; }

"$python" - "$docs" "$@" << 'END'
import glob
import json
import os
import sys

import jsonschema


def strict(text):
    def refuse(word):
        raise ValueError(f"'{word}' is no JSON")

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


faults, validators = [], {}
for path in sorted(glob.glob(os.path.join(sys.argv[1], "*-schema.json"))):
    with open(path, encoding="utf-8") as file:
        schema = strict(file.read())
    validator = jsonschema.validators.validator_for(schema)
    validator.check_schema(schema)
    validators[schema["title"]] = validator(schema, format_checker=jsonschema.FormatChecker())
    faults += [f"{path}{fault}" for fault in undescribed(schema, "#")]
for path in sys.argv[2:]:
    try:
        with open(path, encoding="utf-8") as file:
            document = strict(file.read())
        validator = validators[document["schema"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        faults.append(f"{path}: {type(error).__name__}: {error}")
        continue
    for error in validator.iter_errors(document):
        faults.append(f"{path}: {error.json_path}: {error.message[:300]}")
print("\n".join(faults) or f"{len(validators)} schemas are sound; {len(sys.argv) - 2} documents keep to theirs")
sys.exit(1 if faults else 0)
END
