// JSON Patch (RFC 6902) with the manners of the library the API server uses, evanphx/json-patch v4: `replace` of an absent key
// adds it, indices may count from the end, and errors read as it writes them. All or nothing: the document is not changed.

import { isRecord, setOwn, utf8Length } from "@celadon/base";
import { Invalid } from "@celadon/kube";
import { compactJson, sameMeaning } from "./json.ts";

export interface PatchOperation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/**
 * As many operations as the API server takes from clients. It counts none of webhooks'; here a patch of millions, each looking
 * through the whole document, must not stop everything else.
 */
const OPERATIONS_LIMIT = 10_000;

/** The operations of a patch that was read, or why it is none. */
export function readPatch(value: unknown): readonly PatchOperation[] | Invalid {
  if (value === null) return [];
  if (!Array.isArray(value))
    return new Invalid(`json: cannot unmarshal ${jsonKind(value)} into Go value of type jsonpatch.Patch`);
  if (value.length > OPERATIONS_LIMIT) {
    return new Invalid(`The allowed maximum operations in a JSON patch is ${OPERATIONS_LIMIT}, got ${value.length}`);
  }
  const wrong = value.find((entry) => !isRecord(entry));
  if (wrong !== undefined) {
    return new Invalid(`json: cannot unmarshal ${jsonKind(wrong)} into Go value of type jsonpatch.Operation`);
  }
  return value.map((entry: Readonly<Record<string, unknown>>) => ({
    op: typeof entry.op === "string" ? entry.op : "unknown",
    path: typeof entry.path === "string" ? entry.path : "unknown",
    ...(typeof entry.from === "string" && { from: entry.from }),
    ...(Object.hasOwn(entry, "value") && { value: entry.value }),
  }));
}

function jsonKind(value: unknown): string {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  return Array.isArray(value) ? "array" : isRecord(value) ? "object" : "number";
}

/** How much all copies of one patch may add, in bytes of JSON, as the API server sets it. */
export const COPY_LIMIT: number = 3 * 1024 * 1024;

/** The patched document, or what did not apply. */
export function applyPatch(document: unknown, operations: readonly PatchOperation[]): unknown {
  const root: Root = { value: structured(document), copied: 0 };
  for (const operation of operations) {
    const apply = Object.hasOwn(APPLY, operation.op) ? APPLY[operation.op] : undefined;
    const problem = apply === undefined ? `Unexpected kind: ${operation.op}` : apply(root, operation);
    if (problem !== undefined) return new Invalid(problem);
  }
  return root.value;
}

interface Root {
  value: unknown;
  /** Bytes that copies have added. */
  copied: number;
}

type Container = unknown[] | Record<string, unknown>;

const MISSING = "missing value";

const APPLY: Readonly<Record<string, (root: Root, operation: PatchOperation) => string | undefined>> = {
  add(root, { path, value }) {
    const found = locate(root, path);
    if (found === undefined) return `add operation does not apply: doc is missing path: "${path}": ${MISSING}`;
    return wrap(`error in add for path: '${path}'`, insert(found.container, found.key, structured(value ?? null)));
  },
  remove(root, { path }) {
    const found = locate(root, path);
    if (found === undefined) return `remove operation does not apply: doc is missing path: "${path}": ${MISSING}`;
    return wrap(`error in remove for path: '${path}'`, remove(found.container, found.key));
  },
  replace(root, { path, value }) {
    const found = locate(root, path);
    if (found === undefined) return `replace operation does not apply: doc is missing path: ${path}: ${MISSING}`;
    const { container, key } = found;
    if (Array.isArray(container)) {
      const index = indexOf(container, key, container.length);
      if (typeof index === "string") return `replace operation does not apply: doc is missing key: ${path}: ${MISSING}`;
      container[index] = structured(value ?? null);
    } else {
      setOwn(container, key, structured(value ?? null));
    }
    return undefined;
  },
  move(root, { path, from = "unknown" }) {
    const source = locate(root, from);
    if (source === undefined) return `move operation does not apply: doc is missing from path: ${from}: ${MISSING}`;
    const value = get(source.container, source.key);
    if (value instanceof Invalid) return `error in move for path: '${from}': ${value.message}`;
    const removed = remove(source.container, source.key);
    if (removed !== undefined) return `error in move for path: '${from}': ${removed}`;
    const target = locate(root, path);
    if (target === undefined)
      return `move operation does not apply: doc is missing destination path: ${path}: ${MISSING}`;
    return wrap(`error in move for path: '${path}'`, insert(target.container, target.key, value));
  },
  copy(root, { path, from = "unknown" }) {
    const source = locate(root, from);
    if (source === undefined) return `copy operation does not apply: doc is missing from path: ${from}: ${MISSING}`;
    const value = get(source.container, source.key);
    if (value instanceof Invalid) return `error in copy for from: '${from}': ${value.message}`;
    const target = locate(root, path);
    if (target === undefined)
      return `copy operation does not apply: doc is missing destination path: ${path}: ${MISSING}`;
    const copy = structured(value ?? null);
    root.copied += utf8Length(compactJson(copy));
    if (root.copied > COPY_LIMIT) {
      return `Unable to complete the copy, the accumulated size increase of copy is ${root.copied}, exceeding the limit ${COPY_LIMIT}`;
    }
    return wrap("error while adding value during copy", insert(target.container, target.key, copy));
  },
  test(root, { path, value }) {
    const found = locate(root, path);
    if (found === undefined) return `test operation for path does not apply: doc is missing path: ${path}: ${MISSING}`;
    const present = get(found.container, found.key);
    if (present instanceof Invalid) return `error in test for path: '${path}': ${present.message}`;
    const same =
      present === undefined || value === undefined
        ? (present ?? null) === (value ?? null)
        : strictlySame(present, value);
    return same ? undefined : `testing value ${path} failed: test failed`;
  },
};

