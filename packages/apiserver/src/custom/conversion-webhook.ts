// Custom resources whose definition converts them through a webhook: objects to one version in one review, and the changes that an answer
// may make. Upstream: apiextensions-apiserver pkg/apiserver/conversion/webhook_converter.go.

import { randomUUID } from "node:crypto";
import { readAnswer, type WebhookAnswer } from "@celadon/admission/webhook";
import { goTypeName, isRecord, quoteGo, thrownText, toJson } from "@celadon/base";
import type { Conversion, CustomResourceDefinition } from "@celadon/crd";
import { gvkOf, gvkText, type KubeObject } from "@celadon/kube";
import { fieldErrorText, fieldPath, Invalid } from "@celadon/kube/errors";
import { validateAnnotations } from "@celadon/kube/metadata";
import { validateLabels } from "@celadon/kube/selectors";
import { failure } from "@celadon/kube/status";
import { webhookAddress } from "@celadon/kube-cel/url";
import { readPlain } from "../codec/plain-value.ts";
import { StatusError } from "../wire/status-error.ts";

/** Carries a review to the webhook; rejects with an Error that says why there is no answer. */
export type PostConversion = (post: {
  readonly url: string;
  readonly service?: { readonly namespace?: string; readonly name?: string; readonly port?: number } | undefined;
  readonly serverName?: string | undefined;
  readonly caBundle?: string | undefined;
  readonly timeoutSeconds: number;
  readonly review: unknown;
  readonly maxAnswer: number;
}) => Promise<WebhookAnswer>;

export type ConversionFailureType =
  | "conversion_webhook_call_failure"
  | "conversion_webhook_malformed_response_failure"
  | "conversion_webhook_partial_response_failure"
  | "conversion_webhook_invalid_converted_object_failure";

export interface ConversionHosts {
  readonly post: PostConversion;
  /** Told of every call; `failure` is empty for successful reviews. */
  observe(seconds: number, failure: ConversionFailureType | ""): void;
}

/** The time that the API server waits for a conversion. */
const TIMEOUT_SECONDS = 30;
/** Beyond the size of the request: an honest answer is about as large. */
const ANSWER_ROOM = 4 * 1024 * 1024;

/** Why objects were not converted. `answered`: there was an answer, so that others may still be converted. */
export class ConversionFailure extends StatusError {
  readonly answered: boolean;

  constructor(message: string, answered: boolean) {
    super(failure(undefined, message));
    this.answered = answered;
  }
}

export class ConversionWebhook {
  readonly #conversion: Conversion;
  readonly #hosts: ConversionHosts;

  constructor(conversion: Conversion, hosts: ConversionHosts) {
    this.#conversion = conversion;
    this.#hosts = hosts;
  }

  /** The webhook of a definition; undefined where conversion only changes the apiVersion. */
  static of({ spec }: CustomResourceDefinition, hosts: ConversionHosts): ConversionWebhook | undefined {
    return spec.conversion?.strategy === "Webhook" ? new ConversionWebhook(spec.conversion, hosts) : undefined;
  }

  /** Objects of other versions in one version, in one review. Throws a ConversionFailure. */
  async convert(objects: readonly KubeObject[], apiVersion: string): Promise<readonly KubeObject[]> {
    if (objects.length === 0) return [];
    const started = performance.now();
    const observe = (problem: ConversionFailureType | ""): void =>
      this.#hosts.observe((performance.now() - started) / 1000, problem);
    try {
      const converted = await this.#call(objects, apiVersion);
      observe("");
      return converted;
    } catch (error) {
      if (error instanceof Failed) {
        observe(error.type);
        throw new ConversionFailure(
          `conversion webhook for ${gvkText(gvkOf(objects[0]!))} ${error.message}`,
          error.type !== "conversion_webhook_call_failure",
        );
      }
      throw error;
    }
  }

  async #call(objects: readonly KubeObject[], apiVersion: string): Promise<readonly KubeObject[]> {
    const { conversionReviewVersions = [], clientConfig = {} } = this.#conversion.webhook ?? {};
    const version = conversionReviewVersions.find(
      (conversionReviewVersion) => conversionReviewVersion === "v1" || conversionReviewVersion === "v1beta1",
    );
    if (version === undefined) throw new ConversionFailure("no supported conversion review versions", true);
    const uid = randomUUID();
    const reviewVersion = `apiextensions.k8s.io/${version}`;
    const review = {
      kind: "ConversionReview",
      apiVersion: reviewVersion,
      request: { uid, desiredAPIVersion: apiVersion, objects },
    };
    let answer: WebhookAnswer;
    try {
      answer = await this.#hosts.post({
        url: "",
        ...webhookAddress(clientConfig, TIMEOUT_SECONDS),
        service: clientConfig.service,
        caBundle: clientConfig.caBundle?.trim() === "" ? undefined : clientConfig.caBundle,
        timeoutSeconds: TIMEOUT_SECONDS,
        review,
        maxAnswer: ANSWER_ROOM + 4 * toJson(objects).length,
      });
    } catch (error) {
      throw new Failed("conversion_webhook_call_failure", `failed: ${thrownText(error)}`);
    }
    const read = readAnswer(answer);
    if (read instanceof Invalid) throw new Failed("conversion_webhook_call_failure", `failed: ${read.message}`);
    // Numbers as the bodies of requests have them.
    const plain = typeof answer.body === "string" ? readPlain(answer.body) : { value: answer.body };
    const converted = convertedObjects("value" in plain ? plain.value : undefined, version, uid);
    if (converted.length !== objects.length) {
      const text = `returned ${converted.length} objects, expected ${objects.length}`;
      throw new Failed("conversion_webhook_partial_response_failure", text);
    }
    return objects.map((object, at) => checked(object, converted[at], apiVersion, objects.length === 1, at));
  }
}

