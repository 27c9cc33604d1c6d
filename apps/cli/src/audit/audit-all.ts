// Reviews every object of a cluster that a policy may match, in its current state. Pages are reviewed as they arrive,
// and only problems are kept, up to a limit: memory does not grow with the cluster.

import type { AdmissionRequest } from "@celadon/admission";
import type { DiscoveredResource } from "@celadon/client";
import { auditedResources, listAll, type Unread } from "@celadon/cluster/audit";
import { type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import { type IntendedRequest, type PolicyTally, type Problem, type SimulatedCluster, Tally } from "@celadon/simulator";
import type { FromCluster } from "../live-cluster/from-cluster.ts";
import { type ReviewedObject, reviewedOf } from "../outcome/reviewed.ts";

export interface AuditOptions {
  readonly operation: "CREATE" | "UPDATE";
  readonly user?: IntendedRequest["user"];
  /** Only these; objects of no namespace are left out then. */
  readonly namespaces: readonly string[];
  readonly excludeNamespaces: readonly string[];
  /** Custom resources are held against their definitions too. */
  readonly schemas: boolean;
  /** The number of objects whose problems are kept; the others are counted. */
  readonly most: number;
  readonly pageSize: number;
  readonly signal: AbortSignal;
  onProgress?(resource: string, objects: number): void;
  /** Called for every object with problems, also for those that are not kept. */
  onFound?(reviewed: ReviewedObject): Promise<void>;
}

export interface Audited {
  readonly counts: {
    readonly objects: number;
    readonly denied: number;
    readonly warned: number;
    readonly resources: number;
  };
  readonly found: readonly ReviewedObject[];
  /** Objects with problems that were counted and not kept. */
  readonly leftOut: number;
  readonly policies: readonly PolicyTally[];
  readonly unread: readonly Unread[];
}

/** Requests that a policy without a match is evaluated on again, for the reason. */
const SAMPLE = 100;

export async function auditAll(
  simulated: SimulatedCluster,
  { api, served, unread: before }: Pick<FromCluster, "api" | "served" | "unread">,
  options: AuditOptions,
): Promise<Audited> {
  const { operation, user, namespaces, schemas, most, pageSize, signal } = options;
  const rules = simulated.policies
    .entries()
    .flatMap(({ policy }) => policy.policy.spec.matchConstraints?.resourceRules ?? []);
  const custom = (resource: DiscoveredResource): boolean =>
    schemas && simulated.typeOf(resource.group, resource.kind) !== undefined;
  const resources = auditedResources(served, rules, { operation, custom });
  const excluded = new Set(options.excludeNamespaces);
  const tally = new Tally();
  const counts = { objects: 0, denied: 0, warned: 0, resources: 0 };
  const found: ReviewedObject[] = [];
  const unread: Unread[] = [...before];
  const sample: AdmissionRequest[] = [];
  let leftOut = 0;

  const review = async (object: KubeObject): Promise<void> => {
    counts.objects++;
    const outcome = await simulated.review({
      object,
      operation,
      ...(operation === "UPDATE" && { oldObject: object }),
      ...(user && { user }),
    });
    tally.add(outcome);
    if (sample.length < SAMPLE) sample.push(outcome.request);
    const problems = outcome.problems.filter((problem) => isAudited(problem, schemas));
    if (problems.length === 0) return;
    if (problems.some(({ level }) => level === "deny")) counts.denied++;
    else counts.warned++;
    const allowed = problems.every(({ level }) => level !== "deny");
    const reviewed = reviewedOf({ object: headOf(object) }, { ...outcome, problems, allowed });
    await options.onFound?.(reviewed);
    if (found.length < most) found.push(reviewed);
    else leftOut++;
  };

  for (const resource of resources) {
    const { group, resource: name, namespaced } = resource;
    if (namespaces.length > 0 && !namespaced) continue;
    counts.resources++;
    for (const namespace of namespaces.length > 0 ? namespaces : [""]) {
      const pages = listAll(api, resource, { ...(namespace !== "" && { namespace }), pageSize, signal });
      for (;;) {
        const { value, done } = await pages.next();
        if (done) {
          if (value !== undefined) unread.push(value);
          break;
        }
        for (const object of value) if (!excluded.has(namespaceOf(object))) await review(object);
        options.onProgress?.(group === "" ? name : `${name}.${group}`, counts.objects);
        // Lets a signal arrive.
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
      }
    }
  }
  return { counts, found, leftOut, policies: await tally.finish(simulated, sample), unread };
}

/** Problems that a server reports only for new objects do not concern existing ones. */
function isAudited({ system, level }: Problem, schemas: boolean): boolean {
  if (system === "policy") return true;
  return schemas && (system === "rules" || system === "schema") && level === "deny";
}

/** Enough to name it. */
function headOf(object: KubeObject): KubeObject {
  const { apiVersion = "", kind = "" } = object;
  const namespace = namespaceOf(object);
  const uid = object.metadata?.uid;
  return {
    apiVersion,
    kind,
    metadata: { name: nameOf(object), ...(namespace !== "" && { namespace }), ...(uid !== undefined && { uid }) },
  };
}
