// The types of the fields of a response, as Go decodes them: a response with a wrong type is an error, and
// failurePolicy decides. The first wrong field in document order is reported. Upstream: k8s.io/api admission/v1,
// encoding/json.

import { Double, decodeBase64, isRecord } from "@celadon/base";

type Type =
  | { readonly is: "string" | "bool" | "int32" | "bytes" | "strings" | "map"; readonly go: string }
  | { readonly is: "struct"; readonly go: string; readonly name: string; readonly fields: Fields };
type Fields = ReadonlyMap<string, Type>;

const text = (go = "string"): Type => ({ is: "string", go });

const STATUS: Fields = new Map<string, Type>([
  ["kind", text()],
  ["apiVersion", text()],
  ["status", text()],
  ["message", text()],
  ["reason", text("v1.StatusReason")],
  ["code", { is: "int32", go: "int32" }],
  ["details", { is: "struct", go: "v1.StatusDetails", name: "StatusDetails", fields: new Map() }],
]);
const RESPONSE: Fields = new Map<string, Type>([
  ["uid", text("types.UID")],
  ["allowed", { is: "bool", go: "bool" }],
  ["status", { is: "struct", go: "v1.Status", name: "Status", fields: STATUS }],
  ["patch", { is: "bytes", go: "[]uint8" }],
  ["patchType", text("v1.PatchType")],
  ["auditAnnotations", { is: "map", go: "map[string]string" }],
  ["warnings", { is: "strings", go: "[]string" }],
]);
const REVIEW: Fields = new Map<string, Type>([
  ["response", { is: "struct", go: "v1.AdmissionResponse", name: "AdmissionResponse", fields: RESPONSE }],
]);

/** Why a review cannot be decoded; undefined when it can. */
export function decodingProblem(review: unknown): string | undefined {
  return isRecord(review) ? structProblem(review, "AdmissionReview", REVIEW, "") : undefined;
}

function structProblem(
  data: Readonly<Record<string, unknown>>,
  name: string,
  fields: Fields,
  path: string,
): string | undefined {
  for (const [key, value] of Object.entries(data)) {
    const type = fields.get(key);
    const problem = type && valueProblem(value, type, name, path === "" ? key : `${path}.${key}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function valueProblem(value: unknown, type: Type, struct: string, path: string): string | undefined {
  if (value === null || value === undefined) return undefined;
  const wrong = (got: unknown, go: string, shown = ""): string =>
    `json: cannot unmarshal ${kindOf(got)}${shown} into Go struct field ${struct}.${path} of type ${go}`;
  const notText = (item: unknown): boolean => item !== null && typeof item !== "string";
  switch (type.is) {
    case "struct":
      return isRecord(value) ? structProblem(value, type.name, type.fields, path) : wrong(value, type.go);
    case "bool":
      return typeof value === "boolean" ? undefined : wrong(value, type.go);
    case "int32":
      if (typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 2 ** 31) return undefined;
      return wrong(value, type.go, kindOf(value) === "number" ? ` ${numberText(value)}` : "");
    case "strings": {
      if (!Array.isArray(value)) return wrong(value, type.go);
      const at = value.findIndex(notText);
      return at === -1 ? undefined : wrong(value[at], "string");
    }
    case "map": {
      if (!isRecord(value)) return wrong(value, type.go);
      const odd = Object.values(value).find(notText);
      return odd === undefined ? undefined : wrong(odd, "string");
    }
    default:
      if (typeof value !== "string") return wrong(value, type.go);
      return type.is === "bytes" ? base64Problem(value) : undefined;
  }
}

function kindOf(value: unknown): string {
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  if (Array.isArray(value)) return "array";
  return isRecord(value) ? "object" : "number";
}

function numberText(value: unknown): string {
  return value instanceof Double ? `${value.value}.0` : String(value);
}

/** The problem of a base64 text, as encoding/base64 reports it: standard digits with padding, line breaks skipped. */
function base64Problem(given: string): string | undefined {
  const bytes = decodeBase64(given);
  return typeof bytes === "number" ? `illegal base64 data at input byte ${bytes}` : undefined;
}
