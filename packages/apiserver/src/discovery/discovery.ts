// The documents of discovery, each made once per state of the kinds, in the form the client prefers.

import { createHash } from "node:crypto";
import type { KindTable } from "../kinds/kind-table.ts";
import { type Accepted, JSON_TYPE, parseAccept, typeOf } from "../wire/accept.ts";
import { notAcceptable, PAGE_NOT_FOUND, statusAnswer } from "../wire/answers.ts";
import type { Call, Content } from "../wire/call.ts";
import { type AggregatedVersion, groupDiscoveryList } from "./aggregated.ts";
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from "./legacy.ts";

export class Discovery {
  readonly #kinds: KindTable;
  readonly #address: () => string;
  #documents = new Map<string, Content>();
  #generation = -1;

  constructor(kinds: KindTable, address: () => string) {
    this.#kinds = kinds;
    this.#address = address;
  }

  /** Of `/api`, `/apis`, `/api/v1`, `/apis/G`, `/apis/G/V`; undefined when the path is none of these. */
  answer(call: Call, parts: readonly string[]): Content | undefined {
    const [api, first, second] = parts;
    if (api === "api" && parts.length === 1) return this.#listAnswer(call, true);
    if (api === "apis" && parts.length === 1) return this.#listAnswer(call, false);
    if (api === "api" && parts.length === 2) return this.#document(`/api/${first}`, () => this.#resources("", first!));
    if (api === "apis" && parts.length === 2)
      return this.#document(`/apis/${first}`, () => apiGroup(this.#kinds, first!));
    if (api === "apis" && parts.length === 3)
      return this.#document(`/apis/${first}/${second}`, () => this.#resources(first!, second!));
    return undefined;
  }

  #resources(group: string, version: string): unknown {
    return apiResourceList(this.#kinds, group, version);
  }

  #listAnswer(call: Call, core: boolean): Content {
    for (const clause of parseAccept(call.header("accept"))) {
      if (typeOf(clause, [JSON_TYPE]) === undefined) continue;
      const version = aggregatedVersion(clause);
      if (version !== undefined) return withEntityTag(call, this.#aggregated(core, version));
      if (clause.as !== "") continue;
      return this.#document(core ? "/api" : "/apis", () =>
        core ? apiVersions(this.#address()) : apiGroupList(this.#kinds),
      );
    }
    return statusAnswer(notAcceptable([JSON_TYPE]));
  }

  #aggregated(core: boolean, version: AggregatedVersion): Content {
    const document = this.#document(`aggregated ${core} ${version}`, () =>
      groupDiscoveryList(this.#kinds, core, version),
    );
    const type = `${JSON_TYPE};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
    return { ...document, type };
  }

  #document(name: string, make: () => unknown): Content {
    if (this.#generation !== this.#kinds.generation) {
      this.#documents = new Map();
      this.#generation = this.#kinds.generation;
    }
    const known = this.#documents.get(name);
    if (known !== undefined) return known;
    const value = make();
    if (value === undefined) return PAGE_NOT_FOUND;
    const document: Content = { code: 200, type: JSON_TYPE, body: Buffer.from(JSON.stringify(value)) };
    this.#documents.set(name, document);
    return document;
  }
}

function aggregatedVersion({ as, group, version }: Accepted): AggregatedVersion | undefined {
  if (as !== "APIGroupDiscoveryList" || group !== "apidiscovery.k8s.io") return undefined;
  return version === "v2" || version === "v2beta1" ? version : undefined;
}

function withEntityTag(call: Call, content: Content): Content {
  const tag = `"${createHash("sha256").update(content.body).digest("hex").toUpperCase()}"`;
  const headers = { etag: tag, vary: "Accept", "cache-control": "public" };
  if (call.header("if-none-match") === tag) return { code: 304, type: content.type, body: "", headers };
  return { ...content, headers };
}
