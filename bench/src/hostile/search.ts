// The most time for a unit of cost that a call can be made to take: shapes and sizes of its arguments are changed one at a time, and a
// worse one is kept. Then the worst and the longest of them are called again and again, as in a loop that an attacker writes, to see how
// long the clock is not looked at.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Env, INT, listOf, type Mode, type Program } from "@celadon/cel";
import { type Call, variablesOf } from "./calls.ts";
import { type Shape, shapesOf } from "./shapes.ts";

export interface Worst {
  readonly call: string;
  readonly expr: string;
  /** Shapes and sizes of the arguments. */
  readonly args: string;
  /** CPU time of an evaluation. */
  readonly microseconds: number;
  readonly cost: number;
  /** Microseconds for a unit of cost. */
  readonly perUnit: number;
  /** The longest time without a look at the clock, in milliseconds of CPU: a deadline is overrun by no more. */
  readonly latency: number;
  readonly interrupted: boolean;
}

/** Data of an object is no larger: a request has at most three million bytes, and an element or entry is some ten of them. */
const SIZES = [1000, 30_000, 300_000, 30, 1] as const;
const TEXT_SIZES = [1000, 30_000, 1_000_000, 30, 1] as const;
/** Calls in an evaluation: the cost of caching facts about an argument is spread over all of them. */
const CALLS = 10;
/** Milliseconds of an evaluation, and of the loop that never ends by itself. */
const DEADLINE = 200;
const LOOP_DEADLINE = 50;
const LOOP: readonly number[] = Array.from({ length: 100_000 }, () => 0);
/** Shorter evaluations are repeated until they have taken so many microseconds. */
const SHORT = 300;

interface Argument {
  readonly shape: number;
  readonly size: number;
}

interface Search {
  readonly call: Call;
  readonly program: Program;
  readonly shapes: readonly (readonly Shape[])[];
  readonly sizes: readonly (readonly number[])[];
  readonly tried: Map<string, Trial>;
}

interface Trial extends Worst {
  readonly given: readonly Argument[];
}

export function worstOf(call: Call, env: Env, milliseconds: number, mode: Mode): Worst | undefined {
  const within = env.extend({ variables: { ...variablesOf(call.types), z: listOf(INT) } });
  const compiled = within.compile(`[${"0, ".repeat(CALLS)}].map(n, ${call.expr}).size()`, { mode });
  const looped = within.compile(`z.exists(n, [${call.expr}].size() == 0)`, { mode });
  if (!compiled.ok || !looped.ok) return undefined;
  const shapes = call.types.map((type) => shapesOf(type, env));
  if (shapes.some((list) => list.length === 0)) return undefined;
  const ends = cpu() + milliseconds * 1000;
  const sizes = call.types.map(({ kind }) => (kind === "string" || kind === "bytes" ? TEXT_SIZES : SIZES));
  const search: Search = { call, program: compiled.program, shapes, sizes, tried: new Map() };
  let best: readonly Argument[] = call.types.map(() => ({ shape: 0, size: 0 }));
  let worst = trial(search, best);
  const tryOut = (i: number, argument: Argument): void => {
    if (cpu() > ends) return;
    const candidate = best.map((given, j) => (j === i ? argument : given));
    const result = trial(search, candidate);
    if (result.perUnit <= worst.perUnit) return;
    worst = result;
    best = candidate;
  };
  // Shapes at a middling size, then the sizes of the worst of them, then all of both.
  for (const [i, list] of shapes.entries()) for (const shape of list.keys()) tryOut(i, { shape, size: 0 });
  for (const i of shapes.keys()) {
    for (const size of SIZES.keys()) tryOut(i, { shape: (best[i] as Argument).shape, size });
  }
  for (const size of SIZES.keys()) {
    for (const [i, list] of shapes.entries()) for (const shape of list.keys()) tryOut(i, { shape, size });
  }
  const trials = [...search.tried.values()];
  const longest = trials.reduce((a, b) => (b.microseconds > a.microseconds ? b : a));
  const latencies = [worst, longest].map(({ given }) => loop(search, looped.program, given));
  const { given, ...row } = worst;
  return { ...row, latency: Math.max(...latencies, ...trials.map(({ latency }) => latency)) };
}

