// Situations that differ from one of a suite's own in one thing: a field gone, another value, one element more, another user, a namespace
// without labels. They start from situations that a suite's author found worth testing, so that most of them are matched.

import type { Operation, UserInfo } from "@celadon/admission";
import { isRecord, type JsonPath } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import type { Focus } from "../generate/focus.ts";
import { applyEdit, type Edit } from "./edit.ts";
import type { Situation } from "./situation.ts";

/** Values worth trying, beside those in the objects. */
export interface Clues {
  /** The parts of the object that are read; without it everything counts. */
  readonly object?: Focus;
  readonly request?: Focus;
  /** Texts from elsewhere that values may be compared with: those of params. */
  readonly texts: readonly string[];
  /** Labels that selectors of namespaces ask for. */
  readonly namespaceLabels: readonly string[];
  readonly asksAuthorizer: boolean;
}

export function* neighboursOf(situation: Situation, clues: Clues): Generator<Situation> {
  const { object, oldObject, operation, resources = [] } = situation;
  yield* operationsOf(situation);
  for (const side of ["object", "oldObject"] as const) {
    const at = side === "object" ? object : oldObject;
    if (at === undefined) continue;
    for (const edit of editsOf(at, clues)) {
      const changed = applyEdit(at, edit);
      if (changed !== undefined) yield { ...situation, [side]: changed };
    }
  }
  for (const user of usersOf(clues.request)) yield { ...situation, user };
  const name = (object ?? oldObject)?.metadata?.namespace ?? "default";
  if (clues.namespaceLabels.length > 0 && operation !== "CONNECT") {
    const others = resources.filter((resource) => resource.kind !== "Namespace" || resource.metadata?.name !== name);
    for (const labels of labelSets(clues.namespaceLabels)) {
      yield { ...situation, resources: [...others, namespaceNamed(name, labels)] };
    }
  }
  if (clues.asksAuthorizer) {
    for (const decision of ["allow", "noOpinion"] as const) yield { ...situation, authorizer: [{ decision }] };
  }
  for (const [i, resource] of resources.entries()) {
    if (resource.kind === "Namespace") continue;
    for (const edit of editsOf(resource, { texts: clues.texts })) {
      const changed = applyEdit(resource, edit);
      if (changed !== undefined) yield { ...situation, resources: resources.with(i, changed) };
    }
  }
}

export function namespaceNamed(name: string, labels: Readonly<Record<string, string>>): KubeObject {
  const metadata = { name, labels: { "kubernetes.io/metadata.name": name, ...labels } };
  return { apiVersion: "v1", kind: "Namespace", metadata };
}

/** No labels, and each by itself with another value than usual. */
function labelSets(keys: readonly string[]): readonly Readonly<Record<string, string>>[] {
  return [{}, ...keys.map((key) => ({ [key]: "x" }))];
}

function operationsOf(situation: Situation): readonly Situation[] {
  const { operation, object, oldObject, ...rest } = situation;
  const subject = object ?? oldObject;
  if (subject === undefined) return [];
  const all: Readonly<Partial<Record<Operation, Situation>>> = {
    CREATE: { ...rest, operation: "CREATE", object: subject },
    UPDATE: { ...rest, operation: "UPDATE", object: subject, oldObject: subject },
    DELETE: { ...rest, operation: "DELETE", object: subject },
  };
  return Object.values(all).filter((item) => item.operation !== operation);
}

function usersOf(request: Focus | undefined): readonly UserInfo[] {
  const info = request?.children.get("userInfo");
  if (info === undefined) return [];
  const names = ["ann", ...(info.children.get("username")?.texts ?? [])].filter((text) => text !== "");
  const groups = [...(info.children.get("groups")?.itemsIfRead?.texts ?? [])];
  return [
    ...names.flatMap((name) => [name, `${name}x`]).map((username) => ({ username })),
    ...groups.map((group) => ({ username: "ann", groups: [group] })),
  ];
}

