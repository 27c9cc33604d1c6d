// An explanation for people: what the server would say, then for each policy, rule, webhook and certificate policy how it came to
// that, and for each that does not apply what refused.

import { type ExplainedExpression, expressionList, expressionPath, refusalText } from "@celadon/admission";
import { type DataPath, dataPathText, type Explained, type ExplainedNode } from "@celadon/cel/explain";
import type { ExplainedRule as ExplainedCertificateRule } from "@celadon/certpolicy";
import type { ExplainedRule } from "@celadon/crd";
import { blameOf, type ExplainedPolicy, throughVariables, type VariableTrees, variableTrees } from "@celadon/simulator";
import { requestSubject, subjectText } from "../outcome/names.ts";
import { placeText, startOf } from "../outcome/place.ts";
import type { Paint } from "../output/paint.ts";
import { unbroken } from "../output/visible.ts";
import type { ExplainedSubject } from "./explained.ts";
import type { DataRoots, Sites } from "./sites.ts";
import { oneLine, treeLines } from "./tree-text.ts";

export interface ExplainTextOptions {
  readonly paint: Paint;
  readonly sites: Sites;
  /** Also the parts of expressions that are true. */
  readonly verbose: boolean;
}

export function explainText(subject: ExplainedSubject, options: ExplainTextOptions): string {
  return `${new Explainer(subject, options).lines().join("\n")}\n`;
}

class Explainer {
  readonly #subject: ExplainedSubject;
  readonly #options: ExplainTextOptions;
  readonly #lines: string[] = [];
  #roots: DataRoots;
  /** Of the policy at hand: what its variables were, and which were told already. */
  #variables: VariableTrees = new Map();
  readonly #told = new Set<string>();

  constructor(subject: ExplainedSubject, options: ExplainTextOptions) {
    this.#subject = subject;
    this.#roots = { object: subject.manifest, oldObject: subject.old };
    this.#options = options;
  }

  lines(): readonly string[] {
    this.#head();
    this.#rules();
    for (const policy of this.#subject.policies) this.#policy(policy);
    this.#webhooks();
    this.#certificate();
    return this.#lines;
  }

  #head(): void {
    const { outcome, manifest } = this.#subject;
    const { paint } = this.#options;
    const { request, status } = outcome;
    const start = startOf(manifest);
    const place = start ? paint.dim(`   ${start.file}:${start.line}`) : "";
    const who = unbroken(`${request.operation} by ${request.userInfo?.username ?? ""}`);
    this.#lines.push(`${paint.bold(subjectText(requestSubject(request)))}  ${who}${place}`);
    if (status === undefined) this.#lines.push(paint.green("allowed"));
    else this.#lines.push(paint.red(`denied, ${status.code} ${status.reason}`), unbroken(status.message ?? ""));
    for (const text of outcome.warnings) this.#lines.push(paint.yellow(unbroken(`Warning: ${text}`)));
    for (const problem of outcome.problems) {
      if (problem.system === "schema") this.#lines.push(`${paint.red("✗")} schema: ${unbroken(problem.message)}`);
    }
    for (const text of outcome.assumptions) this.#lines.push(paint.dim(unbroken(`note: ${text}`)));
  }

