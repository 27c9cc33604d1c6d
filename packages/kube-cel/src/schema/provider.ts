// The type provider over declared types: object types by the name of their place in the schema, and their fields.

import { celError, DURATION, TIMESTAMP } from "@celadon/cel";
import type { Field, StructType, TypeProvider } from "@celadon/cel/types";
import type { DeclType } from "./decl-type.ts";
import { RESERVED_WORDS } from "./escape.ts";

/** The names of fields. */
export interface SchemaProviderOptions {
  /** Whether a property named like a reserved word may be selected unescaped: `self.namespace`. Since Kubernetes 1.31. */
  readonly keywordFields?: boolean;
}

/** Root types with the names they were declared under. */
export function createSchemaProvider(
  roots: Readonly<Record<string, DeclType>>,
  options: SchemaProviderOptions = {},
): TypeProvider {
  const keywordFields = options.keywordFields ?? true;
  const structs = new Map<string, StructType | undefined>(SCALAR_NAMES);
  return {
    findStruct(name) {
      if (structs.has(name)) return structs.get(name);
      const decl = declTypeAt(roots, name);
      const struct = decl && structOf(decl, keywordFields);
      if (struct) structs.set(name, struct);
      return struct;
    },
    findIdent: () => undefined,
    hasPrefix: (first) => Object.hasOwn(roots, first),
  };
}

/** Names that a schema brings along: they pass the checker, but there is nothing to evaluate. */
const SCALAR_NAMES: readonly (readonly [string, StructType])[] = [DURATION, TIMESTAMP].map((type) => [
  type.kind,
  { type, named: false, field: () => undefined, fieldNames: () => [] },
]);

/** The type at a place: a root's name, then field names, `@idx` and `@elem`. Only objects, lists and maps have a name. */
function declTypeAt(roots: Readonly<Record<string, DeclType>>, name: string): DeclType | undefined {
  const [first = "", ...steps] = name.split(".");
  let decl = Object.hasOwn(roots, first) ? roots[first] : undefined;
  for (const step of steps) {
    if (decl === undefined) return undefined;
    const isElement = (step === "@idx" && decl.key === undefined) || (step === "@elem" && decl.key !== undefined);
    decl = isElement ? decl.elem : decl.fields?.get(step)?.type;
  }
  return decl?.fields || decl?.elem ? decl : undefined;
}

function structOf(decl: DeclType, keywordFields: boolean): StructType {
  const { fields } = decl;
  const known = new Map<string, Field>();
  return {
    type: decl.type,
    named: false,
    field(name) {
      const ready = known.get(name);
      if (ready !== undefined) return ready;
      const found =
        fields?.get(name) ?? (keywordFields && RESERVED_WORDS.has(name) ? fields?.get(`__${name}__`) : undefined);
      if (found === undefined) return undefined;
      const field: Field = { name, type: found.type.type, key: found.property, nullIsAbsent: true, viewed: true };
      known.set(name, field);
      return field;
    },
    fieldNames: () => fields?.names() ?? [],
    create: () => celError("invalid_argument", `unknown type '${decl.type.name}'`),
  };
}
