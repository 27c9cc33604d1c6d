// Field ownership for one kind and endpoint: the API server's treatment of managedFields on every write. Objects are those of the request's
// version, as they are stored or about to be; none is changed. Upstream: apimachinery pkg/util/managedfields/internal (fieldmanager,
// structuredmerge, managedfieldsupdater, skipnonapplied, capmanagers, lastapplied…).

import {
  apiVersionOf,
  type GroupVersionKind,
  gvkOf,
  gvkText,
  type KubeObject,
  metadataOf,
  nameOf,
  namespaceOf,
} from "@celadon/kube";
import { Invalid, isInvalid } from "@celadon/kube/errors";
import { badRequest, failure, type Status } from "@celadon/kube/status";
import type { FieldPattern, FieldSet } from "../fieldpath/field-set.ts";
import type { MergeType } from "../schema/merge-type.ts";
import { typeProblemsText } from "../typed/problem.ts";
import { validateStored, validateValue } from "../typed/validate.ts";
import { withinStack } from "../value/depth.ts";
import { isMap, type JsonMap, own } from "../value/value.ts";
import { capUpdateManagers } from "./cap-managers.ts";
import { conflictStatus } from "./conflict-status.ts";
import { allowedByLastApplied, withLastApplied } from "./last-applied.ts";
import {
  identifierOf,
  isReset,
  type Manager,
  type ManagerInfo,
  type Managers,
  readManagedFields,
  UNOWNED,
  writeManagedFields,
} from "./managed-fields.ts";
import {
  applyConfiguration as applyTo,
  Conflicts,
  type TypedObject,
  updateOwnership,
  type Versions,
} from "./ownership.ts";

/** The kind whose objects are managed. */
export interface FieldManagerOptions {
  /** The kind and version requests of this endpoint are written in. */
  readonly kind: GroupVersionKind;
  readonly subresource?: string;
  /** The type of the kind in a version of its group; undefined where that version is not served. */
  type(apiVersion: string): MergeType | undefined;
  /** The object in another version of its kind. Only called for versions that have a type. */
  convert?(object: KubeObject, apiVersion: string): KubeObject | Invalid;
  /** An object of the kind in which nothing is set, as the server encodes it; by default apiVersion and kind alone. */
  readonly blank?: KubeObject;
  /** Completes a merged object as the server does: read as its kind, with defaults. Without it, the object stays as it is. */
  complete?(object: KubeObject): KubeObject | Invalid;
  /** Fields that requests to this endpoint cannot change (`status` for the main resource), by version. */
  readonly resetFields?: Pick<ReadonlyMap<string, FieldSet>, "get">;
  /** The only fields that requests to this endpoint can change, by version. */
  readonly keptFields?: Pick<ReadonlyMap<string, FieldPattern>, "get">;
  /** Now, as RFC 3339 in UTC without fractions. */
  now(): string;
}

/** Keeps track of who owns which field, over creates, updates, patches and applies. */
export interface FieldManager {
  /** The object after a create, update or patch, with its managedFields. The write continues even if those are invalid. */
  update(live: KubeObject | undefined, next: KubeObject, manager: string): KubeObject;
  /** The same, or the problem of the managedFields. */
  tryUpdate(live: KubeObject | undefined, next: KubeObject, manager: string): KubeObject | Invalid;
  /** The object after server-side apply, with its managedFields. */
  apply(live: KubeObject | undefined, config: KubeObject, manager: string, force: boolean): KubeObject | Status;
}

/** Makes a field manager for a kind. */
export function createFieldManager(options: FieldManagerOptions): FieldManager {
  const manager = new OwnershipOf(options);
  const tryUpdate: FieldManager["tryUpdate"] = (live, next, name) =>
    withinStack<KubeObject | Invalid>(
      [live, next],
      () => manager.update(live ?? manager.blank, next, name),
      (message) => new Invalid(message),
    );
  return {
    update(live, next, name) {
      const updated = tryUpdate(live, next, name);
      return isInvalid(updated) ? withManagedFields(next, undefined) : updated;
    },
    tryUpdate,
    apply: (live, config, name, force) =>
      withinStack<KubeObject | Status>(
        [live, config],
        () => manager.apply(live ?? manager.blank, config, name, force),
        (message) => unknown(message),
      ),
  };
}

/** The manager of an update before it is known whether anything changed. */
const SELF = "current-operation";
const BEFORE_FIRST_APPLY = "before-first-apply";

