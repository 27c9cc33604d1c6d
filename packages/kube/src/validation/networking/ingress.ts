// Ingresses and IngressClasses.

import type {
  HTTPIngressPath,
  Ingress,
  IngressBackend,
  IngressClass,
  IngressClassParametersReference,
  IngressClassSpec,
  IngressSpec,
} from "../../api/generated/networking-v1.ts";
import { JsonShown } from "../../field-error.ts";
import { fieldPath } from "../../field-path.ts";
import {
  checkDns1123Label,
  checkDns1123Subdomain,
  checkPathSegmentName,
  checkPortName,
  checkWildcardDns1123Subdomain,
} from "../../names.ts";
import { givenPart } from "../../types/empty-fields.ts";
import { domainPrefixedPath } from "../checks/domain-path.ts";
import { ipWarnings, legacyIp, parseIp } from "../checks/ip.ts";
import { metadata, metadataUpdate } from "../checks/metadata.ts";
import { portNumber } from "../checks/ports.ts";
import { serviceName } from "../checks/service-name.ts";
import type { ValidatedField } from "../field.ts";
import { type AnyKindRules, kindRules, SPEC, STATUS } from "../rules.ts";

const CLASS = "kubernetes.io/ingress.class";
const NOT_AN_IP = "must be a DNS name, not an IP address";
const BAD_PARTS = ["//", "/./", "/../", "%2f", "%2F"];
const BAD_ENDS = ["/..", "/."];
const MAX_CONTROLLER = 250;

export const ingress: AnyKindRules = kindRules<Ingress>({
  kind: { group: "networking.k8s.io", kind: "Ingress" },
  resource: "ingresses",
  namespaced: true,
  unconditionalUpdate: true,
  drops: [STATUS],
  keeps: [STATUS],
  generation: [SPEC],
  validate(object, at) {
    wholeIngress(object, at);
    const annotated = object.metadata?.annotations?.[CLASS];
    const name = object.spec?.ingressClassName;
    if (annotated !== undefined && name !== undefined && annotated !== name) {
      at.child("annotations", CLASS).invalid(annotated, "must match `ingressClassName` when both are specified");
    }
  },
  validateUpdate(object, old, at) {
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    wholeIngress(object, at);
  },
  warnOnCreate(object) {
    if (object.metadata?.annotations?.[CLASS] === undefined || object.spec?.ingressClassName !== undefined) return [];
    const text = `annotation "${CLASS}" is deprecated, please use 'spec.ingressClassName' instead`;
    return [{ text, path: fieldPath("metadata", "annotations").key(CLASS) }];
  },
  subresources: {
    status: {
      keeps: [SPEC],
      validateUpdate(object, old, at) {
        metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
        const before = (old.status?.loadBalancer?.ingress ?? [])
          .map((ingressLoadBalancerIngress) => ingressLoadBalancerIngress.ip ?? "")
          .filter((ip) => ip !== "");
        at.child("status", "loadBalancer", "ingress").each(
          object.status?.loadBalancer?.ingress,
          ({ ip, hostname }, each) => {
            if (ip) legacyIp(ip, each.child("ip"), before);
            if (!hostname) return;
            each.child("hostname").check(hostname, checkDns1123Subdomain);
            if (parseIp(hostname)) each.child("hostname").invalid(hostname, NOT_AN_IP);
          },
        );
      },
      warnOnUpdate: (object, _old, by) =>
        (object.status?.loadBalancer?.ingress ?? []).flatMap(({ ip }, i) =>
          ip ? ipWarnings(ip, fieldPath("status", "loadBalancer", "ingress").index(i), by) : [],
        ),
    },
  },
});

function wholeIngress(object: Ingress, at: ValidatedField): void {
  metadata(object.metadata, { namespaced: true, name: checkDns1123Subdomain }, at.child("metadata"));
  ingressSpec(object.spec ?? {}, at.child("spec"));
}

function ingressSpec(spec: IngressSpec, at: ValidatedField): void {
  if (!spec.rules?.length && !spec.defaultBackend) {
    at.invalid(
      new JsonShown(givenPart(spec, "rules", []), "[]networking.IngressRule"),
      "either `defaultBackend` or `rules` must be specified",
    );
  }
  if (spec.defaultBackend) backend(spec.defaultBackend, at.child("defaultBackend"));
  at.child("rules").each(spec.rules, ({ host, http }, each) => {
    if (host) ruleHost(host, each.child("host"));
    if (!http) return;
    each.child("http", "paths").mustExist(http.paths);
    each.child("http", "paths").each(http.paths, (path, place) => httpPath(path, place));
  });
  at.child("tls").each(spec.tls, (tls, each) => {
    each.child("hosts").each(tls.hosts, (host, place) => hostName(host, place));
    each.child("secretName").mayBe(tls.secretName, checkDns1123Subdomain);
  });
  if (spec.ingressClassName !== undefined) {
    at.child("ingressClassName").check(spec.ingressClassName, checkDns1123Subdomain);
  }
}

