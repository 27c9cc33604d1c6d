// Functions and macros of an environment, sorted for help: by name, by the type they are members of, by namespace.

import { type Env, formatType, type Macro, type Overload, type Type } from "@celadon/cel";

export interface FunctionTable {
  /** Written as calls of their own: `size`, `math.greatest`. */
  readonly global: ReadonlyMap<string, readonly Overload[]>;
  readonly members: ReadonlyMap<string, readonly Overload[]>;
  /** `math`, `sets`, `optional`. */
  readonly namespaces: ReadonlySet<string>;
  readonly macros: readonly Macro[];
}

const tables = new WeakMap<object, FunctionTable>();

export function functionTable(env: Env): FunctionTable {
  const { functions } = env.declarations;
  let table = tables.get(functions);
  if (table === undefined) tables.set(functions, (table = build(env)));
  return table;
}

function build(env: Env): FunctionTable {
  const global = new Map<string, Overload[]>();
  const members = new Map<string, Overload[]>();
  const namespaces = new Set<string>();
  for (const [name, rows] of env.declarations.functions) {
    // Operators and what macros become cannot be written as calls.
    if (!/^[A-Za-z]/.test(name)) continue;
    for (const row of rows) {
      const into = row.member ? members : global;
      const list = into.get(name);
      if (list === undefined) into.set(name, [row]);
      else list.push(row);
    }
    const dot = name.lastIndexOf(".");
    if (dot > 0) namespaces.add(name.slice(0, dot));
  }
  for (const { namespace } of env.macros)
    if (namespace !== undefined && namespace !== "receiver") namespaces.add(namespace);
  return { global, members, namespaces, macros: env.macros };
}

/** `string.startsWith(string) -> bool` */
export function signatureOf({ name, args, result, member }: Overload): string {
  const types = args.map(formatType);
  const call = member ? `${types[0]}.${name}(${types.slice(1).join(", ")})` : `${name}(${types.join(", ")})`;
  return `${call} -> ${formatType(result)}`;
}

/**
 * Whether a value of a type may be passed to a parameter. Generous: it decides which completions are offered, not which expressions
 * compile.
 */
export function mayBe(type: Type, wanted: Type): boolean {
  if (wanted.kind === "param" || wanted.kind === "dyn" || wanted.kind === "any") return true;
  if (type.kind === "dyn" || type.kind === "any" || type.kind === "error" || type.kind === "param") return true;
  if (type.kind === "wrapper") return mayBe(type.params[0] ?? type, wanted);
  if (type.kind !== wanted.kind) return false;
  if (type.kind === "struct" || type.kind === "opaque") {
    if (type.name !== wanted.name) return false;
  }
  return wanted.params.every((param, i) => type.params[i] === undefined || mayBe(type.params[i]!, param));
}

/** Macros that go with a type: loops with lists and maps, optMap with optionals. */
export function macroFits({ name }: Macro, type: Type): boolean {
  if (type.kind === "dyn" || type.kind === "any" || type.kind === "error") return true;
  const isOptional = type.name === "optional_type";
  if (name === "optMap" || name === "optFlatMap") return isOptional;
  return type.kind === "list" || type.kind === "map";
}
