// What the host's mapper says a resource is also known as. A mapper that throws, or answers with what it should not, leaves open
// which policies a request is about: that is an error for whoever asks, never an answer of "none".

import { type GroupVersionKind, type GroupVersionResource, gvrText } from "@celadon/kube";
import type { ResourceMapper } from "../hosts.ts";
import type { AdmissionRequest } from "../request.ts";

/** Every resource that serves the objects of a request's, itself among them or not. Throws when the mapper does not tell. */
export function equivalentsOf(
  { resource, subresource = "" }: AdmissionRequest,
  mapper: ResourceMapper,
): readonly GroupVersionResource[] {
  const found: unknown = mapper.equivalents(resource, subresource);
  if (Array.isArray(found) && found.every((one) => hasTexts(one, "group", "version", "resource"))) return found;
  throw noAnswer(found, `resources equivalent to ${gvrText(resource)}`);
}

/** The kind of a resource, undefined where it is not known. Throws when the mapper does not tell. */
export function kindOf(
  resource: GroupVersionResource,
  subresource: string,
  mapper: ResourceMapper,
): GroupVersionKind | undefined {
  const found: unknown = mapper.kind(resource, subresource);
  if (found === undefined || found === null) return undefined;
  if (hasTexts(found, "group", "version", "kind")) return found as unknown as GroupVersionKind;
  throw noAnswer(found, `the kind of ${gvrText(resource)}`);
}

function hasTexts(value: unknown, ...names: readonly string[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  return names.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === "string");
}

function noAnswer(found: unknown, what: string): TypeError {
  // Mappers answer at once. A promise is no answer, and should it be rejected, nobody else would take notice.
  if (found instanceof Promise) found.catch(() => undefined);
  return new TypeError(`the resource mapper did not return ${what}`);
}
