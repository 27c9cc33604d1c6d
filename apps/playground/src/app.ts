// The page: editors, request, result; input of the user goes to the worker, and the worker's answers are shown.

import { CURRENT, FIRST, minorsBetween } from "@celadon/kube-cel";
import type { Work, WorkMode, WorkText } from "@celadon/language/playground";
import type { HelpSource } from "./editor/help.ts";
import type { Remedy, ShownVerdict, Spot } from "./model/answer.ts";
import type { TextChange, WorkerMessage } from "./model/protocol.ts";
import { sharedSlate } from "./model/slate.ts";
import { Announcer } from "./view/announce.ts";
import { byId, h } from "./view/dom.ts";
import { Editors } from "./view/editors.ts";
import { EngineLink } from "./view/engine-link.ts";
import { MODES, wordsOf } from "./view/modes.ts";
import { makeRequestForm, type RequestForm } from "./view/request-form.ts";
import { ResultView } from "./view/result.ts";
import { schemeNow, setScheme } from "./view/scheme.ts";
import { showValues, valuesAreShown } from "./view/shown-values.ts";
import { makeTabs, type Tabs } from "./view/tabs.ts";
import { Desk, dialogs } from "./work/desk.ts";

const PHONE_MARKS: Readonly<Record<ShownVerdict["tone"], string>> = { good: "✓", bad: "✗", warn: "!", none: "" };

export class App {
  readonly #editors: Editors;
  readonly #link: EngineLink;
  readonly #form: RequestForm;
  readonly #result: ResultView;
  readonly #objectTabs: Tabs;
  readonly #phoneTabs: Tabs;
  readonly #announcer = new Announcer();
  #mode: WorkMode = "validating";
  #request: Work["request"] = {};
  #kubeVersion: string | undefined;
  readonly #desk: Desk;

