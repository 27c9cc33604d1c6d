// Subresources, printer columns and selectable fields of a version.

import { duplicateValue, type FieldPath, invalidValue, requiredValue, tooMany } from "@celadon/kube/errors";
import { findField } from "../schema/field-path.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import type { PrinterColumn, Problems, SelectableField, Subresources } from "./definition.ts";

export function subresourceErrors(subresources: Subresources | undefined, path: FieldPath): Problems {
  const scale = subresources?.scale;
  if (scale === undefined) return [];
  const { specReplicasPath = "", statusReplicasPath = "", labelSelectorPath = "" } = scale;
  const errors = [
    ...replicasPath(
      specReplicasPath,
      ".spec.",
      "should be a json path under .spec",
      path.child("scale", "specReplicasPath"),
    ),
    ...replicasPath(
      statusReplicasPath,
      ".status.",
      "should be a json path under .status",
      path.child("scale", "statusReplicasPath"),
    ),
  ];
  if (labelSelectorPath === "") return errors;
  const here = path.child("scale", "labelSelectorPath");
  const problem = simplePathProblem(labelSelectorPath);
  if (problem !== undefined) errors.push(invalidValue(here, labelSelectorPath, problem));
  else if (!labelSelectorPath.startsWith(".spec.") && !labelSelectorPath.startsWith(".status.")) {
    errors.push(invalidValue(here, labelSelectorPath, "should be a json path under either .spec or .status"));
  }
  return errors;
}

function replicasPath(text: string, start: string, detail: string, path: FieldPath): Problems {
  if (text === "") return [requiredValue(path)];
  const problem = simplePathProblem(text) ?? (text.startsWith(start) ? undefined : detail);
  return problem === undefined ? [] : [invalidValue(path, text, problem)];
}

function simplePathProblem(text: string): string | undefined {
  return text.startsWith(".") ? undefined : "must be a simple json path starting with .";
}

const COLUMN_TYPES = "boolean,date,integer,number,string";
const COLUMN_FORMATS = "byte,date,date-time,double,float,int32,int64,password";

export function columnErrors(columns: readonly PrinterColumn[], path: FieldPath): Problems {
  return columns.flatMap((column, i) => oneColumnErrors(column, path.index(i)));
}

function oneColumnErrors({ name, type, format, jsonPath }: PrinterColumn, path: FieldPath): Problems {
  const errors: Problems = [];
  if (!name) errors.push(requiredValue(path.child("name")));
  const types = `must be one of ${COLUMN_TYPES}`;
  if (!type) errors.push(requiredValue(path.child("type"), types));
  else if (!COLUMN_TYPES.split(",").includes(type)) errors.push(invalidValue(path.child("type"), type, types));
  if (format && !COLUMN_FORMATS.split(",").includes(format)) {
    errors.push(invalidValue(path.child("format"), format, `must be one of ${COLUMN_FORMATS}`));
  }
  const here = path.child("JSONPath").standingAt([...path.steps, "jsonPath"]);
  if (!jsonPath) errors.push(requiredValue(here));
  else {
    const problem = simplePathProblem(jsonPath);
    if (problem !== undefined) errors.push(invalidValue(here, jsonPath, problem));
  }
  return errors;
}

export const MAX_SELECTABLE_FIELDS = 8;

export function selectableFieldErrors(
  fields: readonly SelectableField[],
  schema: JsonSchema,
  path: FieldPath,
  tooManyAllowed: boolean,
): Problems {
  const errors: Problems = [];
  const seen = new Set<string>();
  fields.forEach(({ jsonPath = "" }, i) => {
    const here = path.index(i).child("jsonPath");
    if (jsonPath === "") {
      errors.push(requiredValue(here));
      return;
    }
    const found = findField(jsonPath, schema, false);
    if (typeof found === "string") {
      errors.push(invalidValue(here, jsonPath, `is an invalid path: ${found}`));
      return;
    }
    if (found.root === "metadata") errors.push(invalidValue(here, jsonPath, "must not point to fields in metadata"));
    if (!SELECTABLE_TYPES.has(found.schema?.type)) errors.push(invalidValue(here, jsonPath, NOT_SELECTABLE));
    const text = found.path.toString();
    if (seen.has(text)) errors.push(duplicateValue(here, jsonPath));
    seen.add(text);
  });
  if (seen.size > MAX_SELECTABLE_FIELDS && !tooManyAllowed) {
    errors.push(tooMany(path, seen.size, MAX_SELECTABLE_FIELDS));
  }
  return errors;
}

const SELECTABLE_TYPES: ReadonlySet<string | undefined> = new Set(["string", "boolean", "integer"]);
const NOT_SELECTABLE =
  "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
