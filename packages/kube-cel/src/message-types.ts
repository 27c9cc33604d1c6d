// Type names that come with every Kubernetes environment beside its own: protobuf's well-known messages, and the scalar names
// of declared types. Most of them pass the checker and then have no value, so that a program that reads one cannot be made.

import { quoteGo } from "@celadon/base";
import {
  ANY,
  BYTES,
  type CelError,
  celError,
  DURATION,
  isError,
  NULL,
  STRING,
  TIMESTAMP,
  type Type,
} from "@celadon/cel";
import {
  composeProviders,
  type Field,
  hostValue,
  type StructType,
  type TypeProvider,
  wellKnownTypesOf,
} from "@celadon/cel/types";
import { notFromHost } from "@celadon/cel/values";
import { byteText } from "./url/byte-text.ts";

/** Messages whose names are values too. */
const NAMED: ReadonlySet<string> = new Set([
  "google.protobuf.Duration",
  "google.protobuf.Timestamp",
  "google.protobuf.Empty",
]);

function messagesOf(release: number): TypeProvider {
  const known = wellKnownTypesOf(release);
  return {
    findStruct(name) {
      const found = name === "google.protobuf.Any" ? anyMessage : known.findStruct(name);
      return found === undefined || NAMED.has(name) ? found : { ...found, named: false };
    },
    findIdent: (name) => known.findIdent(name),
    hasPrefix: (first) => first === "google",
  };
}

const ANY_FIELDS: ReadonlyMap<string, Field> = new Map([
  ["type_url", { name: "type_url", type: STRING }],
  ["value", { name: "value", type: BYTES }],
]);

/** Can be written and never evaluated: it would have to hold a message of a type that nobody knows. */
const anyMessage: StructType = {
  type: ANY,
  field: (name) => ANY_FIELDS.get(name),
  fieldNames: () => [...ANY_FIELDS.keys()],
  create: (fields) => {
    const shown: string[] = [];
    for (const [name, value] of fields) {
      const taken = hostValue(value, name === "value" ? "[]uint8" : "string");
      if (isError(taken)) {
        const place = `google.protobuf.Any.${name}`;
        return celError("conversion", `field type conversion error for ${place} value type: ${taken.message}`);
      }
      const text = taken instanceof Uint8Array ? byteText(taken) : String(taken);
      if (text !== "") shown.push(`${name}:${quoteGo(text)}`);
    }
    return notFromHost("*dynamicpb.Message", shown.join(" "));
  },
};

const scalar = (type: Type, name: string, named: boolean): [string, StructType] => [
  name,
  {
    type,
    named,
    declared: !named,
    field: () => undefined,
    fieldNames: () => [],
    create: (): CelError => celError("invalid_argument", `unknown type '${name}'`),
  },
];
const scalars = new Map<string, StructType>([
  scalar(DURATION, "duration", false),
  scalar(TIMESTAMP, "timestamp", false),
  scalar(NULL, "null_type", true), // a name of the standard library's, too
]);

const scalarNames: TypeProvider = {
  findStruct: (name) => scalars.get(name),
  findIdent: () => undefined,
  hasPrefix: () => false,
};

const made = new Map<number, TypeProvider>();

/** The types of a release of cel-go that exist without declared types. */
export function messageTypes(release: number): TypeProvider {
  let provider = made.get(release);
  if (provider === undefined) made.set(release, (provider = messagesOf(release)));
  return provider;
}

/** Declared types, with the messages of google.protobuf. */
export function withMessageTypes(declared: TypeProvider, release: number): TypeProvider {
  return composeProviders(declared, scalarNames, messageTypes(release));
}