function ruleHost(host: string, at: ValidatedField): void {
  if (parseIp(host)) at.invalid(host, NOT_AN_IP);
  hostName(host, at);
}

function hostName(host: string, at: ValidatedField): void {
  at.check(host, host.includes("*") ? checkWildcardDns1123Subdomain : checkDns1123Subdomain);
}

function httpPath(given: HTTPIngressPath, at: ValidatedField): void {
  const { path = "", pathType } = given;
  if (pathType == null) {
    at.child("pathType").required("pathType must be specified");
    return;
  }
  const place = at.child("path");
  const isAbsolute = path.startsWith("/");
  switch (pathType) {
    case "Exact":
    case "Prefix":
      if (!isAbsolute) place.invalid(path, "must be an absolute path");
      for (const part of BAD_PARTS) if (path.includes(part)) place.invalid(path, `must not contain '${part}'`);
      for (const end of BAD_ENDS) if (path.endsWith(end)) place.invalid(path, `cannot end with '${end}'`);
      break;
    case "ImplementationSpecific":
      if (path !== "" && !isAbsolute) place.invalid(path, "must be an absolute path");
      break;
    default:
      at.child("pathType").unsupported(pathType, ["Exact", "ImplementationSpecific", "Prefix"]);
  }
  backend(given.backend ?? {}, at.child("backend"));
}

function backend(given: IngressBackend, at: ValidatedField): void {
  const { resource, service } = given;
  if (resource && service) at.invalid("", "cannot set both resource and service backends");
  else if (resource) reference(resource, at.child("resource"));
  else if (service) {
    const { name, number } = service.port ?? {};
    at.child("service", "name").mustBe(service.name, serviceName(at.by));
    if (name && number) at.invalid("", "cannot set both port name & port number");
    else if (name) at.child("service", "port", "name").check(name, checkPortName);
    else if (number) portNumber(number, at.child("service", "port", "number"));
    else at.required("port name or number is required");
  } else at.invalid("", "resource or service backend is required");
}

interface Reference {
  readonly apiGroup?: string | null | undefined;
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
}

function reference(given: Reference, at: ValidatedField): void {
  if (given.apiGroup != null) at.child("apiGroup").check(given.apiGroup, checkDns1123Subdomain);
  for (const field of ["kind", "name"] as const) {
    const value = given[field];
    if (value) at.child(field).check(value, checkPathSegmentName);
    else at.child(field).required(at.by.since(34) ? "" : `${field} is required`);
  }
}

export const ingressClass: AnyKindRules = kindRules<IngressClass>({
  kind: { group: "networking.k8s.io", kind: "IngressClass" },
  resource: "ingressclasses",
  namespaced: false,
  unconditionalUpdate: true,
  generation: [SPEC],
  validate: wholeClass,
  validateUpdate(object, old, at) {
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    at.child("spec", "controller").immutable(object.spec?.controller, old.spec?.controller, (value) => value ?? "");
    wholeClass(object, at);
  },
});

function wholeClass(object: IngressClass, at: ValidatedField): void {
  metadata(object.metadata, { namespaced: false, name: checkDns1123Subdomain }, at.child("metadata"));
  classSpec(object.spec ?? {}, at.child("spec"));
}

function classSpec(spec: IngressClassSpec, at: ValidatedField): void {
  const controller = spec.controller ?? "";
  if (controller.length > MAX_CONTROLLER) at.child("controller").tooLong(MAX_CONTROLLER);
  domainPrefixedPath(controller, at.child("controller"));
  if (spec.parameters) parameters(spec.parameters, at.child("parameters"));
}

function parameters(given: IngressClassParametersReference, at: ValidatedField): void {
  reference(given, at);
  const { scope, namespace } = given;
  const place = at.child("namespace");
  if (scope == null) at.child("scope").required();
  else if (scope === "Namespace") {
    if (namespace == null) place.required("`parameters.scope` is set to 'Namespace'");
    else place.check(namespace, checkDns1123Label);
  } else if (scope === "Cluster") {
    if (namespace != null) place.forbidden("`parameters.scope` is set to 'Cluster'");
  } else at.child("scope").unsupportedText(scope, ["Cluster", "Namespace"]);
}
