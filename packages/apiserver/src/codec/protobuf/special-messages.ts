// Messages that stand for something other than an object: times, quantities, numbers or texts, raw JSON, lists.

import { toJson } from "@celadon/base";
import { readStoredJson } from "@celadon/kube/read";

type Fields = Readonly<Record<string, unknown>>;

/** From the fields of the message to its JSON; undefined leaves the field out. */
export const SPECIAL_MESSAGES: Readonly<Record<string, (fields: Fields) => unknown>> = {
  "meta/v1.Time": ({ seconds, nanos }) => timeText(seconds, nanos, 0),
  "meta/v1.MicroTime": ({ seconds, nanos }) => timeText(seconds, nanos, 6),
  "api/resource.Quantity": ({ string }) => string ?? "0",
  "util/intstr.IntOrString": ({ type, intVal, strVal }) => (type === 1 ? (strVal ?? "") : (intVal ?? 0)),
  "meta/v1.FieldsV1": ({ Raw }) => rawJson(Raw),
  "pkg/runtime.RawExtension": ({ raw }) => rawJson(raw),
  "apiextensions/v1.JSON": ({ raw }) => rawJson(raw),
  "apiextensions/v1.JSONSchemaPropsOrBool": ({ allows, schema }) => schema ?? allows ?? false,
  "apiextensions/v1.JSONSchemaPropsOrArray": ({ schema, jSONSchemas }) => schema ?? jSONSchemas ?? [],
  "apiextensions/v1.JSONSchemaPropsOrStringArray": ({ schema, property }) => schema ?? property ?? [],
  "authentication/v1.ExtraValue": ({ items }) => items ?? [],
  "authorization/v1.ExtraValue": ({ items }) => items ?? [],
  "certificates/v1.ExtraValue": ({ items }) => items ?? [],
  "meta/v1.Verbs": ({ items }) => items ?? [],
};

/** An empty value is no time. */
function timeText(seconds: unknown, nanos: unknown, digits: number): string | null {
  if (seconds === undefined && nanos === undefined) return null;
  const text = new Date(Number(seconds ?? 0) * 1000).toISOString().slice(0, 19);
  if (digits === 0) return `${text}Z`;
  return `${text}.${String(Math.floor(Number(nanos ?? 0) / 1000)).padStart(digits, "0")}Z`;
}

function rawJson(base64: unknown): unknown {
  if (typeof base64 !== "string" || base64 === "") return null;
  return readStoredJson(Buffer.from(base64, "base64"));
}

/** From the JSON of such a message to its fields. */
export const SPECIAL_FIELDS: Readonly<Record<string, (value: unknown) => Fields>> = {
  "meta/v1.Time": timeFields,
  "meta/v1.MicroTime": timeFields,
  "api/resource.Quantity": (string) => ({ string }),
  "util/intstr.IntOrString": (value) =>
    typeof value === "string" ? { type: 1, strVal: value } : { type: 0, intVal: value },
  "meta/v1.FieldsV1": (value) => ({ Raw: base64(value) }),
  "pkg/runtime.RawExtension": (value) => ({ raw: base64(value) }),
  "apiextensions/v1.JSON": (value) => ({ raw: base64(value) }),
  "apiextensions/v1.JSONSchemaPropsOrBool": (value) =>
    typeof value === "boolean" ? { allows: value } : { allows: true, schema: value },
  "apiextensions/v1.JSONSchemaPropsOrArray": (value) =>
    Array.isArray(value) ? { jSONSchemas: value } : { schema: value },
  "apiextensions/v1.JSONSchemaPropsOrStringArray": (value) =>
    Array.isArray(value) ? { property: value } : { schema: value },
  "authentication/v1.ExtraValue": (items) => ({ items }),
  "authorization/v1.ExtraValue": (items) => ({ items }),
  "certificates/v1.ExtraValue": (items) => ({ items }),
  "meta/v1.Verbs": (items) => ({ items }),
};

function timeFields(text: unknown): Fields {
  const milliseconds = Date.parse(String(text));
  const fraction = /\.(\d{1,9})/.exec(String(text))?.[1] ?? "";
  return { seconds: Math.floor(milliseconds / 1000), nanos: Number(fraction.padEnd(9, "0")) };
}

const base64 = (value: unknown): string => Buffer.from(toJson(value)).toString("base64");
