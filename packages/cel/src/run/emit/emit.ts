// The code generator's bench: temporaries, constants, pending costs and the way out when something fails.
//
// The code contains nothing of the expression's text but literals escaped by `literal` and numbered slots (`k3`). Charges of one each are
// not added where they arise: they wait in `pending` and are added where paths meet, or on the way out. Larger charges are made at once, as
// wholes, followed by a check of the limit; so when the limit was passed, the charged cost is known to the unit without evaluating again.
// An error leaves through the innermost scope; what generated code has no short form for leaves with `return D`, and the interpreter does
// the whole evaluation again.
//
// There are two forms. The straight one takes the usual course: data is plain JSON, nothing fails. Otherwise it leaves for the full form,
// which starts again; so it needs no code for rare cases, is short enough for engines to inline, and knows at every place which checks have
// succeeded on the way there.

import type { PlanOptions, Step, StepQualifier } from "../../plan/step.ts";
import { isDataKey } from "../../value/data-property.ts";
import { hasChange } from "../../value/release.ts";
import type { Type } from "../../value/type.ts";
import type { Value } from "../../value/value.ts";
import type { PathMemo } from "../path-memo.ts";

/** The representation of a value in a variable: bare where its type is known, boxed otherwise (see value/value.ts). */
export type Rep = "bool" | "int" | "uint" | "double" | "string" | "boxed";

export interface Operand {
  /** An expression without effects, short enough to be repeated. */
  readonly code: string;
  readonly rep: Rep;
  /** Set for constants. */
  readonly constant?: { readonly value: Value };
  /** For a string: code of its number of code points, where that is known already. */
  readonly size?: string;
}

/** The destination of an error. */
export type Exit =
  | { readonly kind: "return" }
  | { readonly kind: "block"; readonly label: string; readonly target: string }
  | { readonly kind: "deopt" };

interface Scope {
  readonly exit: Exit;
  /** Charges that the calls around the failing one still make, the outermost first: numbers, or code of one. */
  readonly owed: readonly (number | string)[];
}

/** Thrown while generating when a plan has a step without compiled form; such plans are interpreted. */
export class NotCompilable extends Error {}

const MAX_CODE = 400_000;

/** The straight form of a plan, or the full one. */
export type Form = "straight" | "full";

/** The statement that leaves the straight form. */
export const LEAVE = "break S;";

/** The emitter's way back to the files for each kind of step: steps inside steps. */
export interface StepEmitters {
  /** Statements for a step, and an operand that holds its result. */
  step(e: Emitter, step: Step): Operand;
  /** The same for the expression between brackets, boxed. */
  index(e: Emitter, qualifier: StepQualifier): string;
}

export class Emitter {
  readonly constants: unknown[] = [];
  /** Charges of one each that have not been added yet. */
  pending = 0;
  readonly presenceTestCost: 0 | 1;
  readonly specification: boolean;
  /** Whether reading an optional converts its value and back (value/reopen.ts). */
  readonly reopens: boolean;
  readonly straight: boolean;
  /** Whether growth is counted. */
  readonly grows: boolean;
  /** Paths that occur more than once and are read only once. */
  readonly memo: PathMemo;
  /** Loop variables that hold data which is converted where it is used (see emit-data.ts). */
  readonly dataSlots: Set<number> = new Set();
  private readonly lines: string[] = [];
  private size = 0;
  private temps = 0;
  private labels = 0;
  private scope: Scope = { exit: { kind: "return" }, owed: [] };
  private readonly globals = new Map<string, string>();
  /** Names that are read from objects directly, which is right while no prototype has been given a property of the name. */
  private readonly properties = new Set<string>();

  /** Conditions that would have made the straight form leave before this point. */
  private readonly excluded = new Set<string>();
  /** The same in order. */
  private readonly trail: string[] = [];

  private readonly emitters: StepEmitters;

  constructor(plan: PlanOptions, form: Form, grows: boolean, memo: PathMemo, emitters: StepEmitters) {
    this.presenceTestCost = plan.presenceTestCost;
    this.specification = plan.specification;
    this.reopens = !hasChange(plan.release, "optionalsKeepValues");
    this.grows = grows;
    this.straight = form === "straight";
    this.memo = memo;
    this.emitters = emitters;
  }