class OwnershipOf {
  readonly blank: KubeObject;
  readonly #options: FieldManagerOptions;
  readonly #apiVersion: string;
  readonly #versions: Versions;

  constructor(options: FieldManagerOptions) {
    this.#options = options;
    this.#apiVersion = apiVersionOf(options.kind);
    this.blank = options.blank ?? { apiVersion: this.#apiVersion, kind: options.kind.kind };
    this.#versions = {
      ignored: options.resetFields,
      kept: options.keptFields,
      convert: (object, apiVersion) => {
        if (object.apiVersion === apiVersion) return object;
        const type = options.type(apiVersion);
        if (type === undefined || options.convert === undefined) return undefined;
        const converted = options.convert(object.value as KubeObject, apiVersion);
        return isInvalid(converted) ? converted : { apiVersion, type, value: converted };
      },
    };
  }

  update(live: KubeObject, next: KubeObject, name: string): KubeObject | Invalid {
    const isSubresource = (this.#options.subresource ?? "") !== "";
    const managers = liveOrNew(live, next, isSubresource);
    // An object without managers since its creation stays without them until the first apply.
    const isCreate = (metadataOf(live).uid ?? "") === "";
    if (managers.size === 0 && !isCreate) return withManagedFields(next, undefined);
    const updated = this.#update(live, next, managers, name);
    return isInvalid(updated) ? updated : withManagedFields(next, updated);
  }

  #update(live: KubeObject, next: KubeObject, managers: Managers, name: string): Managers | Invalid {
    const after = this.#typed(withManagedFields(next, undefined), "new");
    if (isInvalid(after))
      return new Invalid(`failed to convert new object (${about(next)}) to smd typed: ${after.message}`);
    const before = this.#typed(live, "stored");
    if (isInvalid(before)) {
      return new Invalid(`failed to convert live object (${about(live)}) to smd typed: ${before.message}`);
    }
    const self = this.#self(name, "Update");
    const updated = updateOwnership(before, after, managers, SELF, self, this.#versions);
    if (isInvalid(updated)) return new Invalid(`failed to update ManagedFields (${about(next)}): ${updated.message}`);
    const result = new Map(updated);
    const mine = result.get(SELF);
    result.delete(SELF);
    const set = mine?.set.difference(UNOWNED);
    if (set !== undefined && !set.isEmpty) {
      const id = identifierOf(self);
      result.set(id, { ...self, set: result.get(id)?.set.union(set) ?? set, time: this.#options.now() });
    }
    return capUpdateManagers(result);
  }

  apply(live: KubeObject, config: KubeObject, name: string, force: boolean): KubeObject | Status {
    const managers = readManagedFields(metadataOf(live).managedFields);
    if (isInvalid(managers)) return unknown(`failed to decode managed fields: ${managers.message}`);
    const gvk = gvkOf(config);
    const { kind } = this.#options;
    if (gvk.group !== kind.group || gvk.version !== kind.version || gvk.kind !== kind.kind) {
      return badRequest(`invalid object type: ${gvkText(gvk)}`);
    }
    const applied = this.#applyOver(live, config, managers, name, force);
    if (!("object" in applied)) return applied instanceof Conflicts ? conflictStatus(applied.conflicts) : applied;
    // kubectl's own annotation follows server-side applies.
    const object = name === "kubectl" ? withLastApplied(applied.object, config) : applied.object;
    return withManagedFields(object, applied.managers);
  }

  /** With kubectl, conflicts over fields of its client-side apply do not count. */
  #applyOver(
    live: KubeObject,
    config: KubeObject,
    managers: Managers,
    name: string,
    force: boolean,
  ): AppliedObject | Conflicts | Status {
    const applied = this.#apply(live, config, managers, name, force);
    if (name !== "kubectl" || !(applied instanceof Conflicts)) return applied;
    const type = this.#options.type(this.#apiVersion);
    const allowed = type && allowedByLastApplied(live, type, this.#apiVersion);
    if (allowed === undefined) return applied;
    const others = applied.conflicts.filter(({ path }) => !allowed.has(path));
    return others.length > 0 ? new Conflicts(others) : this.#apply(live, config, managers, name, true);
  }

  #apply(
    live: KubeObject,
    config: KubeObject,
    known: Managers,
    name: string,
    force: boolean,
  ): AppliedObject | Conflicts | Status {
    let managers = known;
    if (managers.size === 0) {
      const first = this.#update(this.blank, live, managers, BEFORE_FIRST_APPLY);
      if (isInvalid(first)) return unknown(`failed to create manager for existing fields: ${first.message}`);
      managers = first;
    }
    if (Array.isArray(own(metadataMap(config), "managedFields"))) {
      return badRequest("metadata.managedFields must be nil");
    }
    const patch = this.#typed(config, "applied");
    if (isInvalid(patch)) return unknown(`failed to create typed patch object (${about(config)}): ${patch.message}`);
    const before = this.#typed(live, "stored");
    if (isInvalid(before)) return unknown(`failed to create typed live object (${about(live)}): ${before.message}`);
    const self = this.#self(name, "Apply");
    const id = identifierOf(self);
    const previous = managers.get(id);
    const applied = applyTo(before, patch, managers, id, { ...self, time: previous?.time }, force, this.#versions);
    if (applied instanceof Conflicts) return applied;
    if (isInvalid(applied)) return unknown(applied.message);
    const result = this.#ownedBy(applied.managers, id, previous, applied.object !== undefined);
    if (applied.object === undefined) return { object: live, managers: result };
    const object = this.#options.complete?.(applied.object as KubeObject) ?? (applied.object as KubeObject);
    if (isInvalid(object)) {
      return unknown(`failed to convert new object (${about(config)}) to proper version: ${object.message}`);
    }
    return { object, managers: result };
  }

  #ownedBy(managers: Managers, id: string, before: Manager | undefined, changed: boolean): Managers {
    const mine = managers.get(id);
    if (mine === undefined) return managers;
    const result = new Map(managers);
    const owned = mine.set.difference(UNOWNED);
    // A set that owns the same fields is kept, because its text is known.
    const set = before?.set.equals(owned) ? before.set : owned;
    if (set.isEmpty) result.delete(id);
    else result.set(id, { ...mine, set, ...(changed && { time: this.#options.now() }) });
    return result;
  }

  #self(name: string, operation: ManagerInfo["operation"]): Omit<Manager, "set"> {
    return {
      manager: name === "" ? "unknown" : name,
      operation,
      apiVersion: this.#apiVersion,
      subresource: this.#options.subresource ?? "",
    };
  }

  #typed(object: KubeObject, role: "stored" | "new" | "applied"): TypedObject | Invalid {
    const type = this.#options.type(this.#apiVersion);
    if (type === undefined) return new Invalid(`no corresponding type for ${gvkText(gvkOf(object))}`);
    const problems =
      role === "stored"
        ? validateStored(type, object)
        : validateValue(type, object, { allowDuplicates: role === "new" });
    return problems.length > 0
      ? new Invalid(typeProblemsText(problems))
      : { apiVersion: this.#apiVersion, type, value: object };
  }
}

interface AppliedObject {
  readonly object: KubeObject;
  readonly managers: Managers;
}

/** A plain Go error reaches clients as a 500 without a reason. */
function unknown(message: string): Status {
  return failure(undefined, message);
}

function about(object: KubeObject): string {
  return `${namespaceOf(object) ?? ""}/${nameOf(object) ?? ""}; ${gvkText(gvkOf(object))}`;
}

/** Chooses the entries that count: those of the request, unless it has none, has invalid ones or is for a subresource. */
function liveOrNew(live: KubeObject, next: KubeObject, isSubresource: boolean): Managers {
  const none: Managers = new Map();
  const ofLive = (): Managers => {
    const read = readManagedFields(own(metadataMap(live), "managedFields"));
    return isInvalid(read) ? none : read;
  };
  if (isSubresource) return ofLive();
  const entries = own(metadataMap(next), "managedFields");
  if (isReset(entries)) return none;
  const read = readManagedFields(entries);
  return isInvalid(read) || read.size === 0 ? ofLive() : read;
}

function metadataMap(object: KubeObject): JsonMap {
  const metadata = own(object as JsonMap, "metadata");
  return isMap(metadata) ? metadata : {};
}

/** The object with these managers and no others. */
export function withManagedFields(object: KubeObject, managers: Managers | undefined): KubeObject {
  const entries = managers && writeManagedFields(managers);
  const given = metadataMap(object);
  const metadata = Object.hasOwn(given, "managedFields") ? withoutManagers(given) : given;
  if (entries !== undefined) return { ...object, metadata: { ...metadata, managedFields: entries } } as KubeObject;
  return given.managedFields === undefined ? object : ({ ...object, metadata } as KubeObject);
}

function withoutManagers({ managedFields: _, ...metadata }: JsonMap): JsonMap {
  return metadata;
}
