// An explanation as lines: the steps to the result of every policy, rule, webhook and certificate policy, and the reason for those that do
// not apply. Lines have the places they are about.

import { refusalText } from "@celadon/admission";
import { type ExplainedExpression, expressionList, expressionPath } from "@celadon/admission/explain";
import { type DataPath, dataPathText, type Explained, type ExplainedNode } from "@celadon/cel/explain";
import { requestPath } from "@celadon/certpolicy";
import { onlyParams, type SimulatedCluster } from "@celadon/simulator";
import {
  blameOf,
  type ExplainedPolicy,
  failedVariable,
  messagesAfterTheirs,
  type OutcomeExplanation,
  oneLine,
  ruleName,
  throughVariables,
  treeLines,
  type VariableTrees,
  variableTrees,
} from "@celadon/simulator/explain";
import type { Manifest } from "@celadon/simulator/manifests";
import type { ExplainedLine, Spot, Tone } from "../model/answer.ts";
import { failuresFirst } from "./failures-first.ts";
import { percent } from "./numbers.ts";
import type { Places, Roots } from "./places.ts";

/** The place of an expression: of all of it, or of a part. */
type ExpressionSpots = (start?: number, end?: number) => readonly Spot[];

/** Follows a path of an expression's data. */
type Follow = (path: DataPath) => DataPath | undefined;

export function explanationLines(
  explanation: OutcomeExplanation,
  manifests: { readonly object?: Manifest | undefined; readonly oldObject?: Manifest | undefined },
  simulated: SimulatedCluster,
  places: Places,
): readonly ExplainedLine[] {
  return failuresFirst(new Explainer(explanation, manifests, simulated, places).lines());
}

class Explainer {
  readonly #explanation: OutcomeExplanation;
  readonly #simulated: SimulatedCluster;
  readonly #places: Places;
  readonly #lines: ExplainedLine[] = [];
  #roots: Roots;

  constructor(explanation: OutcomeExplanation, roots: Roots, simulated: SimulatedCluster, places: Places) {
    this.#explanation = explanation;
    this.#roots = roots;
    this.#simulated = simulated;
    this.#places = places;
  }

  lines(): readonly ExplainedLine[] {
    this.#server();
    this.#rules();
    const { policies } = this.#explanation;
    for (const policy of policies.filter(({ applied }) => applied)) this.#policy(policy);
    this.#webhooks();
    this.#certificate();
    for (const policy of policies.filter(({ applied }) => !applied)) this.#policy(policy);
    return this.#lines;
  }

