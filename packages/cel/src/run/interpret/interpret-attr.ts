// Variables and selections from them. The charges are the reference's: one for the variable (none inside a ternary's branch or an index),
// one for each select or index that was tried, none for an optional one that found nothing.

import type { AmbiguousRoot, Attr, Qualifier, Root } from "../../plan/step.ts";
import {
  coerce,
  find,
  findField,
  findSpecified,
  get,
  getField,
  goDataName,
  has,
  hasField,
  hasSpecified,
  invalidQualifier,
  isConverted,
  isQualifier,
  needsCoercion,
} from "../../types/access.ts";
import { property } from "../../value/data-property.ts";
import { CelError, isError, noSuchOverload } from "../../value/error.ts";
import { reopen, throughHost } from "../../value/reopen.ts";
import { isOptionalType } from "../../value/type.ts";
import { goTypeName } from "../../value/type-of.ts";
import { Optional, type Value } from "../../value/value.ts";
import type { Frame } from "../frame.ts";
import type { Builder, Run } from "./interpret.ts";

/** A bound name that has not been used yet. */
export const UNSET: unique symbol = Symbol("unset");

/** The attribute as a separate expression: resolved, and charged for the variable. */
export function interpretAttr(attr: Attr, b: Builder): Run {
  const resolve = answered(attr, resolveAttr(attr, b));
  const own = ownCost(attr, b.presenceTestCost);
  if (own === 0) return resolve;
  return (frame) => {
    const value = resolve(frame);
    if (own > 0) frame.charge(own);
    else frame.refund(-own);
    return value;
  };
}

/** A presence test returns whether an optional has a value; before that, its value counts as present (see applyPath). */
function answered({ test }: Attr, resolve: Run): Run {
  if (!test) return resolve;
  return (frame) => {
    const value = resolve(frame);
    return value instanceof Optional ? value.hasValue : value;
  };
}

/** The attribute's own charge. The reference takes the variable's charge off every presence test, had or not. */
export function ownCost({ root, test }: Attr, presenceTestCost: 0 | 1): number {
  const variable = root.kind === "conditional" ? 0 : 1;
  return test ? variable - 1 + presenceTestCost : variable;
}

/** Without the charge for the variable itself. */
export function resolveAttr(attr: Attr, b: Builder): Run {
  const { root, path, id } = attr;
  if (root.kind === "conditional") return resolveConditional(attr, root, b);
  if (root.kind === "ambiguous") return resolveAmbiguous(attr, root, b);
  const base = resolveRoot(root, b);
  if (path.length === 0) {
    const reopens = b.reopens && mayBeOptional(root);
    return (frame) => {
      const value = base(frame);
      if (isError(value)) return value.at(id);
      return reopens ? reopen(value) : value;
    };
  }
  const apply = applyPath(path, attr.test, b);
  const isFree = root.kind === "global" && root.passesLocals === true;
  return (frame) => {
    const value = base(frame);
    if (isError(value)) return value.at(id);
    const before = frame.cost;
    const result = apply(frame, value);
    if (isFree) frame.refund(frame.cost - before);
    return isError(result) ? result.at(id) : result;
  };
}

/** Whether an optional is possible here; reading it unwraps it and wraps the result. */
export function mayBeOptional(root: Root): boolean {
  switch (root.kind) {
    case "global":
      return isOptionalType(root.type);
    case "local":
      return root.origin !== "data";
    default:
      return true;
  }
}

function resolveRoot(root: Exclude<Root, { kind: "conditional" | "ambiguous" }>, b: Builder): Run {
  switch (root.kind) {
    case "global": {
      const { name, type } = root;
      if (isConverted(type))
        return (frame) => {
          const raw = variable(frame, name);
          return raw === undefined ? noSuchAttribute(name) : coerce(type, raw);
        };
      return (frame) => {
        const raw = variable(frame, name);
        return raw === undefined ? noSuchAttribute(name) : raw;
      };
    }
    case "local": {
      const { slot } = root;
      return (frame) => frame.locals[slot];
    }
    case "lazy": {
      const { slot } = root;
      const init = b.buildOnce(root.init);
      return (frame) => {
        const known = frame.locals[slot];
        if (known !== UNSET) return known;
        const value = init(frame);
        frame.locals[slot] = value;
        return value;
      };
    }
    case "value":
      return b.build(root.step);
  }
}

function variable(frame: Frame, name: string): Value {
  return property(frame.vars, name);
}

function noSuchAttribute(names: string): CelError {
  return new CelError("no_such_attribute", `no such attribute(s): ${names}`);
}

function resolveConditional(
  attr: Attr,
  root: Extract<Root, { kind: "conditional" }>,
  b: Builder,
  resolve = resolveAttr,
): Run {
  const test = b.build(root.test);
  const then = branch(root.whenTrue, b, resolve);
  const otherwise = branch(root.whenFalse, b, resolve);
  const { id } = attr;
  return (frame) => {
    const value = test(frame);
    if (value === true) return then(frame);
    if (value === false) return otherwise(frame);
    return isError(value) ? value : noSuchOverload().at(id);
  };
}

function branch(attr: Attr, b: Builder, resolve: typeof resolveAttr): Run {
  const resolved = b.specification ? answered(attr, resolve(attr, b)) : resolve(attr, b);
  if (!b.recording || (attr.root.kind === "value" && attr.path.length === 0)) return resolved;
  return recordAs(attr.id, resolved);
}

