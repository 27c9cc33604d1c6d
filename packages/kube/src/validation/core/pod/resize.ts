// Resizing: changes of cpu and memory of a running pod, through the resize subresource.

import { semanticEqual } from "@celadon/base";
import type { Container, Pod, PodSpec, ResourceRequirements } from "../../../api/generated/core-v1.ts";
import { forbiddenField, JsonShown } from "../../../field-error.ts";
import { metadataUpdate } from "../../checks/metadata.ts";
import { ValidatedField } from "../../field.ts";
import { withField } from "../../fields-of.ts";
import type { Request } from "../../rules.ts";
import { MIRROR_POD } from "./annotations.ts";
import { isSidecar } from "./container/aggregate-resources.ts";
import { podMetadataAndSpec } from "./object.ts";
import { withPodResources, withResourcesKept } from "./prepare.ts";
import { podQos } from "./qos.ts";

const LISTS = ["initContainers", "containers"] as const;
type Resources = Readonly<Record<string, string>> | undefined;

/** The old pod with the new resources, where the containers are the same ones. */
export function prepareResize(pod: Pod, old: Pod, { by }: Request): Pod {
  const [spec, before] = [pod.spec ?? {}, old.spec ?? {}];
  if (LISTS.some((list) => (spec[list]?.length ?? 0) !== (before[list]?.length ?? 0))) return pod;
  let kept: PodSpec = withField(before, ["resources"], spec.resources);
  for (const list of LISTS) kept = withField(kept, [list], resized(spec[list], before[list]));
  const metadata = {
    ...pod.metadata,
    ...pick(old.metadata, [
      "labels",
      "annotations",
      "finalizers",
      "ownerReferences",
      "deletionTimestamp",
      "generation",
    ]),
  };
  const completed = withPodResources(withResourcesKept(kept, old, by), by);
  return { ...pod, metadata, spec: completed, ...(old.status && { status: old.status }) };
}

function pick<T extends object>(from: T | undefined, keys: readonly (keyof T)[]): Partial<T> {
  return Object.fromEntries(keys.map((key) => [key, from?.[key]])) as Partial<T>;
}

type Containers = readonly Container[] | null | undefined;

function resized(now: Containers, before: Containers): Containers {
  if (now == null || now.some((container, i) => container.name !== before?.[i]?.name)) return now;
  return now.map((container, i) =>
    withField(withField(before![i]!, ["resources"], container.resources), ["resizePolicy"], container.resizePolicy),
  );
}

export function resize(pod: Pod, old: Pod, at: ValidatedField): void {
  const [spec, before] = [pod.spec ?? {}, old.spec ?? {}];
  const place = at.child("spec");
  const first = at.errors.length;
  metadataUpdate(pod.metadata, old.metadata, at.child("metadata"));
  podMetadataAndSpec(pod, at, old);
  const never = notResizable(old);
  if (never !== undefined) {
    at.errors.splice(first, at.errors.length, forbiddenField(ValidatedField.root().child("").path, never));
    return;
  }
  if ((old.status?.qosClass ?? podQos(before)) !== podQos(spec)) {
    const shown = new JsonShown(pod.status?.qosClass ?? "");
    place.invalid(shown, "Pod QOS Class may not change as a result of resizing");
  }
  const running = old.status?.containerStatuses?.find((status) => status.state?.running !== undefined);
  if (running !== undefined && running.resources === undefined) {
    place.forbidden("Pod running on node without support for resize");
  }
  let rest = spec;
  if (hasResources(before) || hasResources(spec)) rest = podLevel(rest, before, place);
  if (!sameOrder(spec, before, place)) return;
  for (const list of LISTS) {
    place.child(list).each(before[list], (container, each, i) => {
      const now = spec[list]![i]!.resources;
      noneRemoved(now, container.resources, "resource", each.child("resources"));
    });
  }
  rest = onlyCpuAndMemory(rest, before, place);
  if (at.errors.length === first && !semanticEqual(rest, before))
    place.forbidden("only cpu and memory resources are mutable");
}

function notResizable(old: Pod): string | undefined {
  if (old.metadata?.annotations?.[MIRROR_POD] !== undefined) return "static pods cannot be resized";
  return old.spec?.os?.name === "windows" ? "windows pods cannot be resized" : undefined;
}

