// The result: the verdict, and under it tabs with the explanation, the change, the decoded request, costs, problems and tests.

import { deepEqual } from "@celadon/base";
import type { Work, WorkMode } from "@celadon/language/playground";
import type { ClauseAnswer, Cost, Cure, Explanation, SuiteAnswer, TextFinding, WorkAnswer } from "../model/answer.ts";
import type { ClauseEvents } from "./clauses-panel.ts";
import { byId, h } from "./dom.ts";
import { wordsOf } from "./modes.ts";
import { type Go, objectsContent, unparsedNote, type VerdictEvents, verdictContent } from "./panels.ts";
import { makeTabs, type Tabs } from "./tabs.ts";
import { ExplanationTree } from "./tree.ts";

const TABS = [
  { id: "change", title: "Change" },
  { id: "why", title: "Explanation" },
  { id: "certificate", title: "Decoded request" },
  { id: "costs", title: "Costs" },
  { id: "findings", title: "Problems" },
  { id: "clauses", title: "Clauses" },
  { id: "tests", title: "Tests" },
] as const;

type TabId = (typeof TABS)[number]["id"];

export interface ResultEvents extends ClauseEvents, VerdictEvents {
  readonly go: Go;
  /** Makes the result about another object. */
  readonly select: (at: number) => void;
  readonly light: Go;
  readonly makeTest: () => void;
  /** The present texts. */
  readonly work: () => Work;
  /** Evaluates the clauses on the present texts. */
  readonly clauses: () => Promise<readonly ClauseAnswer[] | undefined>;
  /** A part of the page did not load. */
  readonly unloadable: () => void;
}

export class ResultView {
  readonly #events: ResultEvents;
  readonly #tree: ExplanationTree;
  readonly #unexplained: HTMLElement = h("p", { class: "empty", hidden: true }, "No expression was evaluated.");
  readonly #panels: Readonly<Record<TabId, HTMLElement>>;
  readonly #tabs: Tabs;
  #answer: WorkAnswer | undefined;
  /** Still to be shown. */
  #costs: readonly Cost[] | undefined;
  #findings: readonly TextFinding[] | undefined;
  #shownObjects = "";
  /** A verdict of this work is shown, not the notice of a problem. */
  #isSettled = false;
  #cure: Cure = {};
  #isCurePast = false;
  /** The work whose clauses are shown. */
  #clausesOf: Work | undefined;
  /** The last that came. */
  #explanation: Explanation = { lines: [], spots: [] };

