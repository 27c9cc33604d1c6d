// Changes of the sets themselves: policies, bindings, CRDs, params. Resources that a server would reject are listed,
// because they are not in force.

import { joinLines } from "@celadon/base";
import { gvkOf, nameOf, namespaceOf } from "@celadon/kube";
import type { ClusterPair, ReachCount, ResourceChange } from "@celadon/simulator/diff";
import type { Manifest } from "@celadon/simulator/manifests";
import { shortKind } from "../outcome/names.ts";
import { startOf } from "../outcome/place.ts";
import type { Paint } from "../output/paint.ts";
import { placeText } from "../output/place-text.ts";
import { unbroken } from "../output/visible.ts";

export interface DiffResource {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** `same` only for resources that a server refuses. */
  readonly change: ResourceChange["change"] | "same";
  /** The error with which a server refuses the new one; in OLD, the old one. */
  readonly refused?: string;
  readonly refusedInOld?: string;
  /** Objects that a policy matched, and objects that failed it. */
  readonly matched?: ReachCount;
  readonly failed?: ReachCount;
  readonly manifest: Manifest;
}

export function diffResources(pair: ClusterPair): readonly DiffResource[] {
  const matches = new Map(pair.matches.map((match) => [match.policy, match]));
  const refusal = (manifest: Manifest | undefined): string | undefined =>
    manifest && (pair.next.rejection(manifest.object)?.message ?? undefined);
  const changed = pair.changes.map(({ role, change, was, now }): DiffResource => {
    const manifest = (now ?? was)!;
    const counts = role === "policy" ? matches.get(nameOf(manifest.object)) : undefined;
    const [refused, refusedInOld] = [refusal(now), refusal(was)];
    return {
      ...namesOf(manifest),
      change,
      ...(refused !== undefined && { refused }),
      ...(refusedInOld !== undefined && { refusedInOld }),
      ...(counts && { matched: counts.matched, failed: counts.failed }),
      manifest,
    };
  });
  const seen = new Set(pair.changes.flatMap(({ was, now }) => [was, now]));
  const roles = ["policy", "binding", "definition", "webhooks", "certificatePolicy"] as const;
  const same = pair.next.manifests(...roles).flatMap((manifest): DiffResource[] => {
    const refused = seen.has(manifest) ? undefined : refusal(manifest);
    return refused === undefined
      ? []
      : [{ ...namesOf(manifest), change: "same", refused, refusedInOld: refused, manifest }];
  });
  return [...changed, ...same];
}

function namesOf({ object }: Manifest): Pick<DiffResource, "kind" | "namespace" | "name"> {
  const namespace = namespaceOf(object);
  return { kind: gvkOf(object).kind, ...(namespace !== "" && { namespace }), name: nameOf(object) };
}

const SIGNS = { added: "+", removed: "-", changed: "~", same: "!" } as const;

export function resourceLines(resources: readonly DiffResource[], paint: Paint): readonly string[] {
  return resources.map(({ kind, namespace, name, change, refused, matched, failed, manifest }) => {
    const named = unbroken(`${shortKind(kind)} ${namespace === undefined ? "" : `${namespace}/`}${name}`);
    const said = change === "same" ? "" : ` ${change}`;
    const counts = matched && failed ? `: matches ${arrow(matched)}, fails ${arrow(failed)} of the objects` : "";
    const place = startOf(manifest);
    const wrong = refused === undefined ? "" : paint.red(`: rejected, so it is not in force: ${joinLines(refused)}`);
    return `${SIGNS[change]} ${named}${said}${paint.dim(counts)}${wrong}${place && wrong ? paint.dim(`  ${placeText(place)}`) : ""}`;
  });
}

const arrow = ({ was, now }: ReachCount): string => (was === now ? String(now) : `${was} → ${now}`);
