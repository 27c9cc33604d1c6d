// Rules for an update of a pod: images, a few numbers, additions to tolerations, and where a gated pod may run.

import { semanticEqual } from "@celadon/base";
import type {
  Container,
  NodeAffinity,
  NodeSelectorTerm,
  Pod,
  PodSpec,
  Toleration,
} from "../../../api/generated/core-v1.ts";
import { JsonShown } from "../../../field-error.ts";
import { trimSpace } from "../../../trim-space.ts";
import { metadataUpdate } from "../../checks/metadata.ts";
import type { ValidatedField } from "../../field.ts";
import { withField } from "../../fields-of.ts";
import { sameMap } from "../../same-map.ts";
import { shownAs } from "../../show/internal.ts";
import { internalDiff } from "../../show/unified-diff.ts";
import { APPARMOR_CONTAINER, MIRROR_POD, podAnnotations, sortedKeys } from "./annotations.ts";
import { podMetadataAndSpec } from "./object.ts";
import { podQos } from "./qos.ts";
import { tolerations } from "./scheduling.ts";

const MAX_INT32 = 2 ** 31 - 1;
const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const UPDATABLE =
  "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

export function podUpdate(pod: Pod, old: Pod, at: ValidatedField): void {
  const [spec, before] = [pod.spec ?? {}, old.spec ?? {}];
  const place = at.child("spec");
  metadataUpdate(pod.metadata, old.metadata, at.child("metadata"));
  podMetadataAndSpec(pod, at, old);
  annotationUpdate(pod, old, at.child("metadata", "annotations"));
  if (!sameContainers(spec.containers, before.containers, place.child("containers"))) return;
  if (!sameContainers(spec.initContainers, before.initContainers, place.child("initContainers"))) return;
  if (!deadline(spec.activeDeadlineSeconds, before.activeDeadlineSeconds, place.child("activeDeadlineSeconds"))) return;
  onlyAddedTolerations(spec.tolerations ?? [], before.tolerations ?? [], place.child("tolerations"));
  onlyRemovedGates(spec, before, place.child("schedulingGates"));
  if (semanticEqual(spec, before)) return;
  if (at.by.before(32) && podQos(spec) !== podQos(before)) {
    at.child("metadata").invalid(new JsonShown(pod.status?.qosClass ?? ""), "Pod QoS is immutable");
  }
  const rest = withoutAllowedChanges(spec, before, place);
  if (semanticEqual(rest, before)) return;
  const diff = internalDiff("core.PodSpec", before, rest, at.by);
  place.forbidden(`pod updates may not change fields other than ${UPDATABLE}\n${diff}`);
}

export function annotationUpdate(pod: Pod, old: Pod, at: ValidatedField): void {
  const [now, before] = [pod.metadata?.annotations ?? {}, old.metadata?.annotations ?? {}];
  const watched = (key: string): string | undefined => {
    if (key.startsWith(APPARMOR_CONTAINER)) return "AppArmor annotations";
    return key === MIRROR_POD ? "mirror pod annotation" : undefined;
  };
  for (const key of sortedKeys(before)) {
    const what = watched(key);
    if (what !== undefined && now[key] !== before[key]) at.key(key).forbidden(`may not remove or update ${what}`);
  }
  for (const key of sortedKeys(now)) {
    const what = watched(key);
    if (what !== undefined && before[key] === undefined) at.key(key).forbidden(`may not add ${what}`);
  }
  podAnnotations(now, pod.spec ?? {}, at);
}

type Containers = readonly Container[] | null | undefined;

function sameContainers(now: Containers, before: Containers, at: ValidatedField): boolean {
  if ((now?.length ?? 0) !== (before?.length ?? 0)) {
    at.forbidden("pod updates may not add or remove containers");
    return false;
  }
  at.each(now, ({ image = "" }, each) => {
    each.child("image").mustExist(image);
    if (trimSpace(image) !== image) each.child("image").invalid(image, "must not have leading or trailing whitespace");
  });
  return true;
}

/** A deadline may be set or shortened. False if nothing else needs checking. */
function deadline(now: number | undefined, before: number | undefined, at: ValidatedField): boolean {
  if (now === undefined) {
    if (before !== undefined) at.invalid(null, "must not update from a positive integer to nil value");
    return true;
  }
  if (now < 0 || now > MAX_INT32) {
    at.invalid(now, `must be between 0 and ${MAX_INT32}, inclusive`);
    return false;
  }
  if (before === undefined || before >= now) return true;
  at.invalid(now, "must be less than or equal to previous value");
  return false;
}