  #title(text: string, place: string | undefined): void {
    const { paint } = this.#options;
    this.#lines.push("", `${paint.bold(unbroken(text))}${place ? paint.dim(`   ${place}`) : ""}`);
  }

  #policy({ policy, applied, refusals, expressions, error }: ExplainedPolicy): void {
    const { paint, sites } = this.#options;
    const place = sites.policy(policy);
    this.#roots = { ...this.#roots, params: sites.params(policy, this.#subject.outcome) };
    this.#title(`policy ${policy}${applied ? "" : " does not apply"}`, place && placeText(place));
    if (error !== undefined) this.#lines.push(`  ${paint.red(unbroken(`error: ${error}`))}`);
    for (const { binding, text } of refusals) {
      this.#lines.push(unbroken(`  ${binding === undefined ? "" : `binding ${binding}: `}${text}`));
    }
    this.#told.clear();
    for (const one of messagesAfterTheirs(expressions)) {
      this.#variables = variableTrees(expressions.slice(0, expressions.indexOf(one) + 1));
      const path = expressionPath(one.kind, one.index);
      const where = sites.expression(policy, path);
      const name = one.name === undefined ? `[${one.index}]` : ` ${one.name}`;
      this.#expression(
        `${expressionList(one.kind)}${name}${one.kind === "messageExpression" ? " message" : ""}`,
        one,
        where && placeText(where),
      );
      if (one.value === false) this.#behindVariables(one.tree);
      for (const variable of one.variables) this.#variable(policy, variable);
    }
    this.#variables = new Map();
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

  /** With those that it read itself; once, unless other params made it something else. */
  #variable(policy: string, variable: ExplainedExpression): void {
    const { paint, sites } = this.#options;
    const told = JSON.stringify([variable.index, variable.error ?? null, variable.shown]);
    if (this.#told.has(told)) return;
    this.#told.add(told);
    const failed = failedVariable(variable.tree);
    const error = failed === undefined ? (variable.tree.error ?? variable.error) : `variables.${failed} fails`;
    const where = sites.expression(policy, ["spec", "variables", variable.index, "expression"]);
    const value = variable.error === undefined ? paint.cyan(variable.shown ?? "") : paint.red(`error: ${error}`);
    const place = where ? paint.dim(`   ${placeText(where)}`) : "";
    this.#lines.push(`      variables.${variable.name} = ${oneLine(variable.expression)} → ${value}${place}`);
    if (variable.error !== undefined && failed === undefined) this.#tree(variable.tree, 8);
    for (const read of variable.variables) this.#variable(policy, read);
  }

  #rules(): void {
    const { rules } = this.#subject;
    if (rules === undefined) return;
    const { paint, sites } = this.#options;
    this.#title(`rules of ${rules.definition} ${rules.version}`, undefined);
    for (const one of rules.expressions) {
      const where = sites.rule(rules.definition, rules.version, one);
      this.#expression(ruleName(one), one, where && placeText(where), one.unchanged && one.value === false);
    }
    for (const place of rules.skipped) {
      const where = sites.rule(rules.definition, rules.version, place);
      const at = where ? `   ${placeText(where)}` : "";
      this.#lines.push(paint.dim(`  – ${ruleName(place)}: compares with an old value, and there is none${at}`));
    }
    this.#lines.push(paint.dim(`  all rules: cost ${rules.cost}, ${percent(rules.cost / rules.budget)} of the budget`));
  }

  #expression(
    name: string,
    one: Explained & ({ readonly shareOfBudget: number } | { readonly shareOfLimit: number }),
    place: string | undefined,
    tolerated = false,
  ): void {
    const { paint, verbose } = this.#options;
    const { value, error, cost, tree, expression } = one;
    const isText = value !== undefined && typeof value !== "boolean";
    const good = error === undefined && value !== false;
    const sign = tolerated ? paint.yellow("!") : isText ? "·" : good ? paint.green("✓") : paint.red("✗");
    const where = place === undefined ? "" : `   ${place}`;
    const share =
      "shareOfBudget" in one
        ? `${percent(one.shareOfBudget)} of the budget`
        : `${percent(one.shareOfLimit)} of its limit`;
    this.#lines.push(`  ${sign} ${name}${paint.dim(`   cost ${cost}, ${share}${where}`)}`);
    this.#lines.push(`      ${oneLine(expression)}${isText ? ` → ${paint.cyan(one.shown ?? "")}` : ""}`);
    const failed = error === undefined ? undefined : failedVariable(tree);
    const why = failed === undefined ? error : `variables.${failed} fails`;
    if (why !== undefined) this.#lines.push(`      ${paint.red(`error: ${why}`)}`);
    if (tolerated) this.#lines.push(paint.dim("      not held against the object: the value has not changed"));
    if (verbose || (!good && failed === undefined)) this.#tree(tree, 6);
  }

  #tree(tree: ExplainedNode, indent: number): void {
    const { paint, sites } = this.#options;
    const placed = treeLines(tree, {
      paint,
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
      else if (selection.outcome === "refused") this.#lines.push(`  is not called: ${refusalText(selection.refusal)}`);
      else this.#lines.push(`  ${this.#options.paint.red(`ends the request: ${selection.status.message}`)}`);
    }
  }

  #certificate(): void {
    const { certificate } = this.#subject.outcome;
    if (certificate === undefined) return;
    const { paint, sites } = this.#options;
    if (certificate.result === "Error") {
      this.#title("certificate request not judged", undefined);
      this.#lines.push(`  ${paint.red(certificate.error)}`);
      return;
    }
    this.#title(`certificate request ${certificate.result.toLowerCase()}`, undefined);
    this.#lines.push(`  ${certificate.message}`);
    for (const one of certificate.policies) {
      const { policy, outcome } = one;
      const place = sites.certificatePolicy(policy);
      const where = place ? paint.dim(`   ${placeText(place)}`) : "";
      if (outcome === "approves") this.#lines.push(`  ${paint.green("✓")} ${policy} approves${where}`);
      else if (outcome === "not evaluated") this.#lines.push(paint.dim(`  – ${policy} not evaluated: approved before`));
      else if (outcome === "not applicable") this.#lines.push(`  – ${policy} does not apply: ${one.refusal.message}`);
      else {
        this.#lines.push(`  ${paint.red("✗")} ${policy} denies${where}`);
        for (const { evaluation } of one.answers) {
          if (evaluation.result === "Denied") this.#lines.push(`      ${evaluation.message}`);
        }
      }
      for (const rule of this.#subject.certificateRules) if (rule.policy === policy) this.#certificateRule(rule);
    }
  }

  #certificateRule(rule: ExplainedCertificateRule): void {
    const { sites } = this.#options;
    const where = sites.certificateRule(rule.policy, [...rule.path, "rule"]);
    const name = `${rule.fieldPath.replace(/^spec\.allowed\./, "")} on ${rule.self}`;
    this.#expression(name, rule, where && placeText(where));
  }
}

