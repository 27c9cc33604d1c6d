// Loops as loops. Charges are the same as in interpret-loop.ts. `all` and `exists` keep an error and go on, as they must; the loops that
// collect leave errors to the interpreter, which goes on charging after them.

import { stepCount } from "../../plan/children.ts";
import type { Collect, CollectMap, Count, LoopVars, Quantifier, Step } from "../../plan/step.ts";
import type { Type } from "../../value/type.ts";
import { GROWTH } from "../growth.ts";
import { elementCost, LOOP_COST } from "../interpret/interpret-loop.ts";
import { sizeName } from "../path-memo.ts";
import { boxed, type Emitter, localName, type Operand } from "./emit.ts";
import { emitRange, isConvertedWhole } from "./emit-attr.ts";
import { emitConverted, staysData } from "./emit-data.ts";
import { asBool, narrow } from "./emit-operand.ts";

/** So many iterations that may cost nothing are made between two counts of the work they are. A power of two. */
const FREE_ITERATIONS = 256;

interface Loop {
  /** Variables with the number of iterations and the current one. */
  readonly count: string;
  readonly index: string;
}

/** Emits the loop around `body`; the loop variables are set and `body` may `break`. */
function emitLoop(e: Emitter, step: Step & LoopVars, perIteration: number, body: (loop: Loop) => void): void {
  const data = step.range.op === "attr" ? emitRange(e, step.range) : undefined;
  const range = data?.code ?? boxed(e.step(step.range));
  const two = step.slot2 >= 0;
  e.flush();
  const [values, keys, count, index] = [e.temp(), e.temp(), e.temp(), e.temp()];
  e.line(`${values} = ${range};`);
  e.line(
    two
      ? `${keys} = Array.isArray(${values}) ? undefined : rangeKeys(${values});`
      : `${keys} = Array.isArray(${values}) ? ${values} : rangeItems(${values});`,
  );
  if (two) {
    e.line(
      `if (${keys} === undefined && !Array.isArray(${values})) { ${values} = listItems(${values}); if (${values} === undefined) { ${e.fail(`rangeError(${range}, true).at(${step.id})`)} } }`,
    );
    e.line(`${count} = ${keys} === undefined ? ${values}.length : ${keys}.length;`);
  } else {
    e.line(`if (${keys} === undefined) { ${e.fail(`rangeError(${range}, false).at(${step.id})`)} }`);
    e.line(`${count} = ${keys}.length;`);
  }
  e.line(`for (${index} = 0; ${index} < ${count}; ${index}++) {`);
  e.branch(() => {
    if (perIteration > 0) e.line(`c += ${perIteration};`);
    else
      e.line(
        `if ((${index} & ${FREE_ITERATIONS - 1}) === ${FREE_ITERATIONS - 1}) work(${FREE_ITERATIONS * stepCount(step)});`,
      );
    e.checkCost();
    if (two) {
      bindVariable(e, step.slot, step.type1, `${keys} === undefined ? ${index} : ${keys}[${index}]`, false);
      const element = `${keys} === undefined ? ${values}[${index}] : entryValue(${values}, ${keys}[${index}])`;
      bindVariable(e, step.slot2, step.type2, element, true, data !== undefined);
      failing(e, step.slot2, step);
    } else {
      bindVariable(e, step.slot, step.type1, `${keys}[${index}]`, true, data !== undefined);
      failing(e, step.slot, step);
    }
    body({ count, index });
    e.flush();
  });
  e.line("}");
}

/** A loop variable: a hole in a sparse array is null, data of a declared type is made bare. */
function bindVariable(e: Emitter, slot: number, type: Type, code: string, data: boolean, ofDeep = false): void {
  const name = localName(slot);
  e.line(`${name} = ${code};`);
  const stale = e.memo.ofSlot(slot);
  for (const variable of [name, ...stale]) e.forget(variable);
  if (stale.length > 0) e.line(`${stale.map((memo) => `${memo} = ${sizeName(memo)}`).join(" = ")} = undefined;`);
  if (data) e.line(`if (${name} === undefined) ${name} = null;`);
  if (staysData(type) && (ofDeep || type.kind === "struct")) {
    // Elements of a computed list that have a struct type are views of data, and are read as data.
    if (!ofDeep) e.line(`${name} = dataOf(${name}); if (${name} === undefined) return D;`);
    e.dataSlots.add(slot);
    return;
  }
  if (isConvertedWhole(type)) {
    e.line(`${name} = coerce(${e.slot(type)}, ${name}); if (${name} instanceof CelError) return D;`);
    return;
  }
  const held: Operand = ofDeep ? emitConverted(e, { code: name, type }) : narrow(e, name, type);
  if (held.code !== name) e.line(`${name} = ${held.code};`);
}

