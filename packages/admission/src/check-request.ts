// Invalid requests: callers without types get an error that names the member, not one from deep inside.

import { isRecord } from "@celadon/base";
import type { AdmissionRequest, Operation } from "./request.ts";

const OPERATIONS: ReadonlySet<unknown> = new Set<Operation>(["CREATE", "UPDATE", "DELETE", "CONNECT"]);

/** Throws a TypeError unless it is a request as far as policies are chosen by it. */
export function checkRequest(request: AdmissionRequest): void {
  if (!isRecord(request)) throw notRequest("it is not an object");
  const { kind, resource, operation, object, oldObject } = request;
  checkNames("kind", kind, "kind");
  checkNames("resource", resource, "resource");
  if (!OPERATIONS.has(operation)) throw notRequest("'operation' must be CREATE, UPDATE, DELETE or CONNECT");
  if (!isObjectOrAbsent(object)) throw notRequest("'object' must be an object or null");
  if (!isObjectOrAbsent(oldObject)) throw notRequest("'oldObject' must be an object or null");
}

function checkNames(member: string, given: unknown, last: "kind" | "resource"): void {
  if (!isRecord(given)) throw notRequest(`'${member}' must be an object with group, version and ${last}`);
  for (const name of ["group", "version", last]) {
    if (typeof given[name] !== "string") throw notRequest(`'${member}.${name}' must be a string`);
  }
}

const isObjectOrAbsent = (given: unknown): boolean => given === undefined || given === null || isRecord(given);

const notRequest = (why: string): TypeError => new TypeError(`not an admission request: ${why}`);
