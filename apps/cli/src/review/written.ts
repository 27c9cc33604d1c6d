// Reviews the set-up that is being written first: a policy that the cluster rejects, for whatever reason (its fields,
// missing permissions, another policy), is not in force for the objects after it. A rejected update leaves the old
// resource in force.

import { gvkOf, nameOf } from "@celadon/kube";
import type { Outcome, World } from "@celadon/simulator";
import { isSetUp, type Manifest, roleOf } from "@celadon/simulator/manifests";
import type { SourceNote } from "../sources/index.ts";
import { ask } from "./ask.ts";
import type { Asked } from "./subjects.ts";

export interface Written {
  /** The cluster in which only what it accepts is in force. */
  readonly world: World;
  /** The cluster's answers for set-up that was reviewed. */
  readonly outcomes: ReadonlyMap<Manifest, Outcome>;
  readonly rejected: readonly Rejected[];
}

/** A part of the set-up that the cluster rejected. */
export interface Rejected {
  readonly manifest: Manifest;
  /** It was to replace another, which stays in force. */
  readonly isUpdate: boolean;
}

/** `setUp`: the requests that write set-up. */
export async function writeSetUp(world: World, setUp: readonly Asked[]): Promise<Written> {
  const outcomes = new Map<Manifest, Outcome>();
  const rejected: Rejected[] = [];
  const [put, remove] = [[] as Manifest[], [] as Manifest[]];
  for (const subject of setUp) {
    if (!isWrite(subject)) continue;
    const outcome = await ask(world, subject);
    outcomes.set(subject.manifest, outcome);
    if (outcome.allowed) continue;
    const { manifest } = subject;
    const { oldObject } = subject.ask;
    rejected.push({ manifest, isUpdate: oldObject !== undefined });
    if (oldObject !== undefined) put.push({ object: oldObject });
    // What cannot be accepted is out of force by itself.
    else if (world.accepted(manifest.object)?.status === undefined) remove.push(manifest);
  }
  const changes = put.length + remove.length > 0;
  return {
    world: changes ? world.with({ put, remove: remove.map(({ object }) => object) }) : world,
    outcomes,
    rejected,
  };
}

/** Namespaces stay: objects cannot be reviewed without theirs. */
function isWrite(subject: Asked): subject is Extract<Asked, { ask: unknown }> {
  const { object } = subject.manifest;
  if (!("ask" in subject) || !isSetUp(object) || roleOf(object) === "namespace") return false;
  const { operation = "CREATE", subresource = "" } = subject.ask;
  return (operation === "CREATE" || operation === "UPDATE") && subresource === "";
}

/** Set-up among manifests that no API server accepts, whoever writes it. */
export function neverAccepted(world: World, manifests: readonly Manifest[]): readonly Rejected[] {
  return manifests
    .filter(({ object }) => world.accepted(object)?.status !== undefined)
    .map((manifest) => ({ manifest, isUpdate: false }));
}

/** That the cluster rejected parts of the set-up, and where they are written. */
export function notInForceNotes(rejected: readonly Rejected[]): SourceNote[] {
  return rejected.map(({ manifest: { object, origin }, isUpdate }) => ({
    file: origin?.file ?? "",
    message: notInForceText(`${gvkOf(object).kind} ${nameOf(object)}`, isUpdate),
    hint: "`celadon check` shows why",
  }));
}

export function notInForceText(subject: string, isUpdate: boolean): string {
  return `${subject} was rejected, so ${isUpdate ? "the existing one stays in force" : "it is not in force"}`;
}
