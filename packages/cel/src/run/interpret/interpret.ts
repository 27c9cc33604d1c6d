// The interpreter: closures over a plan. It defines evaluation — values, errors and every charge in the reference implementation's order —
// and it can record the value of each node. compile.ts turns the same plan into one JavaScript function; both must agree on every vector.

import { dispatch, fitsAll, invoke, mismatch } from "../../call/dispatch.ts";
import type { Overload } from "../../call/overload.ts";
import type { CallStep, Equality, InSet, Logic, OptionalOr, Plan, Step } from "../../plan/step.ts";
import { unhashableKey, unhashableType } from "../../value/collection/map.ts";
import { equal } from "../../value/equal.ts";
import { type CelError, isError, noSuchOverload, Panic } from "../../value/error.ts";
import { hasChange } from "../../value/release.ts";
import { costSize, equalityCost } from "../../value/size/size.ts";
import { Stop } from "../../value/size/stop.ts";
import { growBy } from "../../value/size/work.ts";
import { Optional, Type, type Value } from "../../value/value.ts";
import { stopsEarly } from "../argument-order.ts";
import { callCost, isChargedBefore } from "../call-cost.ts";
import { CHARGED, type Frame } from "../frame.ts";
import { mayGrow } from "../growth.ts";
import { valueSet } from "../value-set.ts";
import { interpretAttr, UNSET } from "./interpret-attr.ts";
import { interpretList, interpretMap, interpretStruct } from "./interpret-literal.ts";
import {
  interpretCollect,
  interpretCollectMap,
  interpretCount,
  interpretFold,
  interpretQuantifier,
} from "./interpret-loop.ts";

export type Run = (frame: Frame) => Value | CelError;

/** Collects what closures need. */
export interface Builder {
  build(step: Step): Run;
  /** The same for the value of a bound name, which is built once however often the name is used. */
  buildOnce(step: Step): Run;
  readonly recording: boolean;
  readonly presenceTestCost: 0 | 1;
  readonly specification: boolean;
  /** Whether reading an optional converts its value and back (value/reopen.ts). */
  readonly reopens: boolean;
  /** Whether `or` and `orValue` answer an operand that is no optional. */
  readonly answersAnything: boolean;
  /** Counts the growth of the next step, in elements of an array; does nothing for expressions that make little. */
  readonly growth: (elements: number) => void;
}

/** The plan as one closure. With `recording`, every node reports its result to the frame's recorder. */
export function interpret(plan: Plan, recording: boolean): Run {
  const built = new Map<Step, Run>();
  const builder: Builder = {
    build: (step) => (recording ? recorded(step.id, buildStep(step, builder)) : buildStep(step, builder)),
    buildOnce(step) {
      const run = built.get(step) ?? builder.build(step);
      built.set(step, run);
      return run;
    },
    recording,
    presenceTestCost: plan.options.presenceTestCost,
    specification: plan.options.specification,
    reopens: !hasChange(plan.options.release, "optionalsKeepValues"),
    answersAnything: !hasChange(plan.options.release, "orNeedsOptional"),
    growth: mayGrow(plan.step) ? growBy : () => {},
  };
  return builder.build(plan.step);
}

function recorded(id: number, run: Run): Run {
  return (frame) => {
    const before = frame.cost;
    const value = run(frame);
    frame.recorder?.value(id, value, frame.cost - before);
    return value;
  };
}

function buildStep(step: Step, b: Builder): Run {
  switch (step.op) {
    case "const": {
      const { value } = step;
      return () => value;
    }
    case "attr":
      return interpretAttr(step, b);
    case "and":
    case "or":
      return interpretLogic(step, b);
    case "eq":
    case "ne":
      return interpretEquality(step, b);
    case "call":
      return interpretCall(step, b);
    case "inSet":
      return interpretInSet(step, b);
    case "list":
      return interpretList(step, b);
    case "map":
      return interpretMap(step, b);
    case "struct":
      return interpretStruct(step, b);
    case "optionalOr":
      return interpretOptionalOr(step, b);
    case "all":
    case "exists":
      return interpretQuantifier(step, b);
    case "existsOne":
      return interpretCount(step, b);
    case "collect":
      return interpretCollect(step, b);
    case "collectMap":
      return interpretCollectMap(step, b);
    case "fold":
      return interpretFold(step, b);
    case "bind": {
      const body = b.build(step.body);
      const { slot } = step;
      const first = step.eager && b.buildOnce(step.eager.init);
      return (frame) => {
        frame.locals[slot] = first === undefined ? UNSET : first(frame);
        return body(frame);
      };
    }
    case "block": {
      const body = b.build(step.body);
      const { slots } = step;
      return (frame) => {
        for (const slot of slots) frame.locals[slot] = UNSET;
        return body(frame);
      };
    }
  }
}