function hasResources(spec: PodSpec): boolean {
  const { requests = {}, limits = {} } = spec.resources ?? {};
  return Object.keys(requests).length + Object.keys(limits).length > 0;
}

function podLevel(spec: PodSpec, before: PodSpec, at: ValidatedField): PodSpec {
  const [now, old] = [spec.resources, before.resources];
  if (old !== undefined && now === undefined) {
    at.child("resources").forbidden("pod-level resources cannot be removed");
    return spec;
  }
  if (old !== undefined) noneRemoved(now, old, "pod-level resource", at.child("resources"));
  let kept: ResourceRequirements | undefined = now && withOldComputing(now, old);
  if (old === undefined && kept && !Object.keys({ ...kept.limits, ...kept.requests }).length && !kept.claims?.length) {
    kept = undefined;
  }
  if (!semanticEqual(kept, old)) at.forbidden("only cpu and memory resources are mutable at pod-level");
  return withField(spec, ["resources"], kept);
}

function noneRemoved(
  now: ResourceRequirements | undefined,
  before: ResourceRequirements | undefined,
  what: string,
  at: ValidatedField,
): void {
  for (const part of ["requests", "limits"] as const) {
    const [list, old] = [now?.[part] ?? {}, before?.[part] ?? {}];
    if (Object.keys(old).some((name) => !Object.hasOwn(list, name))) {
      at.child(part).forbidden(`${what} ${part} cannot be removed`);
    }
  }
}

function sameOrder(spec: PodSpec, before: PodSpec, at: ValidatedField): boolean {
  return at.holds(() => {
    for (const list of ["containers", "initContainers"] as const) {
      const place = at.child(list);
      const old = before[list] ?? [];
      if ((spec[list]?.length ?? 0) !== old.length) place.forbidden(`${list} may not be added or removed on resize`);
      else {
        place.each(old, (container, each, i) => {
          if (spec[list]![i]!.name === container.name) return;
          each.child("name").forbidden(`${list} may not be renamed or reordered on resize`);
        });
      }
    }
  });
}

function onlyCpuAndMemory(spec: PodSpec, before: PodSpec, at: ValidatedField): PodSpec {
  const containers = spec.containers?.map((container, i) => {
    const kept = withOldResources(container, before.containers![i]!);
    if (!semanticEqual(kept, before.containers![i])) at.forbidden("only cpu and memory resources are mutable");
    return kept;
  });
  const initContainers = spec.initContainers?.map((container, i) => {
    const old = before.initContainers![i]!;
    const place = at.child("initContainers").index(i);
    const kept = withOldResources(container, old);
    if (!semanticEqual(kept, old)) {
      place.forbidden("only cpu and memory resources for init or sidecar containers are mutable");
    }
    if (!semanticEqual(container, old) && !isSidecar(container)) {
      for (const policy of container.resizePolicy ?? []) {
        if (policy.restartPolicy !== "RestartContainer") continue;
        place.forbidden("non-sidecar init containers with a resize policy of RestartContainer cannot be resized");
      }
    }
    return kept;
  });
  return withField(withField(spec, ["containers"], containers), ["initContainers"], initContainers);
}

function withOldResources(container: Container, old: Container): Container {
  const { claims: _, ...kept } = withOldComputing(container.resources ?? {}, old.resources);
  return { ...container, resources: kept };
}

function withOldComputing(now: ResourceRequirements, old: ResourceRequirements | undefined): ResourceRequirements {
  const kept = (list: Resources, before: Resources): Resources => {
    if (list === undefined && before === undefined) return undefined;
    const { cpu: _cpu, memory: _memory, ...others } = list ?? {};
    const own = ["cpu", "memory"].filter((name) => before?.[name] !== undefined).map((name) => [name, before![name]!]);
    const all = { ...others, ...Object.fromEntries(own) };
    return Object.keys(all).length === 0 && before === undefined ? undefined : all;
  };
  const result = withField(now, ["limits"], kept(now.limits, old?.limits));
  return withField(result, ["requests"], kept(now.requests, old?.requests));
}