  /** Statements for a step, and an operand that holds its result. */
  step(step: Step): Operand {
    return this.emitters.step(this, step);
  }

  /** The index of a qualifier, boxed. */
  index(qualifier: StepQualifier): string {
    return this.emitters.index(this, qualifier);
  }

  line(text: string): void {
    this.size += text.length;
    if (this.size > MAX_CODE) throw new NotCompilable("too large to compile");
    this.lines.push(text);
  }

  /** Counts the growth of the next step, in elements of an array. */
  growth(elements: number): void {
    if (!this.grows) return;
    this.noteCost();
    this.line(`growBy(${elements});`);
  }

  temp(): string {
    return `t${this.temps++}`;
  }

  label(): string {
    return `L${this.labels++}`;
  }

  /** A value from outside, by its slot. */
  slot(value: unknown): string {
    const known = this.constants.indexOf(value);
    if (known >= 0) return `k${known}`;
    return `k${this.constants.push(value) - 1}`;
  }

  /** A variable of the activation, read once at the beginning. */
  global(name: string): string {
    let code = this.globals.get(name);
    if (code === undefined) {
      code = `g${this.globals.size}`;
      this.globals.set(name, code);
    }
    return code;
  }

  /** A property of data, read directly; for names that only data has (see value/data-property.ts). */
  property(target: string, name: string): string {
    this.properties.add(name);
    return `${target}[${literal(name)}]`;
  }

  /** Puts an operand's code into a variable. */
  assign(code: string, rep: Rep): Operand {
    const target = this.temp();
    this.line(`${target} = ${code};`);
    return { code: target, rep };
  }

  /** The operand boxed and in a variable, so that its parts can be read. */
  held(operand: Operand): string {
    return operand.constant || operand.rep !== "boxed" ? this.assign(boxed(operand), "boxed").code : operand.code;
  }

  flush(): void {
    if (this.pending === 0) return;
    this.line(`c += ${this.pending};`);
    this.pending = 0;
  }

  /** Looks at the limit and the clock when enough has been charged, one each. */
  checkCost(): void {
    this.line("if (c > check) check = tick(m, c, 0, 0);");
  }

  /** One charge: a number, or code of one. */
  charge(cost: number | string): void {
    if (cost === 0 || cost === 1) {
      this.pending += cost;
      return;
    }
    this.flush();
    this.line(wholeCharge(cost));
  }

  /** Passes the cost so far to the meter, before a call that may end the evaluation from inside. */
  noteCost(): void {
    this.flush();
    this.line("m.cost = c;");
  }

  /** Whether a condition would have made the straight form leave on the way here. */
  isExcluded(condition: string): boolean {
    return this.excluded.has(condition);
  }

  /** From here on the conditions do not hold, for the straight form would have left. */
  exclude(...conditions: readonly string[]): void {
    for (const condition of conditions) {
      if (this.excluded.has(condition)) continue;
      this.excluded.add(condition);
      this.trail.push(condition);
    }
  }

  /** The straight form leaves if one of the conditions holds. */
  leaveIf(...conditions: readonly string[]): void {
    const open = conditions.filter((condition) => !this.isExcluded(condition));
    if (open.length === 0) return;
    this.line(`if (${open.join(" || ")}) ${LEAVE}`);
    this.exclude(...open);
  }

  /** Leaves to the interpreter if the condition holds. */
  deoptIf(condition: string): void {
    if (this.isExcluded(condition)) return;
    this.line(`if (${condition}) return D;`);
    if (this.straight) this.exclude(condition);
  }

  /** A variable gets another value, so earlier checks of it no longer hold. */
  forget(name: string): void {
    const mentions = new RegExp(`\\b${name}\\b`);
    for (const condition of this.excluded) if (mentions.test(condition)) this.excluded.delete(condition);
  }

  /** Emits a branch that may be skipped: its checks hold only inside it. */
  branch<T>(emit: () => T): T {
    const { length } = this.trail;
    const result = emit();
    for (const condition of this.trail.splice(length)) this.excluded.delete(condition);
    return result;
  }

