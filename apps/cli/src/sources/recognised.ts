// Things that lie in directories beside manifests and are none: parts of Helm charts, kustomizations and their patches, encrypted files,
// configuration of programs. They are recognised, so that everything else can be judged, and skipped with a line for each kind of thing.

import { posix } from "node:path";
import { own } from "@celadon/base";
import { gvkOf, type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import { isBuiltinGroup } from "@celadon/kube/types";
import { isSetUp } from "@celadon/simulator/manifests";
import type { Io } from "../program/io.ts";
import type { FoundFile } from "./find/find.ts";

/** Why something is skipped; equal reasons are reported together. */
export interface Skipped {
  readonly message: string;
  readonly hint?: string;
}

const KUSTOMIZATION = /(?:^|\/)(?:kustomization(?:\.ya?ml)?|Kustomization)$/;

export const isKustomization = (path: string): boolean => KUSTOMIZATION.test(path);

/** Files among the found ones that are skipped for where they lie or who names them; a file that the user named never is. */
export async function recognisedFiles(files: readonly FoundFile[], io: Io): Promise<ReadonlyMap<string, Skipped>> {
  const skipped = new Map<string, Skipped>();
  const charts = files
    .filter(({ path }) => posix.basename(path) === "Chart.yaml")
    .map(({ path }) => posix.dirname(path));
  for (const { path, named } of files) {
    const chart = named ? undefined : charts.find((directory) => isOfChart(path, directory));
    if (chart !== undefined) {
      skipped.set(path, CHART);
    }
  }
  const found = new Map(files.map((file) => [posix.normalize(file.path), file]));
  for (const { path } of files.filter((file) => isKustomization(file.path))) {
    const text = await textOf(path, io);
    const directory = posix.dirname(path);
    for (const patch of [...patchesIn(text), ...leftPatches(text, directory, found.keys())]) {
      const file = found.get(posix.join(directory, patch));
      if (file === undefined || file.named) continue;
      skipped.set(file.path, PATCH);
    }
  }
  return skipped;
}

/** The same for all files of a kind: each kind of thing is one line. */
const CHART: Skipped = {
  message: "skipped: part of a Helm chart",
  hint: "celadon check --helm CHART renders it",
};
const PATCH: Skipped = { message: "skipped: patch of a kustomization", hint: "celadon check -k DIR applies it" };
export const KUSTOMIZATION_FILE: Skipped = {
  message: "skipped: kustomization, not a manifest",
  hint: "celadon check -k DIR builds it",
};

/** Templates and values; CRDs of a chart are plain manifests. */
function isOfChart(path: string, chart: string): boolean {
  const prefix = chart === "." ? "" : `${chart}/`;
  if (!path.startsWith(prefix)) return false;
  const rest = path.slice(prefix.length);
  return (
    /^(?:templates|charts|ci)\//.test(rest) ||
    /^(?:Chart|values[\w.-]*)\.(?:ya?ml|json)$/.test(rest) ||
    rest === "values.schema.json"
  );
}

async function textOf(path: string, io: Io): Promise<string> {
  try {
    return Buffer.from(await io.files.read(path)).toString("utf8");
  } catch {
    // Reading it as an input reports why.
    return "";
  }
}

/** Lists of a kustomization whose entries are no resources. */
const LISTS: ReadonlySet<string> = new Set([
  "configurations",
  "crds",
  "generators",
  "patchesStrategicMerge",
  "replacements",
  "transformers",
  "validators",
]);

/** Files that a kustomization names as patches and the like. Lines that are commented out count: scaffolds leave them so. */
export function patchesIn(kustomization: string): readonly string[] {
  const names: string[] = [];
  let list = "";
  for (const line of kustomization.split("\n")) {
    const key = /^#? ?([A-Za-z]\w*):/.exec(line)?.[1];
    if (key !== undefined) list = key;
    const path = /^\s*#?\s*(?:- +)?path:\s*["']?([^\s"'#]+)/.exec(line)?.[1];
    const entry = LISTS.has(list)
      ? /^\s*#?\s*- +["']?([^\s"'#:]+\.(?:ya?ml|json))["']?\s*$/.exec(line)?.[1]
      : undefined;
    const name = path ?? entry;
    if (name !== undefined) names.push(name);
  }
  return names;
}

/** Files beside a kustomization that it does not name, called patches or in a directory of that name: scaffolds leave them behind. */
function leftPatches(kustomization: string, directory: string, files: Iterable<string>): readonly string[] {
  const names = [...files].flatMap((path) => {
    if (posix.dirname(path) === directory) {
      const name = posix.basename(path);
      return /(?:^|[-_.])patch(?:[-_.]|es\b)/.test(name) ? [name] : [];
    }
    return posix.dirname(path) === posix.join(directory, "patches") ? [`patches/${posix.basename(path)}`] : [];
  });
  return names.filter((name) => !kustomization.includes(name));
}

/** Groups of files that programs read and no API server serves. */
const CONFIGURATION =
  /(?:^|\.)(?:config\.k8s\.io|kubeadm\.k8s\.io|kind\.x-k8s\.io|kustomize\.config\.k8s\.io|client\.authentication\.k8s\.io)$|^(?:apiserver|audit|kubelet|kubeproxy|kubescheduler|kubecontrollermanager|apiserver\.config)\.(?:config\.)?k8s\.io$|^(?:minikube|k3d|skaffold|tilt|helm\.toolkit\.cattle)\.(?:sigs\.k8s\.io|io|dev)$/;

/** Names and labels that envsubst, sed and templates fill in: `${name}`, `$NAME`, `{{name}}`, `$(NAME)`, `@NAME@`. No object can have them. */
const PLACEHOLDER = /\$[{(A-Z_]|\{\{|@\w+@/;
/** The same in a line that cannot be read, with `{name}` of Python and C# before or behind other text. */
const BROKEN_PLACEHOLDER = /\$\{\w+\}|@[A-Z_]+@|\{[A-Za-z_]\w*\}[^\s,}\]]|[^\s{,[]\{[A-Za-z_]\w*\}/;
export const PLACEHOLDERS: Skipped = {
  message: "skipped: template with placeholders, not a manifest",
  hint: "fill it in first, as in envsubst < FILE | celadon check -f -",
};

/** Configuration of components, and reports of programs, have no metadata, and a telling kind or group. */
function isSettings(object: KubeObject): boolean {
  const { group, kind } = gvkOf(object);
  if (Object.hasOwn(object, "metadata") || isBuiltinGroup(group) || group === "celadon.dev") return false;
  return group.startsWith("config.") || /(?:Config(?:uration)?|Report)$/.test(kind);
}

/** The reason why an object found in a directory is skipped; undefined for one that a cluster could hold. */
export function skippedObject(object: KubeObject): Skipped | undefined {
  const { group, kind } = gvkOf(object);
  const sops = own(object as Readonly<Record<string, unknown>>, "sops");
  if (typeof sops === "object" && sops !== null && Object.hasOwn(sops, "mac")) {
    return {
      message: "skipped: encrypted with SOPS",
      hint: "decrypt it first: sops --decrypt FILE | celadon check -f -",
    };
  }
  if ([nameOf(object), namespaceOf(object), ...labelsOf(object)].some((text) => PLACEHOLDER.test(text)))
    return PLACEHOLDERS;
  // Files of an API server are validated as the server does it.
  if (isSetUp(object)) return undefined;
  const isUnserved = !isBuiltinGroup(group) && !group.includes(".");
  if (isUnserved || isSettings(object)) return { message: "skipped: configuration of a program, not of a cluster" };
  if (CONFIGURATION.test(group)) return { message: "skipped: configuration of a program, not of a cluster" };
  if (group === "" && kind === "Config" && Object.hasOwn(object, "clusters")) return { message: "skipped: kubeconfig" };
  return undefined;
}

/** The values of its labels, whatever else they are. */
function labelsOf({ metadata }: KubeObject): readonly string[] {
  const { labels } = Object(metadata) as { readonly labels?: unknown };
  return Object.values(Object(labels)).filter((value) => typeof value === "string");
}

/** The reason why a file of a directory is skipped whose YAML breaks at an action of a template. */
export const TEMPLATE: Skipped = {
  message: "skipped: Helm template, not a manifest",
  hint: "celadon check --helm CHART renders a chart",
};

/** Go templates: `{{ .Values.name }}`, `{{- if … }}`. */
export const hasTemplateAction = (text: string): boolean => /\{\{-?\s*[\w.$"/(]/.test(text);

/** An action that has a line of its own is no part of any manifest. */
export const hasActionLine = (text: string): boolean => /^\s*\{\{-?\s*[\w.$"/(][^\n]*\}\}\s*$/m.test(text);

export const hasPlaceholder = (line: string): boolean => BROKEN_PLACEHOLDER.test(line);