/** Messages are evaluated after all validations; people want each below the one it is about. */
function messagesAfterTheirs(expressions: readonly ExplainedExpression[]): readonly ExplainedExpression[] {
  const messages = expressions.filter(({ kind }) => kind === "messageExpression");
  return expressions.flatMap((one) => {
    if (one.kind === "messageExpression") return [];
    const at = one.kind === "validation" ? messages.findIndex(({ index }) => index === one.index) : -1;
    // The message of a validation that held is never shown to anybody.
    return at === -1 || one.value === true ? [one] : [one, ...messages.splice(at, 1)];
  });
}

/** The variable whose failure made the expression fail: the error and its tree are told there. */
function failedVariable(tree: ExplainedNode): string | undefined {
  if (tree.error === undefined) return undefined;
  const cause = tree.children.find(({ error }) => error !== undefined);
  if (cause !== undefined) return failedVariable(cause);
  const [name, ...rest] = tree.dataPath?.root === "variables" ? tree.dataPath.path : [];
  return typeof name === "string" && rest.length === 0 ? name : undefined;
}

function ruleName({ fieldPath, index, kind }: Pick<ExplainedRule, "fieldPath" | "index" | "kind">): string {
  return `${fieldPath === "" ? "object" : fieldPath} rule[${index}]${kind === "rule" ? "" : " message"}`;
}

export function percent(part: number): string {
  if (part === 0) return "0 %";
  return part < 0.0001 ? "<0.01 %" : `${(part * 100).toFixed(2)} %`;
}
