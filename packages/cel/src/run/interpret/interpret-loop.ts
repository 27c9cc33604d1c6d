// Loops. Expansions of macros are not interpreted node by node, but charged as if they were; each constant says which nodes of the
// expansion it stands for.

import { mismatch } from "../../call/dispatch.ts";
import { LIST_BASE } from "../../cost/formulas.ts";
import { stepCount } from "../../plan/children.ts";
import type { Collect, CollectMap, Count, Fold, LoopVars, Quantifier, Step } from "../../plan/step.ts";
import { coerce, needsCoercion } from "../../types/access.ts";
import { isMap } from "../../value/box.ts";
import { CelMap } from "../../value/collection/map.ts";
import { type CelError, isError, noSuchOverload, Panic } from "../../value/error.ts";
import { Stop } from "../../value/size/stop.ts";
import { work } from "../../value/size/work.ts";
import type { Value } from "../../value/value.ts";
import type { Frame } from "../frame.ts";
import { GROWTH } from "../growth.ts";
import { iterate, rangeError } from "../iterate.ts";
import type { Builder, Run } from "./interpret.ts";
import { UNSET } from "./interpret-attr.ts";

export const LOOP_COST = {
  /** `@not_strictly_false(@result)`: variable and call. */
  allCondition: 2,
  /** `@not_strictly_false(!@result)`: variable and two calls. */
  existsCondition: 3,
  /** `@result` on the left of `&&` or `||`. */
  quantifierStep: 1,
  /** `@result` at the end. */
  result: 1,
  /** `@result + 1` for an element that fits. */
  count: 2,
  /** `@result == 1` at the end: variable and comparison. */
  countResult: 2,
  /** `@result` before the element in `@result + [t]`, or before key and value in `cel.@mapInsert(@result, k, t)`. */
  accumulator: 1,
  /** The `+` or the call around them. */
  accumulate: 1,
} as const;

/** The list `[t]` around a transformed element; a constant one has been folded. */
export function elementCost(transform: Step): number {
  return transform.op === "const" ? 0 : LIST_BASE;
}

type Loop = Step & LoopVars;

/** Runs `body` for each element or entry until it answers true; the error when the range cannot be iterated. */
function loop(step: Loop, b: Builder): (frame: Frame, body: () => boolean) => CelError | undefined {
  const range = b.build(step.range);
  const { slot, slot2, id } = step;
  const weight = stepCount(step);
  const coerce1 = needsCoercion(step.type1) ? step.type1 : undefined;
  const coerce2 = needsCoercion(step.type2) ? step.type2 : undefined;
  return (frame, body) => {
    const values = range(frame);
    if (isError(values)) return values;
    const { locals } = frame;
    const iterated = iterate(values, slot2 >= 0, (first, second, element) => {
      work(weight);
      locals[slot] = coerce1 ? coerce(coerce1, first) : first;
      if (slot2 >= 0) locals[slot2] = coerce2 ? coerce(coerce2, second) : second;
      if (b.recording) frame.recorder?.iteration?.(id, first, element);
      return body();
    });
    return iterated ? undefined : rangeError(values, slot2 >= 0).at(id);
  };
}

/** `all` and `exists`: as `&&` and `||` over the elements, ended by the first that decides. */
export function interpretQuantifier(step: Quantifier, b: Builder): Run {
  const each = loop(step, b);
  const predicate = b.build(step.predicate);
  const decisive = step.op === "exists";
  const conditionCost = decisive ? LOOP_COST.existsCondition : LOOP_COST.allCondition;
  const { id } = step;
  return (frame) => {
    let accu: Value | CelError = !decisive;
    const failed = each(frame, () => {
      frame.chargeEach(conditionCost);
      if (accu === decisive) return true;
      frame.chargeEach(LOOP_COST.quantifierStep);
      const value = predicate(frame);
      if (value === decisive) accu = decisive;
      else if (accu === !decisive && value !== accu) accu = isError(value) ? value : noSuchOverload().at(id);
      return false;
    });
    if (failed) return failed;
    frame.chargeEach(LOOP_COST.result);
    return accu;
  };
}