  constructor() {
    this.#link = new EngineLink(
      {
        work: () => this.work,
        size: () => this.#editors.size,
        spawn: () => new Worker(new URL("./engine/worker.ts", import.meta.url), { type: "module", name: "engine" }),
        share: sharedSlate,
        beforeFrame: (act) => void requestAnimationFrame(act),
      },
      {
        report: (report) => this.#take(report),
        late: () => this.#showLate(),
        stopped: () => this.#showProblem("Stopped", "The evaluation was stopped. Change something to try again."),
        unloadable: () => this.#sayUnloadable(),
      },
    );
    this.#desk = new Desk({
      work: () => this.work,
      show: (work) => this.open(work),
      ask: (question) => this.#link.ask(question),
      whenLoaded: (done) => this.#whenLoaded(done),
      say: (text) => this.#announcer.say(text),
    });
    this.#editors = new Editors({
      changed: (text, changes) => this.#changed(text, changes),
      drawn: () => this.#link.look(),
      help: (text) => this.#helpFor(text),
    });
    this.#form = makeRequestForm((request) => {
      this.#request = request;
      this.#desk.edited();
      this.#link.sendRequest(request, this.#kubeVersion);
    });
    this.#result = new ResultView({
      light: (spots) => this.#editors.light(spots),
      go: (spots) => this.#go(spots),
      apply: (remedy) => this.#apply(remedy),
      select: (at) => this.#link.select(at),
      makeTest: () => void this.#makeTest(() => this.#link.ask({ what: "test" })),
      work: () => this.work,
      clauses: () => this.#link.ask({ what: "clauses" }),
      flip: (clause) => this.#link.ask({ what: "flip", clause }),
      change: (changes) => this.#apply({ title: "", text: "object", changes }),
      flipTests: (clause) => void this.#makeTest(() => this.#link.ask({ what: "flipTests", clause })),
      unloadable: () => this.#sayUnloadable(),
    });
    this.#objectTabs = makeTabs(
      byId("object-tabs"),
      [
        { id: "object", title: "Object", panel: "editor-object" },
        { id: "oldObject", title: "Old object", panel: "editor-oldObject" },
        { id: "tests", title: "Tests", panel: "editor-tests" },
      ],
      (id) => {
        for (const name of ["object", "oldObject", "tests"]) byId(`editor-${name}`).hidden = name !== id;
        if (id === "tests") this.#result.select("tests");
      },
    );
    this.#phoneTabs = makeTabs(
      byId("phone-tabs"),
      [
        { id: "pane-policy", title: "Policy", panel: "pane-policy" },
        { id: "pane-object", title: "Object", panel: "pane-object" },
        { id: "pane-request", title: "Request", panel: "pane-request" },
        { id: "pane-result", title: "Result", panel: "pane-result" },
      ],
      (id) => {
        byId("main").dataset.shown = id;
        if (id === "pane-request") byId<HTMLDetailsElement>("request").open = true;
      },
    );
    this.#objectTabs.select("object");
    this.#phoneTabs.select("pane-policy");
    this.#makeBar();
    this.#whenLoaded(import("./view/splitters.ts").then(({ makeSplitters }) => makeSplitters()));
    this.#acceptDrops();
  }

  get work(): Work {
    return {
      ...this.#editors.texts,
      mode: this.#mode,
      request: this.#request,
      ...(this.#kubeVersion !== undefined && { kubeVersion: this.#kubeVersion }),
    };
  }

  /** The work of the link that the page was opened with, the last work, or an example. */
  start(): void {
    globalThis.addEventListener("hashchange", () => this.#whenLoaded(this.#desk.openLink()));
    this.#whenLoaded(this.#desk.openFirst());
  }

  open(work: Work): void {
    this.#mode = work.mode;
    this.#request = work.request;
    this.#kubeVersion = work.kubeVersion;
    this.#editors.open(work);
    this.#form.set(work.request);
    byId<HTMLSelectElement>("version").value = work.kubeVersion ?? CURRENT;
    this.#showMode();
    this.#objectTabs.select("object");
    this.#result.forget();
    this.#link.sendWork();
  }

  #showMode(): void {
    const { policy, object } = wordsOf(this.#mode);
    byId("title-policy").textContent = policy;
    byId("object-tabs-object").firstChild!.textContent = object;
    for (const input of byId("modes").querySelectorAll("input")) input.checked = input.value === this.#mode;
    byId("format").hidden = this.#mode === "cel";
    this.#editors.showMode(this.#mode);
    this.#objectTabs.show("tests", this.#mode !== "cel");
    this.#result.showMode(this.#mode);
    document.documentElement.dataset.mode = this.#mode;
  }

  #makeBar(): void {
    byId("modes").append(
      ...MODES.map(({ mode, title }) =>
        h(
          "label",
          { class: "mode" },
          h("input", {
            type: "radio",
            name: "mode",
            value: mode,
            change: () => this.#whenLoaded(this.#desk.chooseMode(mode)),
          }),
          h("span", {}, title),
        ),
      ),
    );
    const version = byId<HTMLSelectElement>("version");
    version.append(
      ...minorsBetween(FIRST, CURRENT)
        .reverse()
        .map((minor) => h("option", { value: minor }, minor)),
    );
    version.addEventListener("change", () => {
      this.#kubeVersion = version.value === CURRENT ? undefined : version.value;
      this.#desk.edited();
      this.#link.sendRequest(this.#request, this.#kubeVersion);
    });
    const onClick = (id: string, act: () => Promise<unknown>): void =>
      byId(id).addEventListener("click", () => this.#whenLoaded(act()));
    onClick("open-examples", () => this.#desk.showExamples());
    onClick("open-import", async () =>
      (await dialogs()).openImport({
        files: (files) => this.#whenLoaded(this.#desk.importFiles(files)),
        text: (text) => this.#whenLoaded(this.#desk.import([{ name: "pasted", text }], [])),
      }),
    );
    onClick("open-share", async () =>
      (await dialogs()).openShare(this.work, (work) => this.#link.ask({ what: "mask", work })),
    );
    onClick("open-more", async () =>
      (await dialogs()).openMore(this.work, schemeNow(), {
        spaces: () => this.#whenLoaded(this.#desk.showSpaces()),
        forget: () => void this.#desk.forget(),
        scheme: setScheme,
      }),
    );
    onClick("open-spaces", () => this.#desk.showSpaces());
    onClick("format", () => this.#format("policy"));
    const values = byId("values");
    values.setAttribute("aria-pressed", String(valuesAreShown()));
    values.addEventListener("click", () => {
      showValues(!valuesAreShown());
      values.setAttribute("aria-pressed", String(valuesAreShown()));
      this.#editors.redrawValues();
    });
  }

  /** Runs an action when a part of the page that is loaded on demand has arrived. */
  #whenLoaded(done: Promise<unknown>): void {
    done.catch(() => this.#sayUnloadable());
  }

  #acceptDrops(): void {
    const over = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes("Files") !== true) return;
      event.preventDefault();
      document.body.classList.toggle("is-dropping", event.type === "dragover");
      if (event.type === "drop") this.#whenLoaded(this.#desk.importFiles([...event.dataTransfer.files]));
    };
    for (const type of ["dragover", "dragleave", "drop"] as const) {
      document.addEventListener(type, over, { capture: true });
    }
  }

  async #format(text: WorkText): Promise<void> {
    const changes = await this.#link.ask({ what: "format", text });
    if (changes !== undefined && changes.length > 0) this.#editors.edit(text, changes);
  }

  #changed(text: WorkText, changes: readonly TextChange[]): void {
    this.#link.sendChange(text, changes);
    this.#desk.edited();
  }

  #take(report: WorkerMessage): void {
    switch (report.is) {
      case "answer": {
        const { verdict, lines } = report.answer;
        this.#result.showAnswer(report.answer);
        if (lines !== undefined) {
          this.#editors.markGuilty(verdict.spots);
          this.#editors.showValues([]);
        }
        this.#editors.showCure({});
        if (verdict.unparsed) this.#phoneTabs.mark("pane-result", "…", "none");
        else this.#phoneTabs.mark("pane-result", PHONE_MARKS[verdict.tone], verdict.tone);
        const detail = verdict.detail ? `, ${verdict.detail}` : "";
        this.#announcer.say(`${verdict.title}${detail}. ${verdict.message ?? ""}`);
        break;
      }
      case "explanation":
        this.#result.showExplanation(report.explanation);
        this.#editors.markGuilty(report.explanation.spots);
        this.#editors.showValues(report.explanation.lines);
        break;
      case "cure":
        this.#result.showCure(report.cure);
        this.#editors.showCure(report.cure);
        break;
      case "costs":
        this.#result.showCosts(report.costs);
        break;
      case "findings":
        this.#result.showFindings(report.findings);
        this.#editors.showFindings(report.findings);
        break;
      case "suite":
        this.#result.showSuite(report.suite);
        this.#editors.markCoverage(report.suite.coverage);
        break;
      case "done":
        this.#result.showDone();
        void this.#editors.loadHelp();
        break;
      case "failed":
        this.#showProblem("Something went wrong", report.message);
        break;
      default:
        break;
    }
  }

  #showLate(): void {
    const stop = h("button", { type: "button", class: "quiet", click: () => this.#link.stop() }, "Stop");
    this.#result.showNotice("none", "Still evaluating", "This takes longer than usual.", stop);
    this.#announcer.say("Still evaluating. This takes longer than usual.");
  }

  #showProblem(title: string, message: string): void {
    this.#result.showNotice("bad", title, message);
    this.#announcer.say(`${title}. ${message}`);
  }

  #sayUnloadable(): void {
    this.#showProblem(
      "Not loaded",
      "A part of the playground could not be loaded. Check the connection, then reload the page; your work is kept.",
    );
  }

  /** To the first place of each pane; the last of them gets the cursor. */
  #go(spots: readonly Spot[]): void {
    this.#editors.light(spots);
    const last = spots.at(-1);
    if (last === undefined) return;
    if (last.text !== "policy") this.#objectTabs.select(last.text);
    this.#phoneTabs.select(last.text === "policy" ? "pane-policy" : "pane-object");
    this.#editors.reveal(last);
  }

  async #makeTest(ask: () => Promise<string | undefined>): Promise<void> {
    const text = await ask();
    if (text === undefined || text === "") return;
    const isNew = text !== this.#editors.texts.tests;
    if (isNew) this.#editors.replace("tests", text);
    this.#objectTabs.select("tests");
    this.#announcer.say(isNew ? "The test was added." : "There is already a test of this result.");
  }

  /** Makes a change, and shows its place. */
  #apply({ text, changes }: Remedy): void {
    this.#editors.edit(text, changes);
    const [{ from, insert } = { from: 0, insert: "" }] = changes;
    this.#go([{ text, from, to: from + insert.length }]);
  }

  #helpFor(text: WorkText): HelpSource {
    return {
      complete: (offset) => this.#link.ask({ what: "complete", text, offset }),
      hover: (offset) => this.#link.ask({ what: "hover", text, offset }),
      fixes: (from, to) => this.#link.ask({ what: "fixes", text, from, to }),
      format: () => void this.#format(text),
    };
  }
}
