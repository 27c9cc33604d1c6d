// Cases of the corpus as command lines of `check`: the files and flags a user would give. Objects that differ in nothing but
// themselves share a line. The corpus is third-party data beside the project, absent in a clean clone.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { UserInfo } from "@celadon/admission";
import { gvkOf, type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import { readDocuments } from "@celadon/kube/read";
import { CORPUS, corpusCaseNames, everyNth, hasCorpus } from "../../../../conformance/src/corpus/corpus-directory.ts";
import { runLine } from "../io.testing.ts";

export { CORPUS, everyNth, hasCorpus };

export interface Expected {
  /** Whether policies allowed it. */
  readonly allowed?: boolean | null;
  /** Whether a CustomResourceDefinition accepts it. */
  readonly valid?: boolean | null;
  readonly cause?: "cel" | "schema" | null;
  readonly operation: string;
  readonly oldObject?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  readonly namespaceAnnotations?: Readonly<Record<string, string>>;
  readonly userInfo?: UserInfo;
  readonly rbac?: readonly unknown[];
  readonly serviceAccountRbac?: Readonly<Record<string, readonly unknown[]>>;
  readonly verdictFrom?: string;
  readonly dependsOnServerDefaults?: boolean;
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  readonly warning?: string;
  readonly reason?: string;
  readonly error?: string | readonly string[];
}

export interface Recorded {
  readonly by: "ok" | "policy" | "schema" | "other";
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly causes?: readonly { readonly field?: string; readonly message?: string; readonly reason?: string }[];
  readonly warnings?: readonly string[];
}

interface SetUpAnswer {
  readonly code: number;
  readonly message?: string;
  readonly policy?: string;
  readonly binding?: string;
}

export interface CorpusCase {
  readonly name: string;
  readonly directory: string;
  readonly hasParams: boolean;
  readonly objects: readonly { readonly file: string; readonly expected: Expected; readonly recorded?: Recorded }[];
  readonly recorded: {
    readonly setup?: readonly SetUpAnswer[];
    readonly crds?: readonly (SetUpAnswer & { readonly name: string; readonly causes?: Recorded["causes"] })[];
  };
}

export function casesOf(part: "policies" | "crds"): CorpusCase[] {
  return corpusCaseNames(part).map((name) => {
    const directory = join(CORPUS, part, name);
    const json = (file: string) => JSON.parse(readFileSync(join(directory, file), "utf8"));
    const { objects: expected = {} } = json("expected.json") as { objects?: Record<string, Expected> };
    const recorded = json("recorded.json") as CorpusCase["recorded"] & { objects?: Record<string, Recorded> };
    const objects = Object.entries(expected).map(([file, entry]) => {
      const answer = recorded.objects?.[file];
      return { file, expected: entry, ...(answer && { recorded: answer }) };
    });
    return { name, directory, hasParams: existsSync(join(directory, "params.yaml")), objects, recorded };
  });
}

/** One run of the command and its objects. */
export interface Line {
  readonly argv: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly objects: readonly string[];
}

const SET_UP = ["crd.yaml", "crds.yaml", "policy.yaml", "binding.yaml", "params.yaml"];

/** Without objects: one run over the set-up alone. */
export function linesOf(corpusCase: CorpusCase, objects: CorpusCase["objects"], flags: readonly string[]): Line[] {
  const read = (file: string): string => readFileSync(join(corpusCase.directory, file), "utf8");
  const setUp = SET_UP.filter((file) => existsSync(join(corpusCase.directory, file)));
  const groups = new Map<string, Group>();
  for (const entry of objects) {
    const object = objectOf(read(`objects/${entry.file}`));
    const setting = settingOf(entry.expected, object);
    // An old object belongs to the new one of its name: two of one name are two runs.
    const identity = entry.expected.oldObject === undefined ? entry.file : identityOf(object);
    for (let i = 0; ; i++) {
      const key = `${i} ${JSON.stringify(setting)}`;
      const group = groups.get(key) ?? { setting, entries: new Map() };
      if (group.entries.has(identity)) continue;
      groups.set(key, group);
      group.entries.set(identity, entry);
      break;
    }
  }
  if (groups.size === 0) groups.set("", { setting: { flags: [], files: {} }, entries: new Map() });
  return [...groups.values()].map(({ setting, entries }) => {
    const files: Record<string, string> = {};
    for (const file of setUp) files[file] = read(file);
    for (const [file, content] of Object.entries(setting.files)) files[file] = JSON.stringify(content);
    for (const { file, expected } of entries.values()) {
      files[`objects/${file}`] = read(`objects/${file}`);
      if (expected.oldObject !== undefined) files[`old/${file}`] = read(`objects/${expected.oldObject}`);
    }
    const has = (directory: string): string[] =>
      Object.keys(files).some((file) => file.startsWith(`${directory}/`)) ? [directory] : [];
    const inputs = [...setUp, ...Object.keys(setting.files), ...has("objects")].flatMap((path) => ["-f", path]);
    const old = has("old").flatMap((path) => ["--old", path]);
    const argv = ["check", ...inputs, ...old, ...setting.flags, ...flags, "-q", "-o", "json"];
    return { argv, files, objects: [...entries.values()].map(({ file }) => file) };
  });
}

interface Group {
  readonly setting: Setting;
  readonly entries: Map<string, CorpusCase["objects"][number]>;
}

interface Setting {
  readonly flags: readonly string[];
  readonly files: Readonly<Record<string, unknown>>;
}

function settingOf(expected: Expected, object: KubeObject): Setting {
  const { operation, subresource, name, namespace, userInfo } = expected;
  const flags = ["--operation", operation];
  // The kind of the options tells the subresource of a connection.
  if (subresource !== undefined && operation !== "CONNECT") flags.push("--subresource", subresource);
  if (name !== undefined) flags.push("--name", name);
  if (namespace !== undefined) flags.push("--namespace", namespace);
  if (userInfo !== undefined) {
    flags.push("--as", userInfo.username ?? "");
    for (const group of userInfo.groups ?? []) flags.push("--as-group", group);
    if (userInfo.uid !== undefined) flags.push("--as-uid", userInfo.uid);
    for (const [key, values] of Object.entries(userInfo.extra ?? {})) {
      for (const value of values) flags.push("--as-user-extra", `${key}=${value}`);
    }
  }
  return { flags, files: { ...namespaceFile(expected, object), ...rolesFile(expected) } };
}

function namespaceFile({ namespaceLabels, namespaceAnnotations }: Expected, object: KubeObject): Setting["files"] {
  if (namespaceLabels === undefined && namespaceAnnotations === undefined) return {};
  const name = namespaceOf(object) || "default";
  const metadata = { name, labels: namespaceLabels ?? {}, annotations: namespaceAnnotations ?? {} };
  return { "namespace.yaml": { apiVersion: "v1", kind: "Namespace", metadata } };
}

/** Rules granted to the requesting user and to service accounts, as roles and bindings. */
function rolesFile({ rbac, serviceAccountRbac = {}, userInfo }: Expected): Setting["files"] {
  const grants = Object.entries(serviceAccountRbac).map(([user, rules]) => ({ user, rules }));
  if (rbac !== undefined) grants.push({ user: userInfo?.username ?? "", rules: rbac });
  if (grants.length === 0) return {};
  const apiVersion = "rbac.authorization.k8s.io/v1";
  const items = grants.flatMap(({ user, rules }, i) => {
    const metadata = { name: `grant-${i}` };
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: metadata.name };
    const subjects = [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: user }];
    return [
      { apiVersion, kind: "ClusterRole", metadata, rules },
      { apiVersion, kind: "ClusterRoleBinding", metadata, roleRef, subjects },
    ];
  });
  return { "rbac.yaml": { apiVersion: "v1", kind: "List", items } };
}

