// One input through every stage. For any input, no stage throws, mistakes come with a place and a text, and the compiled and the
// interpreted form answer the same value or error at the same cost.

import type { Checked, Env, EvaluationResult } from "@celadon/cel";
import { COST_LIMIT, VALUES } from "./environment.ts";
import { show } from "./show.ts";

export interface Input {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The data are not JSON: reading them may throw, which the engine answers with an internal error. */
  readonly hostile: boolean;
}

/** The stage that an input reached. */
export type Reached = "syntax" | "type" | "error" | "value";

export interface Failure {
  readonly stage: string;
  readonly problem: string;
}

export type Trial = (input: Input) => Failure | Reached;

/**
 * The reference's own answers where it panics: a map literal's key is bytes, a list or a map; the price of sorting a value that is no list
 * is requested.
 */
const PANICS = /hash of unhashable type|interface conversion/;

/** A limit that most evaluations cross, so that stopping is compared too. */
const TINY_LIMIT = 20;

export function createTrial(env: Env): Trial {
  return (input) => {
    try {
      return attempt(env, input);
    } catch (thrown) {
      const trace = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
      return { stage: "thrown", problem: trace.split("\n").slice(0, 6).join("\n") };
    }
  };
}

function attempt(env: Env, input: Input): Failure | Reached {
  const { ast, issues } = env.parse(input.text);
  if (ast === undefined || issues.length > 0) {
    if (issues.length === 0) return { stage: "parse", problem: "neither a tree nor an issue" };
    return displayed(env, input) ?? "syntax";
  }
  const checked = env.check(ast);
  if (checked.issues.some(({ severity }) => severity === "error")) {
    // Unchecked expressions are evaluated too, names and calls being resolved while evaluating.
    const result = displayed(env, input) ?? agreed(env, ast, input);
    return typeof result === "string" ? "type" : result;
  }
  return agreed(env, checked, input);
}

/** A problem is shown with a message. */
function displayed(env: Env, { text }: Input): Failure | undefined {
  const result = env.compile(text);
  if (result.ok) return { stage: "display", problem: "compile succeeds on a text with issues" };
  if (!result.toString().startsWith("ERROR: ")) return { stage: "display", problem: `shows ${result.toString()}` };
  return undefined;
}

/** Both forms answer alike, under a large cost limit and under a tiny one. */
function agreed(env: Env, planned: Checked | Checked["ast"], { data, hostile }: Input): Failure | Reached {
  const interpreted = env.plan(planned, { mode: "interpreted" });
  const compiled = env.plan(planned, { mode: "compiled" });
  if (!("evaluate" in interpreted) || !("evaluate" in compiled)) {
    const both = !("evaluate" in interpreted) && !("evaluate" in compiled);
    return both ? "error" : { stage: "plan", problem: "one mode alone finds an issue" };
  }
  const vars = { ...VALUES, ...data };
  let reached: Reached = "value";
  for (const costLimit of [COST_LIMIT, TINY_LIMIT]) {
    const outcome = interpreted.evaluate(vars, { costLimit });
    const left = describe(outcome);
    const right = describe(compiled.evaluate(vars, { costLimit }));
    if (left !== right) {
      return { stage: `evaluate, cost limit ${costLimit}`, problem: `interpreted ${left}\ncompiled    ${right}` };
    }
    const { error } = outcome;
    if (error?.code === "internal" && !hostile && !PANICS.test(error.message)) {
      return { stage: "evaluate", problem: error.message };
    }
    if (error !== undefined && costLimit === COST_LIMIT) reached = "error";
  }
  return reached;
}

function describe({ value, error, cost }: EvaluationResult): string {
  return `${error === undefined ? show(value) : `error ${error.code}: ${error.message}`}, cost ${cost}`;
}