class Failed extends Error {
  readonly type: ConversionFailureType;

  constructor(type: ConversionFailureType, message: string) {
    super(message);
    this.type = type;
  }
}

type Json = Readonly<Record<string, unknown>>;

/** The objects of a review that says it succeeded. */
function convertedObjects(review: unknown, version: string, uid: string): readonly unknown[] {
  const fail = (text: string): Failed => new Failed("conversion_webhook_malformed_response_failure", `failed: ${text}`);
  const { kind, apiVersion, response } = isRecord(review) ? review : ({} as Json);
  const isWanted = kind === "ConversionReview" && apiVersion === `apiextensions.k8s.io/${version}`;
  if (!isWanted && (version === "v1" || (kind !== undefined && kind !== ""))) {
    const got = gvkText(gvkOf({ kind, apiVersion } as KubeObject));
    throw fail(`expected webhook response of apiextensions.k8s.io/${version}, Kind=ConversionReview, got ${got}`);
  }
  if (!isRecord(response)) throw fail("no response provided");
  if (version === "v1" && response.uid !== uid) {
    throw fail(`expected response.uid=${quoteGo(uid)}, got ${quoteGo(String(response.uid ?? ""))}`);
  }
  const { status = "", message = "" } = isRecord(response.result) ? response.result : ({} as Json);
  if (status !== "Success") {
    throw fail(message === "" ? `response.result.status was '${String(status)}', not 'Success'` : String(message));
  }
  return Array.isArray(response.convertedObjects) ? response.convertedObjects : [];
}

/** One converted object with the metadata it must have; labels and annotations may be others. */
function checked(original: KubeObject, value: unknown, apiVersion: string, single: boolean, at: number): KubeObject {
  const invalid = (text: string): Failed =>
    new Failed("conversion_webhook_invalid_converted_object_failure", `returned ${text}`);
  const where = single ? "invalid object at index 0" : `invalid converted object at index ${at}`;
  if (!isRecord(value) || typeof value.kind !== "string" || value.kind === "") {
    throw invalid(`${where}: Object 'Kind' is missing in '${toJson(value) ?? "null"}'`);
  }
  if (value.apiVersion !== apiVersion) {
    throw invalid(
      `${where}: invalid groupVersion (expected ${apiVersion}, received ${String(value.apiVersion ?? "")})`,
    );
  }
  if (value.kind !== original.kind) {
    throw invalid(`${where}: invalid kind (expected ${original.kind}, received ${value.kind})`);
  }
  const identity = identityProblem(original, value);
  if (identity !== undefined) throw invalid(`${single ? "invalid object" : where}: ${identity}`);
  const metadata = restoredMetadata(original, value);
  if (metadata instanceof Invalid) {
    const place = single ? "invalid metadata" : `invalid metadata in object at index ${at}`;
    throw invalid(`${place}: ${metadata.message}`);
  }
  return { ...value, metadata } as KubeObject;
}

function identityProblem({ metadata }: KubeObject, value: Json): string | undefined {
  const before = metadata ?? {};
  const after = isRecord(value.metadata) ? value.metadata : ({} as Json);
  for (const [field, name] of [
    ["name", "name"],
    ["namespace", "namespace"],
    ["uid", "UID"],
  ] as const) {
    const [was, is] = [before[field] ?? "", after[field] ?? ""];
    if (was !== is) return `must have the same ${name}: ${was} != ${String(is)}`;
  }
  return undefined;
}

/** The metadata of before with the labels and annotations of the answer. */
function restoredMetadata({ metadata: before }: KubeObject, value: Json): Json | Invalid {
  if (value.metadata === undefined) return new Invalid("missing metadata in converted object");
  if (!isRecord(value.metadata)) {
    return new Invalid(`invalid metadata of type ${goTypeName(value.metadata)} in converted object`);
  }
  const restored: Record<string, unknown> = { ...before };
  for (const field of ["labels", "annotations"] as const) {
    const given = value.metadata[field];
    if (given === undefined || given === null) {
      delete restored[field];
      continue;
    }
    if (!isRecord(given))
      return new Invalid(`invalid metadata.${field} of type ${goTypeName(given)} in converted object`);
    for (const [key, item] of Object.entries(given)) {
      if (typeof item !== "string") {
        return new Invalid(
          `metadata.${field}[${key}] must be a string, but is ${goTypeName(item)} in converted object`,
        );
      }
    }
    const texts = given as Readonly<Record<string, string>>;
    const errors =
      field === "labels"
        ? validateLabels(texts, fieldPath("metadata", "labels"))
        : validateAnnotations(texts, fieldPath("metadata", "annotation"));
    const isNew = !sameTexts(texts, (before?.[field] ?? {}) as Readonly<Record<string, string>>);
    if (isNew && errors.length > 0) {
      const messages = errors.map(fieldErrorText);
      return new Invalid(messages.length === 1 ? messages[0]! : `[${messages.join(", ")}]`);
    }
    restored[field] = given;
  }
  return restored;
}

function sameTexts(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
