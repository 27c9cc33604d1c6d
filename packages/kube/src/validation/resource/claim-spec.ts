// Rules for claims of devices.

import type {
  DeviceClaim,
  DeviceConstraint,
  DeviceRequest,
  DeviceSubRequest,
  DeviceToleration,
  ResourceClaimSpec,
} from "../../api/generated/resource-v1.ts";
import type { Emulation } from "../../emulation.ts";
import { checkDns1123Label, checkDns1123Subdomain, checkLabelValue } from "../../names.ts";
import { decode } from "../../types/decode.ts";
import { labelName } from "../checks/selectors.ts";
import { MUST_BE_POSITIVE } from "../details.ts";
import type { ValidatedField } from "../field.ts";
import type { Request } from "../rules.ts";
import { shownAsGiven } from "../show/internal.ts";
import { configuration } from "./configuration.ts";
import { atMost, eachOnce } from "./lists.ts";
import { declaredName, type RequestNames, requestReference } from "./names.ts";
import { type SelectorCompiler, type SelectorContext, selectors } from "./selectors.ts";

export const MAX_REQUESTS = 32;
export const MAX_CONFIGS = 32;
const MAX_CONSTRAINTS = 32;
const MAX_ALTERNATIVES = 8;
export const ADMIN_LABEL = "resource.kubernetes.io/admin-access";
export const effectsOf = (by: Emulation): readonly string[] =>
  by.since(35) ? ["NoExecute", "NoSchedule", "None"] : ["NoExecute", "NoSchedule"];

/** Devices for looking after them, not for use, are had in namespaces that are meant for it. */
export function adminAccess(spec: ResourceClaimSpec, request: Request, at: ValidatedField): void {
  const first = (spec.devices?.requests ?? []).findIndex(
    (deviceRequest) => deviceRequest.exactly?.adminAccess === true,
  );
  if (first >= 0) onlyForAdmins(request, at.child("spec", "devices", "requests").index(first).child("adminAccess"));
}

export function onlyForAdmins(request: Request, at: ValidatedField): void {
  if (request.namespaceLabels?.[ADMIN_LABEL] === "true") return;
  at.forbidden(`admin access to devices requires the \`${ADMIN_LABEL}: true\` label on the containing namespace`);
}

export function claimSpec(spec: ResourceClaimSpec, compile: SelectorCompiler | undefined, at: ValidatedField): void {
  const claim = spec.devices ?? {};
  const [names, place] = [requestNames(claim), at.child("devices")];
  const context = { compile, stored: false };
  eachOnce(
    claim.requests,
    MAX_REQUESTS,
    place.child("requests"),
    (deviceRequest, each) => request(deviceRequest, context, each),
    (deviceRequest) => deviceRequest.name ?? "",
    (deviceRequest) => (at.by.before(37) ? (deviceRequest.name ?? "") : shownAsGiven(inTypeOrder(deviceRequest))),
  );
  atMost(claim.constraints, MAX_CONSTRAINTS, place.child("constraints"), (deviceConstraint, each) =>
    constraint(deviceConstraint, names, each),
  );
  atMost(claim.config, MAX_CONFIGS, place.child("config"), (deviceClaimConfiguration, each) => {
    references(deviceClaimConfiguration.requests, names, each.child("requests"));
    configuration(deviceClaimConfiguration, each);
  });
}

/** A request with its fields in the order of its type, as declared rules show it. */
function inTypeOrder(request: DeviceRequest): unknown {
  const claim = { spec: { devices: { requests: [request] } } };
  const decoded = decode({ apiVersion: "resource.k8s.io/v1", kind: "ResourceClaim" }, claim)?.object as typeof claim;
  return decoded.spec.devices.requests[0];
}

export function requestNames(claim: DeviceClaim): RequestNames {
  return new Map(
    (claim.requests ?? []).map(({ name = "", firstAvailable = [] }) => [
      name,
      new Set(firstAvailable.map((deviceSubRequest) => deviceSubRequest.name ?? "")),
    ]),
  );
}

export function references(list: readonly string[] | undefined, names: RequestNames, at: ValidatedField): void {
  const itself = (name: string): string => name;
  eachOnce(list, MAX_REQUESTS, at, (name, each) => requestReference(name, names, each), itself);
}

function request(given: DeviceRequest, context: SelectorContext, at: ValidatedField): void {
  at.child("name").check(given.name, checkDns1123Label);
  const { exactly, firstAvailable = [] } = given;
  if (exactly !== undefined && firstAvailable.length > 0) {
    at.invalid(null, "exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set");
  } else if (exactly !== undefined) wanted(exactly, context, at.child("exactly"));
  else if (firstAvailable.length === 0) at.required("exactly one of `exactly` or `firstAvailable` is required");
  else {
    eachOnce(
      firstAvailable,
      MAX_ALTERNATIVES,
      at.child("firstAvailable"),
      (deviceSubRequest, each) => {
        each.child("name").check(deviceSubRequest.name, checkDns1123Label);
        wanted(deviceSubRequest, context, each);
      },
      (deviceSubRequest) => deviceSubRequest.name ?? "",
    );
  }
}

/** The common rules of a request and its alternatives. */
function wanted(given: Omit<DeviceSubRequest, "name">, context: SelectorContext, at: ValidatedField): void {
  at.child("deviceClassName").mustBe(given.deviceClassName, checkDns1123Subdomain);
  selectors(given.selectors, context, at.child("selectors"));
  amount(given.allocationMode, given.count ?? 0, at);
  at.child("tolerations").each(given.tolerations, (deviceToleration, each) => toleration(deviceToleration, each));
}

function amount(mode: string | undefined, count: number, at: ValidatedField): void {
  if (mode === "All") {
    if (count !== 0) at.child("count").invalid(count, "must not be specified when allocationMode is 'All'");
  } else if (mode === "ExactCount") {
    if (count <= 0) at.child("count").invalid(count, MUST_BE_POSITIVE);
  } else at.child("allocationMode").unsupported(mode, ["All", "ExactCount"]);
}

function toleration(given: DeviceToleration, at: ValidatedField): void {
  if (given.key) labelName(given.key, at.child("key"));
  if (given.operator === "Exists") {
    if (given.value) at.child("value").invalid(given.value, "must be empty for operator `Exists`");
  } else if (given.operator === "Equal") at.child("value").check(given.value, checkLabelValue);
  else at.child("operator").mustBeOneOf(given.operator, ["Equal", "Exists"]);
  if (given.effect) at.child("effect").oneOf(given.effect, effectsOf(at.by));
}

function constraint(given: DeviceConstraint, names: RequestNames, at: ValidatedField): void {
  references(given.requests, names, at.child("requests"));
  const { matchAttribute, distinctAttribute } = given;
  if (matchAttribute !== undefined) declaredName(matchAttribute, at.child("matchAttribute"));
  else if (distinctAttribute !== undefined) declaredName(distinctAttribute, at.child("distinctAttribute"));
  else {
    if (at.by.before(36)) at.child("matchAttribute").required();
    else at.required('exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set');
  }
}
