// Objects without living owners are deleted; owners that are deleted in the foreground wait for their dependents, and owners that orphan
// them are first removed from them. Upstream: pkg/controller/garbagecollector.

import { gvkOf, type KubeObject } from "@celadon/kube";
import type { DraftOwner } from "@celadon/write";
import { FOREGROUND, ORPHAN } from "@celadon/write/strategy";
import type { LocalClient } from "../client/local-client.ts";
import type { KindTable } from "../kinds/kind-table.ts";
import type { ServedResource } from "../kinds/resource.ts";
import { REGISTRY } from "../store/feed.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { parseHead } from "../store/stored-head.ts";
import { callServer, pathOf, QueueController, RequestRefused } from "./controller.ts";
import { type Dependent, OwnerGraph } from "./owner-graph.ts";

/** The texts in the JSON of an owner that waits for the collector. */
const MARKS = [Buffer.from(`"${FOREGROUND}"`), Buffer.from(`"${ORPHAN}"`)];
const PAGE = 500;
const FINE = [404, 409];

/** An owner as a dependent sees it. */
type OwnerState = "present" | "absent" | "waiting" | "unknown";

export class GarbageCollector extends QueueController {
  readonly name = "garbage-collector";
  readonly #objects: ObjectStore;
  readonly #kinds: KindTable;
  readonly #graph: OwnerGraph;

  constructor(objects: ObjectStore, kinds: KindTable) {
    super();
    this.#objects = objects;
    this.#kinds = kinds;
    this.#graph = new OwnerGraph(kinds);
  }

