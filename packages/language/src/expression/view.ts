// An expression's names and types as help needs them: the environment it is read in, for one kind of object, and the schemas behind
// the types.

import { DYN, type Env, type Type } from "@celadon/cel";
import { composeProviders, type TypeProvider } from "@celadon/cel/types";
import type { GroupVersionKind } from "@celadon/kube";
import type { Schema } from "@celadon/kube/schemas";
import {
  createSchemaProvider,
  type DeclType,
  declareType,
  fromKubeSchema,
  unescapeName,
} from "@celadon/kube-cel/schema";
import { openSchema } from "./open-schema.ts";

export interface View {
  readonly env: Env;
  /** The kind of the object, where that makes a difference. */
  readonly kind?: GroupVersionKind;
  /** Schemas by the name of the type they became. */
  readonly roots: ReadonlyMap<string, Schema>;
}

/** A variable with the type of a schema. */
export interface Declared {
  readonly type: Type;
  readonly provider: TypeProvider | undefined;
  readonly root: readonly (readonly [string, Schema])[];
}

export function declareSchema(schema: Schema | undefined, name: string, resource: boolean): Declared {
  const whole = schema && openSchema(schema);
  const declared = whole && safely(() => declareType(fromKubeSchema(whole), name, { resource }));
  if (whole === undefined || declared === undefined) return { type: DYN, provider: undefined, root: [] };
  return { type: declared.type, provider: createSchemaProvider({ [name]: declared }), root: [[name, whole]] };
}

/** A schema that is no structural one may not make a type. */
function safely(make: () => DeclType | undefined): DeclType | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

export function joinProviders(providers: readonly (TypeProvider | undefined)[]): TypeProvider {
  return composeProviders(...providers.filter((provider) => provider !== undefined));
}

/** The schema a struct type was made of: types are named by their place. */
export function schemaOfType({ roots }: View, { kind, name }: Type): Schema | undefined {
  if (kind !== "struct") return undefined;
  const [first = "", ...steps] = name.split(".");
  let schema = roots.get(first);
  for (const step of steps) {
    if (schema === undefined) return undefined;
    const { items, additionalProperties, properties } = schema;
    if (step === "@idx") schema = items;
    else if (step === "@elem") schema = typeof additionalProperties === "object" ? additionalProperties : undefined;
    else schema = properties?.get(step) ?? properties?.get(unescapeName(step) ?? step);
  }
  return schema;
}

/** The schema of a field of such a type, by the name that expressions use for it. */
export function fieldSchema(view: View, holder: Type, field: string): Schema | undefined {
  const properties = schemaOfType(view, holder)?.properties;
  return properties?.get(field) ?? properties?.get(unescapeName(field) ?? field);
}
