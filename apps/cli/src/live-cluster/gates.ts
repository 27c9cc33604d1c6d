// `--feature-gates`: proposed features that are on.

import { type Gates, parseGates } from "@celadon/admission/proposals";
import type { Flags, Option } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";

export const FEATURE_GATES = {
  name: "feature-gates",
  value: "GATES",
  help: "proposed features to enable, as Name=true,Name=true; see docs/guides/proposals.md",
} as const satisfies Option;

export function gatesOf(args: Flags<"feature-gates">): Gates {
  const gates = parseGates(args.text("feature-gates") ?? "");
  if ("error" in gates && typeof gates.error === "string") throw new UsageError(gates.error);
  return gates as Gates;
}
