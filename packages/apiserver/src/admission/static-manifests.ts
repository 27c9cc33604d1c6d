// Policies and webhooks from directories of the server: in force before those of the API, also for policies and webhooks themselves, and
// neither visible nor changeable through the API. A directory belongs to one plugin. Upstream: apiserver pkg/admission/plugin/manifest,
// pkg/admission/plugin/{policy,webhook}/manifest.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, isAbsolute, join } from "node:path";
import type { PolicyResource } from "@celadon/admission";
import type { MutatingPolicyResource } from "@celadon/admission/mutating";
import { acceptPolicyResource } from "@celadon/admission/resources";
import { acceptConfiguration, type WebhookConfiguration } from "@celadon/admission/webhook";
import { compareStrings, pushAll, quoteGo, thrownText, toJson } from "@celadon/base";
import { type AcceptedResource, type KubeObject, nameOf, unknownFieldText } from "@celadon/kube";
import { fieldErrorText } from "@celadon/kube/errors";
import { readDocuments } from "@celadon/kube/read";

/** Plugins whose configuration names a directory. */
export const STATIC_PLUGINS = [
  "ValidatingAdmissionPolicy",
  "MutatingAdmissionPolicy",
  "ValidatingAdmissionWebhook",
  "MutatingAdmissionWebhook",
] as const;

/** An admission plugin that can read its policies or webhooks from files. */
export type StaticPlugin = (typeof STATIC_PLUGINS)[number];

/** The directory of each plugin that has one. */
export type StaticDirectories = Readonly<Partial<Record<StaticPlugin, string>>>;

export type StaticResource = PolicyResource | MutatingPolicyResource | WebhookConfiguration;

export interface StaticManifestSet {
  /** By name. */
  readonly resources: readonly StaticResource[];
  /** The hash of the bytes of all files; empty without any. */
  readonly hash: string;
}

const SUFFIX = ".static.k8s.io";
const GROUP_VERSION = "admissionregistration.k8s.io/v1";
const EXTENSIONS = new Set([".yaml", ".yml", ".json"]);

const KINDS: Readonly<Record<StaticPlugin, readonly string[]>> = {
  ValidatingAdmissionPolicy: ["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"],
  MutatingAdmissionPolicy: ["MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"],
  ValidatingAdmissionWebhook: ["ValidatingWebhookConfiguration"],
  MutatingAdmissionWebhook: ["MutatingWebhookConfiguration"],
};

/** Finds the problem of a directory as the configuration of a plugin; undefined when it can be read. */
export function directoryProblem(directory: string): string | undefined {
  const invalid = (text: string): string => `staticManifestsDir: Invalid value: ${quoteGo(directory)}: ${text}`;
  if (!isAbsolute(directory)) return invalid("must be an absolute file path");
  try {
    return statSync(directory).isDirectory() ? undefined : invalid("must be a directory");
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    return invalid(
      `unable to read: ${missing ? `stat ${directory}: no such file or directory` : (error as Error).message}`,
    );
  }
}

/** Reads the files of a directory. Throws an Error that names the file. */
export function loadStaticManifests(plugin: StaticPlugin, directory: string): StaticManifestSet {
  const found: StaticResource[] = [];
  const seen = new Map<string, string>();
  const hash = createHash("sha256");
  let isEmpty = true;
  for (const { name } of filesOf(directory)) {
    const file = join(directory, name);
    const bytes = readFileSync(file);
    if (bytes.length === 0) continue;
    isEmpty = false;
    hash.update(bytes).update(Buffer.of(0));
    try {
      const { documents, issues } = readDocuments(bytes.toString("utf8"), { file });
      if (issues[0] !== undefined) throw new Error(issues[0].message);
      for (const { value } of documents) pushAll(found, accept(plugin, value, file, seen));
    } catch (error) {
      throw new Error(`error loading ${file}: ${(error as Error).message}`);
    }
  }
  checkReferences(found);
  const resources = found.sort((a, b) => compareStrings(nameOf(a), nameOf(b)));
  return { resources, hash: isEmpty ? "" : `sha256:${hash.digest("hex")}` };
}

function filesOf(directory: string): readonly { readonly name: string }[] {
  let entries: ReturnType<typeof readEntries>;
  try {
    entries = readEntries(directory);
  } catch (error) {
    throw new Error(`failed to read manifest directory ${quoteGo(directory)}: ${(error as Error).message}`);
  }
  return entries
    .filter((entry) => !entry.isDirectory() && EXTENSIONS.has(extname(entry.name).toLowerCase()))
    .sort((a, b) => compareStrings(a.name, b.name));
}

const readEntries = (directory: string) => readdirSync(directory, { withFileTypes: true });

