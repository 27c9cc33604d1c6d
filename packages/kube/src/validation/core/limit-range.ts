// LimitRanges.

import { compareStrings } from "@celadon/base";
import type { LimitRange, LimitRangeItem } from "../../api/generated/core-v1.ts";
import { JsonShown } from "../../field-error.ts";
import { QUANTITY } from "../../go-syntax.ts";
import { checkDns1123Subdomain, checkQualifiedName } from "../../names.ts";
import { type Quantity, quantityOf } from "../../quantity/quantity.ts";
import { metadata } from "../checks/metadata.ts";
import { quantityAt, wholeValue } from "../checks/quantities.ts";
import { containerResourceName, isOvercommitAllowed, resourceName } from "../checks/resource-names.ts";
import type { ValidatedField } from "../field.ts";
import { withField } from "../fields-of.ts";
import { type AnyKindRules, kindRules } from "../rules.ts";

const TYPES: readonly string[] = ["Pod", "Container", "PersistentVolumeClaim"];
const ONE: Quantity = quantityOf(1);
/** Above it, thousandths do not fit 64 bits. */
const MAX_IN_THOUSANDTHS = 9_223_372_036_854_775n;

export const limitRange: AnyKindRules = kindRules<LimitRange>({
  kind: { group: "", kind: "LimitRange" },
  resource: "limitranges",
  namespaced: true,
  unconditionalUpdate: true,
  prepareCreate: (object) =>
    object.metadata?.name ? object : withField(object, ["metadata", "name"], object.metadata?.uid),
  validate: limits,
  validateUpdate: (object, _old, at) => limits(object, at),
});

function limits(object: LimitRange, at: ValidatedField): void {
  metadata(object.metadata, { namespaced: true, name: checkDns1123Subdomain }, at.child("metadata"));
  const types = new Set<string>();
  at.child("spec", "limits").each(object.spec?.limits, (limit, each) => {
    const type = limit.type ?? "";
    limitType(type, each.child("type"));
    if (types.has(type)) each.child("type").duplicate(new JsonShown(type));
    types.add(type);
    names(limit, each);
    for (const name of allNames(limit)) amounts(limit, name, each);
  });
}

function limitType(type: string, at: ValidatedField): void {
  const problems = checkQualifiedName(type, at.by);
  for (const problem of problems) at.invalid(new JsonShown(type), problem);
  if (problems.length === 0 && !type.includes("/") && !TYPES.includes(type)) {
    at.invalid(new JsonShown(type), "must be a standard limit type or fully qualified");
  }
}

type Part = "max" | "min" | "default" | "defaultRequest" | "maxLimitRequestRatio";

function names(limit: LimitRangeItem, at: ValidatedField): void {
  const rule = limit.type === "Pod" || limit.type === "Container" ? containerResourceName : resourceName;
  const namesOf = (part: Part): void => {
    for (const name of keysOf(limit, part)) rule(name, at.child(part).key(name));
  };
  namesOf("max");
  namesOf("min");
  for (const part of ["default", "defaultRequest"] as const) {
    if (limit.type !== "Pod") namesOf(part);
    else if (keysOf(limit, part).length > 0) at.child(part).forbidden("may not be specified when `type` is 'Pod'");
  }
  const hasStorage = limit.min?.storage !== undefined || limit.max?.storage !== undefined;
  if (limit.type === "PersistentVolumeClaim" && !hasStorage) {
    const detail = "either minimum or maximum storage value is required, but neither was provided";
    at.child("limits").required(detail);
  }
  namesOf("maxLimitRequestRatio");
}

function keysOf(limit: LimitRangeItem, part: Part): string[] {
  return Object.keys(limit[part] ?? {}).sort(compareStrings);
}

function allNames(limit: LimitRangeItem): string[] {
  const parts: readonly Part[] =
    limit.type === "Pod"
      ? ["max", "min", "maxLimitRequestRatio"]
      : ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"];
  return [...new Set(parts.flatMap((part) => keysOf(limit, part)))].sort(compareStrings);
}

/** The amounts of one resource in order: min, default request, default, max. */
function amounts(limit: LimitRangeItem, name: string, at: ValidatedField): void {
  const of = (part: Part): Quantity | undefined => {
    const isDefault = part === "default" || part === "defaultRequest";
    const text = limit.type === "Pod" && isDefault ? undefined : limit[part]?.[name];
    return text === undefined ? undefined : quantityAt(text);
  };
  const [min, max, usual, request, ratio] = [
    of("min"),
    of("max"),
    of("default"),
    of("defaultRequest"),
    of("maxLimitRequestRatio"),
  ];
  const place = (part: Part): ValidatedField => at.child(part).key(name);
  const inOrder = (
    part: Part,
    shown: Quantity | undefined,
    low: Quantity | undefined,
    high: Quantity | undefined,
    text: readonly [string, string],
  ): void => {
    if (low === undefined || high === undefined || low.compare(high) <= 0) return;
    place(part).invalid(asJson(shown!), `${text[0]} value ${low} is greater than ${text[1]} value ${high}`);
  };
  inOrder("min", min, min, max, ["min", "max"]);
  inOrder("defaultRequest", request, min, request, ["min", "default request"]);
  inOrder("defaultRequest", request, request, max, ["default request", "max"]);
  inOrder("defaultRequest", request, request, usual, ["default request", "default limit"]);
  inOrder("default", min, min, usual, ["min", "default"]);
  inOrder("default", max, usual, max, ["default", "max"]);
  if (ratio !== undefined) {
    ratioWithin(ratio, min?.comparedWith([max, request, usual]), max, place("maxLimitRequestRatio"));
  }
  const isFixed = !isOvercommitAllowed(name) && usual !== undefined && request !== undefined;
  if (isFixed && !usual.equals(request)) {
    const detail = `default value ${usual} must equal to defaultRequest value ${request} in ${name}`;
    place("defaultRequest").invalid(asJson(request), detail);
  }
}

function asJson(quantity: Quantity): JsonShown {
  return new JsonShown(quantity.toString(), QUANTITY);
}

function ratioWithin(ratio: Quantity, min: Quantity | undefined, max: Quantity | undefined, at: ValidatedField): void {
  if (ratio.compare(ONE) < 0) at.invalid(asJson(ratio), `ratio ${ratio} is less than 1`);
  if (min === undefined || max === undefined) return;
  const fits = [ratio, min, max].every((quantity) => wholeValue(quantity) < MAX_IN_THOUSANDTHS);
  const unit = (quantity: Quantity): number => Number(fits ? quantity.unitsOf(-3) : wholeValue(quantity));
  const most = unit(max) / unit(min);
  if ((fits ? unit(ratio) / 1000 : unit(ratio)) > most) {
    at.invalid(asJson(ratio), `ratio ${ratio} is greater than max/min = ${goFixed(most)}`);
  }
}

/** Go's %f. */
function goFixed(n: number): string {
  if (Number.isNaN(n)) return "NaN";
  if (Object.is(n, -0)) return "-0.000000";
  return Number.isFinite(n) ? n.toFixed(6) : n > 0 ? "+Inf" : "-Inf";
}
