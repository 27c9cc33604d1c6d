// The most time for a unit of cost that a call can be made to take: shapes and sizes of its arguments are changed one at a time, and
// what is worse is kept, until the time for the call is used up.

import type { Env, Mode, Program } from "@celadon/cel";
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
  /** How far past its deadline an evaluation came back at worst, in milliseconds of CPU. */
  readonly overrun: number;
  readonly interrupted: boolean;
}

/** Data of an object is no larger: a request has at most three million bytes. */
const SIZES = [1000, 30_000, 300_000, 30, 1] as const;
/** Calls in an evaluation: what is found out about an argument once is paid by all of them, as in a loop that an attacker writes. */
const CALLS = 10;
/** Milliseconds of an evaluation. */
const DEADLINE = 200;
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
  readonly tried: Map<string, Worst>;
}

export function worstOf(call: Call, env: Env, milliseconds: number, mode: Mode): Worst | undefined {
  const within = env.extend({ variables: variablesOf(call.types) });
  const compiled = within.compile(`[${"0, ".repeat(CALLS)}].map(n, ${call.expr}).size()`, { mode });
  if (!compiled.ok) return undefined;
  const shapes = call.types.map((type) => shapesOf(type, env));
  if (shapes.some((list) => list.length === 0)) return undefined;
  const ends = cpu() + milliseconds * 1000;
  const search: Search = { call, program: compiled.program, shapes, tried: new Map() };
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
  const overrun = Math.max(...[...search.tried.values()].map((row) => row.overrun));
  return { ...worst, overrun };
}

function trial({ call, program, shapes, tried }: Search, args: readonly Argument[]): Worst {
  const key = args.map(({ shape, size }, i) => `${shapes[i]?.[shape]?.name} ${SIZES[size]}`).join(", ");
  const known = tried.get(key);
  if (known !== undefined) return known;
  const values = args.map(({ shape, size }, i) => shapes[i]?.[shape]?.make(SIZES[size] as number));
  const variables = Object.fromEntries(values.map((value, i) => ["abcd"[i] as string, value]));
  let microseconds = Number.POSITIVE_INFINITY;
  let overrun = 0;
  let cost = 1;
  let interrupted = false;
  // The first evaluation is as slow as the machine; the faster of two is what the work takes.
  for (let run = 0; run < 2 && !(interrupted && run > 0); run++) {
    let [times, spent] = [0, 0];
    do {
      const start = cpu();
      const outcome = program.evaluate(variables, { signal: after(start) });
      const taken = cpu() - start;
      times++;
      spent += taken;
      overrun = Math.max(overrun, taken / 1000 - DEADLINE);
      cost = Math.max(outcome.cost, 1);
      interrupted = outcome.error?.code === "interrupted";
    } while (spent < SHORT);
    microseconds = Math.min(microseconds, spent / times);
  }
  const perUnit = microseconds / cost;
  const row: Worst = { call: call.name, expr: call.expr, args: key, microseconds, cost, perUnit, overrun, interrupted };
  tried.set(key, row);
  return row;
}

/** A deadline in CPU time, so that what else the machine does matters little. */
function after(start: number): { readonly aborted: boolean } {
  return {
    get aborted(): boolean {
      return cpu() - start > DEADLINE * 1000;
    },
  };
}

/** Microseconds of CPU of this process. */
function cpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