/** A document's resources: itself, or the items of a list. */
function accept(
  plugin: StaticPlugin,
  document: unknown,
  file: string,
  seen: Map<string, string>,
): readonly StaticResource[] {
  if (document === null || document === undefined) return [];
  const object = document as KubeObject & { readonly items?: readonly unknown[] };
  if (typeof document !== "object" || typeof object.kind !== "string" || object.kind === "") {
    throw new Error(`Object 'Kind' is missing in '${toJson(document)}'`);
  }
  const kinds = KINDS[plugin];
  const isList = object.apiVersion === "v1" && object.kind === "List";
  if (isList || (object.apiVersion === GROUP_VERSION && kinds.some((kind) => object.kind === `${kind}List`))) {
    const kind = isList ? {} : { apiVersion: GROUP_VERSION, kind: object.kind.slice(0, -"List".length) };
    return (object.items ?? []).flatMap((item) => accept(plugin, { ...kind, ...(item as object) }, file, seen));
  }
  if (object.apiVersion !== GROUP_VERSION) {
    const text = `no kind ${quoteGo(object.kind)} is registered for version ${quoteGo(object.apiVersion ?? "")}`;
    throw new Error(text);
  }
  if (!kinds.includes(object.kind)) throw new Error(`unsupported resource type *v1.${object.kind}`);
  const resource = accepted(object);
  checkName(resource, file, seen);
  checkConstraints(resource, file);
  return [resource];
}

/** Read strictly, with defaults, valid. */
function accepted(object: KubeObject): StaticResource {
  const kind = object.kind as "ValidatingAdmissionPolicy";
  const isWebhook = kind.endsWith("WebhookConfiguration");
  const outcome = (
    isWebhook ? acceptConfiguration(object as WebhookConfiguration) : acceptPolicyResource(kind, object)
  ) as AcceptedResource<StaticResource>;
  const { resource, status, errors, unknownFields } = outcome;
  if (unknownFields.length > 0) {
    throw new Error(`strict decoding error: ${unknownFields.map(unknownFieldText).join(", ")}`);
  }
  if (errors.length > 0) {
    const texts = errors.map(fieldErrorText);
    throw new Error(texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`);
  }
  if (status !== undefined || resource === undefined) throw new Error(status?.message ?? "it cannot be read");
  return resource;
}

function checkName(resource: StaticResource, file: string, seen: Map<string, string>): void {
  const name = nameOf(resource);
  if (name === "") throw new Error(`resource in file ${quoteGo(file)} must have a name`);
  if (!name.endsWith(SUFFIX)) {
    throw new Error(`${quoteGo(name)} in file ${quoteGo(file)} must have a name ending with ${quoteGo(SUFFIX)}`);
  }
  const key = `${resource.kind}/${name}`;
  const before = seen.get(key);
  if (before !== undefined) {
    const text = `duplicate name ${quoteGo(name)} found in file ${quoteGo(file)} (previously seen in ${quoteGo(before)})`;
    throw new Error(text);
  }
  seen.set(key, file);
}

/** Rejects resources that would need a lookup: no params, no services. */
function checkConstraints(resource: StaticResource, file: string): void {
  const name = quoteGo(nameOf(resource));
  if ("webhooks" in resource) {
    for (const { name: webhook = "", clientConfig } of resource.webhooks ?? []) {
      const where = `webhook ${quoteGo(webhook)} in ${name} (file ${quoteGo(file)})`;
      if (clientConfig?.service) {
        const text = "clientConfig.service is not supported for static manifests; use clientConfig.url instead";
        throw new Error(`${where}: ${text}`);
      }
      if (!clientConfig?.url) throw new Error(`${where}: clientConfig.url is required for static manifests`);
    }
    return;
  }
  const { kind, spec } = resource as { kind: string; spec: PolicySpec };
  if (!kind.endsWith("Binding")) {
    if (spec.paramKind == null) return;
    throw new Error(`${kind} ${name}: spec.paramKind is not supported for static manifests`);
  }
  const { policyName = "", paramRef } = spec;
  if (policyName === "") throw new Error(`binding ${name} must reference a policy (spec.policyName)`);
  if (!policyName.endsWith(SUFFIX)) {
    throw new Error(`binding ${name}: spec.policyName ${quoteGo(policyName)} must end with ${quoteGo(SUFFIX)}`);
  }
  if (paramRef != null) throw new Error(`binding ${name}: spec.paramRef is not supported for static manifests`);
}

interface PolicySpec {
  readonly paramKind?: unknown;
  readonly paramRef?: unknown;
  readonly policyName?: string;
}

function checkReferences(resources: readonly StaticResource[]): void {
  const policies = new Set(resources.filter(({ kind }) => !kind.endsWith("Binding")).map(nameOf));
  for (const resource of resources) {
    if (!resource.kind.endsWith("Binding")) continue;
    const { policyName = "" } = (resource as { spec: PolicySpec }).spec;
    if (policies.has(policyName)) continue;
    const [name, policy] = [quoteGo(nameOf(resource)), quoteGo(policyName)];
    throw new Error(`binding ${name} references policy ${policy} which does not exist in the manifest directory`);
  }
}

/** Whether a name belongs to a resource from files. */
export const isStaticName = (name: string): boolean => name.endsWith(SUFFIX);

/** Why a server does not start: a directory that is none, or with files that cannot be loaded. */
export class StaticManifestsError extends Error {}

export function loadFailure(plugin: StaticPlugin, directory: string, error: unknown): StaticManifestsError {
  const what = plugin.endsWith("Webhook") ? "webhook" : "policy";
  const text = thrownText(error);
  return new StaticManifestsError(`failed to load static ${what} manifests from ${quoteGo(directory)}: ${text}`);
}
