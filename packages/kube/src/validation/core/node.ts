// Nodes.

import { compareStrings, quoteGo, semanticEqual, utf8Length } from "@celadon/base";
import type { ConfigMapNodeConfigSource, Node, NodeConfigSource, Taint } from "../../api/generated/core-v1.ts";
import type { Emulation } from "../../emulation.ts";
import { duplicateValue } from "../../field-error.ts";
import { fieldPath } from "../../field-path.ts";
import { checkConfigMapKey, checkDns1123Label, checkDns1123Subdomain, checkLabelValue } from "../../names.ts";
import { goJsonError } from "../../read/json/go-json-error.ts";
import { fieldWarning, type Warning } from "../../warning.ts";
import { jsonTypeError } from "../checks/go-json.ts";
import { cidrWarnings, legacyCidr, parseCidr } from "../checks/ip.ts";
import { metadata, metadataUpdate } from "../checks/metadata.ts";
import { resourceAmount } from "../checks/quantities.ts";
import { labelName } from "../checks/selectors.ts";
import type { ValidatedField } from "../field.ts";
import { withField } from "../fields-of.ts";
import { type AnyKindRules, kindRules, SPEC, STATUS } from "../rules.ts";
import { shownAs } from "../show/internal.ts";
import { taintEffect } from "./pod/scheduling.ts";

const TAINTS = "scheduler.alpha.kubernetes.io/taints";
const AVOID_PODS = "scheduler.alpha.kubernetes.io/preferAvoidPods";
const FEATURE = /^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/;
const MAX_FEATURE_NAME = 253;
const CONFIG_SOURCE = ["spec", "configSource"];

export const node: AnyKindRules = kindRules<Node>({
  kind: { group: "", kind: "Node" },
  resource: "nodes",
  namespaced: false,
  unconditionalUpdate: true,
  keeps: [STATUS],
  begin: withPodCidrs,
  prepareCreate: (object) => withField(withField(object, CONFIG_SOURCE, undefined), ["status", "config"], undefined),
  prepareUpdate: (object, old) => (old.spec?.configSource ? object : withField(object, CONFIG_SOURCE, undefined)),
  validate: newNode,
  validateUpdate(object, old, at) {
    newNode(object, at);
    nodeUpdate(object, old, at);
  },
  warnOnCreate: warnings,
  warnOnUpdate: (object, _old, by) => warnings(object, by),
  subresources: {
    status: {
      keeps: [SPEC],
      prepareUpdate: (object, old) =>
        old.status?.config ? object : withField(object, ["status", "config"], undefined),
      validateUpdate: nodeUpdate,
    },
  },
});

/** The older field holds one network; where both are given and differ, it counts. */
function withPodCidrs(object: Node): Node {
  const { podCIDR, podCIDRs } = object.spec ?? {};
  if (!podCIDR || podCIDRs?.[0] === podCIDR) return object;
  return withField(object, ["spec", "podCIDRs"], [podCIDR]);
}

function newNode(object: Node, at: ValidatedField): void {
  const [spec, status] = [object.spec ?? {}, object.status ?? {}];
  const meta = at.child("metadata");
  metadata(object.metadata, { namespaced: false, name: checkDns1123Subdomain }, meta);
  annotations(object, meta.child("annotations"));
  taints(spec.taints ?? [], meta.child("taints"));
  resources(object, at);
  if (status.nodeInfo?.swap?.capacity !== undefined) {
    meta.child("nodeSwapStatus", "capacity").positive(status.nodeInfo.swap.capacity);
  }
  features(status.declaredFeatures ?? [], at.child("status", "declaredFeatures"));
  podCidrs(spec.podCIDRs ?? [], at.child("spec", "podCIDRs"));
}

function annotations(object: Node, at: ValidatedField): void {
  const given = object.metadata?.annotations ?? {};
  const listed = given[TAINTS];
  if (listed) {
    const read = jsonList(listed, "value of type []core.Taint");
    if (typeof read === "string") at.invalid(TAINTS, read);
    else taints(read as Taint[], at.child(TAINTS));
  }
  if (given[AVOID_PODS]) avoidedPods(given[AVOID_PODS], at);
}

/** A list in JSON, or what Go says instead. */
function jsonList(text: string, type: string, member?: string): unknown[] | string {
  const problem = goJsonError(text);
  if (problem !== undefined) return problem;
  const read = JSON.parse(text) as Record<string, unknown> | null;
  const list: unknown = member === undefined ? read : read?.[member];
  return Array.isArray(list ?? []) ? ((list ?? []) as unknown[]) : jsonTypeError(list, type);
}

interface AvoidedPods {
  readonly podSignature?: { readonly podController?: { readonly controller?: boolean } };
}

function avoidedPods(text: string, at: ValidatedField): void {
  const type = "struct field AvoidPods.preferAvoidPods of type []v1.PreferAvoidPodsEntry";
  const read = jsonList(text, type, "preferAvoidPods");
  if (typeof read === "string") {
    at.child("AvoidPods").invalid(AVOID_PODS, read);
    return;
  }
  at.child(AVOID_PODS).each(read as AvoidedPods[], (entry, each) => {
    const controller = entry.podSignature?.podController;
    const place = each.child("PodSignature");
    if (controller === undefined) place.required();
    else if (controller.controller !== true) {
      place.child("PodController", "Controller").invalid(false, "must point to a controller");
    }
  });
}

