// NetworkPolicies.

import type {
  IPBlock,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from "../../api/generated/networking-v1.ts";
import type { Emulation } from "../../emulation.ts";
import { JsonShown } from "../../field-error.ts";
import { type FieldPath, fieldPath } from "../../field-path.ts";
import { checkDns1123Subdomain, checkPortName } from "../../names.ts";
import type { Warning } from "../../warning.ts";
import { cidrWarnings, legacyCidr, networkOf, parseCidr } from "../checks/ip.ts";
import { metadata, metadataUpdate } from "../checks/metadata.ts";
import { portNumber } from "../checks/ports.ts";
import { labelSelector } from "../checks/selectors.ts";
import type { ValidatedField } from "../field.ts";
import { type AnyKindRules, kindRules, SPEC } from "../rules.ts";

const TYPES: readonly string[] = ["Ingress", "Egress"];
/** Rules and the field with the other side. */
const DIRECTIONS = [
  ["ingress", "from"],
  ["egress", "to"],
] as const;

export const networkPolicy: AnyKindRules = kindRules<NetworkPolicy>({
  kind: { group: "networking.k8s.io", kind: "NetworkPolicy" },
  resource: "networkpolicies",
  namespaced: true,
  unconditionalUpdate: true,
  generation: [SPEC],
  generationCounts: "empty",
  validate(object, at) {
    metadata(object.metadata, { namespaced: true, name: checkDns1123Subdomain }, at.child("metadata"));
    policySpec(object.spec ?? {}, [], at.child("spec"));
  },
  validateUpdate(object, old, at) {
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    const known = peersOf(old.spec ?? {}).flatMap(({ ipBlock }) =>
      ipBlock ? [ipBlock.cidr ?? "", ...(ipBlock.except ?? [])] : [],
    );
    policySpec(object.spec ?? {}, known, at.child("spec"));
    // Older servers look at the whole object and at its update, and report what both find twice.
    if (at.by.before(36)) policySpec(object.spec ?? {}, known, at.child("spec"));
  },
  warnOnCreate: warnings,
  warnOnUpdate: (object, _old, by) => warnings(object, by),
});

interface Rule {
  readonly ports?: readonly NetworkPolicyPort[] | undefined;
  readonly from?: readonly NetworkPolicyPeer[] | undefined;
  readonly to?: readonly NetworkPolicyPeer[] | undefined;
}

function peersOf(spec: NetworkPolicySpec): readonly NetworkPolicyPeer[] {
  return DIRECTIONS.flatMap(([list, side]) => (spec[list] ?? []).flatMap((rule: Rule) => rule[side] ?? []));
}

function policySpec(spec: NetworkPolicySpec, known: readonly string[], at: ValidatedField): void {
  labelSelector(spec.podSelector, at.child("podSelector"));
  for (const [list, side] of DIRECTIONS) {
    at.child(list).each<Rule>(spec[list], (rule, each) => {
      each.child("ports").each(rule.ports, (networkPolicyPort, place) => port(networkPolicyPort, place));
      each.child(side).each(rule[side], (networkPolicyPeer, place) => peer(networkPolicyPeer, known, place));
    });
  }
  const types = spec.policyTypes ?? [];
  const place = at.child("policyTypes");
  if (types.length > TYPES.length) {
    place.invalid(new JsonShown(types, "[]networking.PolicyType"), "may not specify more than two policyTypes");
    return;
  }
  place.each(types, (type, each) => each.oneOf(type, TYPES));
}

function port(given: NetworkPolicyPort, at: ValidatedField): void {
  const { protocol, port: start, endPort: end } = given;
  at.child("protocol").mayBeOneOf(protocol, ["TCP", "UDP", "SCTP"]);
  const last = at.child("endPort");
  if (start === undefined) {
    if (end !== undefined) last.invalid(end, "may not be specified when `port` is not specified");
  } else if (typeof start === "string") {
    if (end !== undefined) last.invalid(end, "may not be specified when `port` is non-numeric");
    at.child("port").check(start, checkPortName);
  } else {
    portNumber(start, at.child("port"));
    if (end === undefined) return;
    if (end < start) last.invalid(at.by.since(37) ? end : start, "must be greater than or equal to `port`");
    portNumber(end, last);
  }
}

function peer(given: NetworkPolicyPeer, known: readonly string[], at: ValidatedField): void {
  const { podSelector, namespaceSelector, ipBlock } = given;
  labelSelector(podSelector, at.child("podSelector"));
  labelSelector(namespaceSelector, at.child("namespaceSelector"));
  if (ipBlock) block(ipBlock, known, at.child("ipBlock"));
  if (!podSelector && !namespaceSelector && !ipBlock) at.required("must specify a peer");
  else if (ipBlock && (podSelector || namespaceSelector)) at.forbidden("may not specify both ipBlock and another peer");
}

function block(given: IPBlock, known: readonly string[], at: ValidatedField): void {
  if (!given.cidr) {
    at.child("cidr").required();
    return;
  }
  legacyCidr(given.cidr, at.child("cidr"), known);
  const whole = parseCidr(given.cidr);
  if (whole === undefined) return;
  at.child("except").each(given.except, (text, each) => {
    legacyCidr(text, each, known);
    const part = parseCidr(text);
    if (part === undefined) return;
    const first = networkOf(part);
    const isWithin =
      first.family === whole.ip.family && networkOf({ ...whole, ip: first }).bits === networkOf(whole).bits;
    if (!isWithin || whole.prefix >= part.prefix) each.invalid(text, "must be a strict subset of `cidr`");
  });
}

function warnings(object: NetworkPolicy, by: Emulation): Warning[] {
  return DIRECTIONS.flatMap(([list, side]) =>
    (object.spec?.[list] ?? []).flatMap((rule: Rule, i: number) =>
      (rule[side] ?? []).flatMap((networkPolicyPeer, j) =>
        networkPolicyPeer.ipBlock
          ? blockWarnings(
              networkPolicyPeer.ipBlock,
              fieldPath("spec", list).index(i).child(side).index(j).child("ipBlock"),
              by,
            )
          : [],
      ),
    ),
  );
}

function blockWarnings(given: IPBlock, at: FieldPath, by: Emulation): Warning[] {
  return [
    ...cidrWarnings(given.cidr, at.child("cidr"), by),
    ...(given.except ?? []).flatMap((text, i) => cidrWarnings(text, at.child("except").index(i), by)),
  ];
}
