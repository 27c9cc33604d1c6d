// The fields that are always present in the values that expressions read, so that reading them cannot fail. A field of unknown type may be
// missing.

import type { Expr } from "@celadon/cel/ast";
import type { JsonSchema } from "@celadon/crd";
import { unescapeName } from "@celadon/kube-cel/schema";

export interface Shape {
  /** Undefined when it may be missing and nothing is known of it. */
  field(name: string): { readonly always: boolean; readonly shape?: Shape | undefined } | undefined;
  /** The shape of an element of a list. */
  readonly item?: Shape | undefined;
}

/** Variables by name, including those of macros. */
export class Shapes {
  readonly #shapes: ReadonlyMap<string, Shape | undefined>;
  /** The range of the only variable of a loop, as an expression. */
  readonly #ranges: ReadonlyMap<string, Expr>;

  constructor(shapes: ReadonlyMap<string, Shape | undefined>, ranges: ReadonlyMap<string, Expr> = new Map()) {
    this.#shapes = shapes;
    this.#ranges = ranges;
  }

  /** The known shape of an expression's value. */
  of(expr: Expr): Shape | undefined {
    switch (expr.kind) {
      case "ident":
        return this.#shapes.get(expr.name);
      case "select":
        return expr.test ? undefined : this.of(expr.operand)?.field(expr.field)?.shape;
      case "call": {
        const [operand, key] = expr.args;
        if (!INDEXES.has(expr.function) || operand === undefined || key === undefined) return undefined;
        const shape = this.of(operand);
        return key.kind === "literal" && typeof key.value === "string" ? shape?.field(key.value)?.shape : shape?.item;
      }
      default:
        return undefined;
    }
  }

  /** The range a loop's variable goes over. */
  rangeOf(name: string): Expr | undefined {
    return this.#ranges.get(name);
  }

  /** With the variables of a macro; `roles` says which of its arguments are names. */
  within(macro: string, target: Expr | undefined, args: readonly Expr[], roles: string): Shapes {
    const names = args.flatMap((arg, i) => (roles[i] === "n" && arg.kind === "ident" ? [arg.name] : []));
    if (names.length === 0) return this;
    const [shapes, ranges] = [new Map(this.#shapes), new Map(this.#ranges)];
    for (const name of names) {
      shapes.set(name, undefined);
      ranges.delete(name);
    }
    const last = names.at(-1)!;
    if (macro.startsWith("opt")) shapes.set(last, target && this.of(target));
    else if (target !== undefined) {
      shapes.set(last, this.of(target)?.item);
      ranges.set(names[0]!, target);
    }
    return new Shapes(shapes, ranges);
  }
}

const INDEXES: ReadonlySet<string> = new Set(["_[_]", "_?._", "_[?_]"]);

export const NO_SHAPES: Shapes = new Shapes(new Map());

/** Every field is always there; below the named ones too. */
function typed(below: Readonly<Record<string, Shape>> = {}): Shape {
  return { field: (name) => ({ always: true, shape: Object.hasOwn(below, name) ? below[name] : undefined }) };
}

/** Only these fields are always there. */
function having(fields: Readonly<Record<string, Shape | undefined>>): Shape {
  return { field: (name) => (Object.hasOwn(fields, name) ? { always: true, shape: fields[name] } : undefined) };
}

const METADATA = having({ name: undefined, namespace: undefined });
const OBJECT = having({ apiVersion: undefined, kind: undefined, metadata: METADATA, spec: undefined });
const NAMES = typed();
const REQUEST = typed({ kind: NAMES, requestKind: NAMES, resource: NAMES, requestResource: NAMES, userInfo: NAMES });

/** The values that policies and webhooks read. A variable that fails does so where it is defined. */
export const ADMISSION_SHAPES: Shapes = new Shapes(
  new Map<string, Shape>([
    ...["object", "oldObject", "params", "namespaceObject"].map((name): [string, Shape] => [name, OBJECT]),
    ["request", REQUEST],
    ["variables", typed()],
  ]),
);

const ISSUER = typed();

/** The values that rules of certificate policies read: all of a request's fields have a value. */
export const CERTIFICATE_SHAPES: Shapes = new Shapes(new Map([["cr", typed({ issuerRef: ISSUER })]]));

/** The values that a rule of a schema reads. */
export function schemaShapes(schema: JsonSchema, isResource: boolean): Shapes {
  const shape = shapeOf(schema, isResource);
  return new Shapes(
    new Map([
      ["self", shape],
      ["oldSelf", shape],
    ]),
  );
}

function shapeOf(schema: JsonSchema, isResource = false): Shape {
  const { properties = {}, required = [], items, additionalProperties } = schema;
  const resource = isResource || schema["x-kubernetes-embedded-resource"] === true;
  const values = typeof additionalProperties === "object" ? additionalProperties : undefined;
  const item = items ?? undefined;
  return {
    field: (escaped) => {
      const name = unescapeName(escaped) ?? escaped;
      if (resource && (name === "apiVersion" || name === "kind" || name === "metadata")) return OBJECT.field(name);
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (property === undefined) return values && { always: false, shape: shapeOf(values) };
      const always = (required.includes(name) || property.default !== undefined) && property.nullable !== true;
      return { always, shape: shapeOf(property) };
    },
    ...(item && { item: shapeOf(item) }),
  };
}
