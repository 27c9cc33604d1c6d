// Manifests of files applied to the running server, with what became of each.

import { type Applied, applyObjects, type LaunchedServer } from "@celadon/apiserver";
import { gvkOf, nameOf } from "@celadon/kube";
import type { Args } from "../command.ts";
import { loadInputs } from "../inputs.ts";
import type { Io } from "../io.ts";
import type { Paint } from "../output/paint.ts";

/** Whether everything was accepted. What did not change is not told when `onlyChanges`. */
export async function applyInputs(
  launched: LaunchedServer,
  paths: readonly string[],
  args: Args,
  io: Io,
  paint: Paint,
  onlyChanges: boolean,
): Promise<boolean> {
  const { manifests } = await loadInputs(paths, "up", args, io);
  const objects = manifests.map(({ object }) => object);
  const outcomes = await applyObjects(launched.client, launched.server.kinds, objects);
  for (const applied of outcomes) {
    if (onlyChanges && applied.outcome === "unchanged") continue;
    io.err.write(`${appliedLine(applied, paint)}\n`);
    for (const warning of applied.warnings) io.err.write(`  ${paint.yellow("warning")}: ${warning}\n`);
  }
  return outcomes.every(({ outcome }) => outcome !== "failed");
}

function appliedLine({ object, outcome, status }: Applied, paint: Paint): string {
  const { group, kind } = gvkOf(object);
  const name = `${kind.toLowerCase()}${group === "" ? "" : `.${group}`}/${nameOf(object)}`;
  if (outcome !== "failed") return `${name} ${outcome}`;
  return `${name} ${paint.red("rejected")}: ${status?.message ?? ""}`;
}
