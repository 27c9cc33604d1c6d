// One step of the plan to code: statements on the emitter, and an operand that holds the result.

import { LIST_BASE, MAP_BASE, STRUCT_BASE } from "../../cost/formulas.ts";
import type { Bind, InSet, ListStep, Logic, MapStep, OptionalOr, Step, StructStep } from "../../plan/step.ts";
import { GROWTH } from "../growth.ts";
import { valueSet } from "../value-set.ts";
import { boxed, type Emitter, literal, localName, NotCompilable, type Operand, repOf } from "./emit.ts";
import { emitAttr, emitLazy } from "./emit-attr.ts";
import { emitCall, emitEquality } from "./emit-call.ts";
import { emitCollect, emitCollectMap, emitCount, emitQuantifier } from "./emit-loop.ts";
import { asBool, emitConst, pass } from "./emit-operand.ts";

export function emitStep(e: Emitter, step: Step): Operand {
  switch (step.op) {
    case "const":
      return emitConst(e, step);
    case "attr":
      return emitAttr(e, step);
    case "and":
    case "or":
      return emitLogic(e, step);
    case "eq":
    case "ne":
      return emitEquality(e, step);
    case "call":
      return emitCall(e, step);
    case "inSet":
      return emitInSet(e, step);
    case "list":
      return emitList(e, step);
    case "map":
      return emitMap(e, step);
    case "struct":
      return emitStruct(e, step);
    case "optionalOr":
      return emitOptionalOr(e, step);
    case "all":
    case "exists":
      return emitQuantifier(e, step);
    case "existsOne":
      return emitCount(e, step);
    case "collect":
      return emitCollect(e, step);
    case "collectMap":
      return emitCollectMap(e, step);
    case "bind":
      return emitBind(e, step);
    case "fold":
    case "block":
      throw new NotCompilable(step.op);
  }
}

/**
 * `&&` and `||`. An error on the left waits in a variable: the right side may still decide. The right side is only
 * evaluated when the left has not decided.
 */
function emitLogic(e: Emitter, step: Logic): Operand {
  if (e.straight) return emitStraightLogic(e, step);
  const decisive = step.op === "or";
  const result = e.temp();
  const leftError = emitOperand(e, step.left, step.id, result);
  e.line(
    leftError === undefined
      ? `if (${result} === ${!decisive}) {`
      : `if (${leftError} !== undefined || ${result} === ${!decisive}) {`,
  );
  if (leftError === undefined) {
    // No operand waits: an error on the right is the error of the whole.
    const right = asBool(e, e.step(step.right), step.id);
    e.line(`${result} = ${right};`);
    e.flush();
  } else {
    const right = e.temp();
    const rightError = emitOperand(e, step.right, step.id, right);
    if (rightError !== undefined) {
      const first = `(${leftError} !== undefined ? ${leftError} : ${rightError})`;
      e.line(`if (${rightError} !== undefined) { ${e.fail(first)} }`);
    }
    e.line(`if (${leftError} !== undefined && ${right} !== ${decisive}) { ${e.fail(leftError)} }`);
    e.line(`${result} = ${right};`);
  }
  e.line("}");
  return { code: result, rep: "bool" };
}

/** The same where an error on either side leaves. */
function emitStraightLogic(e: Emitter, step: Logic): Operand {
  const result = e.temp();
  e.line(`${result} = ${asBool(e, e.step(step.left), step.id)};`);
  e.flush();
  e.line(`if (${step.op === "or" ? "!" : ""}${result}) {`);
  e.branch(() => {
    e.line(`${result} = ${asBool(e, e.step(step.right), step.id)};`);
    e.flush();
  });
  e.line("}");
  return { code: result, rep: "bool" };
}

/** An operand of `&&` or `||` into `target`. Answers the variable an error would be in, undefined when none can arise. */
function emitOperand(e: Emitter, step: Step, id: number, target: string): string | undefined {
  if (!mayFail(step)) {
    const operand = e.step(step);
    e.line(`${target} = ${operand.code};`);
    e.flush();
    return undefined;
  }
  e.flush();
  const error = e.temp();
  const label = e.label();
  e.line(`${error} = undefined; ${target} = undefined; ${label}: {`);
  e.within({ kind: "block", label, target: error }, () => {
    e.line(`${target} = ${asBool(e, e.step(step), id)};`);
    e.flush();
  });
  e.line("}");
  return error;
}

