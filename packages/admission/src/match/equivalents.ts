// The equivalent resources that the host's mapper returns. If a mapper throws, or returns something invalid, it is unknown which
// policies match: that is an error for the caller, never an empty result.

import { type GroupVersionKind, type GroupVersionResource, gvrText } from "@celadon/kube";
import type { ResourceMapper } from "../hosts.ts";
import type { AdmissionRequest } from "../request.ts";

/**
 * Every resource that serves the objects of the request's resource, with or without itself. Throws if the mapper
 * fails.
 */
export function equivalentsOf(
  { resource, subresource = "" }: AdmissionRequest,
  mapper: ResourceMapper,
): readonly GroupVersionResource[] {
  const found: unknown = mapper.equivalents(resource, subresource);
  if (Array.isArray(found) && found.every((value) => hasTexts(value, "group", "version", "resource"))) return found;
  throw noAnswer(found, `resources equivalent to ${gvrText(resource)}`);
}

/** The kind of a resource; undefined if it is unknown. Throws if the mapper fails. */
export function kindOf(
  resource: GroupVersionResource,
  subresource: string,
  mapper: ResourceMapper,
): GroupVersionKind | undefined {
  const found: unknown = mapper.kind(resource, subresource);
  if (found === undefined || found === null) return undefined;
  if (hasTexts(found, "group", "version", "kind")) return found as GroupVersionKind;
  throw noAnswer(found, `the kind of ${gvrText(resource)}`);
}

function hasTexts(value: unknown, ...names: readonly string[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  return names.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === "string");
}

function noAnswer(found: unknown, what: string): TypeError {
  // Mappers answer synchronously. A promise is not an answer, and its rejection would be unhandled.
  if (found instanceof Promise) found.catch(() => undefined);
  return new TypeError(`the resource mapper did not return ${what}`);
}
