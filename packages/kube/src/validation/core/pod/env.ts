// Environment variables of containers, and the fields of a pod that variables and files can show.

import type {
  ConfigMapKeySelector,
  EnvFromSource,
  EnvVar,
  EnvVarSource,
  FileKeySelector,
  ObjectFieldSelector,
  ResourceFieldSelector,
} from "../../../api/core-v1.ts";
import {
  asPrefixCheck,
  checkConfigMapKey,
  checkDns1123Label,
  checkDns1123Subdomain,
  checkQualifiedName,
} from "../../../names.ts";
import { noBacksteps } from "../../checks/paths.ts";
import { quantityAt } from "../../checks/quantities.ts";
import { checkEnvVarName } from "../../checks/texts.ts";
import type { Field } from "../../field.ts";

/** What a variable can take from its pod. */
const ENV_FIELDS: readonly string[] = [
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

export function environment(vars: readonly EnvVar[] | undefined, at: Field): void {
  at.each(vars, (env, each) => {
    each.child("name").mustBe(env.name, checkEnvVarName);
    if (env.valueFrom !== undefined) valueFrom(env.valueFrom, env.value, each.child("valueFrom"));
  });
}

function valueFrom(source: EnvVarSource, value: string | undefined, at: Field): void {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source;
  if (fieldRef) podField(fieldRef, ENV_FIELDS, at.child("fieldRef"));
  if (resourceFieldRef) containerResource(resourceFieldRef, at.child("resourceFieldRef"), false);
  if (configMapKeyRef) keyOf(configMapKeyRef, at.child("configMapKeyRef"));
  if (secretKeyRef) keyOf(secretKeyRef, at.child("secretKeyRef"));
  if (fileKeyRef) keyOfFile(fileKeyRef, at.child("fileKeyRef"));
  const sources = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter(Boolean).length;
  if (sources === 0) {
    at.invalid(
      "",
      "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`",
    );
  } else if (value) at.invalid("", "may not be specified when `value` is not empty");
  else if (sources > 1) at.invalid("", "may not have more than one field specified at a time");
}

/** A field of the pod: `metadata.name`, or one label with `metadata.labels['app']`. */
export function podField(ref: ObjectFieldSelector, shown: readonly string[], at: Field): void {
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

/** What a container requests or may use. A file has to say which container. */
export function containerResource(ref: ResourceFieldSelector, at: Field, isFile: boolean): void {
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

function keyOf(ref: ConfigMapKeySelector, at: Field): void {
  at.child("name").check(ref.name, checkDns1123Subdomain);
  at.child("key").mustBe(ref.key, checkConfigMapKey);
}

function keyOfFile(ref: FileKeySelector, at: Field): void {
  at.child("key").mustBe(ref.key, checkEnvVarName);
  at.child("volumeName").mustBe(ref.volumeName, checkDns1123Label);
  if (ref.path) noBacksteps(ref.path, at.child("path"));
  else at.child("path").required();
}

export function environmentFrom(sources: readonly EnvFromSource[] | undefined, at: Field): void {
  at.each(sources, (source, each) => {
    each.child("prefix").mayBe(source.prefix, checkEnvVarName);
    const { configMapRef, secretRef } = source;
    if (configMapRef)
      each.child("configMapRef", "name").mustBe(configMapRef.name, asPrefixCheck(checkDns1123Subdomain));
    if (secretRef) each.child("secretRef", "name").mustBe(secretRef.name, asPrefixCheck(checkDns1123Subdomain));
    if (!configMapRef && !secretRef) at.invalid("", "must specify one of: `configMapRef` or `secretRef`");
    else if (configMapRef && secretRef) at.invalid("", "may not have more than one field specified at a time");
  });
}
