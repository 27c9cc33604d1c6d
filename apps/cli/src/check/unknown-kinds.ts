// The treatment of objects of unknown kinds if celadon.yaml has settings for some directories. The cluster then warns of all of them, and
// the warning takes the level that the object's file has.

import { failure } from "@celadon/kube/status";
import type { Outcome } from "@celadon/simulator";
import type { Args } from "../program/command.ts";

export type UnknownKindsOf = (outcome: Outcome, file: string | undefined) => Outcome;

/** Undefined where the same holds for all files. */
export function unknownKindsByFile(
  args: Pick<Args<"unknown-kinds">, "configuration" | "text">,
): UnknownKindsOf | undefined {
  const { configuration } = args;
  if (configuration?.text.overrides?.some(({ unknownKinds }) => unknownKinds !== undefined) !== true) return undefined;
  return (outcome, file = "") => withSetting(outcome, configuration.unknownKindsIn(file) ?? args.text("unknown-kinds"));
}

function withSetting(outcome: Outcome, how: string | undefined): Outcome {
  const found = outcome.problems.find(({ once, level }) => once !== undefined && level === "notice");
  if (found === undefined || how === undefined || how === "warn") return outcome;
  const others = outcome.problems.filter((problem) => problem !== found);
  if (how === "ignore") return { ...outcome, problems: others };
  const { once: _, ...denied } = found;
  const status = failure("NotFound", "the server could not find the requested resource");
  return { ...outcome, allowed: false, status, problems: [{ ...denied, level: "deny", returned: true }, ...others] };
}
