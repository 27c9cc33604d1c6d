// The status of flow schemas: whether the priority level they name exists. Upstream: apiserver pkg/util/flowcontrol/apf_controller.go.

import { quoteGo } from "@celadon/base";
import type { FlowSchema } from "@celadon/kube/api/flowcontrol-v1";
import type { LocalClient } from "../client/local-client.ts";
import type { ResourceCache } from "../store/cache.ts";
import { QueueController, RequestRefused } from "./controller.ts";

const SCHEMAS = "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas";
const MANAGER = "api-priority-and-fairness-config-consumer-v1";

export class FlowSchemaController extends QueueController {
  readonly name = "flowschema";
  readonly #schemas: ResourceCache;
  readonly #levels: ResourceCache;
  readonly #now: () => string;

  constructor(schemas: ResourceCache, levels: ResourceCache, now: () => string) {
    super();
    this.#schemas = schemas;
    this.#levels = levels;
    this.#now = now;
  }

  protected follow(): void {
    const all = (): void => {
      for (const { name } of this.#schemas.all()) this.add(name);
    };
    all();
    this.onStop(
      this.#schemas.subscribe(({ object, type }) => type !== "DELETED" && this.add(object.name)),
      this.#levels.subscribe(({ type }) => type !== "MODIFIED" && all()),
    );
  }

  protected async sync(client: LocalClient, name: string): Promise<void> {
    const schema = this.#schemas.get(`${this.#schemas.storage.prefix}${name}`)?.object as FlowSchema | undefined;
    if (schema === undefined) return;
    const level = schema.spec?.priorityLevelConfiguration?.name ?? "";
    const exists = this.#levels.get(`${this.#levels.storage.prefix}${level}`) !== undefined;
    const { conditions = [] } = schema.status ?? {};
    const status = exists ? "False" : "True";
    if (conditions.some((condition) => condition.type === "Dangling" && condition.status === status)) return;
    const text = `This FlowSchema references the PriorityLevelConfiguration object named ${quoteGo(level)}`;
    const dangling = {
      type: "Dangling",
      status,
      lastTransitionTime: this.#now(),
      reason: exists ? "Found" : "NotFound",
      message: exists ? `${text} and it exists` : `${text} but there is no such object`,
    };
    const { apiVersion, kind } = schema;
    const body = { apiVersion, kind, metadata: { name }, status: { conditions: [dangling] } };
    const url = `${SCHEMAS}/${name}/status?fieldManager=${MANAGER}&force=true`;
    const reply = await client.call("PATCH", url, { type: "application/apply-patch+yaml", body });
    if (reply.code >= 400 && reply.code !== 404 && reply.code !== 409) throw new RequestRefused(reply.code, reply.text);
  }
}
