// JSON Patch (RFC 6902) with the manners of the library the API server uses, evanphx/json-patch v4: `replace` of an absent key
// adds it, indices may count from the end, and errors read as it writes them. All or nothing: the document is not changed.

import { formatGoJson, quoteGo, quoteJson, utf8Length } from "@celadon/base";
import { Invalid } from "@celadon/kube/errors";
import { isTooDeep, TOO_DEEP, withinStack } from "../value/depth.ts";
import { isMap, own, sameValue, setOwn } from "../value/value.ts";
import { inOrder, type MergePatchOptions } from "./merge-patch.ts";
import { asSent, isSentAs, SentScalar, type SentValue, sentValues, withoutTexts } from "./sent-value.ts";

/** One operation as it was sent: any member may be missing or of a wrong type, which only matters when it is its turn. */
export type PatchOperation = Readonly<Record<string, unknown>>;

/** The greatest number of operations that the API server accepts from clients. */
export const JSON_PATCH_LIMIT = 10_000;

/** The greatest number of bytes of JSON that all copies of one patch may add, as the API server sets it. */
export const COPY_LIMIT: number = 3 * 1024 * 1024;

/** A `test` operation that did not hold, which some callers take for an answer. */
export class TestFailed extends Invalid {}

/** A text that was put into a patch in a form that is no JSON: why it cannot be read. */
export class UnreadableText {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** The value of an operation as it was sent, where that is known and a `test` may see it. */
const SENT = new WeakMap<PatchOperation, SentValue>();

/** The operations of a patch that was read, or why it is invalid. With its text, a `test` compares as the API server does: texts. */
export function readJsonPatch(value: unknown, text?: string): readonly PatchOperation[] | Invalid {
  if (value === null) return [];
  if (!Array.isArray(value)) {
    return new Invalid(`json: cannot unmarshal ${jsonKind(value)} into Go value of type jsonpatch.Patch`);
  }
  const wrong = value.find((entry) => entry !== null && !isMap(entry));
  if (wrong !== undefined) {
    return new Invalid(`json: cannot unmarshal ${jsonKind(wrong)} into Go value of type jsonpatch.Operation`);
  }
  const operations = value.map((entry) => (entry as PatchOperation | null) ?? {});
  if (text !== undefined && operations.some(isTest)) noteSent(operations, text);
  return operations;
}

/** Operations whose null is compared like a text. */
const NULL_TEXTS = new WeakSet<PatchOperation>();

/**
 * Operations that were made rather than read. A null among their values is like a text: a `test` for it holds for a null that the patch has
 * put there, and not for one that existed before or for an absent field, where a null that was read holds.
 */
export function withTextNulls(operations: readonly PatchOperation[]): readonly PatchOperation[] {
  if (operations.some(isTest)) {
    for (const operation of operations) if (own(operation, "value") === null) NULL_TEXTS.add(operation);
  }
  return operations;
}

const isTest = (operation: PatchOperation): boolean => own(operation, "op") === "test";

function noteSent(operations: readonly PatchOperation[], text: string): void {
  const sent = withinStack<ReturnType<typeof sentValues>>(
    [operations],
    () => sentValues(text),
    () => [],
  );
  // A value that no test follows is never compared.
  const last = operations.findLastIndex(isTest);
  for (let i = 0; i <= last; i++) {
    const value = sent[i];
    if (value !== undefined) SENT.set(operations[i]!, value);
  }
}

/** The value that an operation writes. Scalars keep their text as long as the patch is applied: a later `test` compares it. */
function givenValue(root: Root, operation: PatchOperation): unknown {
  const value = own(operation, "value") ?? null;
  const sent = SENT.get(operation);
  if (sent === undefined && !NULL_TEXTS.has(operation)) return value;
  root.sent = true;
  // A null that was sent is a separate value: a test without a value does not hold for it, as it does for a null that was there.
  return value === null ? new SentScalar(null, "null") : asSent(value, sent);
}

/** Why a patch has more operations than the API server takes. */
export function tooManyOperations(operations: readonly PatchOperation[]): Invalid | undefined {
  if (operations.length <= JSON_PATCH_LIMIT) return undefined;
  return new Invalid(`The allowed maximum operations in a JSON patch is ${JSON_PATCH_LIMIT}, got ${operations.length}`);
}

export function jsonKind(value: unknown): string {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  return Array.isArray(value) ? "array" : isMap(value) ? "object" : "number";
}

/** The patched document, or the operation that did not apply. Its maps are sorted like those of a merge patch. */
export function applyJsonPatch(
  document: unknown,
  operations: readonly PatchOperation[],
  { isSorted = false }: MergePatchOptions = {},
): unknown {
  return withinStack(
    [document, operations],
    () => applied(document, operations, isSorted),
    (message) => new Invalid(message),
  );
}

function applied(document: unknown, operations: readonly PatchOperation[], isSorted: boolean): unknown {
  const root: Root = { value: shallow(document), sent: false, copied: 0, mine: new WeakSet() };
  if (isContainer(root.value)) root.mine.add(root.value);
  for (const operation of operations) {
    const op = textOf(operation, "op");
    const kind = op instanceof Invalid ? "unknown" : op;
    const apply = Object.hasOwn(APPLY, kind) ? APPLY[kind] : undefined;
    const problem = apply === undefined ? `Unexpected kind: ${kind}` : apply(root, operation);
    if (problem instanceof Invalid) return problem;
    if (problem !== undefined) return new Invalid(problem);
  }
  // Each copy may double the depth, and nothing else adds more than was read.
  if (root.copied > 0 && isTooDeep(root.value)) return new Invalid(TOO_DEEP);
  const result = isSorted ? inOrderOf(root.value, root.mine) : root.value;
  return root.sent ? withoutTexts(result) : result;
}

/** The value with its own maps in order; parts that no operation read stay unchanged. */
function inOrderOf(value: unknown, mine: Root["mine"]): unknown {
  if (!isContainer(value) || !mine.has(value)) return value;
  if (Array.isArray(value)) return value.map((item) => inOrderOf(item, mine));
  const ordered = inOrder(value) as Record<string, unknown>;
  for (const key of Object.keys(ordered)) setOwn(ordered, key, inOrderOf(ordered[key], mine));
  return ordered;
}

interface Root {
  value: unknown;
  /** True when scalars with their texts are in it. */
  sent: boolean;
  /** Bytes that copies have added. */
  copied: number;
  /** Containers that are ours to change; all others are still shared with the document and the patch. */
  readonly mine: WeakSet<object>;
}

type Container = unknown[] | Record<string, unknown>;
type Problem = string | Invalid | undefined;

const MISSING = "missing value";

/** A member of an operation that has to be a text. */
function textOf(operation: PatchOperation, member: "op" | "path" | "from"): string | Invalid {
  const value = own(operation, member);
  if (typeof value === "string") return value;
  if (value instanceof UnreadableText) return new Invalid(value.message);
  if (value === undefined || value === null) {
    return new Invalid(`operation${member === "from" ? "," : ""} missing ${member} field: ${MISSING}`);
  }
  return new Invalid(`json: cannot unmarshal ${jsonKind(value)} into Go value of type string`);
}

const undecodable = (op: string, member: string, why: string): string =>
  `${op} operation failed to decode ${member}: ${why}`;

const APPLY: Readonly<Record<string, (root: Root, operation: PatchOperation) => Problem>> = {
  add(root, operation) {
    const path = textOf(operation, "path");
    if (path instanceof Invalid) return undecodable("add", "path", MISSING);
    const found = locate(root, path);
    if (found === undefined) return `add operation does not apply: doc is missing path: "${path}": ${MISSING}`;
    return wrap(`error in add for path: '${path}'`, insert(found, givenValue(root, operation)));
  },
  remove(root, operation) {
    const path = textOf(operation, "path");
    if (path instanceof Invalid) return undecodable("remove", "path", MISSING);
    const found = locate(root, path);
    if (found === undefined) return `remove operation does not apply: doc is missing path: "${path}": ${MISSING}`;
    return wrap(`error in remove for path: '${path}'`, remove(found));
  },
  replace(root, operation) {
    const path = textOf(operation, "path");
    if (path instanceof Invalid) return undecodable("replace", "path", path.message);
    const value = givenValue(root, operation);
    if (path === "") {
      if (!isContainer(value)) return "replace operation value must be object or array: %!w(<nil>)";
      root.value = shallow(value);
      root.mine.add(root.value as Container);
      return undefined;
    }
    const found = locate(root, path);
    if (found === undefined) return `replace operation does not apply: doc is missing path: ${path}: ${MISSING}`;
    const { container, key } = found;
    if (Array.isArray(container)) {
      const index = indexOf(key, container.length);
      if (typeof index === "string") return `replace operation does not apply: doc is missing key: ${path}: ${MISSING}`;
      container[index] = value;
    } else {
      setOwn(container, key, value);
    }
    return undefined;
  },
  move(root, operation) {
    const from = textOf(operation, "from");
    if (from instanceof Invalid) return undecodable("move", "from", from.message);
    const source = locate(root, from);
    if (source === undefined) return `move operation does not apply: doc is missing from path: ${from}: ${MISSING}`;
    const value = get(source);
    if (value instanceof Invalid) return `error in move for path: '${source.key}': ${value.message}`;
    const removed = remove(source);
    if (removed !== undefined) return `error in move for path: '${source.key}': ${removed}`;
    const path = textOf(operation, "path");
    if (path instanceof Invalid) return undecodable("move", "path", path.message);
    const target = locate(root, path);
    if (target === undefined) {
      return `move operation does not apply: doc is missing destination path: ${path}: ${MISSING}`;
    }
    return wrap(`error in move for path: '${path}'`, insert(target, value ?? null));
  },
  copy(root, operation) {
    const from = textOf(operation, "from");
    if (from instanceof Invalid) return undecodable("copy", "from", from.message);
    const source = locate(root, from);
    if (source === undefined) return `copy operation does not apply: doc is missing from path: ${from}: ${MISSING}`;
    const value = get(source);
    if (value instanceof Invalid) return `error in copy for from: '${from}': ${value.message}`;
    const path = textOf(operation, "path");
    if (path instanceof Invalid) return undecodable("copy", "path", MISSING);
    // Before the target is looked for: a list may be copied into itself.
    release(root, value);
    const target = locate(root, path);
    if (target === undefined) {
      return `copy operation does not apply: doc is missing destination path: ${path}: ${MISSING}`;
    }
    if (value !== undefined && value !== null) {
      root.copied += jsonSize(value);
      if (root.copied > COPY_LIMIT) {
        return `Unable to complete the copy, the accumulated size increase of copy is ${root.copied}, exceeding the limit ${COPY_LIMIT}`;
      }
    }
    return wrap("error while adding value during copy", insert(target, value ?? null));
  },
  test(root, operation) {
    const path = textOf(operation, "path");
    if (path instanceof Invalid) return undecodable("test", "path", path.message);
    const failed = new TestFailed(`testing value ${path} failed: test failed`);
    if (path === "") return holds(operation, root.value) ? undefined : failed;
    const found = locate(root, path);
    if (found === undefined) return `test operation does not apply: is missing path: ${path}: ${MISSING}`;
    const present = get(found);
    if (present instanceof Invalid) return `error in test for path: '${path}': ${present.message}`;
    return holds(operation, present ?? null) ? undefined : failed;
  },
};

/** Whether the value passes a `test`. */
function holds(operation: PatchOperation, present: unknown): boolean {
  const sent = SENT.get(operation);
  if (NULL_TEXTS.has(operation)) return present instanceof SentScalar && present.value === null;
  if (sent !== undefined || present instanceof SentScalar) return isSentAs(present, sent);
  return sameDocument(present, own(operation, "value") ?? null);
}

const wrap = (what: string, problem: string | undefined): string | undefined =>
  problem === undefined ? undefined : `${what}: ${problem}`;

interface Place {
  readonly container: Container;
  readonly key: string;
}

/** The container a pointer ends in, made ours to change, and its last part. */
function locate(root: Root, pointer: string): Place | undefined {
  const parts = pointer.split("/");
  if (parts.length < 2) return undefined;
  let current: unknown = root.value;
  for (const part of parts.slice(1, -1)) {
    if (!isContainer(current)) return undefined;
    const place = { container: current, key: decode(part) };
    const next = get(place);
    if (!isContainer(next) || next instanceof Invalid) return undefined;
    current = claim(root, place, next);
  }
  return isContainer(current) ? { container: current, key: decode(parts.at(-1)!) } : undefined;
}

/** A container that may be shared is copied before it is changed, once. */
function claim(root: Root, place: Place, found: Container): Container {
  if (root.mine.has(found)) return found;
  const copy = shallow(found) as Container;
  root.mine.add(copy);
  const { container, key } = place;
  if (Array.isArray(container)) container[indexOf(key, container.length) as number] = copy;
  else setOwn(container, key, copy);
  return copy;
}

/** A value in two places is shared from now on: neither may change it. */
function release(root: Root, value: unknown): void {
  if (!isContainer(value) || !root.mine.delete(value)) return;
  for (const item of Array.isArray(value) ? value : Object.values(value)) release(root, item);
}

const isContainer = (value: unknown): value is Container =>
  Array.isArray(value) || (isMap(value) && !(value instanceof SentScalar));

const decode = (text: string): string =>
  text.includes("~") ? text.replace(/~[01]/g, (part) => (part === "~1" ? "/" : "~")) : text;

function get({ container, key }: Place): unknown {
  if (!Array.isArray(container)) return own(container, key);
  const index = indexOf(key, container.length);
  return typeof index === "string" ? new Invalid(index) : container[index];
}

function insert({ container, key }: Place, value: unknown): string | undefined {
  if (!Array.isArray(container)) {
    setOwn(container, key, value);
    return undefined;
  }
  if (key === "-") {
    container.push(value);
    return undefined;
  }
  const number = integerOf(key);
  if (typeof number === "string") return `value was not a proper array index: '${key}': ${number}`;
  const index = within(number, container.length + 1);
  if (typeof index === "string") return index;
  container.splice(index, 0, value);
  return undefined;
}

function remove({ container, key }: Place): string | undefined {
  if (!Array.isArray(container)) {
    if (!Object.hasOwn(container, key)) return `Unable to remove nonexistent key: ${key}: ${MISSING}`;
    delete container[key];
    return undefined;
  }
  const index = indexOf(key, container.length);
  if (typeof index === "string") return index;
  container.splice(index, 1);
  return undefined;
}

/** A position below `size`, also from the end; a message if it is invalid. */
function indexOf(key: string, size: number): number | string {
  const number = integerOf(key);
  return typeof number === "string" ? number : within(number, size);
}

function integerOf(key: string): number | string {
  if (!/^[+-]?[0-9]+$/.test(key)) return `strconv.Atoi: parsing ${quoteGo(key)}: invalid syntax`;
  const exact = BigInt(key.replace(/^\+/, ""));
  if (BigInt.asIntN(64, exact) !== exact) return `strconv.Atoi: parsing ${quoteGo(key)}: value out of range`;
  return Number(exact);
}

function within(index: number, size: number): number | string {
  if (index >= size || index < -size) return `Unable to access invalid index: ${index}: invalid index referenced`;
  return index < 0 ? index + size : index;
}

function shallow(value: unknown): unknown {
  if (Array.isArray(value)) return [...value];
  if (!isMap(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const key in value) if (Object.hasOwn(value, key)) setOwn(copy, key, value[key]);
  return copy;
}

/** The same once both are written as Go writes them: a double that is whole has no point. */
function sameDocument(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => sameDocument(item, b[i]))
    );
  }
  if (isMap(a) || isMap(b)) {
    if (!isMap(a) || !isMap(b)) return false;
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    return keys.every((key) => Object.hasOwn(b, key) && sameDocument(a[key] ?? null, b[key] ?? null));
  }
  return sameValue(a, b);
}

/** Bytes of the value in JSON. */
function jsonSize(value: unknown): number {
  if (Array.isArray(value))
    return value.reduce<number>((sum, item) => sum + jsonSize(item) + 1, value.length === 0 ? 2 : 1);
  if (value instanceof SentScalar) return utf8Length(value.text);
  if (!isMap(value)) return utf8Length(formatGoJson(value));
  const entries = Object.entries(value);
  return entries.reduce(
    (sum, [key, item]) => sum + utf8Length(quoteJson(key)) + jsonSize(item) + 2,
    entries.length === 0 ? 2 : 1,
  );
}
