// Set-up that nobody wrote and the flags ask for: bindings of policies that have none, policies for workloads.

import { deriveWorkloads, type Manifest } from "@celadon/simulator";
import { AUTOGEN } from "../autogen/flags.ts";
import type { Args, Option } from "../command.ts";
import type { Io } from "../io.ts";
import { unbroken } from "../output/visible.ts";
import { impliedBindings } from "./bind-all.ts";

export const MADE: readonly Option[] = [
  { name: "bind-all", help: "take policies that no binding names as bound everywhere, with Deny" },
  AUTOGEN,
];

export function madeManifests(manifests: readonly Manifest[], args: Args, io: Io): readonly Manifest[] {
  const implied = args.on("bind-all") ? impliedBindings(manifests) : [];
  if (!args.on("autogen")) return implied;
  const derived = deriveWorkloads([...manifests, ...implied]);
  if (!args.on("quiet")) {
    for (const { policy, kinds, message } of derived.skipped) {
      io.err.write(`${unbroken(`note: nothing derived from policy ${policy} for ${kinds.join(", ")}: ${message}`)}\n`);
    }
  }
  return [...implied, ...derived.manifests];
}
