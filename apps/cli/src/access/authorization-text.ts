// The way of an access review for people.

import type { Paint } from "../output/paint.ts";
import { unbroken } from "../output/visible.ts";
import type { AuthorizerStep, AuthorizerStepKind } from "./authorizer-steps.ts";

const WORDS: Readonly<Record<AuthorizerStepKind, string>> = {
  called: "called",
  skipped: "skipped, because a match condition is false",
  denied: "denies, because a match condition cannot be evaluated",
  noOpinion: "skipped, because a match condition cannot be evaluated",
  asked: "asked, if nobody before it decides",
  unreached: "not reached",
};

export function authorizationText(steps: readonly AuthorizerStep[], paint: Paint): string {
  const lines = steps.flatMap(({ name, type, step, conditions }) => [
    `${paint.bold(name)} ${paint.dim(type)}  ${WORDS[step]}`,
    ...conditions.map(({ expression, value, error, cost }) => {
      const result = error === undefined ? String(value) : paint.red(`error: ${unbroken(error)}`);
      return `  ${unbroken(expression)} → ${result}${paint.dim(`   cost ${cost}`)}`;
    }),
  ]);
  return `${lines.join("\n")}\n`;
}