function taints(list: readonly Taint[], at: ValidatedField): void {
  const seen = new Set<string>();
  at.each(list, (taint, each) => {
    const { key = "", value = "", effect = "" } = taint;
    labelName(key, each.child("key"));
    const problems = checkLabelValue(value, at.by);
    if (problems.length > 0) each.child("value").invalid(value, problems.join(";"));
    taintEffect(effect, each.child("effect"));
    if (seen.has(`${effect}/${key}`)) {
      const detail = "taints must be unique by key and effect pair";
      at.errors.push({ ...duplicateValue(each.path, shownAs("core.Taint", taint)), detail });
    }
    seen.add(`${effect}/${key}`);
  });
}

function resources(object: Node, at: ValidatedField): void {
  for (const list of ["capacity", "allocatable"] as const) {
    const amounts = object.status?.[list] ?? {};
    for (const name of Object.keys(amounts).sort(compareStrings)) {
      resourceAmount(name, amounts[name]!, at.child("status", list, name));
    }
  }
}

function features(list: readonly string[], at: ValidatedField): void {
  at.each(list, (name, each, i) => {
    const problem = featureProblem(name);
    if (problem !== undefined) each.invalid(name, `invalid feature name ${quoteGo(name)}: ${problem}`);
    const next = list[i + 1];
    if (next === undefined) return;
    if (name === next) at.index(i + 1).duplicate(next);
    else if (compareStrings(name, next) > 0) at.index(i + 1).invalid(next, "list must be sorted alphabetically");
  });
}

function featureProblem(name: string): string | undefined {
  if (utf8Length(name) > MAX_FEATURE_NAME) return `must be no more than ${MAX_FEATURE_NAME} characters`;
  if (FEATURE.test(name)) return undefined;
  return "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes";
}

function podCidrs(list: readonly string[], at: ValidatedField): void {
  at.each(list, (cidr, each) => void legacyCidr(cidr, each));
  if (list.length < 2) return;
  const parsed = list.map(parseCidr);
  const bad = parsed.indexOf(undefined);
  if (bad >= 0) {
    const cause = `invalid CIDR[${bad}]: <nil> (invalid CIDR address: ${list[bad]})`;
    at.internal(`invalid PodCIDRs. failed to check with dual stack with error:${cause}`);
  }
  const families = new Set(parsed.map((cidr) => cidr?.ip.family));
  if (bad >= 0 || families.size < 2 || list.length > 2) {
    at.invalid(list, "may specify no more than one CIDR for each IP family");
  }
}

function nodeUpdate(object: Node, old: Node, at: ValidatedField): void {
  const [spec, before] = [object.spec ?? {}, old.spec ?? {}];
  const meta = at.child("metadata");
  metadataUpdate(object.metadata, old.metadata, meta);
  annotations(object, meta.child("annotations"));
  resources(object, at);
  features(object.status?.declaredFeatures ?? [], at.child("status", "declaredFeatures"));
  const addresses = object.status?.addresses ?? [];
  at.child("status", "addresses").each(addresses, (address, each, i) => {
    if (!addresses.slice(0, i).some((other) => semanticEqual(other, address))) return;
    each.duplicate(shownAs("core.NodeAddress", address));
  });
  podCidrUpdate(spec.podCIDRs ?? [], before.podCIDRs ?? [], at.child("spec", "podCIDRs"));
  if (before.providerID && before.providerID !== spec.providerID) {
    const place = at.child("spec", "providerID");
    if (at.by.since(37)) place.invalid(null, `field cannot be ${spec.providerID ? "modified" : "cleared"} once set`);
    else place.forbidden('node updates may not change providerID except from "" to valid');
  }
  if (spec.configSource) configSource(spec.configSource, "spec", at.child("spec", "configSource"));
  for (const part of ["assigned", "active", "lastKnownGood"] as const) {
    const source = object.status?.config?.[part];
    if (source) configSource(source, "status", at.child("status", "config", part));
  }
  taints(spec.taints ?? [], meta.child("taints"));
  if ((spec.externalID ?? "") !== (before.externalID ?? ""))
    at.child("spec", "externalID").forbidden("may not be updated");
}

function podCidrUpdate(now: readonly string[], before: readonly string[], at: ValidatedField): void {
  const detail = 'node updates may not change podCIDR except from "" to valid';
  if (before.length > 0 && before.length !== now.length) at.forbidden(detail);
  else before.forEach((cidr, i) => void (cidr === now[i] || at.forbidden(detail)));
}

function configSource(source: NodeConfigSource, where: "spec" | "status", at: ValidatedField): void {
  if (source.configMap) configMapSource(source.configMap, where, at.child("configMap"));
  else at.invalid(shownAs("core.NodeConfigSource", source), "exactly one reference subfield must be non-nil");
}

function configMapSource(source: ConfigMapNodeConfigSource, where: "spec" | "status", at: ValidatedField): void {
  for (const field of ["uid", "resourceVersion"] as const) {
    if (where === "status") at.child(field).mustExist(source[field]);
    else if (source[field]) at.child(field).forbidden(`${field} must not be set in spec`);
  }
  at.child("namespace").mustBe(source.namespace, checkDns1123Label);
  at.child("name").mustBe(source.name, checkDns1123Subdomain);
  at.child("kubeletConfigKey").mustBe(source.kubeletConfigKey, checkConfigMapKey);
}

function warnings(object: Node, by: Emulation): Warning[] {
  const { configSource: source, externalID, podCIDRs = [] } = object.spec ?? {};
  return [
    ...(source ? [fieldWarning("spec.configSource", "the feature is removed")] : []),
    ...(externalID ? [fieldWarning("spec.externalID", "this field is deprecated, and is unused by Kubernetes")] : []),
    ...podCIDRs.flatMap((cidr, i) => cidrWarnings(cidr, fieldPath("spec", "podCIDRs").index(i), by)),
  ];
}
