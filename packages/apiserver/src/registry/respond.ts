// Answers that show objects, in the form the client asked for.

import type { KubeObject, Status } from "@celadon/kube";
import { stringify } from "yaml";
import type { Negotiated } from "../codec/forms.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { YAML_TYPE } from "../wire/accept.ts";
import { statusAnswer } from "../wire/answers.ts";
import type { Content } from "../wire/call.ts";
import type { ResourceHandler } from "./services.ts";

export function answerStored(
  handler: ResourceHandler,
  code: number,
  object: StoredObject,
  { form, type }: Negotiated,
): Content {
  return contentOf(code, handler.presenters.of(form).present(object), type);
}

/** For objects that are not stored: dry runs, deleted objects, subresources. */
export function answerObject(
  handler: ResourceHandler,
  code: number,
  object: KubeObject,
  { form, type }: Negotiated,
): Content {
  return contentOf(code, handler.presenters.of(form).object(object), type);
}

export function answerStatus(status: Status): Content {
  return statusAnswer(status);
}

/** JSON as it is, or the same as YAML. */
export function contentOf(code: number, json: Uint8Array, type: Negotiated["type"]): Content {
  if (type !== YAML_TYPE) return { code, type, body: json };
  return {
    code,
    type,
    body: stringify(JSON.parse(Buffer.from(json).toString("utf8")), { aliasDuplicateObjects: false }),
  };
}
