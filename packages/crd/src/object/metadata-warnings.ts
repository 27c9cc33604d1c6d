// Warnings about finalizers that are new on an object.

import { compareStrings, isRecord, quoteGo } from "@celadon/base";
import { fieldPath, fieldWarning, MAX_WARNINGS, type Warning } from "@celadon/kube/errors";
import { checkQualifiedName } from "@celadon/kube/names";

const STANDARD: ReadonlySet<string> = new Set(["orphan", "foregroundDeletion", "kubernetes"]);

export function finalizerWarnings(object: unknown, old: unknown): Warning[] {
  const before = new Set(finalizersOf(old));
  const now = finalizersOf(object);
  const added = [...new Set(now)].filter((name) => !before.has(name)).sort(compareStrings);
  const warnings: Warning[] = [];
  for (const name of added) {
    if (warnings.length >= MAX_WARNINGS) break;
    const at = fieldPath("metadata", "finalizers");
    for (const problem of problemsOf(name)) {
      const path = at.standingAt(at.index(now.indexOf(name)).steps);
      warnings.push(fieldWarning(path, `${quoteGo(name)}: ${problem}`));
    }
  }
  return warnings;
}

function finalizersOf(object: unknown): string[] {
  const metadata = isRecord(object) ? object.metadata : undefined;
  const list = isRecord(metadata) ? metadata.finalizers : undefined;
  return Array.isArray(list) ? list.filter((name) => typeof name === "string") : [];
}

function problemsOf(name: string): string[] {
  const problems = checkQualifiedName(name);
  if (name.includes("/") || STANDARD.has(name)) return problems;
  const path = name.includes(".") ? " including a path (/)" : "";
  const advice = `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`;
  return [...problems, advice];
}