  /** Statements that leave with the error `error`. */
  fail(error: string): string {
    if (this.straight) return LEAVE;
    const { exit, owed } = this.scope;
    if (exit.kind === "deopt") return "return D;";
    const charge = this.owedCharges(owed);
    if (exit.kind === "return") return `${charge}m.cost = c; return ${error};`;
    return `${charge}${exit.target} = ${error}; break ${exit.label};`;
  }

  /** The charges that are made on the way out: the pending one, then those of the enclosing calls, the innermost first. */
  private owedCharges(owed: readonly (number | string)[]): string {
    let code = "";
    let ones = this.pending;
    const flush = (): void => {
      if (ones > 0) code += `c += ${ones}; `;
      ones = 0;
    };
    for (const cost of owed.toReversed()) {
      if (cost === 0 || cost === 1) {
        ones += cost;
        continue;
      }
      flush();
      code += `${wholeCharge(cost)} `;
    }
    flush();
    return code;
  }

  /** Emits with errors leaving through `exit`. */
  within<T>(exit: Exit, emit: () => T): T {
    return this.scoped({ exit, owed: [] }, emit);
  }

  /** Emits an operand of a call that is still charged `cost` when the operand fails; "deopt" when that is not known. */
  charging<T>(cost: number | string, emit: () => T): T {
    const { exit, owed } = this.scope;
    if (cost === "deopt") return this.scoped({ exit: { kind: "deopt" }, owed: [] }, emit);
    return this.scoped({ exit, owed: [...owed, cost] }, emit);
  }

  private scoped<T>(scope: Scope, emit: () => T): T {
    const outer = this.scope;
    this.scope = scope;
    const result = emit();
    this.scope = outer;
    return result;
  }

  /** The body of the generated function. */
  body(slots: number): string {
    const names = (prefix: string, count: number): string =>
      Array.from({ length: count }, (_, i) => `, ${prefix}${i}`).join("");
    const temps =
      names("t", this.temps) + names("s", slots) + names("p", this.memo.count) + names("n", this.memo.count);
    const globals = [...this.globals].map(([name, code]) => {
      const read = isDataKey(name) ? this.property("vars", name) : `property(vars, ${literal(name)})`;
      return `const ${code} = ${read};`;
    });
    const polluted = Array.from(this.properties, (name) => `EMPTY[${literal(name)}] !== undefined`);
    const guard = polluted.length > 0 ? [`if (${polluted.join(" || ")}) return D;`] : [];
    const declared = `var c = 0, w = 0, check = m.check${temps};`;
    const [begin, end] = this.straight ? ["S: {", "}\nreturn otherwise(vars, m);"] : ["", ""];
    return [declared, begin, ...guard, ...globals, ...this.lines, end].join("\n");
  }
}

/** The amount is in `w` when the limit is checked, unless it is a number. */
function wholeCharge(cost: number | string): string {
  return typeof cost === "number"
    ? `c += ${cost}; if (c > check) check = tick(m, c, ${cost}, 0);`
    : `c += w = ${cost}; if (c > check) check = tick(m, c, w, w);`;
}

/** A JavaScript literal for a string: JSON, with the two line separators that JSON allows and scripts once did not. */
export function literal(text: string): string {
  return JSON.stringify(text).replace(/[\u2028\u2029]/g, (c) => (c === "\u2028" ? "\\u2028" : "\\u2029"));
}

/** The representation of checked values of a declared type. */
export function repOf(type: Type): Rep {
  switch (type.kind) {
    case "bool":
    case "int":
    case "uint":
    case "double":
    case "string":
      return type.adapter && !type.adapter.deep ? "boxed" : type.kind;
    default:
      return "boxed";
  }
}

/** The operand as a boxed value. */
export function boxed({ code, rep }: Operand): string {
  if (rep === "double") return `boxDouble(${code})`;
  if (rep === "uint") return `new Uint(${code})`;
  return code;
}

/** The variable of a loop's or a bound name's slot. */
export const localName = (slot: number): string => `s${slot}`;
