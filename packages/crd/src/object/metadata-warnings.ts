// Warnings about finalizers that are new on an object.

import { compareStrings, isRecord, quoteGo } from "@celadon/base";
import { checkQualifiedName } from "@celadon/kube";

const STANDARD: ReadonlySet<string> = new Set(["orphan", "foregroundDeletion", "kubernetes"]);

export function finalizerWarnings(object: unknown, old: unknown): string[] {
  const before = new Set(finalizersOf(old));
  const added = [...new Set(finalizersOf(object))].filter((name) => !before.has(name)).sort(compareStrings);
  return added.flatMap(warningsFor);
}

function finalizersOf(object: unknown): string[] {
  const metadata = isRecord(object) ? object.metadata : undefined;
  const list = isRecord(metadata) ? metadata.finalizers : undefined;
  return Array.isArray(list) ? list.filter((name) => typeof name === "string") : [];
}

function warningsFor(name: string): string[] {
  const start = `metadata.finalizers: ${quoteGo(name)}: `;
  const warnings = checkQualifiedName(name).map((problem) => start + problem);
  if (name.includes("/") || STANDARD.has(name)) return warnings;
  const path = name.includes(".") ? " including a path (/)" : "";
  const advice = `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`;
  return [...warnings, start + advice];
}
