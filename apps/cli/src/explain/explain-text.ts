// An explanation as text: the server's answer, then the result of each policy, rule, webhook and certificate policy with its parts, and the
// reason for those that do not apply.

import { refusalText } from "@celadon/admission";
import { type ExplainedExpression, expressionList, expressionPath } from "@celadon/admission/explain";
import { type DataPath, dataPathText, type Explained, type ExplainedNode } from "@celadon/cel/explain";
import type { ExplainedCertificateRule } from "@celadon/certpolicy";
import { mutationsOf, type PolicyName } from "@celadon/simulator";
import {
  blameOf,
  type ExplainedPolicy,
  failedVariable,
  messagesAfterTheirs,
  type OpenVariable,
  oneLine,
  ruleName,
  throughVariables,
  type VariableTrees,
  variablesOf,
  variableTrees,
  writtenLines,
} from "@celadon/simulator/explain";
import { changeText, mutatorText } from "../outcome/mutations.ts";
import { requestSubject, stepsText } from "../outcome/names.ts";
import { startOf } from "../outcome/place.ts";
import { costNumber, shareText } from "../output/numbers.ts";
import type { Paint } from "../output/paint.ts";
import { placeText } from "../output/place-text.ts";
import { subjectText } from "../output/subject-text.ts";
import { unbroken } from "../output/visible.ts";
import type { ExplainedSubject } from "./explained.ts";
import type { DataRoots, Sites } from "./sites.ts";
import { treeLines } from "./tree-text.ts";

export interface ExplainTextOptions {
  readonly paint: Paint;
  readonly sites: Sites;
  /** Also the parts of expressions that are true. */
  readonly verbose: boolean;
  /** Assumptions are printed too. */
  readonly notes: boolean;
}

export function explainText(subject: ExplainedSubject, options: ExplainTextOptions): string {
  return `${new Explainer(subject, options).lines().join("\n")}\n`;
}

const RESULTS = {
  changed: "changed the object",
  unchanged: "changed nothing",
  skipped: "skipped, because a test operation of the patch failed",
  error: "failed",
} as const;

class Explainer {
  readonly #subject: ExplainedSubject;
  readonly #options: ExplainTextOptions;
  readonly #lines: string[] = [];
  #roots: DataRoots;
  /** The variables of the current policy: the values of its variables, and which were shown already. */
  #variables: VariableTrees = new Map();
  readonly #shown = new Set<string>();
  #read: ReadonlyMap<string, ExplainedExpression> = new Map();

  constructor(subject: ExplainedSubject, options: ExplainTextOptions) {
    this.#subject = subject;
    this.#roots = { object: subject.manifest, oldObject: subject.old };
    this.#options = options;
  }

