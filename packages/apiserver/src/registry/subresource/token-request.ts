// serviceaccounts/token: a token for a service account.

import { quoteGo } from "@celadon/base";
import { type KubeObject, parseGroupVersion } from "@celadon/kube";
import { fieldPath, Invalid, invalidValue } from "@celadon/kube/errors";
import { badRequest, conflict, invalidObject, notFound } from "@celadon/kube/status";
import { decode } from "@celadon/kube/types";
import { builtinMergeType, createFieldManager, type FieldManager } from "@celadon/merge";
import { type Draft, draftOf, objectOf, timestamp } from "@celadon/write";
import { builtinCodec } from "../../codec/builtin-codec.ts";
import { encodeObject } from "../../codec/encode.ts";
import { negotiate } from "../../codec/forms.ts";
import { managerName, optionsObject, writeOptions } from "../../codec/write-options.ts";
import { keyOf, type ServedResource } from "../../kinds/resource.ts";
import type { Answer } from "../../wire/call.ts";
import { StatusError } from "../../wire/status-error.ts";
import type { Exchange } from "../exchange.ts";
import { requireObject } from "../get.ts";
import { readSent } from "../read-sent.ts";
import { contentOf } from "../respond.ts";
import type { Services } from "../services.ts";
import { accepted, writePath } from "../write.ts";

const KIND = { group: "authentication.k8s.io", kind: "TokenRequest" };
const GVK = { ...KIND, version: "v1" };
const TYPE = { apiVersion: "authentication.k8s.io/v1", kind: KIND.kind };
const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;
const DEFAULT_SECONDS = 3600;

interface TokenSpec {
  readonly audiences?: readonly string[] | null;
  readonly expirationSeconds?: number;
  readonly boundObjectRef?: {
    readonly kind?: string;
    readonly apiVersion?: string;
    readonly name?: string;
    readonly uid?: string;
  } | null;
}

export async function requestToken(services: Services, exchange: Exchange): Promise<Answer> {
  const { call, query, resource, name, namespace } = exchange;
  const output = negotiate(call, query);
  const options = writeOptions(query, "CreateOptions");
  const manager = managerName(options.fieldManager, call.header("user-agent"));
  const handler = services.handler(resource);
  const now = services.now();
  let account: KubeObject = {};
  const path = writePath(services, exchange, optionsObject("CreateOptions", query), options.dryRun);
  const acted = await path.act(
    {
      sent: "action",
      decode: () => readSent(exchange, builtinCodec(tokenRequests(resource)), options),
      own: (draft) => draftOf(fieldManager(services.now).update(undefined, objectOf(draft), manager)),
    },
    async (request) => {
      checkPlace(request, exchange);
      await services.objects.current(handler.cache);
      account = requireObject(handler, exchange).object;
      const uid = account.metadata?.uid ?? "";
      checkIdentity(request.metadata.uid, uid, name);
      const complete = completed(
        request,
        { name, namespace, uid, creationTimestamp: timestamp(now) },
        services.audiences,
      );
      checkSeconds(specOf(complete).expirationSeconds ?? 0);
      return complete;
    },
  );
  const complete = accepted(acted);
  const { audiences = [], expirationSeconds: seconds = 0, boundObjectRef } = specOf(complete);
  const bound = await boundObject(services, exchange, boundObjectRef ?? undefined);
  const token = services.issueToken({ account, audiences: audiences ?? [], seconds, ...bound });
  const expirationTimestamp = timestamp(now + seconds * 1000);
  return contentOf(201, encodeObject({ ...objectOf(complete), status: { token, expirationTimestamp } }), output.type);
}

const specOf = (request: Draft): TokenSpec => (request.spec ?? {}) as TokenSpec;

/** The request with the fields that the server fills in. */
function completed(request: Draft, identity: object, defaults: readonly string[]): Draft {
  const given = specOf(request);
  const audiences = given.audiences?.length ? given.audiences : defaults;
  const expirationSeconds = given.expirationSeconds || DEFAULT_SECONDS;
  return {
    ...request,
    metadata: { ...request.metadata, ...identity },
    spec: { ...given, audiences, expirationSeconds, boundObjectRef: given.boundObjectRef ?? null },
    status: { token: "", expirationTimestamp: null },
  };
}

