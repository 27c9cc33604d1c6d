// Calls of functions. The functions that policies use most have a meaning here; with constants alone the engine itself answers; any other
// call may have any result of its type, the same for the same arguments.

import { type CelError, isError, type Value } from "@celadon/cel";
import type { CallStep } from "@celadon/cel/plan";
import { typeOf } from "@celadon/cel/values";
import type { Linear } from "../number/linear.ts";
import { INFEASIBLE } from "../path/choices.ts";
import { boolOf, constantOf, ERROR, type Symbolic } from "../path/symbolic.ts";
import { KIND } from "../tree/node.ts";
import { applyTo } from "./apply.ts";
import { arithmetic, compareValues, negate } from "./arithmetic.ts";
import { member } from "./attribute.ts";
import { areEqual } from "./equality.ts";
import { type Evaluation, type Frame, keyOfSymbolic, mayFail, opaque, truth } from "./evaluation.ts";
import { forAll, partsOf, sizeOfParts, witness } from "./lists.ts";
import { orderedCall } from "./ordered.ts";
import { textCall } from "./text-calls.ts";
import { neverFailsOn } from "./total.ts";

export function call(evaluation: Evaluation, step: CallStep, args: readonly Symbolic[], frame: Frame): Symbolic {
  if (args.some((arg) => arg.is === "error")) return ERROR;
  const values = args.map((arg) => (arg.is === "value" ? arg.value : OPEN));
  if (!values.includes(OPEN)) return answered(applyTo(step, values));
  return (
    operatorCall(evaluation, step, args, frame) ??
    optionalCall(step, args) ??
    textCall(evaluation, step, args) ??
    orderedCall(evaluation, step, args) ??
    uninterpreted(evaluation, step, args, frame)
  );
}

const OPEN: unique symbol = Symbol("open");

function answered(value: Value | CelError): Symbolic {
  return isError(value) ? ERROR : constantOf(value);
}

function operatorCall(
  evaluation: Evaluation,
  step: CallStep,
  args: readonly Symbolic[],
  frame: Frame,
): Symbolic | undefined {
  const [a, b] = args as [Symbolic, Symbolic];
  switch (step.name) {
    case "!_": {
      const value = truth(evaluation, a);
      return value === "error" ? ERROR : boolOf(!value);
    }
    case "_<_":
      return compareValues(evaluation, a, "<", b);
    case "_<=_":
      return compareValues(evaluation, a, "<=", b);
    case "_>_":
      return compareValues(evaluation, b, "<", a);
    case "_>=_":
      return compareValues(evaluation, b, "<=", a);
    case "_+_":
    case "_-_":
    case "_*_":
      return arithmetic(evaluation, step, a, b);
    case "-_":
      return negate(evaluation, a);
    case "size":
      return sizeOf(evaluation, a);
    case "@in":
    case "_in_":
      return contains(evaluation, frame, a, b);
    case "dyn":
      return a;
    default:
      return undefined;
  }
}

function optionalCall({ name }: CallStep, [a]: readonly Symbolic[]): Symbolic | undefined {
  if (a === undefined) return undefined;
  switch (name) {
    case "optional.of":
      return { is: "optional", value: a };
    case "hasValue":
      return a.is === "optional" ? boolOf(a.value !== undefined) : undefined;
    case "value":
      return a.is === "optional" ? (a.value ?? ERROR) : undefined;
    default:
      return undefined;
  }
}

/** The size of a text, list or map. */
function sizeOf(evaluation: Evaluation, value: Symbolic): Symbolic | undefined {
  const { path } = evaluation;
  const int = (sum: Linear): Symbolic => ({ is: "int", sum });
  switch (value.is) {
    case "text":
      return int(path.lengthOf(value.text));
    case "node":
      if (path.isKind(value.node, KIND.text)) return int(path.lengthOf(path.textOf(value.node)));
      return path.isKind(value.node, KIND.list | KIND.map) ? int(path.sizeOf(value.node)) : ERROR;
    case "list": {
      const sum = sizeOfParts(evaluation, value.parts);
      return sum === undefined ? { is: "count", parts: value.parts } : int(sum);
    }
    case "map":
      return constantOf(value.entries.length);
    case "int":
    case "bool":
    case "optional":
    case "ordered":
      return ERROR;
    default:
      return undefined;
  }
}