  constructor(events: ResultEvents) {
    this.#events = events;
    this.#tree = new ExplanationTree({ light: events.light, go: events.go });
    const panels = TABS.map(({ id }) => {
      const labels = { role: "tabpanel", "aria-labelledby": `result-tabs-${id}` };
      return [id, h("div", { id: `panel-${id}`, ...labels, class: "panel", hidden: true })] as const;
    });
    this.#panels = Object.fromEntries(panels) as unknown as Record<TabId, HTMLElement>;
    this.#panels.why.append(this.#tree.element, this.#unexplained);
    byId("panels").replaceChildren(...Object.values(this.#panels));
    this.#tabs = makeTabs(
      byId("result-tabs"),
      TABS.map((tab) => ({ ...tab, panel: `panel-${tab.id}` })),
      (id) => {
        for (const [name, panel] of Object.entries(this.#panels)) panel.hidden = name !== id;
        if (id === "clauses") this.showDone();
      },
    );
    // Those of one mode alone are shown when it is known.
    for (const id of ["change", "certificate"] as const) this.#tabs.show(id, false);
    this.#tabs.select("why");
  }

  select(tab: TabId): void {
    this.#tabs.select(tab);
  }

  showMode(mode: WorkMode): void {
    this.#tabs.show("change", mode === "mutating");
    this.#tabs.show("certificate", mode === "certificates");
    this.#tabs.show("clauses", mode !== "cel");
    this.#tabs.show("tests", mode !== "cel");
    this.#tabs.select(wordsOf(mode).tab);
  }

  /** Other work: its first verdict is shown whatever it is. */
  forget(): void {
    this.#isSettled = false;
  }

  /** Keeps the last verdict, dimmed, while a text does not parse. */
  #showUnparsed({ verdict }: WorkAnswer): void {
    const card = byId("verdict");
    for (const note of card.querySelectorAll(".unparsed")) note.remove();
    card.classList.add("is-past");
    for (const child of card.children) child.toggleAttribute("inert", true);
    card.append(unparsedNote(verdict, this.#events.go));
    this.#panels.why.inert = true;
  }

  showAnswer(answer: WorkAnswer): void {
    if (answer.verdict.unparsed && this.#isSettled) {
      this.#showUnparsed(answer);
      return;
    }
    this.#isSettled = true;
    this.#panels.why.inert = false;
    const { verdict, lines, change, certificate, took, objects } = answer;
    const before = this.#answer?.verdict;
    this.#answer = answer;
    // Until the next comes, the last stays in its place, and cannot be applied.
    const isAlike = before?.title === verdict.title && before.reason === verdict.reason;
    if (isAlike) this.#isCurePast = true;
    else this.#cure = {};
    const chips = byId("objects");
    chips.hidden = objects.length === 0;
    // Written only where it changes, so that a chip keeps the focus.
    const shown = JSON.stringify([objects, answer.selected]);
    if (this.#shownObjects !== shown) {
      this.#shownObjects = shown;
      const focused = [...chips.children].indexOf(document.activeElement ?? chips);
      chips.replaceChildren(...objectsContent(answer, this.#events.select));
      if (focused > 0) (chips.children[focused] as HTMLElement | undefined)?.focus();
    }
    // Until the explanation comes, what decided before stays marked.
    if (lines === undefined) this.#showVerdict(answer);
    else this.showExplanation({ lines, spots: verdict.spots });
    this.#tabs.show("change", change !== undefined);
    this.#tabs.show("certificate", certificate !== undefined);
    if (change !== undefined || certificate !== undefined) void this.#showObject(answer).catch(this.#events.unloadable);
    byId("took").textContent = `${took < 10 ? took.toFixed(1) : Math.round(took)} ms`;
  }

  async #showObject(answer: WorkAnswer): Promise<void> {
    const { certificateContent, changeContent } = await import("./object-panels.ts");
    const { change, certificate } = answer;
    if (answer !== this.#answer) return;
    if (change !== undefined) this.#panels.change.replaceChildren(...changeContent(change));
    if (certificate !== undefined) this.#panels.certificate.replaceChildren(...certificateContent(certificate));
  }

  #showVerdict(answer: WorkAnswer): void {
    const card = byId("verdict");
    card.className = `verdict tone-${answer.verdict.tone}`;
    card.replaceChildren(
      ...verdictContent(answer, this.#explanation, { ...this.#cure, isPast: this.#isCurePast }, this.#events),
    );
  }

  showCure(cure: Cure): void {
    this.#cure = cure;
    this.#isCurePast = false;
    if (this.#answer !== undefined) this.#showVerdict(this.#answer);
  }

  showExplanation(explanation: Explanation): void {
    this.#explanation = explanation;
    if (this.#answer !== undefined) this.#showVerdict(this.#answer);
    this.#showLines(explanation.lines);
  }

  #showLines(lines: Explanation["lines"]): void {
    this.#tree.show(lines);
    this.#unexplained.hidden = lines.length > 0;
  }

  /** Shows those that changed. */
  async #showLists(): Promise<void> {
    const { costsContent, findingsContent } = await import("./lists-panel.ts");
    const { go } = this.#events;
    if (this.#costs !== undefined) this.#panels.costs.replaceChildren(...costsContent(this.#costs, go));
    if (this.#findings !== undefined) this.#panels.findings.replaceChildren(...findingsContent(this.#findings, go));
    this.#costs = undefined;
    this.#findings = undefined;
  }

  showCosts(costs: readonly Cost[]): void {
    this.#costs = costs;
    void this.#showLists().catch(this.#events.unloadable);
    this.#tabs.mark("costs", costs.some(({ tone }) => tone === "bad") ? "!" : "", "bad");
  }

  showFindings(findings: readonly TextFinding[]): void {
    this.#findings = findings;
    void this.#showLists().catch(this.#events.unloadable);
    const isBad = findings.some(({ tone }) => tone === "bad");
    this.#tabs.mark("findings", findings.length === 0 ? "" : String(findings.length), isBad ? "bad" : "warn");
  }

  showSuite(suite: SuiteAnswer): void {
    const { makeTest, go, unloadable } = this.#events;
    void import("./suite-panel.ts")
      .then(({ suiteContent }) => this.#panels.tests.replaceChildren(...suiteContent(suite, makeTest, go)))
      .catch(unloadable);
    const bad = suite.cases.filter(({ result }) => result !== "pass").length + suite.problems.length;
    const count = suite.cases.length;
    const mark = count + bad === 0 ? "" : bad > 0 ? `${bad} failed` : `${count} ✓`;
    this.#tabs.mark("tests", mark, bad > 0 ? "bad" : "good");
  }

  /**
   * All automatic results have arrived. Clauses are requested while their tab is shown, unless they are shown already: a search that runs
   * in them, its answer and the focus would be lost.
   */
  showDone(): void {
    if (this.#isCurePast && this.#cure.title !== undefined) this.showCure({});
    if (this.#panels.clauses.hidden) return;
    const { clauses, unloadable } = this.#events;
    const work = this.#events.work();
    if (this.#clausesOf !== undefined && haveSameClauses(this.#clausesOf, work)) return;
    void Promise.all([import("./clauses-panel.ts"), clauses()])
      .then(([{ clausesContent }, found]) => {
        if (found === undefined) return;
        this.#panels.clauses.replaceChildren(...clausesContent(found, this.#events));
        this.#clausesOf = work;
      })
      .catch(unloadable);
  }

  /** In place of a verdict. */
  showNotice(tone: "bad" | "none", title: string, message: string, button?: HTMLElement): void {
    this.#isSettled = false;
    this.#panels.why.inert = false;
    const card = byId("verdict");
    card.className = `verdict tone-${tone}`;
    card.replaceChildren(
      h("p", { class: "verdict-title" }, h("strong", {}, title), button),
      h("p", { class: "verdict-message" }, message),
    );
    if (tone === "bad") this.#showLines([]);
  }
}

/** Suites do not take part in a verdict. */
function haveSameClauses(a: Work, b: Work): boolean {
  return (
    a.mode === b.mode &&
    a.policy === b.policy &&
    a.object === b.object &&
    a.oldObject === b.oldObject &&
    a.kubeVersion === b.kubeVersion &&
    deepEqual(a.request, b.request)
  );
}