/** Whether a step can end in an error and so needs its own exit. Loops over failing predicates count as failing. */
function mayFail(step: Step): boolean {
  switch (step.op) {
    case "const":
      return typeof step.value !== "boolean";
    case "and":
    case "or":
      return mayFail(step.left) || mayFail(step.right);
    default:
      return true;
  }
}

function emitInSet(e: Emitter, step: InSet): Operand {
  const arg = e.step(step.arg);
  const oneOf =
    step.list.length <= 4 && step.list.every((value) => typeof value === "string")
      ? `(${step.list.map((value) => `${arg.code} === ${literal(value as string)}`).join(" || ")})`
      : undefined;
  if (arg.rep === "string" && oneOf !== undefined) return { code: oneOf, rep: "bool" };
  const lookUp = `${e.slot(valueSet(step.list))}(${boxed(arg)})`;
  if (arg.rep !== "boxed") return e.assign(lookUp, "bool");
  e.line(`if (typeof ${arg.code} === "object" && unhashableType(${arg.code}) !== undefined) return D;`);
  return e.assign(oneOf === undefined ? lookUp : `typeof ${arg.code} === "string" ? ${oneOf} : ${lookUp}`, "bool");
}

function emitList(e: Emitter, step: ListStep): Operand {
  if (step.optional) throw new NotCompilable("optional elements");
  e.growth(GROWTH.list + step.elements.length * GROWTH.element);
  const elements = step.elements.map((element) => e.charging(LIST_BASE, () => boxed(e.step(element))));
  e.charge(LIST_BASE);
  return e.assign(`[${elements.join(", ")}]`, "boxed");
}

function emitMap(e: Emitter, step: MapStep): Operand {
  if (step.entries.some((entry) => entry.optional)) throw new NotCompilable("optional entries");
  e.growth(GROWTH.map + step.entries.length * GROWTH.entry);
  const map = e.assign("new CelMap()", "boxed");
  for (const entry of step.entries) {
    e.charging(MAP_BASE, () => {
      const key = e.step(entry.key);
      const value = boxed(e.step(entry.value));
      const own = entry.apart && key.rep === "boxed" ? `apartKey(${key.code})` : boxed(key);
      e.line(`if (${map.code}.${step.strict ? "add" : "set"}(${own}, ${value}) !== undefined) return D;`);
    });
  }
  e.charge(MAP_BASE);
  return map;
}

function emitStruct(e: Emitter, step: StructStep): Operand {
  const { create } = step.struct;
  if (!create || step.fields.some((field) => field.optional)) throw new NotCompilable("message literal");
  e.growth(GROWTH.map + step.fields.length * GROWTH.entry);
  const values = step.fields.map(
    (field) => `[${literal(field.name)}, ${e.charging(STRUCT_BASE, () => boxed(e.step(field.value)))}]`,
  );
  e.charge(STRUCT_BASE);
  const result = e.assign(`${e.slot(step.struct)}.create(new Map([${values.join(", ")}]))`, "boxed");
  e.line(`if (${result.code} instanceof CelError) { ${e.fail(`${result.code}.at(${step.id})`)} }`);
  return result;
}

function emitOptionalOr(e: Emitter, step: OptionalOr): Operand {
  const left = e.held(e.step(step.left));
  e.flush();
  const result = e.temp();
  e.line(`if (!(${left} instanceof Optional)) return D;`);
  e.line(`if (${left}.hasValue) ${result} = ${step.unwrap ? `${left}.value` : left}; else {`);
  e.branch(() => {
    const right = boxed(e.step(step.right));
    e.flush();
    e.line(`${result} = ${right}; }`);
  });
  // An optional that was opened and closed may hold an error; those that a select makes hold the found value.
  if (step.unwrap && !(step.left.op === "attr" && step.left.path.length > 0))
    e.line(`if (${result} instanceof CelError) { ${e.fail(result)} }`);
  const held: Operand = { code: result, rep: "boxed" };
  return step.unwrap && repOf(step.type) !== "boxed" ? pass(e, held, step.type) : held;
}

/** The bound value is computed where it is first used (see emit-attr.ts). */
function emitBind(e: Emitter, step: Bind): Operand {
  const name = localName(step.slot);
  e.line(`${name} = UNSET;`);
  e.forget(name);
  if (step.eager) emitLazy(e, step.eager);
  return e.step(step.body);
}
