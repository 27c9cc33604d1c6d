// One input through every stage. Whatever the input, no stage throws, mistakes come with a place and a text, and the compiled
// and the interpreted form answer the same value or error at the same cost.

import {
  BYTES,
  type Checked,
  createEnv,
  DOUBLE,
  DYN,
  type Env,
  INT,
  listOf,
  mapOf,
  STRING,
  TIMESTAMP,
  Timestamp,
  UINT,
  Uint,
} from "@celadon/cel";
import { libraries } from "./libraries.ts";
import { show } from "./show.ts";

/** Enough for any sensible expression; nested loops that a mutation makes end here. */
const COST_LIMIT = 50_000;

/** The reference's own answer where a map literal's key is bytes, a list or a map. Any other internal error is ours. */
const UNHASHABLE = "hash of unhashable type";

export type Trial = (text: string, data: Readonly<Record<string, unknown>>) => Failure | Reached;
/** How far an input came. */
export type Reached = "syntax" | "type" | "error" | "value";
export interface Failure {
  readonly stage: string;
  readonly problem: string;
}

export function createTrial(): Trial {
  const env = createEnv({
    variables: {
      object: DYN,
      oldObject: DYN,
      params: DYN,
      request: DYN,
      namespaceObject: DYN,
      i: INT,
      u: UINT,
      d: DOUBLE,
      s: STRING,
      b: BYTES,
      l: listOf(INT),
      m: mapOf(STRING, DYN),
      t: TIMESTAMP,
    },
    libraries,
    limits: { cost: COST_LIMIT },
  });
  return (text, data) => {
    let stage = "parse";
    const at = (next: string): void => {
      stage = next;
    };
    try {
      return run(env, text, { ...VALUES, ...data }, at);
    } catch (thrown) {
      const problem = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
      return { stage, problem: `threw ${problem.split("\n").slice(0, 6).join("\n")}` };
    }
  };
}

const VALUES = {
  object: null,
  oldObject: null,
  params: null,
  request: null,
  namespaceObject: null,
  i: 7,
  u: new Uint(3),
  d: 2.5,
  s: "héllo",
  b: new Uint8Array([0, 255]),
  l: [3, 1, 2],
  m: { a: 1, "b-c": "x" },
  t: new Timestamp(1_700_000_000, 5),
};

function run(
  env: Env,
  text: string,
  vars: Readonly<Record<string, unknown>>,
  at: (stage: string) => void,
): Failure | Reached {
  const parsed = env.parse(text);
  if (parsed.issues.length > 0 || parsed.ast === undefined) {
    at("display");
    if (parsed.issues.length === 0) return { stage: "parse", problem: "neither a tree nor an issue" };
    return displayed(env, text) ?? "syntax";
  }
  at("check");
  const checked = env.check(parsed.ast);
  if (checked.issues.some(({ severity }) => severity === "error")) {
    at("display");
    const failure = displayed(env, text);
    if (failure !== undefined) return failure;
    // Unchecked expressions are evaluated too, names and calls being resolved while evaluating.
    at("unchecked");
    const reached = agree(env, parsed.ast, vars, at);
    return typeof reached === "string" ? "type" : reached;
  }
  at("plan");
  return agree(env, checked, vars, at);
}

/** What is wrong is shown with a message. */
function displayed(env: Env, text: string): Failure | undefined {
  const result = env.compile(text);
  if (result.ok) return { stage: "display", problem: "compile succeeds on a text with issues" };
  if (!result.toString().startsWith("ERROR: ")) return { stage: "display", problem: `shows ${result.toString()}` };
  return undefined;
}

function agree(
  env: Env,
  planned: Checked | Checked["ast"],
  vars: Readonly<Record<string, unknown>>,
  at: (stage: string) => void,
): Failure | Reached {
  const interpreted = env.plan(planned, { mode: "interpreted" });
  const compiled = env.plan(planned, { mode: "compiled" });
  if (!("evaluate" in interpreted) || !("evaluate" in compiled)) {
    return "evaluate" in interpreted === "evaluate" in compiled
      ? "error"
      : { stage: "plan", problem: "one mode alone finds an issue" };
  }
  for (const costLimit of [COST_LIMIT, 20]) {
    at("interpret");
    const one = interpreted.evaluate(vars, { costLimit });
    at("evaluate");
    const two = compiled.evaluate(vars, { costLimit });
    at("compare");
    const left = outcome(one);
    const right = outcome(two);
    if (left !== right)
      return { stage: `evaluate (cost limit ${costLimit})`, problem: `interpreted ${left}\ncompiled    ${right}` };
    if (costLimit !== COST_LIMIT) continue;
    if (one.error?.code === "internal" && !one.error.message.includes(UNHASHABLE))
      return { stage: "evaluate", problem: one.error.message };
    if (one.error !== undefined) return "error";
  }
  return "value";
}

function outcome({
  value,
  error,
  cost,
}: {
  value: unknown;
  error: { code: string; message: string } | undefined;
  cost: number;
}): string {
  return `${error === undefined ? show(value) : `error ${error.code}: ${error.message}`}, cost ${cost}`;
}