  lines(): readonly string[] {
    this.#head();
    this.#mutations();
    this.#rules();
    for (const policy of this.#subject.policies) this.#policy(policy);
    this.#webhooks();
    this.#certificate();
    return this.#lines;
  }

  #head(): void {
    const { outcome, manifest } = this.#subject;
    const { paint, notes } = this.#options;
    const { request, status } = outcome;
    const start = startOf(manifest);
    const place = start ? paint.dim(`   ${unbroken(start.file)}:${start.line}`) : "";
    const who = unbroken(`${request.operation} by ${request.userInfo?.username ?? ""}`);
    this.#lines.push(`${paint.bold(subjectText(requestSubject(request)))}  ${who}${place}`);
    if (status === undefined) this.#lines.push(paint.green("allowed"));
    else
      this.#lines.push(
        paint.red(`denied, ${status.code} ${status.reason}`),
        unbroken(this.#elided(status.message ?? "")),
      );
    for (const text of outcome.warnings) this.#lines.push(paint.yellow(unbroken(`Warning: ${text}`)));
    for (const problem of outcome.problems) {
      if (problem.system === "schema" || problem.system === "validation")
        this.#lines.push(
          `${problem.level === "deny" ? paint.red("✗") : paint.yellow("!")} ${problem.system}: ${unbroken(problem.message)}`,
        );
    }
    for (const text of notes ? outcome.assumptions : []) this.#lines.push(paint.dim(unbroken(`note: ${text}`)));
  }

  /** The server's message without the expressions that are shown below. */
  #elided(message: string): string {
    return this.#subject.outcome.problems.reduce((text, { by }) => {
      const expression = by?.path === undefined ? undefined : by.expression?.trim();
      if (!expression) return text;
      return text.replaceAll(by?.expression ?? expression, "…").replaceAll(expression, "…");
    }, message);
  }

  /** Each patch, its author, and its changes, which the next one saw. */
  #mutations(): void {
    const { outcome } = this.#subject;
    const { paint } = this.#options;
    const mutations = mutationsOf(outcome);
    if (mutations.length === 0) return;
    this.#title("mutation", undefined);
    for (const mutation of mutations) {
      const { outcome: result, changes, error } = mutation;
      const mark = result === "error" ? paint.red("✗") : result === "changed" ? paint.cyan("~") : paint.dim("·");
      this.#lines.push(`  ${mark} ${mutatorText(mutation)}: ${RESULTS[result]}`);
      if (error !== undefined) this.#lines.push(`      ${paint.red(unbroken(error))}`);
      for (const change of changes) this.#lines.push(`      ${changeText(change, paint)}`);
    }
  }

  #title(text: string, place: string | undefined): void {
    const { paint } = this.#options;
    this.#lines.push("", `${paint.bold(unbroken(text))}${place ? paint.dim(`   ${place}`) : ""}`);
  }

  #policy(explained: ExplainedPolicy): void {
    const { kind, policy, applied, refusals, expressions, error } = explained;
    const { paint, sites } = this.#options;
    const place = sites.policy(explained);
    this.#roots = { ...this.#roots, params: sites.params(explained, this.#subject.outcome) };
    const what = kind === "MutatingAdmissionPolicy" ? "mutating policy" : "policy";
    this.#title(`${what} ${policy}${applied ? "" : " does not apply"}`, place && placeText(place));
    if (error !== undefined) this.#lines.push(`  ${paint.red(unbroken(`error: ${error}`))}`);
    this.#policyProblems(explained);
    for (const { binding, text } of refusals) {
      this.#lines.push(unbroken(`  ${binding === undefined ? "" : `binding ${binding}: `}${text}`));
    }
    this.#shown.clear();
    for (const message of messagesAfterTheirs(expressions)) {
      const before = expressions.slice(0, expressions.indexOf(message) + 1);
      this.#variables = variableTrees(before);
      this.#read = variablesOf(before);
      const path = expressionPath(message.kind, message.index);
      const where = sites.expression(explained, path);
      const name = message.name === undefined ? `[${message.index}]` : ` ${message.name}`;
      this.#expression(
        `${expressionList(message.kind)}${name}${message.kind === "messageExpression" ? " message" : ""}`,
        message,
        where && placeText(where),
      );
      if (message.value === false) this.#behindVariables(message.tree);
      for (const variable of message.variables) this.#variable(explained, variable);
    }
    this.#variables = new Map();
    this.#read = new Map();
  }

  /** Bindings that failed as a whole, and what to do about failures. */
  #policyProblems({ kind, policy }: PolicyName): void {
    const { paint, sites } = this.#options;
    const helps = new Set<string>();
    for (const { by, message, help } of this.#subject.outcome.problems) {
      if (by?.kind !== kind || by.name !== policy) continue;
      if (by.bindingPath !== undefined) {
        const place = sites.speaker(by);
        const where = place === undefined ? "" : paint.dim(`   ${placeText(place)}`);
        this.#lines.push(`  ${paint.red("✗")} ${unbroken(`binding ${by.binding}`)}${where}`);
        this.#lines.push(`      ${paint.red(unbroken(`error: ${message}`))}`);
      }
      if (help === undefined || helps.has(help)) continue;
      helps.add(help);
      this.#lines.push(`${by.bindingPath === undefined ? "  " : "      "}help: ${unbroken(help)}`);
    }
  }

  /** The element that decided, where the expression reads only variables that were computed: its own tree has no place to show. */
  #behindVariables(tree: ExplainedNode): void {
    const { paint, sites } = this.#options;
    const path = blameOf(tree, this.#variables);
    if (path === undefined || this.#readsData(tree)) return;
    const place = sites.data(path, this.#roots);
    this.#lines.push(
      `      ${paint.bold(`decided by ${unbroken(dataPathText(path))}`)}${place ? paint.dim(`   ${place}`) : ""}`,
    );
  }

  #readsData({ dataPath, loop, children }: ExplainedNode): boolean {
    const isPlace = (path: DataPath | undefined): boolean =>
      path !== undefined && throughVariables(path, this.#variables)?.root === "object";
    return isPlace(dataPath) || isPlace(loop?.deciding?.dataPath) || children.some((child) => this.#readsData(child));
  }

  /** The variables whose parts are shown where they are read: false or failed ones, and results of a loop; with `-v` all. */
  readonly #open: OpenVariable = (name) => {
    const variable = this.#read.get(name);
    if (variable === undefined) return undefined;
    const { value, error, tree } = variable;
    if (!this.#options.verbose && error === undefined && value !== false && tree.loop === undefined) return undefined;
    return this.#isNew(variable) ? variable : undefined;
  };

  /** A variable is shown once, unless other params made it something else. */
  #isNew(variable: ExplainedExpression): boolean {
    const key = keyOf(variable);
    const isNew = !this.#shown.has(key);
    this.#shown.add(key);
    return isNew;
  }

  /** A variable that the tree did not open, with the variables that it read itself. */
  #variable(policy: PolicyName, variable: ExplainedExpression): void {
    const { paint, sites } = this.#options;
    if (this.#isNew(variable)) {
      const { tree, error, name, expression, shown } = variable;
      const where = sites.expression(policy, ["spec", "variables", variable.index, "expression"]);
      const value = error === undefined ? paint.cyan(shown ?? "") : paint.red(`error: ${tree.error ?? error}`);
      const place = where ? paint.dim(`   ${placeText(where)}`) : "";
      this.#lines.push(`      variables.${name} = ${oneLine(expression)} → ${value}${place}`);
      if (error !== undefined) this.#tree(tree, 8);
    }
    for (const read of variable.variables) this.#variable(policy, read);
  }

  #rules(): void {
    const { rules } = this.#subject;
    if (rules === undefined) return;
    const { paint, sites } = this.#options;
    this.#title(`rules of ${rules.definition} ${rules.version}`, undefined);
    for (const expression of rules.expressions) {
      const where = sites.rule(rules.definition, rules.version, expression);
      this.#expression(
        ruleName(expression),
        expression,
        where && placeText(where),
        expression.unchanged && expression.value === false,
      );
    }
    for (const place of rules.skipped) {
      const where = sites.rule(rules.definition, rules.version, place);
      const at = where ? `   ${placeText(where)}` : "";
      this.#lines.push(paint.dim(`  – ${ruleName(place)}: skipped, there is no old value${at}`));
    }
    this.#lines.push(
      paint.dim(
        `  all rules: cost ${costNumber(rules.cost)}, ${shareText((rules.cost / rules.budget) * 100)} of the budget`,
      ),
    );
  }

  #expression(
    name: string,
    item: Explained & ({ readonly shareOfBudget: number } | { readonly shareOfLimit: number }),
    place: string | undefined,
    tolerated = false,
  ): void {
    const { paint, verbose } = this.#options;
    const { value, error, cost, tree, expression } = item;
    const isText = value !== undefined && typeof value !== "boolean";
    const good = error === undefined && value !== false;
    const sign = tolerated ? paint.yellow("!") : isText ? "·" : good ? paint.green("✓") : paint.red("✗");
    const where = place === undefined ? "" : `   ${place}`;
    const share =
      "shareOfBudget" in item
        ? `${shareText(item.shareOfBudget * 100)} of the budget`
        : `${shareText(item.shareOfLimit * 100)} of its limit`;
    this.#lines.push(`  ${sign} ${name}${paint.dim(`   cost ${costNumber(cost)}, ${share}${where}`)}`);
    for (const line of writtenLines(expression)) this.#lines.push(`      ${line}`);
    if (isText) this.#lines[this.#lines.length - 1] += ` → ${paint.cyan(item.shown ?? "")}`;
    const failed = error === undefined ? undefined : failedVariable(tree);
    // The message of the whole repeats the expression.
    const why = failed === undefined ? (tree.error ?? error) : `variables.${failed} fails`;
    if (error !== undefined) this.#lines.push(`      ${paint.red(`error: ${why}`)}`);
    if (tolerated) this.#lines.push(paint.dim("      accepted by ratcheting: the value has not changed"));
    const read = failed === undefined ? undefined : this.#read.get(failed);
    const isShownAbove = read !== undefined && this.#shown.has(keyOf(read));
    if (verbose || (!good && !isShownAbove)) this.#tree(tree, 6);
  }

  #tree(tree: ExplainedNode, indent: number): void {
    const { paint, sites } = this.#options;
    const placed = treeLines(tree, {
      paint,
      open: this.#open,
      placeOf: (path) => {
        const place = throughVariables(path, this.#variables);
        return place && sites.data(place, this.#roots);
      },
    });
    for (const line of placed) this.#lines.push(`${" ".repeat(indent)}${line}`);
  }

  #webhooks(): void {
    for (const selection of this.#subject.outcome.webhooks) {
      const { configuration, webhook, mutating } = selection.webhook;
      this.#title(`${mutating ? "mutating" : "validating"} webhook ${webhook.name} of ${configuration}`, undefined);
      if (selection.outcome === "call") this.#lines.push("  would be called");
      else if (selection.outcome === "refused") this.#lines.push(`  not called: ${refusalText(selection.refusal)}`);
      else {
        const text = unbroken(this.#elided(selection.status.message ?? ""));
        this.#lines.push(`  ${this.#options.paint.red(`fails the request: ${text}`)}`);
      }
      this.#conditions(configuration, webhook.name);
    }
  }

  /** Match conditions of a webhook that were evaluated. */
  #conditions(configuration: string, webhook: string): void {
    const { sites } = this.#options;
    for (const condition of this.#subject.webhookConditions) {
      const { owner, kind, index, name } = condition;
      if (owner.name !== configuration || owner.webhook?.name !== webhook) continue;
      const place = sites.speaker({
        kind: owner.kind,
        name: configuration,
        path: expressionPath(kind, index, owner.webhook),
      });
      this.#expression(`matchConditions ${name ?? `[${index}]`}`, condition, place && placeText(place));
    }
  }

  #certificate(): void {
    const { certificate } = this.#subject.outcome;
    if (certificate === undefined) return;
    const { paint, sites } = this.#options;
    if (certificate.result === "Error") {
      this.#title("certificate request not evaluated", undefined);
      this.#lines.push(`  ${paint.red(certificate.error)}`);
      return;
    }
    this.#title(`certificate request ${certificate.result.toLowerCase()}`, undefined);
    this.#lines.push(`  ${certificate.message}`);
    for (const policyOutcome of certificate.policies) {
      const { policy, outcome } = policyOutcome;
      const place = sites.certificatePolicy(policy);
      const where = place ? paint.dim(`   ${placeText(place)}`) : "";
      if (outcome === "approves") this.#lines.push(`  ${paint.green("✓")} ${policy} approves${where}`);
      else if (outcome === "not evaluated")
        this.#lines.push(paint.dim(`  – ${policy} not evaluated: already approved`));
      else if (outcome === "not applicable")
        this.#lines.push(`  – ${policy} does not apply: ${policyOutcome.refusal.message}`);
      else {
        this.#lines.push(`  ${paint.red("✗")} ${policy} denies${where}`);
        for (const { evaluation } of policyOutcome.answers) {
          if (evaluation.result === "Denied") this.#lines.push(`      ${evaluation.message}`);
        }
      }
      for (const rule of this.#subject.certificateRules) if (rule.policy === policy) this.#certificateRule(rule);
    }
  }

  #certificateRule(rule: ExplainedCertificateRule): void {
    const { sites } = this.#options;
    const where = sites.certificateRule(rule.policy, [...rule.path, "rule"]);
    // Every rule is below `spec.allowed`.
    const name = `${stepsText(rule.path.slice(2))} on ${rule.self}`;
    this.#expression(name, rule, where && placeText(where));
  }
}

function keyOf({ index, error, shown }: ExplainedExpression): string {
  return JSON.stringify([index, error ?? null, shown]);
}
