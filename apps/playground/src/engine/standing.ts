// Whether a policy, rule or webhook of the policy text was evaluated at all. An object that no policy was evaluated for is not "allowed" by it: a misspelt kind, a policy
// without a binding, and one that does not match say so, with the change that mends it where there is one.

import { valueAt } from "@celadon/base";
import { gvkOf, nameOf } from "@celadon/kube";
import { kindProblemText, kindServed } from "@celadon/kube/types";
import { appliedOf, mutatingApplied, type Outcome, type SimulatedCluster } from "@celadon/simulator";
import { type Manifest, roleOf } from "@celadon/simulator/manifests";
import type { Remedy, ShownVerdict } from "../model/answer.ts";
import type { Session } from "./session.ts";

/** The verdict in place of "Allowed", or undefined where something decided. */
export function standingOf(session: Session, simulated: SimulatedCluster, outcome: Outcome): ShownVerdict | undefined {
  const misspelt = misspeltIn(session, outcome);
  if (misspelt !== undefined) return misspelt;
  switch (session.mode) {
    case "validating":
      return ofPolicies(session, simulated, outcome, "policy");
    case "mutating":
      return ofPolicies(session, simulated, outcome, "mutatingPolicy");
    case "crd":
      return ofDefinition(simulated, outcome);
    case "conditions":
      return ofWebhooks(outcome);
    default:
      return undefined;
  }
}

/** Kinds of the policy text that the server does not serve: their documents decide nothing. */
function misspeltIn(session: Session, { request }: Outcome): ShownVerdict | undefined {
  for (const manifest of session.texts.manifests("policy")) {
    const kind = gvkOf(manifest.object);
    const answer = kindServed(kind, session.kubeVersion);
    const nearest = "nearest" in answer ? answer.nearest : undefined;
    // A kind that a definition may serve is one only if it is almost a known one.
    if (answer.code === "served" || (answer.code === "custom" && nearest === undefined)) continue;
    if (request.kind.kind === kind.kind) continue;
    const message = `${kindProblemText(kind, answer) ?? ""}. This document decides nothing.`;
    const field = answer.code === "unknown_kind" ? "kind" : "apiVersion";
    const spot = session.texts.spotOf(manifest, [field]);
    const remedy: Remedy | undefined =
      spot === undefined || nearest === undefined
        ? undefined
        : {
            title: `Change to ${nearest}`,
            text: "policy",
            changes: [{ from: spot.from, to: spot.to, insert: nearest }],
          };
    return { ...NOT_ENFORCED, message, spots: spot === undefined ? [] : [spot], ...(remedy && { remedy }) };
  }
  return undefined;
}

const NOT_ENFORCED = { tone: "warn", title: "Not enforced" } as const;

function ofPolicies(
  session: Session,
  simulated: SimulatedCluster,
  outcome: Outcome,
  role: "policy" | "mutatingPolicy",
): ShownVerdict | undefined {
  const policies = session.texts.manifests("policy").filter(({ object }) => roleOf(object) === role);
  if (policies.length === 0) return { tone: "none", title: "No policy", message: NO_POLICY, spots: [] };
  const unbound = policies.filter((manifest) => !isBound(manifest, simulated, role));
  if (unbound.length > 0) return unboundVerdict(session, simulated, unbound[0]!, role);
  const applied =
    role === "policy"
      ? outcome.policies.verdicts.policies.map((policy) => appliedOf(policy))
      : [...mutatingApplied(outcome.mutated).values()];
  if (applied.some((policy) => policy.applied)) return undefined;
  const reasons = [...new Set(applied.flatMap(({ refusals }) => refusals.map(({ text }) => text)))];
  const why = reasons.length === 1 ? `: ${reasons[0]}` : "";
  const message = `The API server accepts the object without evaluating ${policies.length === 1 ? "the policy" : "a policy"}${why}.`;
  return { tone: "none", title: "No policy applies", message, spots: [] };
}

const NO_POLICY = "There is no policy of this mode in the policy pane, so the API server accepts the object.";

function isBound({ object }: Manifest, simulated: SimulatedCluster, role: "policy" | "mutatingPolicy"): boolean {
  return bindingsOf(simulated, role).some((binding) => policyNameOf(binding) === nameOf(object));
}

const bindingsOf = (simulated: SimulatedCluster, role: "policy" | "mutatingPolicy"): readonly Manifest[] =>
  simulated.manifests(role === "policy" ? "binding" : "mutatingBinding");

function policyNameOf({ object }: Manifest): unknown {
  return valueAt(object, ["spec", "policyName"]);
}

function unboundVerdict(
  session: Session,
  simulated: SimulatedCluster,
  policy: Manifest,
  role: "policy" | "mutatingPolicy",
): ShownVerdict {
  const name = nameOf(policy.object);
  const dangling = bindingsOf(simulated, role).find((binding) => {
    const other = policyNameOf(binding);
    return !simulated.manifests(role).some(({ object }) => nameOf(object) === other);
  });
  const spot = session.texts.spotOf(policy, ["metadata", "name"]);
  const spots = spot === undefined ? [] : [spot];
  if (dangling !== undefined) {
    const at = session.texts.spotOf(dangling, ["spec", "policyName"]);
    const message = `No binding names policy ${name}. Binding ${nameOf(dangling.object)} names ${String(policyNameOf(dangling))}, which does not exist.`;
    const remedy: Remedy | undefined = at && {
      title: `Bind ${name}`,
      text: "policy",
      changes: [{ from: at.from, to: at.to, insert: name }],
    };
    return { ...NOT_ENFORCED, message, spots, ...(remedy && { remedy }) };
  }
  const message = `No binding names policy ${name}, so the API server does not evaluate it.`;
  const change = session.bindingFor(policy);
  return {
    ...NOT_ENFORCED,
    message,
    spots,
    ...(change && { remedy: { title: "Add a binding", text: "policy", changes: [change] } }),
  };
}

/** An object of a kind that no definition defines is not validated. */
function ofDefinition(simulated: SimulatedCluster, { request }: Outcome): ShownVerdict | undefined {
  const { group, version, kind } = request.kind;
  if (simulated.typeOf(group, kind) !== undefined) return undefined;
  const definitions = simulated.manifests("definition").length;
  const message =
    definitions === 0
      ? "There is no CustomResourceDefinition in the policy pane."
      : `No CustomResourceDefinition is for ${group === "" ? version : `${group}/${version}`} ${kind}, so its rules are not evaluated.`;
  return { tone: "none", title: "Not validated", message, spots: [] };
}

/** In this mode the question is whether webhooks are called. */
function ofWebhooks({ webhooks }: Outcome): ShownVerdict {
  if (webhooks.length === 0) {
    return {
      tone: "none",
      title: "No webhook",
      message: "There is no webhook configuration in the policy pane.",
      spots: [],
    };
  }
  const called = webhooks.filter(({ outcome }) => outcome === "call").length;
  const one = webhooks.length === 1;
  const title = one
    ? `Webhook is ${called === 1 ? "called" : "not called"}`
    : `${called} of ${webhooks.length} webhooks ${called === 1 ? "is" : "are"} called`;
  return { tone: called > 0 ? "good" : "none", title, spots: [] };
}
