// The documents of discovery, each made once per state of the kinds, in the form the client prefers.

import { createHash } from "node:crypto";
import { type ObjectType, OFFERED } from "../codec/forms.ts";
import type { KindTable } from "../kinds/kind-table.ts";
import { contentOf } from "../registry/respond.ts";
import { type AcceptedType, parseAccept, typeOf } from "../wire/accept.ts";
import { notAcceptable, PAGE_NOT_FOUND } from "../wire/answers.ts";
import type { Content, Sent } from "../wire/call.ts";
import { StatusError } from "../wire/status-error.ts";
import { groupDiscoveryList } from "./aggregated.ts";
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from "./legacy.ts";

export class Discovery {
  readonly #kinds: KindTable;
  readonly #address: () => string;
  #documents = new Map<string, Buffer>();
  #generation = -1;

  constructor(kinds: KindTable, address: () => string) {
    this.#kinds = kinds;
    this.#address = address;
  }

  /** Answers `/api`, `/apis`, `/api/v1`, `/apis/G`, `/apis/G/V`; undefined when the path is none of these. */
  answer(call: Sent, parts: readonly string[]): Content | undefined {
    const [api, first, second] = parts;
    if (api === "api" && parts.length === 1) {
      return this.#listAnswer(call, true, () => apiVersions(this.#address()));
    }
    if (api === "apis" && parts.length === 1) return this.#listAnswer(call, false, () => apiGroupList(this.#kinds));
    if (api === "api" && parts.length === 2) {
      return this.#plainAnswer(call, parts, () => apiResourceList(this.#kinds, "", first!));
    }
    if (api === "apis" && parts.length === 2) {
      return this.#plainAnswer(call, parts, () => apiGroup(this.#kinds, first!));
    }
    if (api === "apis" && parts.length === 3) {
      return this.#plainAnswer(call, parts, () => apiResourceList(this.#kinds, first!, second!));
    }
    return undefined;
  }

  /** In one piece, or the list alone. */
  #listAnswer(call: Sent, core: boolean, list: () => unknown): Content {
    const found = preferred(call, true);
    const name = core ? "/api" : "/apis";
    if (!found.aggregated) return contentOf(200, this.#document(name, list)!, found.type);
    const document = this.#document(`${name} aggregated`, () => groupDiscoveryList(this.#kinds, core))!;
    const content = contentOf(200, document, found.type);
    return withEntityTag(call, { ...content, type: `${found.type};${AGGREGATED}` });
  }

  #plainAnswer(call: Sent, parts: readonly string[], make: () => unknown): Content {
    const document = this.#document(parts.join("/"), make);
    return document === undefined ? PAGE_NOT_FOUND : contentOf(200, document, preferred(call, false).type);
  }

  #document(name: string, make: () => unknown): Buffer | undefined {
    if (this.#generation !== this.#kinds.generation) {
      this.#documents = new Map();
      this.#generation = this.#kinds.generation;
    }
    const known = this.#documents.get(name);
    if (known !== undefined) return known;
    const value = make();
    if (value === undefined) return undefined;
    const document = Buffer.from(JSON.stringify(value));
    this.#documents.set(name, document);
    return document;
  }
}

const AGGREGATED = "g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

interface Preferred {
  readonly type: ObjectType;
  readonly aggregated: boolean;
}

/** The first that the client accepts. Throws a StatusError when nothing fits. */
function preferred(call: Sent, hasAggregated: boolean): Preferred {
  for (const clause of parseAccept(call.header("accept"))) {
    const type = typeOf(clause, OFFERED) as ObjectType | undefined;
    const aggregated = hasAggregated && isAggregated(clause);
    if (type !== undefined && (clause.as === "" || aggregated)) return { type, aggregated };
  }
  throw new StatusError(notAcceptable(OFFERED));
}

function isAggregated({ as, group, version }: AcceptedType): boolean {
  return as === "APIGroupDiscoveryList" && group === "apidiscovery.k8s.io" && version === "v2";
}

function withEntityTag(call: Sent, content: Content): Content {
  const tag = `"${createHash("sha256").update(content.body).digest("hex").toUpperCase()}"`;
  const headers = { etag: tag, vary: "Accept", "cache-control": "public" };
  if (call.header("if-none-match") === tag) return { code: 304, type: content.type, body: "", headers };
  return { ...content, headers };
}
