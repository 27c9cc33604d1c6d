// The symbolic evaluator: a plan over partly known values. It has the meaning of the engine's interpreter (run/interpret/interpret.ts):
// errors are values, `&&` and `||` absorb them, everything else passes them on. If it cannot follow an expression, it allows every result
// and remembers the sub-expression.

import type { Value } from "@celadon/cel";
import type { Step } from "@celadon/cel/plan";
import { CelMap, equal } from "@celadon/cel/values";
import { GaveUp } from "../path/choices.ts";
import type { Path } from "../path/path.ts";
import { boolOf, constantOf, ERROR, FALSE, type Symbolic, TRUE } from "../path/symbolic.ts";
import { KIND } from "../tree/node.ts";
import { readAttribute } from "./attribute.ts";
import { call } from "./call.ts";
import { areEqual, textIn } from "./equality.ts";
import { type Evaluation, type Frame, keyOfSymbolic, mayFail, opaque, truth, UNSET } from "./evaluation.ts";
import { collect, countOne, quantify } from "./loops.ts";

/** Steps of one path: far more than any policy needs whose answer is found in time. */
const MOST_STEPS = 60_000;

export class Evaluator implements Evaluation {
  readonly path: Path;
  #steps = 0;

  constructor(path: Path) {
    this.path = path;
  }

  on(path: Path): Evaluator {
    return new Evaluator(path);
  }

  run(step: Step, frame: Frame): Symbolic {
    if (++this.#steps > MOST_STEPS) throw new GaveUp("too many steps");
    switch (step.op) {
      case "const":
        return constantOf(step.value);
      case "attr":
        return readAttribute(this, step, frame);
      case "and":
      case "or":
        return this.#logic(step, frame);
      case "eq":
      case "ne": {
        const left = this.run(step.left, frame);
        const right = this.run(step.right, frame);
        const same = areEqual(this, frame, left, right);
        if (left.is === "error" || right.is === "error") return ERROR;
        if (step.op === "ne") return boolOf(same !== true);
        return same === "error" ? ERROR : boolOf(same);
      }
      case "call": {
        const args = step.args.map((arg) => this.run(arg, frame));
        return call(this, step, args, frame);
      }
      case "inSet":
        return this.#inSet(this.run(step.arg, frame), step.list, frame);
      case "list":
        return this.#list(step, frame);
      case "map":
        return this.#map(step, frame);
      case "optionalOr": {
        const left = this.run(step.left, frame);
        if (left.is === "opaque") return this.#unfollowed(step, frame);
        if (left.is !== "optional") return ERROR;
        if (left.value === undefined) return this.run(step.right, frame);
        return step.unwrap ? left.value : left;
      }
      case "all":
      case "exists":
        return quantify(this, step, frame);
      case "existsOne":
        return countOne(this, step, frame);
      case "collect":
        return collect(this, step, frame);
      case "bind":
        frame.locals[step.slot] = UNSET;
        return this.run(step.body, frame);
      case "block":
        for (const slot of step.slots) frame.locals[slot] = UNSET;
        return this.run(step.body, frame);
      case "collectMap":
      case "fold":
      case "struct":
        return this.#unfollowed(step, frame);
    }
  }

  /** Any result at all, the same wherever the step is met again with the same local values. */
  #unfollowed(step: Step, frame: Frame): Symbolic {
    const why = frame.textOf(step.id);
    this.path.unfollowed.add(why);
    const locals = frame.locals.map((value) =>
      value === undefined || value === UNSET ? "" : `${keyOfSymbolic(value)} `,
    );
    const key = `step ${step.id} of ${why} (${locals.join()}) of ${frame.owner}`;
    return mayFail(this, key, why, () => opaque(this, step.type, key, why));
  }

  #logic(step: Extract<Step, { op: "and" | "or" }>, frame: Frame): Symbolic {
    const decisive = step.op === "or";
    const left = truth(this, this.run(step.left, frame));
    if (left === decisive) return boolOf(decisive);
    const right = truth(this, this.run(step.right, frame));
    if (right === decisive) return boolOf(decisive);
    return left === "error" || right === "error" ? ERROR : boolOf(!decisive);
  }

  #inSet(value: Symbolic, list: readonly Value[], frame: Frame): Symbolic {
    if (value.is === "error") return value;
    const texts = list.filter((item): item is string => typeof item === "string");
    if (texts.length === list.length) {
      if (value.is === "text") return boolOf(textIn(this.path, value.text, texts));
      if (value.is === "node") {
        if (!this.path.isKind(value.node, KIND.text)) return FALSE;
        return boolOf(textIn(this.path, this.path.textOf(value.node), texts));
      }
    }
    for (const item of list) {
      const same = areEqual(this, frame, value, constantOf(item));
      if (same === true) return TRUE;
    }
    return FALSE;
  }

  #list(step: Extract<Step, { op: "list" }>, frame: Frame): Symbolic {
    const items: Symbolic[] = [];
    for (const [i, element] of step.elements.entries()) {
      const value = this.run(element, frame);
      if (value.is === "error") return value;
      if (step.optional?.[i] !== true) items.push(value);
      else if (value.is !== "optional") return this.#unfollowed(step, frame);
      else if (value.value !== undefined) items.push(value.value);
    }
    const values = items.map((item) => (item.is === "value" ? item.value : MISSING));
    if (!values.includes(MISSING)) return constantOf(values);
    return { is: "list", parts: [{ of: "items", items }] };
  }

  #map(step: Extract<Step, { op: "map" }>, frame: Frame): Symbolic {
    const entries: [Symbolic, Symbolic][] = [];
    const map = new CelMap();
    for (const { key: keyStep, value: valueStep, optional, apart } of step.entries) {
      if (optional || apart) return this.#unfollowed(step, frame);
      const [key, value] = [this.run(keyStep, frame), this.run(valueStep, frame)];
      if (key.is === "error" || value.is === "error") return ERROR;
      if (key.is !== "value") return this.#unfollowed(step, frame);
      // The last value of a repeated key stays; a value that is open only keeps its place here.
      const known = value.is === "value" ? value.value : null;
      if ((step.strict ? map.add(key.value, known) : map.set(key.value, known)) !== undefined) return ERROR;
      const earlier = entries.findIndex(([other]) => other.is === "value" && equal(other.value, key.value) === true);
      if (earlier >= 0) entries.splice(earlier, 1);
      entries.push([key, value]);
    }
    return entries.every(([, value]) => value.is === "value") ? constantOf(map) : { is: "map", entries };
  }
}

const MISSING: unique symbol = Symbol("missing");
