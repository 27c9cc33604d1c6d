// Flags of commands that send objects to the simulated API server: its strictness about unknown fields and kinds.

import type { SimulatedClusterOptions } from "@celadon/simulator";
import { UNKNOWN_KINDS } from "../inputs/options.ts";
import type { ArgsOf, Option } from "../program/command.ts";

// biome-ignore format: one option per line
export const SERVER_FLAGS = [
  { name: "field-validation", value: "HOW", help: "unknown fields: Strict rejects, Warn warns, Ignore drops them", choices: ["Strict", "Warn", "Ignore"], strict: true, fallback: "Strict" },
  UNKNOWN_KINDS,
  { name: "no-defaults",      help: "do not apply the API server's defaults" },
] as const satisfies readonly Option[];

export function serverOptionsOf(args: ArgsOf<typeof SERVER_FLAGS>): SimulatedClusterOptions {
  return {
    serverDefaults: !args.on("no-defaults"),
    fieldValidation: (args.text("field-validation") ?? "Strict") as "Strict" | "Warn" | "Ignore",
    unknownKinds: (args.text("unknown-kinds") ?? "warn") as "error" | "warn" | "ignore",
  };
}
