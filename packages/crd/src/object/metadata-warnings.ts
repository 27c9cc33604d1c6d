// Warnings about finalizers that are new on an object.

import { compareStrings, isRecord, quoteGo } from "@celadon/base";
import { checkQualifiedName, fieldPath, fieldWarning, type Warning } from "@celadon/kube";

const STANDARD: ReadonlySet<string> = new Set(["orphan", "foregroundDeletion", "kubernetes"]);

export function finalizerWarnings(object: unknown, old: unknown): Warning[] {
  const before = new Set(finalizersOf(old));
  const now = finalizersOf(object);
  const added = [...new Set(now)].filter((name) => !before.has(name)).sort(compareStrings);
  return added.flatMap((name) => {
    const at = fieldPath("metadata", "finalizers");
    const path = at.standingAt(at.index(now.indexOf(name)).steps);
    return problemsOf(name).map((problem) => fieldWarning(path, `${quoteGo(name)}: ${problem}`));
  });
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
