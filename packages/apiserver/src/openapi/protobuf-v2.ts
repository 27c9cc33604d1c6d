// The OpenAPI v2 document as protobuf, which is the form in which clients ask for it. Upstream: gnostic-models openapiv2/OpenAPIv2.proto.
// Written is what clients read: definitions with their extensions, paths with their operations, parameters and kinds.

import { toJson } from "@celadon/base";
import { WireWriter } from "@celadon/storage/wire";

type Json = Readonly<Record<string, unknown>>;
type Field = readonly [number: number, value: Uint8Array | string | boolean | undefined];

export const OPENAPI_V2_PROTOBUF = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

export function encodeOpenApiV2({ swagger, info, paths, definitions }: Json): Buffer {
  const { title, version } = info as Json;
  return message([
    [1, swagger as string],
    [
      2,
      message([
        [1, title as string],
        [2, version as string],
      ]),
    ],
    [8, message(entries(paths).map(([path, item]): Field => [2, named(path, pathItem(item))]))],
    [9, message(entries(definitions).map(([name, schema]): Field => [1, named(name, schemaOf(schema))]))],
  ]);
}

function message(fields: readonly Field[]): Buffer {
  const writer = new WireWriter();
  for (const [number, value] of fields) {
    if (value === undefined) continue;
    if (typeof value === "boolean") {
      writer.tag(number, 0);
      writer.number(Number(value));
    } else {
      writer.tag(number, 2);
      if (typeof value === "string") writer.text(value);
      else writer.bytes(value);
    }
  }
  return Buffer.from(writer.result());
}

const named = (name: string, value: Uint8Array): Uint8Array =>
  message([
    [1, name],
    [2, value],
  ]);

/** Any value, as YAML: JSON is YAML, too. */
const any = (value: unknown): Uint8Array => message([[2, `${toJson(value)}\n`]]);

const entries = (value: unknown): readonly (readonly [string, Json])[] =>
  Object.entries((value ?? {}) as Readonly<Record<string, Json>>);

function extensions(value: Json, number: number): readonly Field[] {
  return Object.entries(value).flatMap(([name, own]): Field[] =>
    name.startsWith("x-") ? [[number, named(name, any(own))]] : [],
  );
}

const METHODS: readonly (readonly [string, number])[] = [
  ["get", 2],
  ["put", 3],
  ["post", 4],
  ["delete", 5],
  ["patch", 8],
];

function pathItem(item: Json): Uint8Array {
  const operations = METHODS.map(
    ([method, number]): Field => [number, item[method] === undefined ? undefined : operation(item[method] as Json)],
  );
  return message([...operations, ...parameters(item, 9)]);
}

function operation(value: Json): Uint8Array {
  const list = (name: string, number: number): readonly Field[] =>
    ((value[name] ?? []) as readonly string[]).map((text) => [number, text]);
  const responses = entries(value.responses).map(([code, response]): Field => {
    const { description, schema } = response as { description: string; schema?: Json };
    const item = schema && message([[1, schemaOf(schema)]]);
    return [
      1,
      named(
        code,
        message([
          [
            1,
            message([
              [1, description],
              [2, item],
            ]),
          ],
        ]),
      ),
    ];
  });
  return message([
    [5, value.operationId as string],
    ...list("produces", 6),
    ...list("consumes", 7),
    ...parameters(value, 8),
    [9, message(responses)],
    ...extensions(value, 13),
  ]);
}

/** Parameters of queries and paths have different numbers for the same things. */
function parameters({ parameters: all }: Json, number: number): readonly Field[] {
  return ((all ?? []) as readonly Json[]).map(({ name, in: place, type, required, uniqueItems }): Field => {
    const isQuery = place === "query";
    const own = message([
      [1, required as boolean | undefined],
      [2, place as string],
      [4, name as string],
      [isQuery ? 6 : 5, type as string],
      [isQuery ? 20 : 19, uniqueItems as boolean | undefined],
    ]);
    const nonBody = message([[isQuery ? 3 : 4, own]]);
    return [number, message([[1, message([[2, nonBody]])]])];
  });
}

/** Whether version 2 has no words for the type. */
function isOpen(schema: Json): boolean {
  return (
    schema["x-kubernetes-preserve-unknown-fields"] === true ||
    schema["x-kubernetes-int-or-string"] === true ||
    schema.nullable === true
  );
}

function schemaOf(schema: Json): Uint8Array {
  const { $ref, format, description, required, properties, items, additionalProperties, type } = schema;
  const isTyped = !isOpen(schema) && !(type === "array" && items === undefined);
  const more = additionalProperties as Json | boolean | undefined;
  return message([
    [1, $ref as string | undefined],
    [2, isTyped ? (format as string | undefined) : undefined],
    [4, description as string | undefined],
    [5, schema.default === undefined ? undefined : any(schema.default)],
    ...(isTyped ? ((required ?? []) as readonly string[]).map((name): Field => [19, name]) : []),
    [
      21,
      isTyped && more !== undefined
        ? message([typeof more === "boolean" ? [2, more] : [1, schemaOf(more)]])
        : undefined,
    ],
    [22, isTyped && type !== undefined ? message([[1, type as string]]) : undefined],
    [23, isTyped && items !== undefined ? message([[1, schemaOf(items as Json)]]) : undefined],
    [
      25,
      isTyped && properties !== undefined
        ? message(entries(properties).map(([name, own]): Field => [1, named(name, schemaOf(own))]))
        : undefined,
    ],
    ...extensions(schema, 31),
  ]);
}