const wrap = (what: string, problem: string | undefined): string | undefined =>
  problem === undefined ? undefined : `${what}: ${problem}`;

/** The container a pointer ends in, and its last part. */
function locate(root: Root, pointer: string): { container: Container; key: string } | undefined {
  const parts = pointer.split("/");
  if (parts.length < 2) return undefined;
  const key = decode(parts.at(-1)!);
  let current: unknown = root.value;
  for (const part of parts.slice(1, -1)) {
    if (!isContainer(current)) return undefined;
    const next = get(current, decode(part));
    if (next instanceof Invalid || next === undefined) return undefined;
    current = next;
  }
  return isContainer(current) ? { container: current, key } : undefined;
}

const isContainer = (value: unknown): value is Container => Array.isArray(value) || isRecord(value);
const decode = (part: string): string => part.replaceAll("~1", "/").replaceAll("~0", "~");

function get(container: Container, key: string): unknown {
  if (!Array.isArray(container)) return Object.hasOwn(container, key) ? container[key] : undefined;
  const index = indexOf(container, key, container.length);
  return typeof index === "string" ? new Invalid(index) : container[index];
}

function insert(container: Container, key: string, value: unknown): string | undefined {
  if (!Array.isArray(container)) {
    setOwn(container, key, value);
    return undefined;
  }
  const index = key === "-" ? container.length : indexOf(container, key, container.length + 1);
  if (typeof index === "string") return index;
  container.splice(index, 0, value);
  return undefined;
}

function remove(container: Container, key: string): string | undefined {
  if (!Array.isArray(container)) {
    if (!Object.hasOwn(container, key)) return `Unable to remove nonexistent key: ${key}: ${MISSING}`;
    delete container[key];
    return undefined;
  }
  const index = indexOf(container, key, container.length);
  if (typeof index === "string") return index;
  container.splice(index, 1);
  return undefined;
}

/** A position below `size`, also from the end; a text when it is none. */
function indexOf(_: readonly unknown[], key: string, size: number): number | string {
  if (!/^[+-]?[0-9]+$/.test(key))
    return `value was not a proper array index: '${key}': strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`;
  const index = Number(key);
  if (index >= size || index < -size) return `Unable to access invalid index: ${index}: invalid index referenced`;
  return index < 0 ? index + size : index;
}

/** A copy whose lists and maps may be changed. */
function structured(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(structured);
  if (!isRecord(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) setOwn(copy, key, structured(item));
  return copy;
}

function strictlySame(a: unknown, b: unknown): boolean {
  if (isContainer(a) !== isContainer(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  if (isContainer(a) && isContainer(b) && Object.keys(a).length !== Object.keys(b).length) return false;
  return sameMeaning(a, b);
}