function onlyAddedTolerations(now: readonly Toleration[], before: readonly Toleration[], at: ValidatedField): void {
  const key = ({ tolerationSeconds: _, ...rest }: Toleration): Toleration => rest;
  const lost = before.some((old) => !now.some((toleration) => semanticEqual(key(toleration), key(old))));
  if (lost) at.forbidden("existing toleration can not be modified except its tolerationSeconds");
  else tolerations(now, at);
}

function onlyRemovedGates(spec: PodSpec, before: PodSpec, at: ValidatedField): void {
  const known = new Set((before.schedulingGates ?? []).map((gate) => gate.name ?? ""));
  const last = new Map((spec.schedulingGates ?? []).map((gate, i) => [gate.name ?? "", i]));
  for (const [name, i] of last) {
    if (known.has(name)) continue;
    at.index(i).child("name").forbidden(`only deletion is allowed, but found new scheduling gate '${name}'`);
  }
}

/** The new spec with everything put back that may change. */
function withoutAllowedChanges(spec: PodSpec, before: PodSpec, at: ValidatedField): PodSpec {
  let rest = spec;
  for (const list of ["containers", "initContainers"] as const) {
    const images = spec[list]?.map((container, i) => withField(container, ["image"], before[list]?.[i]?.image));
    rest = withField(rest, [list], images);
  }
  for (const field of ["activeDeadlineSeconds", "schedulingGates", "tolerations"] as const) {
    rest = withField(rest, [field], before[field]);
  }
  if ((before.terminationGracePeriodSeconds ?? 0) < 0 && rest.terminationGracePeriodSeconds === 1) {
    rest = withField(rest, ["terminationGracePeriodSeconds"], before.terminationGracePeriodSeconds);
  }
  if (!before.schedulingGates?.length) return rest;
  if (!sameMap(rest.nodeSelector, before.nodeSelector)) {
    addedNodeLabels(rest.nodeSelector ?? {}, before.nodeSelector ?? {}, at.child("nodeSelector"));
    rest = withField(rest, ["nodeSelector"], before.nodeSelector);
  }
  const [now, old] = [rest.affinity?.nodeAffinity, before.affinity?.nodeAffinity];
  if (semanticEqual(now, old)) return rest;
  narrowedAffinity(now, old, at.child("affinity", "nodeAffinity"));
  rest = withField(rest, ["affinity", "nodeAffinity"], old);
  const isEmpty = before.affinity === undefined && Object.keys(rest.affinity ?? {}).length === 0;
  return isEmpty ? withField(rest, ["affinity"], undefined) : rest;
}

type Labels = Readonly<Record<string, string>>;

export function addedNodeLabels(now: Labels, before: Labels, at: ValidatedField): void {
  if (Object.keys(before).every((key) => now[key] === before[key])) return;
  at.invalid(now, "only additions to spec.nodeSelector are allowed (no mutations or deletions)");
}

export function narrowedAffinity(
  now: NodeAffinity | undefined,
  before: NodeAffinity | undefined,
  at: ValidatedField,
): void {
  const old = before?.[REQUIRED]?.nodeSelectorTerms;
  if (before?.[REQUIRED] === undefined) return;
  const terms = now?.[REQUIRED]?.nodeSelectorTerms ?? undefined;
  const place = at.child(REQUIRED, "nodeSelectorTerms");
  if (old?.length && old.length !== (terms?.length ?? 0)) {
    const shown = shownAs("[]core.NodeSelectorTerm", terms);
    place.invalid(shown, "no additions/deletions to non-empty NodeSelectorTerms list are allowed");
    return;
  }
  place.each(old, (term, each, i) => {
    if (hasOnlyAdditions(terms![i]!, term)) return;
    each.invalid(shownAs("core.NodeSelectorTerm", terms![i]), "only additions are allowed (no mutations or deletions)");
  });
}

function hasOnlyAdditions(now: NodeSelectorTerm, before: NodeSelectorTerm): boolean {
  const lists = [
    [now.matchExpressions ?? [], before.matchExpressions ?? []],
    [now.matchFields ?? [], before.matchFields ?? []],
  ] as const;
  // An empty term matches nothing: additions would widen it.
  if (lists.every(([, old]) => old.length === 0)) return lists.every(([list]) => list.length === 0);
  return lists.every(([list, old]) => list.length >= old.length && semanticEqual(list.slice(0, old.length), old));
}
