// PriorityLevelConfigurations: the number of requests of a level that run at once, and the treatment of the others.

import { semanticEqual } from "@celadon/base";
import type {
  ExemptPriorityLevelConfiguration,
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from "../../api/generated/flowcontrol-v1.ts";
import { checkDns1123Subdomain } from "../../names.ts";
import { metadata } from "../checks/metadata.ts";
import type { ValidatedField } from "../field.ts";
import { type AnyKindRules, kindRules, SPEC, STATUS } from "../rules.ts";
import { shownAs } from "../show/internal.ts";
import { statusEndpoint, typesOnce } from "./conditions.ts";

const EXEMPT = "exempt";
const MAX_QUEUES = 10_000_000;
/** Bits of a request's hash that deal it a hand of queues. */
const MAX_HASH_BITS = 60;
const ZERO_SHARES = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares";

export const priorityLevel: AnyKindRules = kindRules<PriorityLevelConfiguration>({
  kind: { group: "flowcontrol.apiserver.k8s.io", kind: "PriorityLevelConfiguration" },
  resource: "prioritylevelconfigurations",
  namespaced: false,
  unconditionalUpdate: true,
  drops: [STATUS],
  keeps: [STATUS],
  generation: [SPEC],
  validate: (object, at) => wholeLevel(object, at),
  validateUpdate: (object, _old, at) => wholeLevel(object, at),
  subresources: { status: statusEndpoint() },
});

/** The level of requests that match no other. */
const CATCH_ALL: PriorityLevelConfigurationSpec = {
  type: "Limited",
  limited: { nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: { type: "Reject" } },
};

function wholeLevel(object: PriorityLevelConfiguration, at: ValidatedField): void {
  const { metadata: meta, spec = {} } = object;
  metadata(meta, { namespaced: false, name: checkDns1123Subdomain }, at.child("metadata"));
  if (meta?.annotations?.[ZERO_SHARES] !== undefined) {
    at.child("metadata", "annotations").forbidden(`annotation '${ZERO_SHARES}' is forbidden`);
  }
  levelSpec(spec, meta?.name ?? "", at.child("spec"));
  mandatory(spec, meta?.name, at.child("spec"));
  typesOnce(object, at);
}

/** Levels that a server cannot be without; of the exempt one, shares may change. */
function mandatory(spec: PriorityLevelConfigurationSpec, name: string | undefined, at: ValidatedField): void {
  const shown = (): unknown => shownAs("flowcontrol.PriorityLevelConfigurationSpec", spec);
  if (name === EXEMPT && (spec.type !== "Exempt" || spec.limited !== undefined)) {
    at.invalid(shown(), `spec of '${EXEMPT}' except the 'spec.exempt' field must equal the fixed value`);
  }
  if (name === "catch-all" && !semanticEqual(spec, CATCH_ALL)) {
    at.invalid(shown(), `spec of '${name}' must equal the fixed value`);
  }
}

function levelSpec(spec: PriorityLevelConfigurationSpec, name: string, at: ValidatedField): void {
  if ((name === EXEMPT) !== (spec.type === "Exempt")) {
    const named = at.by.since(34)
      ? "must be 'Exempt' if and only if `name` is 'exempt'"
      : "type must be 'Exempt' if and only if name is 'exempt'";
    at.child("type").invalid(spec.type ?? "", named);
  }
  if (spec.type === "Exempt") {
    if (spec.limited !== undefined) unused(at.child("limited"), "must be nil if the type is not Limited");
    exempt(spec.exempt ?? {}, at.child("exempt"));
  } else if (spec.type === "Limited") {
    if (spec.exempt !== undefined) unused(at.child("exempt"), "must be nil if the type is Limited");
    at.child("limited").mustBeDeclared(spec.limited, "must not be empty when type is Limited");
    if (spec.limited !== undefined) limited(spec.limited, at.child("limited"));
  } else {
    at.child("type").mustBeOneOf(spec.type, ["Exempt", "Limited"]);
    for (const other of ["exempt", "limited"] as const) onlyOfType(spec[other], at.child(other));
  }
}

/** A field of another type: declared rules forbid it for every type. */
function onlyOfType(value: unknown, at: ValidatedField): void {
  if (value !== undefined && at.by.since(37)) at.declared.forbidden("");
}

/** A field that the type leaves no room for; declared since 1.37, without the reason. */
function unused(at: ValidatedField, detail: string): void {
  at.declared.forbidden(at.by.since(37) ? "" : detail);
}

function exempt(given: ExemptPriorityLevelConfiguration, at: ValidatedField): void {
  shares(given.nominalConcurrencyShares ?? 0, at.child("nominalConcurrencyShares"));
  at.child("lendablePercent").within(given.lendablePercent, 0, 100);
}

function limited(given: LimitedPriorityLevelConfiguration, at: ValidatedField): void {
  shares(given.nominalConcurrencyShares ?? 0, at.child("nominalConcurrencyShares"));
  response(given.limitResponse ?? {}, at.child("limitResponse"));
  at.child("lendablePercent").within(given.lendablePercent, 0, 100);
  const limit = given.borrowingLimitPercent ?? 0;
  if (limit < 0) at.child("borrowingLimitPercent").invalid(limit, "if specified, must be a non-negative integer");
}

function shares(value: number, at: ValidatedField): void {
  if (value < 0) at.invalid(value, "must be a non-negative integer");
}

function response(given: LimitResponse, at: ValidatedField): void {
  if (given.type === "Reject") {
    const detail = "must be nil if limited.limitResponse.type is not Limited";
    if (given.queuing !== undefined) unused(at.child("queuing"), detail);
  } else if (given.type === "Queue") {
    const missing = "must not be empty if limited.limitResponse.type is Limited";
    at.child("queuing").mustBeDeclared(given.queuing, missing);
    if (given.queuing !== undefined) queuing(given.queuing, at.child("queuing"));
  } else {
    if (at.by.since(36)) at.child("type").mustBeOneOf(given.type, ["Queue", "Reject"]);
    else at.child("type").oneOf(given.type, ["Queue", "Reject"]);
    onlyOfType(given.queuing, at.child("queuing"));
  }
}

function queuing(given: QueuingConfiguration, at: ValidatedField): void {
  const { queues = 0, handSize = 0, queueLengthLimit = 0 } = given;
  if (queueLengthLimit <= 0) at.child("queueLengthLimit").invalid(queueLengthLimit, "must be positive");
  if (queues <= 0) at.child("queues").invalid(queues, "must be positive");
  else if (queues > MAX_QUEUES) at.child("queues").invalid(queues, `must not be greater than ${MAX_QUEUES}`);
  const problem = handProblem(queues, handSize);
  if (problem !== undefined) at.child("handSize").invalid(handSize, problem);
}

function handProblem(queues: number, handSize: number): string | undefined {
  if (handSize <= 0) return "must be positive";
  if (handSize > queues) return `should not be greater than queues (${queues})`;
  const bits = Math.ceil(Math.log2(queues) * handSize);
  if (bits <= MAX_HASH_BITS) return undefined;
  return `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${MAX_HASH_BITS}`;
}
