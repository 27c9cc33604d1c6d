// Answers that contain objects, in the form that the client requests.

import type { KubeObject } from "@celadon/kube";
import { readStoredJson } from "@celadon/kube/read";
import { failure } from "@celadon/kube/status";
import { type ScalarTag, stringify, type Tags } from "yaml";
import type { Form, Negotiated } from "../codec/forms.ts";
import { encodeProtobuf, hasMessage } from "../codec/protobuf/encode.ts";
import type { ServedResource } from "../kinds/resource.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { JSON_TYPE, YAML_TYPE } from "../wire/accept.ts";
import { notAcceptable } from "../wire/answers.ts";
import type { Content } from "../wire/call.ts";
import { StatusError } from "../wire/status-error.ts";
import type { ResourceHandler } from "./services.ts";

export function answerStored(
  handler: ResourceHandler,
  code: number,
  object: StoredObject,
  { form, type }: Negotiated,
): Content {
  checkPartial(handler, form, false);
  return contentOf(code, handler.presenters.of(form).present(object), type);
}

/** For objects that are not stored: dry runs, deleted objects, subresources. */
export function answerObject(
  handler: ResourceHandler,
  code: number,
  object: KubeObject,
  { form, type }: Negotiated,
): Content {
  checkPartial(handler, form, false);
  return contentOf(code, handler.presenters.of(form).object(object), type);
}

/** Metadata of one object and of a list are different kinds. */
export function checkPartial({ resource }: ResourceHandler, form: Form, isList: boolean): void {
  if (form.form !== "partial" || form.list === isList) return;
  const found = isList
    ? `you requested PartialObjectMetadata, but the requested object is a list (${goType(resource)}List)`
    : `you requested PartialObjectMetadataList, but the requested object is not a list (${goType(resource)})`;
  throw new StatusError(failure("NotAcceptable", found));
}

/** The type of kube-apiserver that holds objects of a resource. */
function goType({ group, kind, storage }: ServedResource): string {
  if (storage.custom) return "*unstructured.Unstructured";
  return `*${group === "" || group === "events.k8s.io" ? "core" : group.replace(/\..*/, "")}.${kind}`;
}

/** Floats without an exponent, but not a point alone: field ownership has many. */
const FLOAT = /^[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)$/;

function isFloat(tag: Tags[number]): tag is ScalarTag {
  return typeof tag === "object" && "test" in tag && tag.test?.test(".") === true;
}

/** YAML as Go programs write it: keys in order, and quotes around what YAML 1.1 would take for a time or a flag. */
const AS_GO = {
  version: "1.1",
  aliasDuplicateObjects: false,
  sortMapEntries: true,
  indentSeq: false,
  lineWidth: 0,
  customTags: (tags: Tags): Tags => tags.map((tag) => (isFloat(tag) ? { ...tag, test: FLOAT } : tag)),
} as const;

/** JSON as it is, or the same as YAML or protobuf. */
export function contentOf(code: number, json: Uint8Array, type: Negotiated["type"]): Content {
  if (type === JSON_TYPE) return { code, type, body: json };
  const value = readStoredJson(json) as KubeObject;
  if (type === YAML_TYPE) return { code, type, body: stringify(value, AS_GO) };
  if (!hasMessage(value)) throw new StatusError(notAcceptable([JSON_TYPE, YAML_TYPE]));
  return { code, type, body: encodeProtobuf(value) };
}
