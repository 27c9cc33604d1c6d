// The status of CustomResourceDefinitions: which names were accepted, whether the resource is served; and when a definition is deleted, the end of its
// objects before its own.

import { semanticEqual } from "@celadon/base";
import type { CustomResourceDefinition, DefinitionCondition } from "@celadon/crd";
import { CLEANUP } from "@celadon/write/strategy";
import type { LocalClient } from "../client/local-client.ts";
import { acceptNames, hasCondition } from "../custom/accepted-names.ts";
import type { KindTable } from "../kinds/kind-table.ts";
import type { ResourceCache } from "../store/cache.ts";
import { callServer, QueueController } from "./controller.ts";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

export class DefinitionController extends QueueController {
  readonly name = "customresourcedefinition";
  readonly #cache: ResourceCache;
  readonly #kinds: KindTable;
  readonly #now: () => string;

  constructor(cache: ResourceCache, kinds: KindTable, now: () => string) {
    super();
    this.#cache = cache;
    this.#kinds = kinds;
    this.#now = now;
  }

  protected follow(): void {
    for (const { name } of this.#cache.all()) this.add(name);
    this.onStop(
      this.#cache.subscribe(({ object, type }) => {
        this.add(object.name);
        // Others may wait for the names that were given up.
        if (type === "DELETED") for (const { name } of this.#cache.all()) this.add(name);
      }),
    );
  }

  protected async sync(client: LocalClient, name: string): Promise<void> {
    const stored = this.#cache.get(`${this.#cache.storage.prefix}${name}`);
    if (stored === undefined) return;
    const definition = stored.object as unknown as CustomResourceDefinition;
    if (definition.metadata.deletionTimestamp) return this.#finish(client, definition);
    const status = this.#statusOf(definition);
    if (semanticEqual(status, definition.status)) return;
    await callServer(client, "PUT", `${DEFINITIONS}/${name}/status`, { ...definition, status }, [404, 409]);
  }

  #statusOf(definition: CustomResourceDefinition): NonNullable<CustomResourceDefinition["status"]> {
    const others = this.#cache.all().map(({ object }) => object as unknown as CustomResourceDefinition);
    const { names, conflict } = acceptNames(definition, others);
    const accepted: DefinitionCondition =
      conflict === undefined
        ? { type: "NamesAccepted", status: "True", reason: "NoConflicts", message: "no conflicts found" }
        : { type: "NamesAccepted", status: "False", ...conflict };
    const isServed = hasCondition(definition, "Established") || conflict === undefined;
    const established: DefinitionCondition = isServed
      ? {
          type: "Established",
          status: "True",
          reason: "InitialNamesAccepted",
          message: "the initial names have been accepted",
        }
      : { type: "Established", status: "False", reason: "NotAccepted", message: "not all names are accepted" };
    let conditions = definition.status?.conditions ?? [];
    for (const condition of [accepted, established]) conditions = withCondition(conditions, condition, this.#now());
    return { ...definition.status, conditions, acceptedNames: names } as NonNullable<
      CustomResourceDefinition["status"]
    >;
  }

  /** Deletes the objects, waits for those with finalizers, then removes the definition's own finalizer. */
  async #finish(client: LocalClient, definition: CustomResourceDefinition): Promise<void> {
    const { name = "", finalizers = [] } = definition.metadata;
    if (!finalizers?.includes(CLEANUP)) return;
    const left = await this.#deleteObjects(client, definition);
    if (left > 0) {
      this.addAfter(name, 200);
      return;
    }
    const rest = finalizers.filter((finalizer) => finalizer !== CLEANUP);
    const body = {
      metadata: { finalizers: rest.length === 0 ? null : rest, resourceVersion: definition.metadata.resourceVersion },
    };
    await callServer(client, "PATCH", `${DEFINITIONS}/${name}`, body, [404, 409]);
  }

  /** Deletes objects, and returns the number of those that remain. */
  async #deleteObjects(client: LocalClient, { spec }: CustomResourceDefinition): Promise<number> {
    const { group = "", names } = spec;
    const versions = this.#kinds.versions({ group, resource: names.plural ?? "" });
    // In the stored version a webhook is not needed, which may be gone already.
    const served = versions.find(({ version, storage }) => version === storage.version) ?? versions[0];
    if (served === undefined || !served.storage.custom) return 0;
    const root = `/apis/${group}/${served.version}`;
    const list = await callServer(client, "GET", `${root}/${served.resource}`);
    const namespaces = new Set(list.items.map((item) => item.metadata.namespace ?? ""));
    for (const namespace of namespaces) {
      const path = served.namespaced
        ? `${root}/namespaces/${namespace}/${served.resource}`
        : `${root}/${served.resource}`;
      await callServer(client, "DELETE", path);
    }
    return (await callServer(client, "GET", `${root}/${served.resource}`)).items.length;
  }
}

function withCondition(
  conditions: readonly DefinitionCondition[],
  next: DefinitionCondition,
  now: string,
): readonly DefinitionCondition[] {
  const before = conditions.find(({ type }) => type === next.type);
  const lastTransitionTime = before?.status === next.status ? (before?.lastTransitionTime ?? now) : now;
  const condition = {
    type: next.type,
    status: next.status,
    lastTransitionTime,
    reason: next.reason,
    message: next.message,
  } as DefinitionCondition;
  return before === undefined
    ? [...conditions, condition]
    : conditions.map((definitionCondition) => (definitionCondition === before ? condition : definitionCondition));
}
