// CertificateSigningRequests: created once, then approved or denied, signed or failed, each through its own endpoint.

import { quoteGo, semanticEqual } from "@celadon/base";
import type {
  CertificateSigningRequest,
  CertificateSigningRequestSpec,
  CertificateSigningRequestCondition as Condition,
} from "../../api/generated/certificates-v1.ts";
import { JsonShown } from "../../field-error.ts";
import { BYTES } from "../../go-syntax.ts";
import { metadata, metadataUpdate } from "../checks/metadata.ts";
import { signerName } from "../checks/signer-name.ts";
import type { ValidatedField } from "../field.ts";
import { type AnyKindRules, kindRules, type Request, SPEC, STATUS } from "../rules.ts";
import { certificateProblem, requestProblem } from "./pem.ts";

const [APPROVED, DENIED, FAILED] = ["Approved", "Denied", "Failed"] as const;
const LEGACY_SIGNER = "kubernetes.io/legacy-unknown";
const MIN_SECONDS = 600;
const USAGES = [
  "any",
  "cert sign",
  "client auth",
  "code signing",
  "content commitment",
  "crl sign",
  "data encipherment",
  "decipher only",
  "digital signature",
  "email protection",
  "encipher only",
  "ipsec end system",
  "ipsec tunnel",
  "ipsec user",
  "key agreement",
  "key encipherment",
  "microsoft sgc",
  "netscape sgc",
  "ocsp signing",
  "s/mime",
  "server auth",
  "signing",
  "timestamping",
];

export const signingRequest: AnyKindRules = kindRules<CertificateSigningRequest>({
  kind: { group: "certificates.k8s.io", kind: "CertificateSigningRequest" },
  resource: "certificatesigningrequests",
  namespaced: false,
  unconditionalUpdate: true,
  keeps: [SPEC, STATUS],
  prepareCreate: withRequester,
  validate: (object, at) => wholeRequest(object, undefined, at),
  validateUpdate: (object, old, at) => requestUpdate(object, old, {}, at),
  subresources: {
    status: {
      keeps: [SPEC],
      prepareUpdate: (object, old, request) =>
        withConditions(object, [APPROVED, DENIED].reduce(keepSame(old), conditionsOf(object)), old, request),
      validateUpdate: (object, old, at) => requestUpdate(object, old, { mayIssue: true }, at),
    },
    approval: {
      keeps: [SPEC, ["status", "certificate"]],
      prepareUpdate: (object, old, request) => withConditions(object, conditionsOf(object), old, request),
      validateUpdate: (object, old, at) => requestUpdate(object, old, { mayApprove: true }, at),
    },
  },
});

/** The requester is the user of the request, even if the object names another. */
function withRequester(object: CertificateSigningRequest, { user }: Request): CertificateSigningRequest {
  const { username: _username, uid: _uid, groups: _groups, extra: _extra, ...spec } = object.spec ?? {};
  const asked: CertificateSigningRequestSpec = {
    ...spec,
    ...(user?.name ? { username: user.name } : {}),
    ...(user?.uid ? { uid: user.uid } : {}),
    ...(user?.groups?.length ? { groups: user.groups } : {}),
    ...(user?.extra && Object.keys(user.extra).length > 0 ? { extra: user.extra } : {}),
  };
  return { ...object, spec: asked, status: {} };
}

function conditionsOf(object: CertificateSigningRequest | undefined): readonly Condition[] {
  return object?.status?.conditions ?? [];
}

function ofType(object: CertificateSigningRequest | undefined, type: string): readonly Condition[] {
  return conditionsOf(object).filter((condition) => condition.type === type);
}

/** Conditions of a type are those of the old object as long as there are as many. */
function keepSame(old: CertificateSigningRequest) {
  return (conditions: readonly Condition[], type: string): readonly Condition[] => {
    const before = [...ofType(old, type)];
    if (conditions.filter((condition) => condition.type === type).length !== before.length) return conditions;
    return conditions.map((condition) => (condition.type === type ? before.shift()! : condition));
  };
}

/** Conditions without times get them: now, or the time of their last change. */
function withConditions(
  object: CertificateSigningRequest,
  conditions: readonly Condition[],
  old: CertificateSigningRequest,
  { now }: Request,
): CertificateSigningRequest {
  if (conditions.length === 0) return object;
  const timed = conditions.map((condition) => {
    const same = conditionsOf(old).find(
      ({ type, status, lastTransitionTime }) =>
        type === condition.type && status === condition.status && lastTransitionTime,
    );
    const lastTransitionTime = condition.lastTransitionTime ?? same?.lastTransitionTime ?? now;
    return { ...condition, lastUpdateTime: condition.lastUpdateTime ?? now, lastTransitionTime };
  });
  return { ...object, status: { ...object.status, conditions: timed } };
}