function recordAs(id: number, resolve: Run): Run {
  return (frame) => {
    const before = frame.cost;
    const value = resolve(frame);
    frame.recorder?.value(id, value, frame.cost - before);
    return value;
  };
}

/** The longest name that is bound decides; types and enum members count where the whole path is their name. */
function resolveAmbiguous(attr: Attr, root: AmbiguousRoot, b: Builder): Run {
  const { path, id } = attr;
  const candidates = root.candidates.map(({ names, taken }) => ({
    names,
    whole: taken === path.length,
    apply: taken < path.length ? applyPath(path.slice(taken), attr.test, b) : undefined,
  }));
  return (frame) => {
    for (const { names, whole, apply } of candidates) {
      for (const { name, constant } of names) {
        const value = variable(frame, name);
        if (value !== undefined) {
          const result = apply ? apply(frame, value) : value;
          return isError(result) ? result.at(id) : result;
        }
        if (constant !== undefined && whole) return constant;
      }
    }
    const missing = (candidates[0] as (typeof candidates)[0]).names.map(({ name }) => name).join(", ");
    return noSuchAttribute(missing).at(id);
  };
}

type Apply = (frame: Frame, value: Value) => Value | CelError;

/**
 * Applies selects and indexes in turn. After the first optional selection the rest are optional too, and the result is an optional of the
 * found value, even where a presence test ends the path. In the reference only the test as a separate expression makes a bool of that; a
 * ternary's branch and an index see the optional.
 */
function applyPath(path: readonly Qualifier[], test: boolean, b: Builder): Apply {
  const steps = path.map((qualifier, i) => buildQualifier(qualifier, test && i === path.length - 1, b));
  const { reopens } = b;
  return (frame, start) => {
    let value = start;
    let optional = false;
    if (value instanceof Optional) {
      if (!value.hasValue) return value;
      optional = true;
      // An error that the conversion makes is met by the first select, after its own index.
      value = reopens ? throughHost(value.value) : value.value;
    }
    for (const step of steps) {
      optional ||= step.optional;
      const next = step.apply(frame, value, optional);
      if (next === ABSENT) return Optional.none;
      if (isError(next)) return next;
      value = next;
    }
    return optional ? Optional.of(value) : value;
  };
}

const ABSENT: unique symbol = Symbol("absent");

interface BuiltQualifier {
  readonly optional: boolean;
  apply(frame: Frame, value: Value, optional: boolean): Value | CelError | typeof ABSENT;
}

function buildQualifier(qualifier: Qualifier, test: boolean, b: Builder): BuiltQualifier {
  const { id, optional } = qualifier;
  const read = qualifier.kind === "key" ? keyReader(qualifier, test, b) : stepReader(qualifier, b);
  const { type } = qualifier;
  const coerces = !test && needsCoercion(type);
  return {
    optional,
    apply(frame, value, isOptional) {
      const before = frame.cost;
      let next = read(frame, value, isOptional);
      if (next === undefined) return ABSENT;
      if (isOptional && isError(next)) return next; // an optional select is charged only when it found something
      if (coerces && !isError(next)) next = coerce(type, next);
      frame.charge(1);
      if (b.recording) frame.recorder?.value(id, next, frame.cost - before);
      return next;
    },
  };
}

type Reader = (frame: Frame, value: Value, optional: boolean) => Value | CelError | undefined;

function keyReader({ key, field }: Extract<Qualifier, { kind: "key" }>, test: boolean, b: Builder): Reader {
  const finds = b.specification ? findSpecified : find;
  const tests = b.specification ? hasSpecified : has;
  if (test) {
    return (_, value, optional) => {
      if (optional) return field ? findField(value, field) : finds(value, key);
      return field ? hasField(value, field) : tests(value, key);
    };
  }
  if (field) {
    return (_, value, optional) => (optional ? findField(value, field) : getField(value, field));
  }
  return (_, value, optional) => (optional ? finds(value, key) : get(value, key));
}

/** `[expression]`. A variable path is resolved without its own charge, any other expression as it is. */
function stepReader({ step }: Extract<Qualifier, { kind: "step" }>, b: Builder): Reader {
  const index = step.op === "attr" ? resolveIndex(step, b) : usable(b.build(step), goTypeName);
  const finds = b.specification ? findSpecified : find;
  return (frame, value, optional) => {
    const key = index(frame);
    if (isError(key)) return key;
    return optional ? finds(value, key) : get(value, key);
  };
}

/** Data that comes from a variable is named as data unless it is an index; a computed value is named as a value. */
function resolveIndex(attr: Attr, b: Builder): Run {
  const { root } = attr;
  if (root.kind === "conditional") return resolveConditional(attr, root, b, resolveIndex);
  const resolve = b.specification ? answered(attr, resolveAttr(attr, b)) : resolveAttr(attr, b);
  return usable(resolve, root.kind === "global" || root.kind === "ambiguous" ? goDataName : goTypeName);
}

function usable(index: Run, nameOf: (key: Value) => string): Run {
  return (frame) => {
    const key = index(frame);
    return isError(key) || isQualifier(key) ? key : invalidQualifier(nameOf(key));
  };
}
