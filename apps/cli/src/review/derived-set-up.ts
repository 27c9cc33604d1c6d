// Set-up that is derived because of flags: bindings for policies that have none, policies for workloads.

import { deriveWorkloads, type Manifest } from "@celadon/simulator/manifests";
import { AUTOGEN } from "../inputs/autogen-flags.ts";
import { impliedBindings } from "../inputs/bind-all.ts";
import { remark } from "../output/say.ts";
import type { Args, Option } from "../program/command.ts";
import type { Io } from "../program/io.ts";

export const DERIVED_SET_UP = [
  { name: "bind-all", help: "treat policies that have no binding as bound to all requests, with action Deny" },
  AUTOGEN,
] as const satisfies readonly Option[];

export function derivedSetUp(
  manifests: readonly Manifest[],
  args: Args<"autogen" | "bind-all" | "quiet">,
  io: Io,
): readonly Manifest[] {
  const implied = args.on("bind-all") ? impliedBindings(manifests) : [];
  if (!args.on("autogen")) return implied;
  const derived = deriveWorkloads([...manifests, ...implied]);
  if (!args.on("quiet")) {
    for (const { policy, kinds, message } of derived.skipped) {
      remark(io, `note: policy ${policy} was not derived for ${kinds.join(", ")}: ${message}`);
    }
  }
  return [...implied, ...derived.manifests];
}
