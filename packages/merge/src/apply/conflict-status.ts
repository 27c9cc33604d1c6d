// The answer to an apply that conflicts with other managers. Upstream: apimachinery pkg/util/managedfields/internal/conflict.go.

import { compareStrings, quoteGo } from "@celadon/base";
import { applyConflict, type Status } from "@celadon/kube/status";
import { pathText } from "../fieldpath/path-element.ts";
import { identifierOf, type Manager } from "./managed-fields.ts";
import type { Conflict } from "./ownership.ts";

export function conflictStatus(conflicts: readonly Conflict[]): Status {
  const sorted = [...conflicts].sort((a, b) => compareStrings(identifierOf(a.manager), identifierOf(b.manager)));
  const causes = sorted.map(({ manager, path }) => ({
    reason: "FieldManagerConflict",
    message: `conflict with ${managerText(manager)}`,
    field: pathText(path, true),
  }));
  return applyConflict(causes, messageOf(sorted));
}

function messageOf(conflicts: readonly Conflict[]): string {
  if (conflicts.length === 1) {
    const [{ manager, path }] = conflicts as readonly [Conflict];
    return `Apply failed with 1 conflict: conflict with ${managerText(manager)}: ${pathText(path, true)}`;
  }
  const lines: string[] = [];
  let last = "";
  for (const { manager, path } of conflicts) {
    const id = identifierOf(manager);
    if (id !== last) lines.push(`conflicts with ${managerText(manager)}:`);
    last = id;
    lines.push(`- ${pathText(path, true)}`);
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}

function managerText({ manager, operation, apiVersion, subresource }: Manager): string {
  const name = subresource === "" ? quoteGo(manager) : `${quoteGo(manager)} with subresource ${quoteGo(subresource)}`;
  return operation === "Update" ? `${name} using ${apiVersion}` : name;
}
