// Cluster IPs and IP families of a service: the rules for their values and changes.

import type { ServiceSpec } from "../../../api/generated/core-v1.ts";
import { JsonShown } from "../../../field-error.ts";
import { givenPart } from "../../../types/empty-fields.ts";
import { legacyIp, parseIp } from "../../checks/ip.ts";
import type { ValidatedField } from "../../field.ts";
import { isHeadless } from "./type.ts";

const FAMILIES: readonly string[] = ["IPv4", "IPv6"];
const POLICIES: readonly string[] = ["PreferDualStack", "RequireDualStack", "SingleStack"];

export function clusterIps(spec: ServiceSpec, old: ServiceSpec | undefined, at: ValidatedField): void {
  if (spec.type === "ExternalName") return;
  const ips = spec.clusterIPs ?? [];
  const place = at.child("clusterIPs");
  firstIsClusterIp(spec, ips, place);
  families(spec, at);
  const areValid = addresses(ips, old?.clusterIPs ?? [], place);
  if (ips.length > 2) place.invalid(ips, "may only hold up to 2 values");
  if (!areValid) return;
  if (ips.length > 1) {
    const kinds = new Set(ips.map((ip) => parseIp(ip)?.family));
    if (kinds.size < 2) place.invalid(ips, "may specify no more than one IP for each IP family");
  }
  if (isHeadless(spec)) return;
  place.each(ips, (ip, each, i) => {
    const family = spec.ipFamilies?.[i];
    const isV6 = parseIp(ip)?.family === 6;
    if (family === "IPv4" && isV6) each.invalid(ip, `expected an IPv4 value as indicated by \`ipFamilies[${i}]\``);
    if (family === "IPv6" && !isV6) each.invalid(ip, `expected an IPv6 value as indicated by \`ipFamilies[${i}]\``);
  });
}

function firstIsClusterIp(spec: ServiceSpec, ips: readonly string[], at: ValidatedField): void {
  if (!spec.clusterIP) {
    if (ips.length > 0) at.invalid(ips, "must be empty when `clusterIP` is not specified");
  } else if (ips.length === 0) at.required();
  else if (ips[0] !== spec.clusterIP) at.invalid(ips, "first value must match `clusterIP`");
}

function families(spec: ServiceSpec, at: ValidatedField): void {
  const seen = new Set<string>();
  at.child("ipFamilies").each(spec.ipFamilies, (family, each) => {
    each.oneOf(family, FAMILIES);
    if (seen.has(family)) each.duplicate(new JsonShown(family));
    seen.add(family);
  });
  at.child("ipFamilyPolicy").mayBeOneOf(spec.ipFamilyPolicy, POLICIES);
}

function addresses(ips: readonly string[], old: readonly string[], at: ValidatedField): boolean {
  let areValid = true;
  at.each(ips, (ip, each, i) => {
    if (i > 0 || ip !== "None") {
      if (!each.holds(() => void legacyIp(ip, each, old))) areValid = false;
    } else if (ips.length > 1) {
      areValid = false;
      at.invalid(ips, "'None' must be the first and only value");
    }
  });
  return areValid;
}

/** A second address may come and go, the first stays. */
export function clusterIpUpdate(spec: ServiceSpec, old: ServiceSpec, at: ValidatedField): void {
  if (spec.type === "ExternalName" || old.type === "ExternalName") return;
  const [headless, wasHeadless] = [isHeadless(spec), isHeadless(old)];
  if (!(headless && wasHeadless)) addressUpdate(spec, old, at);
  if (!headless && !wasHeadless) familyUpdate(spec, old, at);
}

const MUST_STAY = "may not change once set";

function addressUpdate(spec: ServiceSpec, old: ServiceSpec, at: ValidatedField): void {
  const [now, before] = [spec.clusterIPs ?? [], old.clusterIPs ?? []];
  const place = at.child("clusterIPs");
  if (now.length === before.length) {
    place.each(before, (ip, each, i) => {
      if (ip !== now[i]) each.invalid(now, MUST_STAY);
    });
    return;
  }
  const shrinks = now.length < before.length;
  if (shrinks && now.length === 0)
    place.index(0).invalid(givenPart(spec, "clusterIPs", []), "primary clusterIP can not be unset");
  if (before.length > 0 && now.length > 0 && now[0] !== before[0]) place.index(0).invalid(now, MUST_STAY);
  if (shrinks && now.length === 1) releasedBySingle(spec, "clusterIP", at);
}

function releasedBySingle(spec: ServiceSpec, what: string, at: ValidatedField): void {
  if (spec.ipFamilyPolicy === "SingleStack") return;
  const shown = spec.ipFamilyPolicy === undefined ? null : new JsonShown(spec.ipFamilyPolicy);
  at.child("ipFamilyPolicy").invalid(shown, `must be set to 'SingleStack' when releasing the secondary ${what}`);
}

function familyUpdate(spec: ServiceSpec, old: ServiceSpec, at: ValidatedField): void {
  const [now, before] = [spec.ipFamilies ?? [], old.ipFamilies ?? []];
  const first = at.child("ipFamilies").index(0);
  if (now.length === before.length) {
    before.forEach((family, i) => {
      if (family !== now[i]) first.invalid(now, MUST_STAY);
    });
    return;
  }
  const shrinks = now.length < before.length;
  if (shrinks && !spec.clusterIPs?.length)
    first.invalid(givenPart(spec, "ipFamilies", []), "primary ipFamily can not be unset");
  if (before.length > 0 && now.length > 0 && now[0] !== before[0])
    first.invalid(givenPart(spec, "clusterIPs", []), MUST_STAY);
  if (shrinks && now.length === 1) releasedBySingle(spec, "ipFamily", at);
}
