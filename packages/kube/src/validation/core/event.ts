// Events, of the core group and of events.k8s.io: the same objects, with rules that depend on the version of the request.

import { semanticEqual, utf8Length } from "@celadon/base";
import type { Event } from "../../api/generated/core-v1.ts";
import type { Event as NewEvent } from "../../api/generated/events-v1.ts";
import { JsonShown } from "../../field-error.ts";
import { TIME } from "../../go-syntax.ts";
import { checkDns1123Subdomain, checkQualifiedName } from "../../names.ts";
import { copyEmpty, noteEmpty, wasEmpty } from "../../types/empty-fields.ts";
import { metadata, metadataUpdate } from "../checks/metadata.ts";
import type { ValidatedField } from "../field.ts";
import { type AnyKindRules, kindRules } from "../rules.ts";
import { shownAs } from "../show/internal.ts";

const MAX_SHORT = 128;
const MAX_NOTE = 1024;

export const event: AnyKindRules = kindRules<Event>({
  kind: { group: "", kind: "Event" },
  resource: "events",
  namespaced: true,
  unconditionalUpdate: true,
  validate: (object, at) => anyEvent(object, "reportingComponent", at),
  validateUpdate: (object, _old, at) => anyEvent(object, "reportingComponent", at),
});

export const newEvent: AnyKindRules = kindRules<NewEvent>({
  kind: { group: "", kind: "Event" },
  resource: "events",
  namespaced: true,
  unconditionalUpdate: true,
  validate: (object, at) => createdEvent(asCore(object), at),
  validateUpdate: (object, old, at) => updatedEvent(asCore(object), asCore(old), at),
});

/** The fields under the names of the core group, which errors use. */
function asCore(object: NewEvent): Event {
  const { regarding, note, reportingController, deprecatedSource, deprecatedFirstTimestamp } = object;
  const { deprecatedLastTimestamp, deprecatedCount, metadata: meta, ...rest } = object;
  const core = {
    ...rest,
    metadata: meta,
    involvedObject: regarding,
    message: note,
    reportingComponent: reportingController,
    source: deprecatedSource,
    firstTimestamp: deprecatedFirstTimestamp,
    lastTimestamp: deprecatedLastTimestamp,
    count: deprecatedCount,
  } as Event;
  copyEmpty(object, core);
  if (wasEmpty(object, "deprecatedFirstTimestamp")) noteEmpty(core, "firstTimestamp");
  if (wasEmpty(object, "deprecatedLastTimestamp")) noteEmpty(core, "lastTimestamp");
  return core;
}

/** Whether a time was given; the zero time is one. */
function hasTime<T extends object>(owner: T, field: keyof T & string): boolean {
  return owner[field] != null || wasEmpty(owner, field);
}

function anyEvent(object: Event, controllerField: string, at: ValidatedField): void {
  const namespace = object.metadata?.namespace ?? "";
  const involved = object.involvedObject?.namespace ?? "";
  const place = at.child("involvedObject", "namespace");
  const elsewhere = "does not match event.namespace";
  if (!hasTime(object, "eventTime")) {
    const fits = involved === "" ? namespace === "" || namespace === "default" : namespace === involved;
    if (!fits) place.invalid(involved, elsewhere);
  } else {
    if (involved === "" && namespace !== "default" && namespace !== "kube-system") place.invalid(involved, elsewhere);
    timedEvent(object, controllerField, at);
  }
  at.child("namespace").check(namespace, checkDns1123Subdomain);
}

function timedEvent(object: Event, controllerField: string, at: ValidatedField): void {
  const controller = at.child(controllerField);
  controller.mustExist(object.reportingComponent);
  controller.check(object.reportingComponent, checkQualifiedName);
  for (const field of ["reportingInstance", "action", "reason"] as const) {
    at.child(field).mustExist(object[field]);
    atMost(object[field], MAX_SHORT, at.child(field));
  }
  atMost(object.message, MAX_NOTE, at.child("message"));
}

function atMost(text: string | undefined, max: number, at: ValidatedField): void {
  if (utf8Length(text ?? "") > max) at.invalid("", `can have at most ${max} characters`);
}

function series(object: Event, at: ValidatedField): void {
  if (object.series === undefined) return;
  if ((object.series.count ?? 0) < 2) at.child("series.count").invalid("", "should be at least 2");
  if (!hasTime(object.series, "lastObservedTime")) at.child("series.lastObservedTime").required();
}

function createdEvent(object: Event, at: ValidatedField): void {
  anyEvent(object, "reportingController", at);
  metadata(object.metadata, { namespaced: true, name: checkDns1123Subdomain }, at.child("metadata"));
  series(object, at);
  if (!hasTime(object, "eventTime")) at.child("eventTime").required();
  if (object.type !== "Normal" && object.type !== "Warning") {
    at.child("type").invalid("", `has invalid value: ${object.type ?? ""}`);
  }
  const unset = "needs to be unset";
  if (hasTime(object, "firstTimestamp")) at.child("firstTimestamp").invalid("", unset);
  if (hasTime(object, "lastTimestamp")) at.child("lastTimestamp").invalid("", unset);
  if (object.count) at.child("count").invalid("", unset);
  if (object.source?.component || object.source?.host) at.child("source").invalid("", unset);
}

const asReference = (value: unknown): unknown => (value === undefined ? null : shownAs("core.ObjectReference", value));
const asTime = (value: unknown): unknown => new JsonShown(value ?? null, TIME);
const asText = (value: unknown): unknown => value ?? "";

/** Fields that an update must not change, in the order in which they are checked, and how they are shown. */
const FIXED: readonly (readonly [keyof Event, (value: unknown) => unknown, shownName?: string])[] = [
  ["involvedObject", (value) => shownAs("core.ObjectReference", value ?? {})],
  ["reason", asText],
  ["message", asText],
  ["source", (value) => shownAs("core.EventSource", value ?? {})],
  ["firstTimestamp", asTime],
  ["lastTimestamp", asTime],
  ["count", (value) => value ?? 0],
  ["reason", asText],
  ["type", asText],
  ["eventTime", asTime],
  ["action", asText],
  ["related", asReference],
  ["reportingComponent", asText, "reportingController"],
  ["reportingInstance", asText],
];

function updatedEvent(object: Event, old: Event, at: ValidatedField): void {
  anyEvent(object, "reportingController", at);
  metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
  if (!semanticEqual(object.series, old.series)) series(object, at);
  for (const [field, show, name = field] of FIXED) at.child(name).immutable(object[field], old[field], show);
}