/** `element in list`, `key in map`. */
function contains(evaluation: Evaluation, frame: Frame, element: Symbolic, container: Symbolic): Symbolic | undefined {
  const { path } = evaluation;
  if (container.is === "scope" || container.is === "opaque") return undefined;
  if (container.is === "node") {
    if (path.isKind(container.node, KIND.map)) {
      const found = member(evaluation, frame, container, element);
      return found?.is === "error" ? ERROR : boolOf(found !== undefined);
    }
    if (!path.isKind(container.node, KIND.list)) return ERROR;
  }
  const parts = partsOf(evaluation, container);
  if (parts === undefined) return ERROR;
  const same = (value: Symbolic): boolean => areEqual(evaluation, frame, value, element) === true;
  if (parts.every((part) => part.of === "items"))
    return boolOf(parts.some((part) => part.of === "items" && part.items.some(same)));
  if (path.choose(2) === 0) {
    witness(evaluation, parts, ({ value }) => same(value));
    return boolOf(true);
  }
  forAll(evaluation, parts, (value) => {
    if (same(value)) throw INFEASIBLE;
  });
  return boolOf(false);
}

/** Conversions that fail exactly when a test of the same text is false. */
const TESTED: ReadonlyMap<string, string> = new Map([
  ["quantity", "isQuantity"],
  ["url", "isURL"],
  ["ip", "isIP"],
  ["cidr", "isCIDR"],
  ["semver", "isSemver"],
]);

export function uninterpreted(
  evaluation: Evaluation,
  step: CallStep,
  args: readonly Symbolic[],
  frame: Frame,
): Symbolic {
  const why = frame.textOf(step.id);
  const checked = args.map((arg, i) => fitted(evaluation, arg, step, i));
  if (checked.includes("mismatch")) return ERROR;
  const keys = args.map((arg) => keyOfSymbolic(rooted(evaluation, arg))).join(", ");
  const key = `${step.name}(${keys})`;
  const make = (): Symbolic => {
    const made = opaque(evaluation, step.type, key, why);
    if (made.is === "text" || made.is === "int" || made.is === "bool")
      evaluation.path.calls.push({ result: made, step, args });
    return made;
  };
  const test = TESTED.get(step.name);
  if (test !== undefined && args.length === 1) {
    const valid = truth(evaluation, { is: "bool", key: `${test}(${keys})`, why });
    return valid === true ? make() : ERROR;
  }
  return neverFailsOn(step, args) ? make() : mayFail(evaluation, key, why, make);
}

/** With variables that are known to be equal under one name. */
function rooted({ path }: Evaluation, arg: Symbolic): Symbolic {
  if (arg.is === "text") return { is: "text", text: { ...arg.text, variable: path.texts.root(arg.text.variable) } };
  if (arg.is === "node" && arg.node.kinds === KIND.text)
    return rooted({ path } as Evaluation, { is: "text", text: path.textOf(arg.node) });
  return arg;
}

const KINDS_OF_TYPE: Readonly<Record<string, number>> = {
  string: KIND.text,
  int: KIND.int,
  double: KIND.double | KIND.int,
  bool: KIND.bool,
  list: KIND.list,
  map: KIND.map,
  null: KIND.null,
};

/** Whether an argument has a type that the function takes. */
function fitted({ path }: Evaluation, arg: Symbolic, step: CallStep, index: number): "fits" | "mismatch" {
  const rows = step.overload ? [step.overload] : step.candidates.filter((row) => row.args.length === step.args.length);
  const kinds = rows.map((row) => row.args[index]?.kind ?? "dyn");
  if (kinds.some((kind) => kind === "dyn" || kind === "any" || kind === "param" || kind === "wrapper")) return "fits";
  if (arg.is === "node") {
    const allowed = kinds.reduce((mask, kind) => mask | (KINDS_OF_TYPE[kind] ?? 0), 0);
    return path.isKind(arg.node, allowed) ? "fits" : "mismatch";
  }
  const own = kindOfType(arg);
  if (own !== undefined) return kinds.includes(own as (typeof kinds)[number]) ? "fits" : "mismatch";
  if (arg.is !== "opaque" || kinds.includes(arg.type.kind)) return "fits";
  return path.decide(`${arg.key} is ${kinds}`, () => void path.unfollowed.add(arg.why)) ? "fits" : "mismatch";
}

function kindOfType(arg: Symbolic): string | undefined {
  if (arg.is === "value") return typeOf(arg.value).kind;
  return { text: "string", int: "int", bool: "bool", list: "list", map: "map" }[arg.is as string];
}
