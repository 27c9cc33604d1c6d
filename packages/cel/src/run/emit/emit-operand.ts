// Operands: constants as code, data narrowed to its declared type, values passed where a type is declared, and the cost of a call.

import type { CostFormula } from "../../cost/formula.ts";
import type { Const } from "../../plan/step.ts";
import type { Type } from "../../value/type.ts";
import { Double, Uint } from "../../value/value.ts";
import { boxed, type Emitter, literal, type Operand, repOf } from "./emit.ts";

export function emitConst(e: Emitter, { value }: Const): Operand {
  const constant = { value };
  switch (typeof value) {
    case "boolean":
      return { code: String(value), rep: "bool", constant };
    case "string":
      return { code: literal(value), rep: "string", constant };
    case "bigint":
      return { code: `${value}n`, rep: "int", constant };
    case "number":
      if (Number.isSafeInteger(value)) return { code: numeral(value), rep: "int", constant };
      return { code: numeral(value), rep: "double", constant };
  }
  if (value === null) return { code: "null", rep: "boxed", constant };
  if (value instanceof Double) return { code: numeral(value.value), rep: "double", constant };
  if (value instanceof Uint)
    return { code: typeof value.value === "bigint" ? `${value.value}n` : numeral(value.value), rep: "uint", constant };
  return { code: e.slot(value), rep: "boxed", constant };
}

export function numeral(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (Object.is(value, -0)) return "(-0)";
  if (!Number.isFinite(value)) return value > 0 ? "Infinity" : "(-Infinity)";
  return value < 0 ? `(${value})` : String(value);
}

/**
 * Makes sure that data read under a declared type is of that type, and bare. Data that is not deoptimises: the interpreter
 * knows what to say.
 */
export function narrow(e: Emitter, code: string, type: Type): Operand {
  const rep = repOf(type);
  switch (rep) {
    case "bool":
    case "string":
      e.deoptIf(`typeof ${code} !== "${rep === "bool" ? "boolean" : "string"}"`);
      return { code, rep };
    case "int":
      e.deoptIf(
        `typeof ${code} === "number" ? !Number.isSafeInteger(${code}) : typeof ${code} !== "bigint" || isSmallBigint(${code})`,
      );
      return { code, rep };
    case "double":
    case "uint": {
      const bare = e.assign(`${rep === "double" ? "toDouble" : "toUint"}(${code})`, rep);
      e.line(`if (${bare.code} === undefined) return D;`);
      return bare;
    }
    default:
      return { code, rep: "boxed" };
  }
}

/** A boolean's code; a value of unknown type is checked first. */
export function asBool(e: Emitter, operand: Operand, id: number): string {
  if (operand.rep === "bool") return operand.code;
  const value = e.held(operand);
  if (e.straight) e.leaveIf(`typeof ${value} !== "boolean"`);
  else e.line(`if (typeof ${value} !== "boolean") { ${e.fail(`noOverload(${id})`)} }`);
  return value;
}

/** Converts a value to the form of its declared type. One that does not fit deoptimises: the interpreter finds the words. */
export function pass(e: Emitter, arg: Operand, type: Type): Operand {
  const rep = repOf(type);
  if (arg.rep === rep && rep !== "boxed") return arg;
  if (type.kind === "dyn" || type.kind === "any" || type.kind === "param")
    return { ...arg, code: boxed(arg), rep: "boxed" };
  const value = e.held(arg);
  e.deoptIf(misfit(e, value, type));
  if (rep === "double") return { code: `(typeof ${value} === "number" ? ${value} : ${value}.value)`, rep };
  if (rep === "uint") return { code: `${value}.value`, rep };
  return { code: value, rep, ...(arg.size !== undefined && rep === "string" && { size: arg.size }) };
}

function misfit(e: Emitter, value: string, type: Type): string {
  switch (type.kind) {
    case "string":
      return `typeof ${value} !== "string"`;
    case "bool":
      return `typeof ${value} !== "boolean"`;
    case "int":
      return `typeof ${value} === "number" ? !Number.isSafeInteger(${value}) : typeof ${value} !== "bigint" || isSmallBigint(${value})`;
    case "timestamp":
      return `!(${value} instanceof Timestamp)`;
    case "duration":
      return `!(${value} instanceof Duration)`;
    case "list":
      if (type.params[0]?.kind !== "param" && type.params[0]?.kind !== "dyn") return `!fits(${e.slot(type)}, ${value})`;
      return `!Array.isArray(${value}) && !fits(${e.slot(type)}, ${value})`;
    default:
      return `!fits(${e.slot(type)}, ${value})`;
  }
}

/** Adds the cost of a call: at once when fixed, else by asking the formula. */
export function charge(e: Emitter, cost: CostFormula | undefined, args: readonly Operand[], result?: Operand): void {
  const fixed = cost ? cost.fixed : 1;
  e.charge(fixed ?? `${e.slot(cost)}.actual([${args.map(boxed).join(", ")}], ${result ? boxed(result) : "undefined"})`);
}