const KEPT = new Set(["apiVersion", "kind"]);
const KEPT_METADATA = new Set(["namespace", "uid", "generateName", "managedFields", "creationTimestamp"]);
/** The form of names. */
const NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;
/** Places of one object that are checked. */
const PLACES = 200;

/** Changes of an object, field by field. */
export function* editsOf(object: KubeObject, clues: Pick<Clues, "object" | "texts">): Generator<Edit> {
  let places = 0;
  const open: { path: JsonPath; value: unknown; focus: Focus | undefined }[] = [
    { path: [], value: object, focus: clues.object },
  ];
  for (let next = open.shift(); next !== undefined && places < PLACES; next = open.shift(), places++) {
    const { path, value, focus } = next;
    if (path.length === 2 && path[0] === "metadata" && path[1] === "name") {
      for (const text of focus?.texts ?? []) if (NAME.test(text)) yield { path, value: text };
      continue;
    }
    // Every object has metadata.
    if (path.length > 1 || (path.length === 1 && path[0] !== "metadata")) yield { path };
    for (const other of othersFor(value, focus, clues.texts)) yield { path, value: other };
    for (const [key, child] of childrenOf(value)) {
      if (path.length === 0 && KEPT.has(String(key))) continue;
      if (path.length === 1 && path[0] === "metadata" && KEPT_METADATA.has(String(key))) continue;
      const read = focus?.children.get(String(key)) ?? focus?.itemsIfRead;
      // A field that is not read cannot matter, but below a value that is read as a whole any can.
      if (focus !== undefined && read === undefined && !focus.isLeaf) continue;
      open.push({ path: [...path, key], value: child, focus: read });
    }
    for (const name of focus?.children.keys() ?? []) {
      if (!isRecord(value) || Object.hasOwn(value, name)) continue;
      for (const added of addedFor(focus!.children.get(name)!)) yield { path: [...path, name], value: added };
    }
  }
}

function childrenOf(value: unknown): readonly (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return value.slice(0, 8).map((item, i) => [i, item] as const);
  return isRecord(value) ? Object.entries(value) : [];
}

/** The values that may replace a value. */
function othersFor(value: unknown, focus: Focus | undefined, texts: readonly string[]): readonly unknown[] {
  switch (typeof value) {
    case "string":
      return [...new Set(["", `x${value}`, `${value}x`, ...variants(focus?.texts ?? []), ...variants(texts)])];
    case "number":
    case "bigint": {
      const read = [...(focus?.numbers ?? []), ...texts.map(Number).filter(Number.isSafeInteger)].map(Number);
      return [...new Set([value, ...read].flatMap((n) => [Number(n), Number(n) + 1, Number(n) - 1]).concat(0))];
    }
    case "boolean":
      return [!value];
    default: {
      if (!Array.isArray(value)) return [];
      const sample = value.at(-1);
      const more = typeof sample === "string" ? [...(focus?.itemsIfRead?.texts ?? []), "x"] : [renamedCopy(sample)];
      return [[], ...more.map((item) => [...value, item]), ...more.map((item) => [item])];
    }
  }
}

function* variants(texts: Iterable<string>): Generator<string> {
  for (const text of texts) yield* [text, `${text}x`, `x${text}`, `${text}/x`];
}

/** An element beside another of the same kind has its own name. */
function renamedCopy(element: unknown): unknown {
  if (!isRecord(element)) return element;
  return typeof element.name === "string" ? { ...element, name: `${element.name}x` } : element;
}

/** A field of unknown type: the members that are read, or one value of each type. */
function addedFor(focus: Focus): readonly unknown[] {
  const { texts, numbers, children } = focus;
  if (children.size > 0) return [{}, ...[...children.keys()].map((name) => ({ [name]: "x" }))];
  return [...texts, ...numbers, "x", true, false, 1, {}, []];
}