function checkIdentity(asked: string | undefined, actual: string, name: string): void {
  if (!asked || asked === actual) return;
  const text = `the UID in the token request (${asked}) does not match the UID of the service account (${actual})`;
  throw new StatusError(conflict({ group: GVK.group, resource: GVK.kind }, name, text));
}

/** The answer, which is not stored, names the owners of fields. */
function fieldManager(now: () => number): FieldManager {
  return createFieldManager({
    kind: GVK,
    subresource: "token",
    blank: decode(TYPE, TYPE)?.object as KubeObject,
    type: () => builtinMergeType(GVK),
    now: () => timestamp(now()),
  });
}

function checkPlace({ metadata }: Draft, { name, namespace }: Exchange): void {
  if (metadata.name && metadata.name !== name) {
    const error = invalidValue(
      fieldPath("metadata", "name"),
      metadata.name,
      "must match the service account name if specified",
    );
    throw new StatusError(invalidObject(KIND, name, [error]));
  }
  if (metadata.namespace && metadata.namespace !== namespace) {
    const text = "must match the service account namespace if specified";
    const error = invalidValue(fieldPath("metadata", "namespace"), metadata.namespace, text);
    throw new StatusError(invalidObject(KIND, name, [error]));
  }
}

function checkSeconds(seconds: number): void {
  const path = fieldPath("spec", "expirationSeconds");
  if (seconds < MIN_SECONDS) {
    throw new StatusError(
      invalidObject(KIND, "", [invalidValue(path, seconds, "may not specify a duration less than 10 minutes")]),
    );
  }
  if (seconds > MAX_SECONDS) {
    throw new StatusError(
      invalidObject(KIND, "", [invalidValue(path, seconds, "may not specify a duration larger than 2^32 seconds")]),
    );
  }
}

const BOUND: Readonly<Record<string, string>> = { Pod: "pods", Secret: "secrets", Node: "nodes" };

async function boundObject(
  services: Services,
  { name: account, namespace }: Exchange,
  reference: NonNullable<TokenSpec["boundObjectRef"]> | undefined,
): Promise<object> {
  if (reference === undefined) return {};
  const { kind = "", apiVersion = "", name = "", uid } = reference;
  const gv = parseGroupVersion(apiVersion);
  const { group, version } = gv instanceof Invalid ? { group: apiVersion, version: "" } : gv;
  const plural = group === "" ? BOUND[kind] : undefined;
  if (plural === undefined) {
    throw new StatusError(badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`));
  }
  const resource = services.kinds.resource("", "v1", plural)!;
  const { cache } = services.handler(resource);
  await services.objects.current(cache);
  const object = cache.get(keyOf(resource.storage, namespace, name))?.object;
  if (object === undefined) throw new StatusError(notFound(resource, name));
  const spec = (object.spec ?? {}) as { serviceAccountName?: string; nodeName?: string };
  if (kind === "Pod" && spec.serviceAccountName !== account) {
    const text = `cannot bind token for serviceaccount ${quoteGo(account)} to pod running with different serviceaccount name.`;
    throw new StatusError(badRequest(text));
  }
  if (uid && uid !== object.metadata?.uid) {
    const text = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw new StatusError(conflict({ group: "", resource: kind }, name, text));
  }
  const node = kind === "Pod" && spec.nodeName ? { node: await nodeOf(services, spec.nodeName) } : {};
  return { boundTo: { kind, object }, ...node };
}

async function nodeOf(services: Services, name: string): Promise<{ name: string; uid?: string }> {
  const resource = services.kinds.resource("", "v1", "nodes")!;
  const { cache } = services.handler(resource);
  await cache.ready();
  const node: KubeObject | undefined = cache.get(keyOf(resource.storage, "", name))?.object;
  const uid = node?.metadata?.uid;
  return uid === undefined ? { name } : { name, uid };
}

function tokenRequests(accounts: ServedResource): ServedResource {
  const storage = { ...accounts.storage, group: KIND.group, ...TYPE };
  return { ...accounts, group: KIND.group, ...TYPE, storage };
}
