// Requests and limits of containers and of pods as a whole.

import { compareStrings } from "@celadon/base";
import type { PodSpec, ResourceClaim, ResourceRequirements } from "../../../../api/generated/core-v1.ts";
import { notFoundValue } from "../../../../field-error.ts";
import { isInvalid } from "../../../../invalid.ts";
import { checkDns1123Label } from "../../../../names.ts";
import { parseQuantity, type Quantity } from "../../../../quantity/quantity.ts";
import { wasGiven } from "../../../../types/empty-fields.ts";
import { isWhole, quantityAt, resourceAmount, wholeValue } from "../../../checks/quantities.ts";
import {
  containerResourceName,
  hugePageSize,
  isHugePages,
  isOvercommitAllowed,
  podResourceName,
} from "../../../checks/resource-names.ts";
import type { ValidatedField } from "../../../field.ts";
import { aggregateLimits, aggregateRequests } from "./aggregate-resources.ts";

type NameRule = (name: string, at: ValidatedField) => void;
type Resources = Readonly<Record<string, string>>;

export function containerResources(
  given: ResourceRequirements | undefined,
  claims: ReadonlySet<string>,
  at: ValidatedField,
): void {
  if (given !== undefined) requirements(given, containerResourceName, claims, at);
}

/** Rules for the needs of a pod beyond its containers, which are read as limits. */
export function overhead(given: Resources, at: ValidatedField): void {
  requirements({ limits: given }, containerResourceName, new Set(), at);
}

function requirements(
  given: ResourceRequirements,
  name: NameRule,
  claims: ReadonlySet<string>,
  at: ValidatedField,
): void {
  const [limits, requests] = [given.limits ?? {}, given.requests ?? {}];
  for (const resource of sortedNames(limits)) {
    const place = at.child("limits").key(resource);
    name(resource, place);
    resourceAmount(resource, limits[resource]!, place);
    hugePages(resource, limits[resource]!, place);
  }
  for (const resource of sortedNames(requests)) {
    const place = at.child("requests").key(resource);
    name(resource, place);
    resourceAmount(resource, requests[resource]!, place);
    requestWithinLimit(resource, requests[resource]!, limits, at);
    hugePages(resource, requests[resource]!, place);
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.includes("cpu") && !names.includes("memory")) {
    at.forbidden("HugePages require cpu or memory");
  }
  claimNames(given.claims, claims, at.child("claims"));
}

function requestWithinLimit(resource: string, request: string, limits: Resources, at: ValidatedField): void {
  if (!Object.hasOwn(limits, resource)) {
    if (!isOvercommitAllowed(resource))
      at.child("limits").required("Limit must be set for non overcommitable resources");
    return;
  }
  const [asked, limit] = [quantityAt(request), quantityAt(limits[resource])];
  const order = asked.compare(limit);
  const place = at.child("requests");
  if (order !== 0 && !isOvercommitAllowed(resource)) {
    place.invalid(asked.toString(), `must be equal to ${resource} limit of ${limit}`);
  } else if (order > 0) {
    place.invalid(asked.toString(), `must be less than or equal to ${resource} limit of ${limit}`);
  }
}

function hugePages(resource: string, text: string, at: ValidatedField): void {
  if (!isHugePages(resource)) return;
  const quantity = quantityAt(text);
  const size = parseQuantity(hugePageSize(resource));
  if (!isInvalid(size) && isPageSize(size) && wholeValue(quantity) % wholeValue(size) === 0n) return;
  at.invalid(quantity.toString(), `${quantity} is not positive integer multiple of ${resource}`);
}

function isPageSize(size: Quantity): boolean {
  return size.sign() > 0 && isWhole(size);
}

function claimNames(
  claims: readonly ResourceClaim[] | undefined,
  ofPod: ReadonlySet<string>,
  at: ValidatedField,
): void {
  const seen = new Set<string>();
  at.each(claims, (claim, each) => {
    const name = claim.name ?? "";
    if (name === "") return each.required();
    if (seen.has(name)) each.duplicate(name);
    else {
      if (claim.request) each.child("request").check(claim.request, checkDns1123Label);
      const key = claim.request ? `${name}/${claim.request}` : name;
      if (seen.has(key)) each.duplicate(key);
      else if (!claim.request) {
        // The whole claim includes requests of it that are listed already.
        for (const other of seen) if (other.startsWith(`${name}/`)) each.duplicate(name);
      }
      seen.add(key);
    }
    if (!ofPod.has(name)) at.errors.push({ ...notFoundValue(each.path, name), detail: unknownClaim(ofPod) });
  });
}

function unknownClaim(ofPod: ReadonlySet<string>): string {
  const known = ofPod.size === 0 ? " which is empty" : `: ${[...ofPod].sort(compareStrings).join(", ")}`;
  return `must be one of the names in pod.spec.resourceClaims${known}`;
}

/** Resources of the pod as a whole, and that its containers fit into them. */
export function podResources(spec: PodSpec, claims: ReadonlySet<string>, at: ValidatedField): void {
  const given = spec.resources;
  if (given === undefined) return;
  const place = at.child("resources");
  if (spec.os?.name === "windows") {
    place.forbidden("may not be set for a windows pod");
    return;
  }
  if (wasGiven(given, "claims")) place.child("claims").forbidden("claims may not be set for Resources at pod-level");
  requirements(given, podResourceName, claims, place);
  containersFit(spec, given, place);
}

function containersFit(spec: PodSpec, pod: ResourceRequirements, at: ValidatedField): void {
  for (const [resource, sum] of sortedEntries(aggregateRequests(spec))) {
    const request = pod.requests?.[resource];
    if (request === undefined || sum.compare(quantityAt(request)) <= 0) continue;
    const detail = `must be greater than or equal to aggregate container requests of ${sum}`;
    at.child("requests").key(resource).invalid(quantityAt(request).toString(), detail);
  }
  for (const [resource, sum] of sortedEntries(aggregateLimits(spec))) {
    const limit = isHugePages(resource) ? pod.limits?.[resource] : undefined;
    if (limit === undefined || sum.compare(quantityAt(limit)) <= 0) continue;
    const detail = `must be greater than or equal to aggregate container limits of ${sum}`;
    at.child("limits").key(resource).invalid(quantityAt(limit).toString(), detail);
  }
  at.child("containers").each(spec.containers, (container, each) => {
    const limits = container.resources?.limits ?? {};
    for (const resource of sortedNames(limits)) {
      const podLimit = pod.limits?.[resource];
      const limit = quantityAt(limits[resource]);
      if (podLimit === undefined || limit.compare(quantityAt(podLimit)) <= 0) continue;
      const detail = `must be less than or equal to pod limits of ${quantityAt(podLimit)}`;
      each.key(resource).child("limits").invalid(limit.toString(), detail);
    }
  });
}

// The server walks a map in no particular order.
function sortedNames(resources: Resources): string[] {
  return Object.keys(resources).sort(compareStrings);
}

function sortedEntries(sums: ReadonlyMap<string, Quantity>): [string, Quantity][] {
  return [...sums].sort((a, b) => compareStrings(a[0], b[0]));
}
