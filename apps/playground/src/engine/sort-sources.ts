// Sorts imported texts into panes by the objects in them, however they are written: YAML, JSON, KYAML, flow style, Lists. Loaded on demand.

import { deepEqual, isRecord, own } from "@celadon/base";
import { gvkOf, type KubeObject, nameOf } from "@celadon/kube";
import { File } from "@celadon/language";
import { readWork, type Work, type WorkMode, type WorkText } from "@celadon/language/playground";
import { identityOf } from "@celadon/simulator";
import { isSigningRequest, type Role, roleOf } from "@celadon/simulator/manifests";
import { stringify } from "yaml";
import type { Placed, Sorted } from "../model/answer.ts";

/** A text to import, and the name of its file. */
export interface Source {
  readonly name: string;
  readonly text: string;
}

/** A document, as the text of the pane that it goes to. */
interface Document {
  readonly text: string;
  /** Undefined where it could not be read, or is no Kubernetes object. */
  readonly object?: KubeObject;
}

type Destination = "policy" | "param" | "object" | "tests";

/** Sorts sources into panes: those of the current work that nothing was imported for are kept or emptied, as the new ones need. */
export function sortSources(sources: readonly Source[], current: Work): Sorted {
  const documents: Document[] = [];
  const problems: string[] = [];
  for (const { name, text } of sources) {
    const saved = savedWork(text);
    if (saved !== undefined) return { work: saved, placed: [{ text: "policy", what: "saved work" }], problems };
    if (isSigningRequest(text)) {
      const work: Work = { ...current, mode: "certificates", object: text, oldObject: "" };
      return { work, placed: [{ text: "object", what: "a signing request" }], problems };
    }
    if (name.endsWith(".cel")) {
      return { work: { ...current, mode: "cel", policy: text }, placed: [{ text: "policy", what: name }], problems };
    }
    documents.push(...documentsOf(name, text, problems));
  }
  return documents.length === 0 ? { work: current, placed: [], problems } : arranged(documents, current, problems);
}