/** An element of a computed list can be an error that was inside an optional: the interpreter knows what reading it means. */
function failing(e: Emitter, slot: number, { origin }: LoopVars): void {
  if (origin !== "data") e.line(`if (${localName(slot)} instanceof CelError) return D;`);
}

export function emitQuantifier(e: Emitter, step: Quantifier): Operand {
  const decisive = step.op === "exists";
  const condition = decisive ? LOOP_COST.existsCondition : LOOP_COST.allCondition;
  const result = e.temp();
  if (e.straight) {
    e.line(`${result} = ${!decisive};`);
    emitLoop(e, step, condition + LOOP_COST.quantifierStep, ({ count, index }) => {
      const value = asBool(e, e.step(step.predicate), step.id);
      e.flush();
      const last = `if (${index} + 1 < ${count}) c += ${condition};`; // the condition that ends the loop
      e.line(`if (${decisive ? "" : "!"}${value}) { ${result} = ${decisive}; ${last} break; }`);
    });
    e.pending += LOOP_COST.result;
    return { code: result, rep: "bool" };
  }
  const error = e.temp();
  e.line(`${result} = ${!decisive}; ${error} = undefined;`);
  emitLoop(e, step, condition + LOOP_COST.quantifierStep, ({ count, index }) => {
    const [failed, label] = [e.temp(), e.label()];
    e.line(`${failed} = undefined; ${label}: {`);
    e.within({ kind: "block", label, target: failed }, () => {
      const value = asBool(e, e.step(step.predicate), step.id);
      e.flush();
      const last = `if (${index} + 1 < ${count}) c += ${condition};`; // the condition that ends the loop
      e.line(`if (${value} === ${decisive}) { ${result} = ${decisive}; ${error} = undefined; ${last} break; }`);
    });
    e.line("}");
    e.line(`if (${failed} !== undefined && ${error} === undefined) ${error} = ${failed};`);
  });
  e.pending += LOOP_COST.result;
  e.line(`if (${error} !== undefined) { ${e.fail(error)} }`);
  return { code: result, rep: "bool" };
}

export function emitCount(e: Emitter, step: Count): Operand {
  const count = e.assign("0", "int");
  emitLoop(e, step, 0, () => {
    e.within({ kind: "deopt" }, () => {
      const value = asBool(e, e.step(step.predicate), step.id);
      e.flush();
      e.line(`if (${value}) { ${count.code}++; c += ${LOOP_COST.count}; }`);
    });
  });
  e.pending += LOOP_COST.countResult;
  return { code: `(${count.code} === 1)`, rep: "bool" };
}

export function emitCollect(e: Emitter, step: Collect): Operand {
  e.growth(GROWTH.list);
  const list = e.assign("[]", "boxed");
  emitLoop(e, step, 0, () => {
    filtered(e, step, () => {
      e.pending += LOOP_COST.accumulator;
      const value = boxed(e.step(step.transform));
      e.charge(elementCost(step.transform));
      e.pending += LOOP_COST.accumulate;
      e.flush();
      e.growth(GROWTH.element);
      e.line(`${list.code}.push(${value});`);
    });
  });
  e.pending += LOOP_COST.result;
  return list;
}

export function emitCollectMap(e: Emitter, step: CollectMap): Operand {
  e.growth(GROWTH.map);
  const map = e.assign("new CelMap()", "boxed");
  emitLoop(e, step, 0, () => {
    filtered(e, step, () => {
      e.pending += LOOP_COST.accumulator;
      const key = step.key && boxed(e.step(step.key));
      const value = boxed(e.step(step.transform));
      e.pending += LOOP_COST.accumulate;
      e.flush();
      if (key === undefined) {
        if (e.grows) e.noteCost();
        e.line(`if (insertAll(${map.code}, ${value}) !== undefined) return D;`);
      } else {
        e.growth(GROWTH.entry);
        e.line(`if (${map.code}.insert(${key}, ${value}) !== ${map.code}) return D;`);
      }
    });
  });
  e.pending += LOOP_COST.result;
  return map;
}

/** The body for elements that fit the predicate; errors end the generated evaluation. */
function filtered(
  e: Emitter,
  step: { readonly predicate: Step | undefined; readonly id: number },
  body: () => void,
): void {
  e.within({ kind: "deopt" }, () => {
    if (!step.predicate) {
      body();
      return;
    }
    const value = asBool(e, e.step(step.predicate), step.id);
    e.flush();
    e.line(`if (${value}) {`);
    e.branch(body);
    e.line("}");
  });
}