function wholeRequest(
  object: CertificateSigningRequest,
  old: CertificateSigningRequest | undefined,
  at: ValidatedField,
): void {
  metadata(object.metadata, { namespaced: false, name: () => [] }, at.child("metadata"));
  requestSpec(object.spec ?? {}, old?.spec, at.child("spec"));
  conditions(conditionsOf(object), conditionsOf(old), at.child("status", "conditions"));
  const certificate = object.status?.certificate;
  if (old !== undefined && (certificate ?? "") === (old.status?.certificate ?? "")) return;
  const problem = certificateProblem(certificate);
  if (problem !== undefined && certificateProblem(old?.status?.certificate) === undefined) {
    at.child("status", "certificate").invalid("<certificate data>", problem);
  }
}

function requestSpec(
  spec: CertificateSigningRequestSpec,
  old: CertificateSigningRequestSpec | undefined,
  at: ValidatedField,
): void {
  const problem = requestProblem(spec.request ?? "");
  if (problem !== undefined) at.child("request").invalid(new JsonShown(spec.request ?? null, BYTES), problem);
  usages(spec.usages ?? [], old?.usages ?? [], at.child("usages"));
  const signer = at.child("signerName");
  if (spec.signerName === LEGACY_SIGNER && old?.signerName !== LEGACY_SIGNER) {
    signer.invalid(spec.signerName, "the legacy signerName is not allowed via this API version");
  } else signerName(spec.signerName, signer);
  const seconds = spec.expirationSeconds;
  if (seconds !== undefined && seconds < MIN_SECONDS) {
    at.child("expirationSeconds").invalid(seconds, "may not specify a duration less than 600 seconds (10 minutes)");
  }
}

function usages(list: readonly string[], old: readonly string[], at: ValidatedField): void {
  at.mustExist(list);
  if (old.every((usage) => USAGES.includes(usage))) at.each(list, (usage, each) => each.oneOf(usage, USAGES));
  if (hasRepeated(old)) return;
  at.each(list, (usage, each, i) => {
    if (list.indexOf(usage) < i) each.duplicate(new JsonShown(usage));
  });
}

function hasRepeated(list: readonly unknown[]): boolean {
  return new Set(list).size < list.length;
}

/** Conditions that were wrong before may stay wrong. */
function conditions(list: readonly Condition[], old: readonly Condition[], at: ValidatedField): void {
  const [types, oldTypes] = [list, old].map((each) => each.map(({ type = "" }) => type)) as [string[], string[]];
  const bothBefore = oldTypes.includes(APPROVED) && oldTypes.includes(DENIED);
  at.each(list, (condition, each, i) => {
    const { type = "" } = condition;
    const before = types.slice(0, i);
    if (!oldTypes.includes("")) each.child("type").mustExist(type);
    const onlyTrue = type === APPROVED || type === DENIED || type === FAILED;
    each.child("status").mustBeOneOf(condition.status, onlyTrue ? ["True"] : ["False", "True", "Unknown"]);
    const opposite = type === APPROVED ? DENIED : type === DENIED ? APPROVED : undefined;
    if (!bothBefore && opposite !== undefined && before.includes(opposite)) {
      at.invalid(type, "Approved and Denied conditions are mutually exclusive");
    }
    if (!hasRepeated(oldTypes) && before.includes(type)) each.child("type").duplicate(new JsonShown(type));
  });
}

interface Endpoint {
  readonly mayApprove?: boolean;
  readonly mayIssue?: boolean;
}

function requestUpdate(
  object: CertificateSigningRequest,
  old: CertificateSigningRequest,
  { mayApprove = false, mayIssue = false }: Endpoint,
  at: ValidatedField,
): void {
  wholeRequest(object, old, at);
  const place = at.child("status", "conditions");
  const counts = (type: string): [number, number] => [ofType(object, type).length, ofType(old, type).length];
  for (const type of [APPROVED, DENIED, FAILED]) {
    const [now, before] = counts(type);
    if (now < before) place.forbidden(`updates may not remove a condition of type ${quoteGo(type)}`);
  }
  for (const type of mayApprove ? [] : [APPROVED, DENIED]) {
    const [now, before] = counts(type);
    if (now > before) place.forbidden(`updates may not add a condition of type ${quoteGo(type)}`);
  }
  const before = old.status?.certificate ?? "";
  if (!semanticEqual(object.status?.certificate ?? "", before)) {
    const certificate = at.child("status", "certificate");
    if (!mayIssue) certificate.forbidden("updates may not set certificate content");
    else if (before !== "") certificate.forbidden("updates may not modify existing certificate content");
  }
  metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
}
