// /openapi/v3, its documents by group and version, and /openapi/v2: made on the first request, once per state of the
// kinds.

import { createHash } from "node:crypto";
import { toJson } from "@celadon/base";
import { readStoredJson } from "@celadon/kube/read";
import { JSON_TYPE } from "../wire/accept.ts";
import type { Content } from "../wire/call.ts";
import { documentV2, documentV3, type SchemaHosts } from "./documents.ts";
import { encodeOpenApiV2, OPENAPI_V2_PROTOBUF } from "./protobuf-v2.ts";

/** In what clients accept; older and newer ones write the version behind it differently. */
const V2_PROTOBUF = "proto-openapi.spec.v2";

export class OpenApi {
  readonly #hosts: SchemaHosts;
  #documents = new Map<string, Content>();
  #generation = -1;

  constructor(hosts: SchemaHosts) {
    this.#hosts = hosts;
  }

  /** Answers a path below /openapi; undefined when it is none of these. */
  answer(parts: readonly string[], accept = ""): Content | undefined {
    if (parts[1] === "v2" && parts.length === 2) return accept.includes(V2_PROTOBUF) ? this.#binary() : this.#whole();
    if (parts[1] !== "v3") return undefined;
    if (parts.length === 2) return this.#document("v3", () => this.#index());
    const [api, first = "", second = ""] = parts.slice(2);
    if (api === "api" && parts.length === 4) return this.#version("", first);
    if (api === "apis" && parts.length === 5) return this.#version(first, second);
    return undefined;
  }

  #whole(): Content {
    return this.#document("v2", () => documentV2(this.#hosts));
  }

  #binary(): Content {
    const { body } = this.#whole();
    let document = this.#documents.get(V2_PROTOBUF);
    if (document === undefined) {
      const bytes = encodeOpenApiV2(readStoredJson(body as Uint8Array) as never);
      this.#documents.set(V2_PROTOBUF, (document = { code: 200, type: OPENAPI_V2_PROTOBUF, body: bytes }));
    }
    return document;
  }

  #version(group: string, version: string): Content | undefined {
    if (!this.#hosts.kinds.hasVersion(group, version)) return undefined;
    return this.#document(pathOf(group, version), () => documentV3(this.#hosts, group, version));
  }

  #index(): unknown {
    const versions = new Map<string, { serverRelativeURL: string }>();
    for (const { group, version } of this.#hosts.kinds.all()) {
      const path = pathOf(group, version);
      if (versions.has(path)) continue;
      const { body } = this.#version(group, version)!;
      const hash = createHash("sha256").update(body).digest("hex").toUpperCase();
      versions.set(path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` });
    }
    return { paths: Object.fromEntries(versions) };
  }

  #document(name: string, make: () => unknown): Content {
    const { generation } = this.#hosts.kinds;
    if (this.#generation !== generation) {
      this.#documents = new Map();
      this.#generation = generation;
    }
    let document = this.#documents.get(name);
    if (document === undefined) {
      const body = Buffer.from(toJson(make()));
      this.#documents.set(name, (document = { code: 200, type: JSON_TYPE, body }));
    }
    return document;
  }
}

const pathOf = (group: string, version: string): string =>
  group === "" ? `api/${version}` : `apis/${group}/${version}`;