/** `exists_one`: never ends early; a predicate's error becomes the result, the last one when there are several. */
export function interpretCount(step: Count, b: Builder): Run {
  const each = loop(step, b);
  const predicate = b.build(step.predicate);
  const { id } = step;
  return (frame) => {
    let count = 0;
    let error: CelError | undefined;
    const failed = each(frame, () => {
      const value = predicate(frame);
      if (value === true) {
        frame.chargeEach(LOOP_COST.count);
        count++;
      } else if (value !== false) error = isError(value) ? value : noSuchOverload().at(id);
      return false;
    });
    if (failed) return failed;
    frame.chargeEach(LOOP_COST.countResult);
    return error ?? count === 1;
  };
}

/** `map`, `filter`, `transformList`: every element is visited, also after an error. */
export function interpretCollect(step: Collect, b: Builder): Run {
  const each = loop(step, b);
  const predicate = step.predicate && b.build(step.predicate);
  const transform = b.build(step.transform);
  const listCost = elementCost(step.transform);
  const { id } = step;
  return (frame) => {
    b.growth(GROWTH.list);
    const list: Value[] = [];
    let error: CelError | undefined;
    const failed = each(frame, () => {
      const fits = predicate ? predicate(frame) : true;
      if (fits === false) return false;
      if (fits !== true) {
        error = isError(fits) ? fits : noSuchOverload().at(id); // the ternary's error replaces the accumulator
        return false;
      }
      frame.chargeEach(LOOP_COST.accumulator);
      const value = transform(frame);
      frame.charge(listCost);
      frame.chargeEach(LOOP_COST.accumulate);
      if (error === undefined && isError(value)) error = value;
      if (error !== undefined) return false;
      b.growth(GROWTH.element);
      list.push(value);
      return false;
    });
    if (failed) return failed;
    frame.chargeEach(LOOP_COST.result);
    return error ?? list;
  };
}

/** `transformMap` and `transformMapEntry`. */
export function interpretCollectMap(step: CollectMap, b: Builder): Run {
  const each = loop(step, b);
  const predicate = step.predicate && b.build(step.predicate);
  const key = step.key && b.build(step.key);
  const transform = b.build(step.transform);
  const { id } = step;
  return (frame) => {
    b.growth(GROWTH.map);
    const map = new CelMap();
    let error: CelError | undefined;
    const failed = each(frame, () => {
      const fits = predicate ? predicate(frame) : true;
      if (fits === false) return false;
      if (fits !== true) {
        error = isError(fits) ? fits : noSuchOverload().at(id);
        return false;
      }
      frame.chargeEach(LOOP_COST.accumulator);
      if (key) {
        if (error) return false; // three arguments: the first error ends the call, uncharged
        const k = key(frame);
        if (isError(k)) {
          error = k;
          return false;
        }
        const value = transform(frame);
        frame.chargeEach(LOOP_COST.accumulate);
        if (!isError(value)) b.growth(GROWTH.entry);
        error = isError(value) ? value : inserted(map.insert(k, value), id);
      } else {
        const entries = transform(frame);
        frame.chargeEach(LOOP_COST.accumulate);
        error ??= isError(entries) ? entries : inserted(insertAll(map, entries), id);
      }
      return false;
    });
    if (failed) return failed;
    frame.chargeEach(LOOP_COST.result);
    return error ?? map;
  };
}

function inserted(result: CelMap | CelError | undefined, id: number): CelError | undefined {
  if (result instanceof Panic) throw new Stop(result.at(id));
  return isError(result) ? result.at(id) : undefined;
}

export function insertAll(map: CelMap, entries: Value): CelError | undefined {
  return isMap(entries) ? map.insertAll(entries) : mismatch("cel.@mapInsert", [], [map, entries]);
}

/** Any other comprehension, node by node. */
export function interpretFold(step: Fold, b: Builder): Run {
  const each = loop(step, b);
  const init = b.build(step.init);
  const condition = b.build(step.condition);
  const advance = b.build(step.step);
  const result = b.build(step.result);
  const { accu } = step;
  return (frame) => {
    const { locals } = frame;
    locals[accu] = UNSET;
    const failed = each(frame, () => {
      if (locals[accu] === UNSET) locals[accu] = init(frame);
      if (condition(frame) === false) return true;
      locals[accu] = advance(frame);
      return false;
    });
    if (failed) return failed;
    if (locals[accu] === UNSET) locals[accu] = init(frame);
    return result(frame);
  };
}