  /** Adds the server's own messages: of reading, of the kind's own validation, of a definition's schema. */
  #server(): void {
    const { problems } = this.#explanation.outcome;
    const own = problems.filter(({ system }) => system === "schema" || system === "validation");
    if (own.length === 0) return;
    this.#group("The API server itself", own.some(({ level }) => level === "deny") ? "bad" : "warn", []);
    for (const { level, message, path } of own) {
      this.#lines.push({
        level: 2,
        role: "message",
        tone: level === "deny" ? "bad" : "warn",
        text: message,
        spots: path === undefined ? [] : this.#places.field(this.#roots.object, path),
      });
    }
  }

  #group(text: string, tone: Tone, spots: readonly Spot[], note?: string): void {
    this.#lines.push({ level: 1, role: "group", tone, text, spots, ...(note !== undefined && { note }) });
  }

  #policy(explained: ExplainedPolicy): void {
    const { kind, policy, applied, refusals, error, expressions } = explained;
    const { outcome } = this.#explanation;
    this.#roots = { ...this.#roots, params: onlyParams(this.#simulated, explained, outcome) };
    const spots = this.#places.expression(kind, policy, ["metadata", "name"]);
    const isMutating = kind === "MutatingAdmissionPolicy";
    // A match condition that excludes a reinvocation is no failure.
    const failed = expressions.some(
      ({ kind: of, value, error: own }) =>
        own !== undefined || (value === false && !(isMutating && of === "matchCondition")),
    );
    const what = isMutating ? "Mutating policy" : "Policy";
    const denies = outcome.problems.some(({ by, level }) => by?.name === policy && level === "deny");
    const tone = !applied ? "none" : denies || error !== undefined ? "bad" : failed ? "warn" : "good";
    this.#group(`${what} ${policy}`, tone, spots, applied ? undefined : "does not apply");
    if (error !== undefined) this.#aside(`error: ${error}`, "bad");
    for (const { binding, text } of refusals) {
      const at = binding === undefined ? [] : this.#bindingSpots(kind, binding);
      this.#aside(`${binding === undefined ? "" : `binding ${binding}: `}${text}`, "none", at);
    }
    const told = new Set<string>();
    const rounds =
      isMutating && this.#simulated.manifests("mutatingBinding").length === 1 ? new Set<string>() : undefined;
    for (const message of messagesAfterTheirs(expressions)) {
      const variables = variableTrees(expressions.slice(0, expressions.indexOf(message) + 1));
      const spotsOf = this.#of(kind, policy, expressionPath(message.kind, message.index));
      const name = message.name === undefined ? `[${message.index}]` : ` ${message.name}`;
      const isAgain = rounds?.has(`${message.kind} ${message.index}`) === true;
      rounds?.add(`${message.kind} ${message.index}`);
      const label = `${expressionList(message.kind)}${name}${message.kind === "messageExpression" ? " message" : ""}${isAgain ? ", reinvoked" : ""}`;
      const follow: Follow = (path) => throughVariables(path, variables);
      this.#expression(label, message, message.shareOfBudget, "budget", spotsOf, follow);
      if (message.value === false) this.#behindVariables(message.tree, variables);
      for (const variable of message.variables) this.#variable(kind, policy, variable, told, follow);
    }
  }

  #bindingSpots(kind: string, name: string): readonly Spot[] {
    const role = kind === "MutatingAdmissionPolicy" ? "mutatingBinding" : "binding";
    const manifest = this.#simulated.manifests(role).find(({ object }) => object.metadata?.name === name);
    return this.#places.field(manifest, ["metadata", "name"]);
  }

  #of(kind: string, name: string, path: readonly (string | number)[]): ExpressionSpots {
    return (start, end) => this.#places.expression(kind, name, path, start, end);
  }

  #aside(text: string, tone: Tone, spots: readonly Spot[] = []): void {
    this.#lines.push({ level: 2, role: "aside", tone, text, spots });
  }

  #expression(
    label: string,
    explained: Explained,
    share: number,
    of: "budget" | "limit",
    spotsOf: ExpressionSpots,
    follow: Follow,
    tolerated = false,
  ): void {
    const { value, error, cost, tree, expression } = explained;
    const isText = value !== undefined && typeof value !== "boolean";
    const good = error === undefined && value !== false;
    const failed = error === undefined ? undefined : failedVariable(tree);
    const why = failed === undefined ? error : `variables.${failed} fails`;
    this.#lines.push({
      level: 2,
      role: "expression",
      tone: tolerated ? "warn" : isText ? "none" : good ? "good" : "bad",
      text: oneLine(expression),
      value: why === undefined ? (explained.shown ?? "") : `error: ${why}`,
      note: `${label} · cost ${cost.toLocaleString("en")}, ${percent(share)} of the ${of}${tolerated ? " · accepted by ratcheting: the value has not changed" : ""}`,
      spots: spotsOf(),
      closed: good || tolerated,
    });
    if (failed === undefined) this.#tree(tree, 3, spotsOf, follow);
  }

  #tree(tree: ExplainedNode, level: number, spotsOf: ExpressionSpots, follow: Follow): void {
    for (const { depth, role, text, shown, error, passedOn, dataPath, start, end } of treeLines(tree)) {
      const data = dataPath && this.#places.data(follow(dataPath), this.#roots);
      const value = error === undefined ? shown : passedOn ? "error" : `error: ${error}`;
      const isPart = role === "part";
      this.#lines.push({
        level: level + depth,
        role: isPart ? "part" : role === "deciding" ? "deciding" : "aside",
        tone:
          error !== undefined || (isPart && shown === "false") ? "bad" : isPart && shown === "true" ? "good" : "none",
        text: role === "deciding" ? `decided by ${text}` : text,
        ...(value !== undefined && { value }),
        ...(role === "unevaluated" && { note: "not evaluated" }),
        spots: [...(role === "deciding" ? [] : spotsOf(start, end)), ...(data ?? [])],
      });
    }
  }

  /** The element that decided, where the expression reads only variables that were computed: its own tree has no place to show. */
  #behindVariables(tree: ExplainedNode, variables: VariableTrees): void {
    const path = blameOf(tree, variables);
    if (path === undefined) return;
    const spots = this.#places.data(path, this.#roots);
    const known = this.#lines.slice(-20).some(({ spots: told }) => told.some((spot) => spot.from === spots[0]?.from));
    if (spots.length === 0 || known) return;
    const text = `decided by ${dataPathText(path)}`;
    this.#lines.push({ level: 3, role: "deciding", tone: "none", text, spots });
  }

  /** With variables that it read itself; once, unless other params changed its value. */
  #variable(kind: string, policy: string, variable: ExplainedExpression, told: Set<string>, follow: Follow): void {
    const key = JSON.stringify([variable.index, variable.error ?? null, variable.shown]);
    if (told.has(key)) return;
    told.add(key);
    const failed = failedVariable(variable.tree);
    const error = failed === undefined ? (variable.tree.error ?? variable.error) : `variables.${failed} fails`;
    const spotsOf = this.#of(kind, policy, ["spec", "variables", variable.index, "expression"]);
    this.#lines.push({
      level: 3,
      role: "part",
      tone: variable.error === undefined ? "none" : "bad",
      text: `variables.${variable.name} = ${oneLine(variable.expression)}`,
      value: variable.error === undefined ? (variable.shown ?? "") : `error: ${error}`,
      spots: spotsOf(),
      closed: true,
    });
    if (failed === undefined) this.#tree(variable.tree, 4, spotsOf, follow);
    for (const read of variable.variables) this.#variable(kind, policy, read, told, follow);
  }

  #rules(): void {
    const { rules } = this.#explanation;
    if (rules === undefined) return;
    const { definition, version } = rules;
    const isBad = rules.expressions.some(
      (expression) => !expression.unchanged && (expression.value === false || expression.error !== undefined),
    );
    const spots = this.#places.expression("CustomResourceDefinition", definition, ["metadata", "name"]);
    const total = `cost ${rules.cost.toLocaleString("en")}, ${percent(rules.cost / rules.budget)} of the budget`;
    this.#group(`Rules of ${definition} ${version}`, isBad ? "bad" : "good", spots, total);
    for (const expression of rules.expressions) {
      const spotsOf: ExpressionSpots = (start, end) => this.#places.rule(definition, version, expression, start, end);
      const tolerated = expression.unchanged === true && expression.value === false;
      this.#expression(
        ruleName(expression),
        expression,
        expression.shareOfBudget,
        "budget",
        spotsOf,
        (path) => path,
        tolerated,
      );
    }
    for (const place of rules.skipped) {
      const at = this.#places.rule(definition, version, place);
      this.#aside(`${ruleName(place)}: skipped, there is no old value`, "none", at);
    }
  }

  #webhooks(): void {
    for (const selection of this.#explanation.outcome.webhooks) {
      const { configuration, webhook, mutating } = selection.webhook;
      const kind = mutating ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration";
      const manifest = this.#places.resource(kind, configuration);
      const spec = manifest?.object as { webhooks?: readonly { name?: string }[] } | undefined;
      const index = spec?.webhooks?.findIndex(({ name }) => name === webhook.name) ?? -1;
      const spots = index === -1 ? [] : this.#places.field(manifest, ["webhooks", index, "name"]);
      const called = selection.outcome === "call";
      const tone = called ? "good" : selection.outcome === "refused" ? "none" : "bad";
      this.#group(`Webhook ${webhook.name}`, tone, spots, called ? "would be called" : "would not be called");
      const { webhookConditions } = this.#explanation;
      const conditions = webhookConditions.filter(
        ({ owner }) => owner.kind === kind && owner.name === configuration && owner.webhook?.name === webhook.name,
      );
      if (selection.outcome === "refused" && conditions.length === 0)
        this.#aside(refusalText(selection.refusal), "none");
      if (selection.outcome === "rejected") this.#aside(`fails the request: ${selection.status.message ?? ""}`, "bad");
      for (const condition of conditions) {
        const path = expressionPath(condition.kind, condition.index, condition.owner.webhook);
        const label = `matchConditions ${condition.name ?? condition.index}`;
        this.#expression(
          label,
          condition,
          condition.shareOfBudget,
          "budget",
          this.#of(kind, configuration, path),
          (at) => at,
        );
      }
    }
  }

  #certificate(): void {
    const { outcome, certificateRules } = this.#explanation;
    const { certificate } = outcome;
    if (certificate === undefined || certificate.result === "Error") return;
    for (const policy of certificate.policies) {
      const spots = this.#places.expression("CertificateRequestPolicy", policy.policy, ["metadata", "name"]);
      const tone = policy.outcome === "approves" ? "good" : policy.outcome === "denies" ? "bad" : "none";
      const note =
        policy.outcome === "not applicable"
          ? "does not apply"
          : policy.outcome === "not evaluated"
            ? "not evaluated: already approved"
            : policy.outcome;
      this.#group(`Certificate policy ${policy.policy}`, tone, spots, note);
      if (policy.outcome === "not applicable") this.#aside(policy.refusal.message, "none");
      if (policy.outcome === "denies") {
        for (const { evaluation } of policy.answers) {
          if (evaluation.result === "Denied") this.#aside(evaluation.message, "bad");
        }
      }
      for (const rule of certificateRules) {
        if (rule.policy !== policy.policy) continue;
        const label = `${rule.fieldPath.replace(/^spec\.allowed\./, "")} on ${rule.self}`;
        const spotsOf = this.#of("CertificateRequestPolicy", rule.policy, [...rule.path, "rule"]);
        this.#expression(label, rule, rule.shareOfLimit, "limit", spotsOf, requestPath);
      }
    }
  }
}
