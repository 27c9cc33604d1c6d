// The flags of autogen.

import { WORKLOAD_KINDS, type WorkloadKind } from "@celadon/admission/autogen";
import { nearestName } from "@celadon/base";
import type { Args, Option } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";

export const AUTOGEN_TITLE = "derive policies for workloads from policies for pods";

export const AUTOGEN = {
  name: "autogen",
  help: `${AUTOGEN_TITLE}, as \`celadon autogen\` does`,
} as const satisfies Option;

export const KINDS = {
  name: "kinds",
  value: "KIND,…",
  help: `workloads to derive for: ${WORKLOAD_KINDS.join(", ")}`,
} as const satisfies Option;

export function kindsOf(args: Args<"kinds">): readonly WorkloadKind[] | undefined {
  const text = args.text("kinds");
  if (text === undefined) return undefined;
  return text.split(",").map((word) => {
    const found = WORKLOAD_KINDS.find((kind) => kind.toLowerCase() === word.trim().toLowerCase());
    if (found !== undefined) return found;
    const guess = nearestName(word.trim(), WORKLOAD_KINDS);
    throw new UsageError(
      `--kinds: unknown workload "${word.trim()}"${guess ? `; did you mean ${guess}?` : ""}`,
      KINDS.help,
    );
  });
}
