// Reviews the new set-up first: a policy that the cluster rejects, for any reason (its fields, missing permissions, another policy), is not
// in force for later objects. A rejected update leaves the old resource in force.

import { gvkOf, type KubeObject, nameOf } from "@celadon/kube";
import { CURRENT, type Minor } from "@celadon/kube-cel";
import { identityOf, type Outcome, type SimulatedCluster } from "@celadon/simulator";
import { isSetUp, type Manifest, roleOf } from "@celadon/simulator/manifests";
import type { SourceNote } from "../sources/index.ts";
import { reviewSubject } from "./ask.ts";
import type { ReviewSubject } from "./subjects.ts";

export interface WrittenSetUp {
  /** The cluster with only the accepted resources in force. */
  readonly simulated: SimulatedCluster;
  /** The cluster's answers for set-up that was reviewed. */
  readonly outcomes: ReadonlyMap<Manifest, Outcome>;
  readonly rejected: readonly RejectedSetUp[];
}

/** A part of the set-up that the cluster rejected. */
export interface RejectedSetUp {
  readonly manifest: Manifest;
  /** The resource that is in force all the same: the resource that it was to replace, or another of its name in the inputs. */
  readonly instead?: "existing" | "other";
}

/** `setUp`: the requests that write set-up. */
export async function writeSetUp(simulated: SimulatedCluster, setUp: readonly ReviewSubject[]): Promise<WrittenSetUp> {
  const outcomes = new Map<Manifest, Outcome>();
  const denied: Write[] = [];
  // The inputs may have a resource twice: the simulated cluster has the last one, a cluster the last one it accepts.
  const [given, accepted] = [new Map<string, Manifest>(), new Map<string, Manifest>()];
  for (const subject of setUp) {
    if (!isWrite(subject)) continue;
    const { manifest } = subject;
    const outcome = await reviewSubject(simulated, subject);
    outcomes.set(manifest, outcome);
    given.set(identityOf(manifest.object), manifest);
    if (outcome.allowed) accepted.set(identityOf(manifest.object), manifest);
    else denied.push(subject);
  }
  const rejected: RejectedSetUp[] = [];
  const [put, remove] = [[] as Manifest[], [] as KubeObject[]];
  for (const { manifest, ask } of denied) {
    const name = identityOf(manifest.object);
    const other = accepted.get(name);
    if (other !== undefined) {
      rejected.push({ manifest, instead: "other" });
      if (given.get(name) !== other) put.push(other);
    } else if (ask.oldObject !== undefined) {
      rejected.push({ manifest, instead: "existing" });
      put.push({ object: ask.oldObject });
    } else {
      rejected.push({ manifest });
      // A resource that cannot be accepted is out of force by itself.
      if (simulated.rejection(manifest.object) === undefined) remove.push(manifest.object);
    }
  }
  const changes = put.length + remove.length > 0;
  return { simulated: changes ? simulated.with({ put, remove }) : simulated, outcomes, rejected };
}

type Write = Extract<ReviewSubject, { ask: unknown }>;

/** Namespaces stay: objects cannot be reviewed without theirs. */
function isWrite(subject: ReviewSubject): subject is Write {
  const { object } = subject.manifest;
  if (!("ask" in subject) || !isSetUp(object) || roleOf(object) === "namespace") return false;
  const { operation = "CREATE", subresource = "" } = subject.ask;
  return (operation === "CREATE" || operation === "UPDATE") && subresource === "";
}

/** Set-up resources that an API server rejects for every user. */
export function neverAccepted(simulated: SimulatedCluster, manifests: readonly Manifest[]): readonly RejectedSetUp[] {
  return manifests.filter(({ object }) => simulated.rejection(object) !== undefined).map((manifest) => ({ manifest }));
}

/** The notes on rejected parts of the set-up, with their places. A version other than the newest is named, for it may be the reason. */
export function notInForceNotes(rejected: readonly RejectedSetUp[], kubeVersion: Minor = CURRENT): SourceNote[] {
  const flag = kubeVersion === CURRENT ? "" : ` --kube-version ${kubeVersion}`;
  return rejected.map(({ manifest: { object, origin }, instead }) => ({
    file: origin?.file ?? "",
    message: notInForceText(`${gvkOf(object).kind} ${nameOf(object)}`, instead),
    hint: `\`celadon check${flag}\` shows why`,
  }));
}

export function notInForceText(subject: string, instead: RejectedSetUp["instead"]): string {
  return `${subject} was rejected, so ${CONSEQUENCE[instead ?? "none"]}`;
}

const CONSEQUENCE = {
  none: "it is not in force",
  existing: "the existing one stays in force",
  other: "the other one in the inputs is in force",
} as const;
