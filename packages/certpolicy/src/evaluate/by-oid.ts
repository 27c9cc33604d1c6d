// Attributes that have no field of their own: otherName SANs and Subject attributes, each known by its object identifier.

import type { FieldError, FieldPath } from "@celadon/kube/errors";
import type { AllowedByOid } from "../resource.ts";
import { checkList, type RuleContext } from "./attribute.ts";

/** Values grouped by object identifier, in order of first appearance; then required ones that did not appear. */
export function checkByOid(
  context: RuleContext,
  present: readonly { readonly oid: string; readonly value: string }[],
  entries: readonly AllowedByOid[],
  path: FieldPath,
  seen: ReadonlySet<string> = new Set(present.map(({ oid }) => oid)),
): FieldError[] {
  const groups = new Map<string, string[]>();
  for (const { oid, value } of present) groups.set(oid, [...(groups.get(oid) ?? []), value]);
  const allowed = new Map(entries.map((entry) => [entry.oid, entry]));
  const errors = [...groups].flatMap(([oid, values]) => checkList(context, values, allowed.get(oid), path.key(oid)));
  const missing = entries.filter(({ oid }) => !seen.has(oid));
  return [...errors, ...missing.flatMap((entry) => checkList(context, [], entry, path.key(entry.oid)))];
}
