// The fields of a pod, and the resources of its containers, that environment variables and files can show.

import type { ObjectFieldSelector, ResourceFieldSelector } from "../../api/generated/core-v1.ts";
import { checkQualifiedName } from "../../names.ts";
import { quantityAt } from "../checks/quantities.ts";
import type { ValidatedField } from "../field.ts";

/** The fields of its pod that a variable can have. */
export const ENV_FIELDS: readonly string[] = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];
/** Names that are read as a field of a pod; not all can be shown everywhere. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  ...ENV_FIELDS,
  "metadata.annotations",
  "metadata.labels",
  "spec.restartPolicy",
  "spec.schedulerName",
  "status.phase",
]);
const RESOURCES: readonly string[] = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
];
const BYTES = ["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"];
const ONLY_BYTES = `only divisor's values ${BYTES.join(", ")} are supported with the`;

/** A rule per resource: divisors that are taken, and the complaint about others. */
const DIVISORS: readonly (readonly [RegExp, readonly string[], string])[] = [
  [/^(limits|requests)\.cpu$/, ["1m", "1"], "only divisor's values 1m and 1 are supported with the cpu resource"],
  [/^(limits|requests)\.memory$/, BYTES, `${ONLY_BYTES} memory resource`],
  [/^(limits|requests)\.ephemeral-storage$/, BYTES, `${ONLY_BYTES} local ephemeral storage resource`],
  [/^(limits|requests)\.hugepages-/, BYTES, `${ONLY_BYTES} hugepages resource`],
];

/** A field of the pod: `metadata.name`, or one label with `metadata.labels['app']`. */
export function podField(ref: ObjectFieldSelector, shown: readonly string[], at: ValidatedField): void {
  if (!ref.apiVersion) {
    at.child("apiVersion").required();
    return;
  }
  if (!ref.fieldPath) {
    at.child("fieldPath").required();
    return;
  }
  const [path, subscript] = splitSubscript(ref.fieldPath);
  const problem = conversionProblem(ref.apiVersion, path, subscript, ref.fieldPath);
  if (problem !== undefined) {
    at.child("fieldPath").invalid(ref.fieldPath, `error converting fieldPath: ${problem}`);
  } else if (subscript !== undefined) {
    at.check(path === "metadata.annotations" ? subscript.toLowerCase() : subscript, checkQualifiedName);
  } else {
    // An old name of the node.
    const name = path === "spec.host" ? "spec.nodeName" : path;
    if (!shown.includes(name)) at.child("fieldPath").unsupportedText(name, shown);
  }
}

function splitSubscript(path: string): [string, string | undefined] {
  const start = path.indexOf("['");
  if (!path.endsWith("']") || start <= 0) return [path, undefined];
  return [path.slice(0, start), path.slice(start + 2, -2)];
}

function conversionProblem(version: string, path: string, subscript: string | undefined, whole: string) {
  if (version !== "v1") return `unsupported pod version: ${version}`;
  if (subscript !== undefined) {
    if (path === "metadata.annotations" || path === "metadata.labels") return undefined;
    return `field label does not support subscript: ${whole}`;
  }
  return KNOWN_FIELDS.has(path) || path === "spec.host" ? undefined : `field label not supported: ${path}`;
}

/** A reference to a container's request or limit. A file has to say which container. */
export function containerResource(ref: ResourceFieldSelector, at: ValidatedField, isFile: boolean): void {
  const resource = ref.resource ?? "";
  if (isFile && !ref.containerName) at.child("containerName").required();
  else if (resource === "") at.child("resource").required();
  else if (!RESOURCES.includes(resource) && !/^(requests|limits)\.hugepages-/.test(resource)) {
    at.child("resource").unsupportedText(resource, RESOURCES);
  }
  const divisor = quantityAt(ref.divisor);
  if (divisor.isZero()) return;
  for (const [names, divisors, complaint] of DIVISORS) {
    if (names.test(resource) && !divisors.includes(divisor.toString()))
      at.child("divisor").invalid(resource, complaint);
  }
}