function objectOf(text: string): KubeObject {
  return (readDocuments(text).documents[0]?.value ?? {}) as KubeObject;
}

function identityOf(object: KubeObject): string {
  const { group, kind } = gvkOf(object);
  return [group, kind, namespaceOf(object), nameOf(object)].join("/");
}

/** The result for an object in `check -o json`. */
export interface Answered {
  readonly file: string;
  readonly object: { readonly kind: string; readonly name: string };
  readonly operation: string;
  readonly subresource?: string;
  readonly allowed: boolean;
  readonly status?: {
    readonly message?: string;
    readonly reason?: string;
    readonly code?: number;
    readonly details?: { readonly causes?: Recorded["causes"] };
  };
  readonly problems: readonly {
    readonly system: string;
    readonly level: string;
    readonly message: string;
    readonly returned: boolean;
  }[];
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/** Answers by file, of files that hold one object; set-up files by their own names. */
export async function answersOf({ argv, files }: Line): Promise<ReadonlyMap<string, Answered>> {
  const { code, stdout, stderr } = await runLine(argv, { files });
  if (code > 1) throw new Error(`celadon ${argv.join(" ")}: exit code ${code}\n${stderr}`);
  return answersIn(stdout);
}

export function answersIn(stdout: string): ReadonlyMap<string, Answered> {
  const { objects } = JSON.parse(stdout) as { objects: readonly Answered[] };
  const byFile = new Map<string, Answered>();
  for (const object of objects) byFile.set(object.file.replace(/^objects\//, ""), object);
  return byFile;
}
