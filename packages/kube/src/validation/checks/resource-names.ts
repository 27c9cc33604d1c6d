// Names of resources: which are Kubernetes' own, which may be overcommitted, which are counted in whole numbers. They have a type of
// their own in Go, so they print as JSON, and without quotes on older servers.

import { JsonShown } from "../../field-error.ts";
import { RESOURCE_NAME } from "../../go-syntax.ts";
import { checkQualifiedName } from "../../names.ts";
import type { ValidatedField } from "../field.ts";

const COMPUTE = ["cpu", "memory", "ephemeral-storage"];
const OBJECT_COUNTS = [
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
];
const REQUESTS_AND_LIMITS = COMPUTE.flatMap((name) => [`requests.${name}`, `limits.${name}`]);

const CONTAINER: ReadonlySet<string> = new Set(COMPUTE);
const COUNTED: ReadonlySet<string> = new Set(OBJECT_COUNTS);
const QUOTA: ReadonlySet<string> = new Set([...COMPUTE, ...REQUESTS_AND_LIMITS, "requests.storage", ...OBJECT_COUNTS]);
const STANDARD: ReadonlySet<string> = new Set([...QUOTA, "storage"]);

const HUGE_PAGES = "hugepages-";
const REQUESTS = "requests.";

const shownName = (name: string): JsonShown => new JsonShown(name, RESOURCE_NAME);

export function isHugePages(name: string): boolean {
  return name.startsWith(HUGE_PAGES);
}

/** The size of a page: `2Mi` of `hugepages-2Mi`. */
export function hugePageSize(name: string): string {
  return name.slice(HUGE_PAGES.length);
}

function isQuotaHugePages(name: string): boolean {
  return isHugePages(name) || name.startsWith(`${REQUESTS}${HUGE_PAGES}`);
}

function isQualified(name: string): boolean {
  return name.includes("/");
}

export function isNative(name: string): boolean {
  return !isQualified(name) || name.includes("kubernetes.io/");
}

/** A resource of another domain, whose name is still valid with `requests.` before it. */
export function isExtended(name: string): boolean {
  return !isNative(name) && !name.startsWith(REQUESTS) && checkQualifiedName(`${REQUESTS}${name}`).length === 0;
}

export function isOvercommitAllowed(name: string): boolean {
  return isNative(name) && !isHugePages(name);
}

export function isIntegerResource(name: string): boolean {
  return COUNTED.has(name) || isExtended(name);
}

/** A resource of any kind: one of Kubernetes' own, or with a domain. */
export function resourceName(name: string, at: ValidatedField): boolean {
  return namedResource(name, shownName(name), at);
}

function namedResource(name: string, shown: unknown, at: ValidatedField): boolean {
  return at.holds(() => {
    const problems = checkQualifiedName(name, at.by);
    for (const problem of problems) at.invalid(shown, problem);
    if (problems.length > 0 || isQualified(name)) return;
    if (!STANDARD.has(name) && !isQuotaHugePages(name)) {
      at.invalid(shownName(name), "must be a standard resource type or fully qualified");
    }
  });
}

export function containerResourceName(name: string, at: ValidatedField): void {
  resourceName(name, at);
  forContainers(name, at);
}

/** The same for a metric, whose invalid name prints as a text. */
export function metricResourceName(name: string, at: ValidatedField): void {
  namedResource(name, name, at);
  forContainers(name, at);
}

function forContainers(name: string, at: ValidatedField): void {
  if (!isQualified(name)) {
    if (!CONTAINER.has(name) && !isHugePages(name))
      at.invalid(shownName(name), "must be a standard resource for containers");
  } else if (!isNative(name) && !isExtended(name)) {
    at.invalid(shownName(name), "doesn't follow extended resource name standard");
  }
}

/** A resource that quotas know without a domain. */
export function isStandardQuota(name: string): boolean {
  return QUOTA.has(name) || isQuotaHugePages(name);
}

export function quotaResourceName(name: string, at: ValidatedField): void {
  resourceName(name, at);
  if (!isQualified(name) && !isStandardQuota(name)) {
    at.invalid(shownName(name), "must be a standard resource for quota");
  }
}

/** Checks a name of a resource that a pod as a whole may request. */
export function podResourceName(name: string, at: ValidatedField): void {
  if (!resourceName(name, at)) return;
  if (name !== "cpu" && name !== "memory" && !isHugePages(name)) at.unsupported(name, ["cpu", HUGE_PAGES, "memory"]);
}