/** Work that was saved as a file. Text that is no JSON is no work. */
function savedWork(text: string): Work | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return readWork(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Documents as they are written where they stand alone in block style; others are laid out as YAML. */
function documentsOf(name: string, text: string, problems: string[]): Document[] {
  return new File(name, text.replace(/^\ufeff/, "")).parts.flatMap(({ part }): Document[] => {
    const written = part.text.replace(/^---(?:[ \t]*\n|[ \t]+)/, "").replace(/^(?:[ \t]*\n)+/, "");
    if (part.issues.length > 0) {
      problems.push(`${name}: ${part.issues[0]!.message}`);
      return [{ text: written }];
    }
    const known = part.documents.filter(({ value }) => value !== null && value !== undefined);
    if (known.length === 0) return [];
    // An item of a suite belongs to the suite.
    const resources = part.resources.filter(({ inSuite }) => !inSuite);
    if (resources.length === 0) {
      problems.push(`${name}: a document without apiVersion and kind`);
      return [{ text: written }];
    }
    const isBlock = !/^\s*[{[]/.test(written);
    if (isBlock && resources.length === 1 && resources[0]!.prefix.length === 0) {
      return [{ text: written, object: resources[0]!.object }];
    }
    return resources.map(({ object }) => ({ text: laidOut(object), object }));
  });
}

const laidOut = (object: KubeObject): string => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false });

function arranged(documents: readonly Document[], current: Work, problems: readonly string[]): Sorted {
  const kinds = documents.flatMap(({ object }) => paramKindsOf(object));
  const sorted = documents.map((document) => ({ document, to: destinationOf(document, kinds) }));
  const isSubject = sorted.some(({ to }) => to === "object");
  // Without another object, the request is about the first that could be params.
  const firstParam = isSubject ? undefined : sorted.find(({ to }) => to === "param");
  const at = (entry: (typeof sorted)[number]): WorkText =>
    entry === firstParam || entry.to === "object" ? "object" : entry.to === "tests" ? "tests" : "policy";
  const of = (text: WorkText): Document[] =>
    sorted.filter((entry) => at(entry) === text).map(({ document }) => document);
  const [policy, object, tests] = [of("policy"), of("object"), of("tests")];
  const mode = modeOf(policy);
  // A binding or a namespace alone belongs to the present policy.
  const added = mode === undefined && policy.length > 0 && current.mode !== "cel";
  const work: Work = {
    ...current,
    mode: mode ?? (current.mode === "cel" && policy.length > 0 ? "validating" : current.mode),
    ...(policy.length > 0 && { policy: added ? withDocuments(current.policy, policy) : joined(policy) }),
    ...(object.length > 0
      ? { object: joined(object), oldObject: "" }
      : mode !== undefined && { object: "", oldObject: "" }),
    ...(tests.length > 0 ? { tests: joined(tests) } : mode !== undefined && { tests: "" }),
  };
  const placed = sorted.map((entry): Placed => ({ text: at(entry), what: whatOf(entry.document) }));
  return { work, placed, problems };
}

/** Kinds of the API groups of policies decide, even misspelt. */
const DECIDING_GROUPS: ReadonlySet<string> = new Set([
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "policy.cert-manager.io",
]);

function destinationOf({ object, text }: Document, paramKinds: readonly ParamKind[]): Destination {
  if (object === undefined) return LOOKS_DECIDING.test(text) ? "policy" : "object";
  const { group, version, kind } = gvkOf(object);
  if (group === "celadon.dev") return "tests";
  const role = roleOf(object);
  if (role === "namespace" || role === "rbac" || DECIDING_GROUPS.has(group)) return "policy";
  const apiVersion = group === "" ? version : `${group}/${version}`;
  return paramKinds.some((known) => deepEqual(known, { apiVersion, kind })) ? "param" : "object";
}

/** Text that cannot be read yet is shown where its author would write it. */
const LOOKS_DECIDING =
  /\bkind["']?:\s*["']?(?:(?:Validating|Mutating)(?:AdmissionPolicy|WebhookConfiguration)|CustomResourceDefinition|CertificateRequestPolicy)/;

interface ParamKind {
  readonly apiVersion: unknown;
  readonly kind: unknown;
}

function paramKindsOf(object: KubeObject | undefined): ParamKind[] {
  const spec = object && own(object, "spec");
  const named = isRecord(spec) ? own(spec, "paramKind") : undefined;
  return isRecord(named) ? [{ apiVersion: own(named, "apiVersion"), kind: own(named, "kind") }] : [];
}

// biome-ignore format: one role per line
const MODES: Readonly<Partial<Record<Role, WorkMode>>> = {
  policy:            "validating",
  mutatingPolicy:    "mutating",
  definition:        "crd",
  webhooks:          "conditions",
  certificatePolicy: "certificates",
};

function modeOf(documents: readonly Document[]): WorkMode | undefined {
  const modes = documents.flatMap(({ object }) => (object === undefined ? [] : (MODES[roleOf(object)] ?? [])));
  // A policy for a kind of its own comes with the definition of that kind.
  return modes.find((mode) => mode !== "crd") ?? modes[0];
}

const joined = (documents: readonly Document[]): string =>
  documents.map(({ text }) => (text.endsWith("\n") ? text : `${text}\n`)).join("---\n");

/** Documents with the new ones instead of those of the same names. */
function withDocuments(text: string, documents: readonly Document[]): string {
  const names = new Set(documents.flatMap(({ object }) => (object === undefined ? [] : [identityOf(object)])));
  const kept = documentsOf("policy", text, []).filter(
    ({ object }) => object === undefined || !names.has(identityOf(object)),
  );
  return joined([...kept, ...documents]);
}

function whatOf({ object }: Document): string {
  if (object === undefined) return "a document that could not be read";
  return `${gvkOf(object).kind} ${nameOf(object)}`.trimEnd();
}
