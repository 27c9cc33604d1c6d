// The options of a list or watch, read from the query. Upstream: apimachinery pkg/apis/meta/internalversion.

import { quoteGo } from "@celadon/base";
import { type FieldError, fieldPath, forbiddenField, Invalid, notSupported } from "@celadon/kube/errors";
import { FieldSelector, LabelSelector } from "@celadon/kube/selectors";
import { badRequest, invalidObject } from "@celadon/kube/status";
import { isTrue, type RequestInfo } from "../wire/request-info.ts";
import { StatusError } from "../wire/status-error.ts";

export interface ListOptions {
  readonly labels: LabelSelector;
  readonly fields: FieldSelector;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  /** The resource version as sent; empty when absent. */
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly timeoutSeconds: number | undefined;
  readonly limit: number;
  readonly continue: string;
  readonly sendInitialEvents: boolean | undefined;
}

const PLAIN: ListOptions = {
  labels: LabelSelector.everything,
  fields: FieldSelector.everything,
  watch: false,
  allowWatchBookmarks: false,
  resourceVersion: "",
  resourceVersionMatch: "",
  timeoutSeconds: undefined,
  limit: 0,
  continue: "",
  sendInitialEvents: undefined,
};

const NOT_OLDER = "NotOlderThan";
const EXACT = "Exact";

/** The options for a collection whose selectors were authorized. */
export function listOptions(
  query: URLSearchParams,
  { name, selectors, isOldPath }: RequestInfo,
  watch: boolean,
): ListOptions {
  const isWhole = name === "" && selectors.fields === undefined && selectors.labels === undefined;
  if (query.size === 0 && isWhole) return watch ? { ...PLAIN, watch } : PLAIN;
  const options: ListOptions = {
    labels: readable(selectors.labels) ?? LabelSelector.everything,
    fields: readable(selectors.fields) ?? FieldSelector.everything,
    watch,
    allowWatchBookmarks: flag(query, "allowWatchBookmarks") ?? false,
    resourceVersion: query.get("resourceVersion") ?? "",
    resourceVersionMatch: query.get("resourceVersionMatch") ?? "",
    timeoutSeconds: integer(query, "timeoutSeconds"),
    limit: integer(query, "limit") ?? 0,
    continue: query.get("continue") ?? "",
    sendInitialEvents: flag(query, "sendInitialEvents"),
  };
  // An old watch path is known to be a watch only after its options were looked at.
  const errors = watch && !isOldPath ? watchErrors(options) : listErrors(options);
  if (errors.length > 0) {
    throw new StatusError(invalidObject({ group: "meta.k8s.io", kind: "ListOptions" }, "", errors));
  }
  const fields = name === "" ? options.fields : ofName(name, options.fields);
  const sendInitialEvents = watch && startsAnywhere(options) ? true : options.sendInitialEvents;
  return { ...options, fields, sendInitialEvents };
}

/** Watches that name no version have always begun with the state, and get the bookmark that ends it as well. */
function startsAnywhere({ sendInitialEvents, resourceVersion }: ListOptions): boolean {
  return sendInitialEvents === undefined && (resourceVersion === "" || resourceVersion === "0");
}

function readable<S>(selector: S | Invalid | undefined): S | undefined {
  if (!(selector instanceof Invalid)) return selector;
  throw new StatusError(badRequest(selector.message));
}

/** The one object whose name was authorized. An old watch path names it, and then no selector may name another. */
function ofName(name: string, fields: FieldSelector): FieldSelector {
  if (fields.isEmpty) return new FieldSelector([{ field: "metadata.name", operator: "=", value: name }]);
  if (fields.exactValue("metadata.name") === name) return fields;
  throw new StatusError(badRequest("fieldSelector metadata.name doesn't match requested name"));
}

function flag(query: URLSearchParams, name: string): boolean | undefined {
  const value = query.get(name);
  return value === null ? undefined : isTrue(value);
}

export function integer(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  if (!/^[+-]?\d+$/.test(value)) {
    throw new StatusError(badRequest(`strconv.ParseInt: parsing ${quoteGo(value)}: invalid syntax`));
  }
  if (BigInt.asIntN(64, BigInt(value)) !== BigInt(value)) {
    throw new StatusError(badRequest(`strconv.ParseInt: parsing ${quoteGo(value)}: value out of range`));
  }
  return Number(value);
}

function listErrors(options: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const path = fieldPath("resourceVersionMatch");
  const { resourceVersionMatch: match, resourceVersion } = options;
  if (match !== "") {
    if (resourceVersion === "") {
      errors.push(forbiddenField(path, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
    }
    if (options.continue !== "") {
      errors.push(forbiddenField(path, "resourceVersionMatch is forbidden when continue is provided"));
    }
    if (match !== EXACT && match !== NOT_OLDER) errors.push(notSupported(path, match, [EXACT, NOT_OLDER, ""]));
    if (match === EXACT && resourceVersion === "0") {
      errors.push(forbiddenField(path, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (options.sendInitialEvents !== undefined) {
    errors.push(forbiddenField(fieldPath("sendInitialEvents"), "sendInitialEvents is forbidden for list"));
  }
  return errors;
}

function watchErrors(options: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const path = fieldPath("resourceVersionMatch");
  const { resourceVersionMatch: match, sendInitialEvents } = options;
  if (sendInitialEvents !== undefined && match !== NOT_OLDER) {
    errors.push(forbiddenField(path, `sendInitialEvents requires setting resourceVersionMatch to ${NOT_OLDER}`));
  }
  if (match !== "") {
    if (sendInitialEvents === undefined) {
      const text = "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided";
      errors.push(forbiddenField(path, text));
    }
    if (match !== NOT_OLDER) errors.push(notSupported(path, match, [NOT_OLDER]));
  }
  // Upstream says it of another field.
  if (options.continue !== "") {
    errors.push(forbiddenField(path, "resourceVersionMatch is forbidden when continue is provided"));
  }
  return errors;
}