/** In milliseconds. A longer time may have been caused by the machine. */
const LONG_LATENCY = 50;

/** The longest time without a look at the clock while a call is made over and over; the shorter of two where that is long. */
function loop(search: Search, program: Program, args: readonly Argument[]): number {
  const variables = { ...variablesFor(search, args), z: LOOP };
  const once = (): number => {
    collectGarbage();
    const clock = new Clock(LOOP_DEADLINE);
    program.evaluate(variables, { signal: clock });
    return clock.latency();
  };
  const latency = once();
  return latency > LONG_LATENCY ? Math.min(latency, once()) : latency;
}

function variablesFor({ shapes, sizes }: Search, args: readonly Argument[]): Record<string, unknown> {
  const values = args.map(({ shape, size }, i) => shapes[i]?.[shape]?.make(sizes[i]?.[size] as number));
  return Object.fromEntries(values.map((value, i) => ["abcd"[i], value]));
}

function trial(search: Search, given: readonly Argument[]): Trial {
  const { call, program, shapes, sizes, tried } = search;
  const args = given.map(({ shape, size }, i) => `${shapes[i]?.[shape]?.name} ${sizes[i]?.[size]}`).join(", ");
  const known = tried.get(args);
  if (known !== undefined) return known;
  const variables = variablesFor(search, given);
  let microseconds = Number.POSITIVE_INFINITY;
  let latency = Number.POSITIVE_INFINITY;
  let cost = 1;
  let interrupted = false;
  // The first evaluation includes disturbances of the machine; the faster of two is the time of the work.
  for (let run = 0; run < 2 && !(interrupted && run > 0); run++) {
    let [times, spent] = [0, 0];
    do {
      const clock = new Clock(DEADLINE);
      const outcome = program.evaluate(variables, { signal: clock });
      // A collection of garbage in one of them is not the work of this call.
      latency = Math.min(latency, clock.latency());
      spent += clock.taken();
      times++;
      cost = Math.max(outcome.cost, 1);
      interrupted = outcome.error?.code === "interrupted";
    } while (spent < SHORT);
    microseconds = Math.min(microseconds, spent / times);
  }
  const perUnit = microseconds / cost;
  const row = { call: call.name, expr: call.expr, args, given, microseconds, cost, perUnit, latency, interrupted };
  tried.set(args, row);
  return row;
}

/**
 * A deadline in CPU time, so that what else the machine does matters little. It knows when it was looked at. Between two looks the
 * threads beside may have taken more CPU than time has passed, and the machine more time than CPU: the smaller counts.
 */
class Clock {
  readonly #start = cpu();
  readonly #ends: number;
  #last = this.#start;
  #lastTime = performance.now();
  #longest = 0;
  constructor(milliseconds: number) {
    this.#ends = this.#start + milliseconds * 1000;
  }
  get aborted(): boolean {
    const [now, time] = [cpu(), performance.now()];
    this.#longest = Math.max(this.#longest, Math.min(now - this.#last, (time - this.#lastTime) * 1000));
    [this.#last, this.#lastTime] = [now, time];
    return now > this.#ends;
  }
  /** Microseconds until the last look. */
  taken(): number {
    return this.#last - this.#start;
  }
  /** The longest time without a look until now, in milliseconds. */
  latency(): number {
    void this.aborted;
    return this.#longest / 1000;
  }
}

/** Collects the campaign's own garbage before an evaluation, not in the middle of it. */
const collectGarbage: () => void = (() => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
})();

/** Microseconds of CPU of this process. */
function cpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
