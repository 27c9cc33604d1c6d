// Manifests of files applied to the running server, with what became of each.

import { type AppliedObject, applyObjects, type LaunchedServer } from "@celadon/apiserver";
import { gvkOf, nameOf } from "@celadon/kube";
import { loadInputs } from "../inputs/inputs.ts";
import type { Args } from "../program/command.ts";
import type { Io } from "../program/io.ts";
import type { ServerLog } from "./server-log.ts";

/** Whether everything was accepted. With `onlyChanges`, unchanged objects are not listed. */
export async function applyInputs(
  launched: LaunchedServer,
  paths: readonly string[],
  args: Args<"color" | "quiet">,
  io: Io,
  log: ServerLog,
  onlyChanges: boolean,
): Promise<boolean> {
  const { manifests } = await loadInputs(paths, "up", args, io);
  const objects = manifests.map(({ object }) => object);
  const outcomes = await applyObjects(launched.client, launched.server.kinds, objects);
  for (const applied of outcomes) {
    if (onlyChanges && applied.outcome === "unchanged") continue;
    const isFailed = applied.outcome === "failed";
    log.note(isFailed ? "error" : "info", appliedText(applied));
    for (const warning of applied.warnings) log.note("warn", `warning: ${warning}`, `  warning: ${warning}`);
  }
  return outcomes.every(({ outcome }) => outcome !== "failed");
}

function appliedText({ object, outcome, status }: AppliedObject): string {
  const { group, kind } = gvkOf(object);
  const name = `${kind.toLowerCase()}${group === "" ? "" : `.${group}`}/${nameOf(object)}`;
  return outcome === "failed" ? `${name} rejected: ${status?.message ?? ""}` : `${name} ${outcome}`;
}