/** `&&` and `||`: the first operand that decides ends it; an error is kept and returned only when nothing decides. */
function interpretLogic(step: Logic, b: Builder): Run {
  const left = b.build(step.left);
  const right = b.build(step.right);
  const decisive = step.op === "or";
  const { id } = step;
  return (frame) => {
    const l = left(frame);
    if (l === decisive) return decisive;
    const r = right(frame);
    if (r === decisive) return decisive;
    if (l !== !decisive) return operandError(l, id);
    return r === !decisive ? r : operandError(r, id);
  };
}

function operandError(value: Value | CelError, id: number): CelError {
  return isError(value) ? value : noSuchOverload().at(id);
}

/** `==` and `!=`. Both operands are always evaluated; `!=` is "not exactly equal", so a failing comparison is unequal. */
function interpretEquality(step: Equality, b: Builder): Run {
  const left = b.build(step.left);
  const right = b.build(step.right);
  const negate = step.op === "ne";
  const { id } = step;
  return (frame) => {
    const l = left(frame);
    const r = right(frame);
    const cost = negate ? Math.ceil(Math.min(costSize(l), costSize(r)) * 0.1) : equalityCost(l, r);
    const result = frame.paid(cost, () =>
      isError(l) ? l : isError(r) ? r : negate ? equal(l, r) !== true : equal(l, r),
    );
    return isError(result) ? result.at(id) : result;
  };
}

function interpretCall(step: CallStep, b: Builder): Run {
  const args = step.args.map(b.build);
  const { id, name, overload, candidates, special } = step;
  const nonStrict = overload?.nonStrict ?? candidates[0]?.nonStrict ?? false;
  const early = stopsEarly(step);
  const cost = callCost(step);
  const before = cost === undefined || isChargedBefore(cost);
  const fixed = cost?.fixed ?? 0;
  const apply = applier(step);
  return (frame) => {
    const values: Value[] = new Array(args.length);
    let failed: CelError | undefined;
    for (let i = 0; i < args.length; i++) {
      const value = (args[i] as Run)(frame);
      values[i] = value;
      if (nonStrict || !isError(value)) continue;
      failed ??= value;
      if (early && i < args.length - 1) return value;
    }
    const make = (): Value | CelError => failed ?? apply(values);
    let result: Value | CelError;
    if (fixed > CHARGED) frame.expectFixed(fixed);
    if (before) result = frame.paid(cost ? cost.actual(values, undefined) : 1, make);
    else {
      result = make();
      frame.charge(cost.actual(values, result));
    }
    if (result instanceof Panic) throw new Stop(result.at(id));
    return isError(result) ? result.at(id) : result;
  };

  function applier({ overload: row }: CallStep): (values: readonly Value[]) => Value | CelError {
    const call = special ?? row?.call;
    if (!row || !call) return (values) => dispatch(name, candidates, values);
    return (values) => {
      if (fitsAll(row, values)) return invoke(row, call, values);
      if (special && (row.operator || row.terseSpecial)) return matchNative(row, special, values);
      return row.operator ? dispatch(name, candidates, values) : mismatch(name, candidates, values);
    };
  }
}

function interpretInSet(step: InSet, b: Builder): Run {
  const arg = b.build(step.arg);
  const has = valueSet(step.list);
  const { id } = step;
  return (frame) => {
    const value = arg(frame);
    if (isError(value)) return value;
    const unhashable = unhashableType(value);
    if (unhashable !== undefined) throw new Stop(unhashableKey(unhashable).at(id));
    return has(value);
  };
}

function interpretOptionalOr(step: OptionalOr, b: Builder): Run {
  const left = b.build(step.left);
  const right = b.build(step.right);
  const { unwrap, id } = step;
  const { answersAnything } = b;
  return (frame) => {
    const l = left(frame);
    if (!(l instanceof Optional)) return answersAnything || isError(l) ? l : noSuchOverload().at(id);
    if (l.hasValue) return unwrap ? l.value : l;
    return right(frame);
  };
}

/**
 * A constant pattern is matched against values that the reference's host language sees as text: the name of a type, the content of an
 * optional.
 */
function matchNative(
  row: Overload,
  special: NonNullable<Overload["call"]>,
  [first, ...rest]: readonly Value[],
): Value | CelError {
  let text = first;
  while (text instanceof Optional && text.hasValue) text = text.value;
  const values = [text instanceof Type ? text.name : text, ...rest];
  return fitsAll(row, values) ? invoke(row, special, values) : noSuchOverload();
}