  protected follow(): void {
    this.onStop(
      this.#objects.feed.listenAll((change) => {
        if (change.type === "delete") this.#deleted(change.key);
        else this.#written(change.key, change.entry.value);
      }),
    );
    this.add(EVERYTHING);
  }

  #written(key: string, value: Uint8Array): void {
    const before = this.#graph.get(key);
    const dependent = this.#graph.put(key, value);
    this.#lookAtOwners(before, dependent);
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    const isMarked = MARKS.some((mark) => bytes.includes(mark));
    if (dependent !== undefined || isMarked) this.add(key);
    if (isMarked) for (const item of this.#graph.dependentsAt(key)) this.add(item.key);
  }

  #deleted(key: string): void {
    const before = this.#graph.get(key);
    this.#graph.remove(key);
    for (const dependent of this.#graph.dependentsAt(key)) this.add(dependent.key);
    this.#lookAtOwners(before, undefined);
  }

  /** Owners that lost a dependent may have waited for just this one. */
  #lookAtOwners(before: Dependent | undefined, after: Dependent | undefined): void {
    for (const owner of before?.owners ?? []) {
      if (after?.owners.some(({ uid, blockOwnerDeletion }) => uid === owner.uid && blockOwnerDeletion === true))
        continue;
      const place = this.#graph.placeOf(owner, before!.namespace);
      if (place !== undefined) this.add(place.key);
    }
  }

  protected async sync(client: LocalClient, key: string): Promise<void> {
    if (key === EVERYTHING) return this.#readAll();
    const { entry } = await this.#objects.store.get(key);
    if (entry === undefined) return;
    const object = parseHead(entry.value);
    const resource = this.#kinds.kind(gvkOf(object));
    if (resource === undefined) return;
    const { deletionTimestamp, finalizers = [] } = metaOf(object);
    if (deletionTimestamp && finalizers.includes(ORPHAN)) return this.#orphan(client, resource, object);
    if (deletionTimestamp && finalizers.includes(FOREGROUND)) return this.#finish(client, resource, object);
    if (deletionTimestamp) return;
    const dependent = this.#graph.get(key);
    if (dependent !== undefined)
      await this.#collectOrKeep(client, resource, object, dependent, String(entry.modRevision));
  }

  /** Reads the objects that were written before this process began. */
  async #readAll(): Promise<void> {
    let after: string | undefined;
    for (;;) {
      const page = await this.#objects.store.list(REGISTRY, { limit: PAGE, ...(after !== undefined && { after }) });
      for (const { key, value } of page.entries) this.#written(key, value);
      if (!page.more) return;
      after = page.entries.at(-1)!.key;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async #collectOrKeep(
    client: LocalClient,
    resource: ServedResource,
    object: KubeObject,
    dependent: Dependent,
    resourceVersion: string,
  ): Promise<void> {
    const states = await Promise.all(dependent.owners.map((owner) => this.#stateOf(owner, dependent.namespace)));
    if (states.includes("unknown")) return;
    const gone = dependent.owners.filter((_, i) => states[i] !== "present");
    if (gone.length === 0) return;
    if (gone.length < dependent.owners.length) return this.#letGo(client, pathTo(resource, object), gone);
    const { uid, finalizers = [] } = metaOf(object);
    const isAwaited = states.includes("waiting") && this.#graph.dependentsOf(uid).length > 0;
    const propagationPolicy =
      isAwaited || finalizers.includes(FOREGROUND)
        ? "Foreground"
        : finalizers.includes(ORPHAN)
          ? "Orphan"
          : "Background";
    const preconditions = { uid, resourceVersion };
    await callServer(client, "DELETE", pathTo(resource, object), { propagationPolicy, preconditions }, FINE);
  }

  async #stateOf(owner: DraftOwner, namespace: string): Promise<OwnerState> {
    const place = this.#graph.placeOf(owner, namespace);
    if (place === undefined) return "unknown";
    // A cluster-wide object cannot be owned by one of a namespace.
    if (place.resource.namespaced && namespace === "") return "unknown";
    const { entry } = await this.#objects.store.get(place.key);
    if (entry === undefined) return "absent";
    const { uid, deletionTimestamp, finalizers = [] } = metaOf(parseHead(entry.value));
    if (uid !== owner.uid) return "absent";
    return deletionTimestamp && finalizers.includes(FOREGROUND) ? "waiting" : "present";
  }

  /** Takes references out of an object. */
  async #letGo(client: LocalClient, path: string, gone: readonly Pick<DraftOwner, "uid">[]): Promise<void> {
    const uids = new Set(gone.map((owner) => owner.uid));
    await changed(client, path, ({ ownerReferences = [] }) => {
      const rest = ownerReferences.filter((owner) => !uids.has(owner.uid));
      return rest.length < ownerReferences.length ? { ownerReferences: rest.length > 0 ? rest : null } : undefined;
    });
  }

  /** Dependents lose their reference first, then the owner goes. */
  async #orphan(client: LocalClient, resource: ServedResource, object: KubeObject): Promise<void> {
    const { uid } = metaOf(object);
    for (const dependent of this.#graph.dependentsOf(uid)) {
      const kind = this.#kinds.kind(dependent.gvk);
      if (kind !== undefined) await this.#letGo(client, pathOf(kind, dependent.namespace, dependent.name), [{ uid }]);
    }
    await this.#unmark(client, resource, object, ORPHAN);
  }

  /** Dependents that block their owner go first; each of their deletions looks at the owner again. */
  async #finish(client: LocalClient, resource: ServedResource, object: KubeObject): Promise<void> {
    const { uid } = metaOf(object);
    const dependents = this.#graph.dependentsOf(uid);
    const isBlocked = ({ owners }: Dependent): boolean =>
      owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true);
    for (const dependent of dependents) this.add(dependent.key);
    if (!dependents.some(isBlocked)) await this.#unmark(client, resource, object, FOREGROUND);
  }

  async #unmark(client: LocalClient, resource: ServedResource, object: KubeObject, mark: string): Promise<void> {
    await changed(client, pathTo(resource, object), ({ uid, finalizers = [] }) => {
      if (uid !== metaOf(object).uid || !finalizers.includes(mark)) return undefined;
      const rest = finalizers.filter((finalizer) => finalizer !== mark);
      return { finalizers: rest.length > 0 ? rest : null };
    });
  }
}

/** Changes the metadata of the current object at a path; does nothing if it is gone or needs no change. */
async function changed(
  client: LocalClient,
  path: string,
  change: (metadata: Meta) => object | undefined,
): Promise<void> {
  for (;;) {
    const current = await client.call("GET", path);
    if (current.code !== 200) return;
    const metadata = metaOf(current.json());
    const wanted = change(metadata);
    if (wanted === undefined) return;
    const body = { metadata: { ...wanted, resourceVersion: metadata.resourceVersion } };
    const { code, text } = await client.call("PATCH", path, { body, type: "application/merge-patch+json" });
    if (code < 400 || code === 404) return;
    if (code !== 409) throw new RequestRefused(code, text);
  }
}

const EVERYTHING = "";

interface Meta {
  readonly uid: string;
  readonly name: string;
  readonly namespace?: string;
  readonly resourceVersion?: string;
  readonly deletionTimestamp?: string;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly DraftOwner[];
}

const metaOf = ({ metadata }: KubeObject): Meta => metadata as Meta;
const pathTo = (resource: ServedResource, object: KubeObject): string =>
  pathOf(resource, metaOf(object).namespace ?? "", metaOf(object).name);
