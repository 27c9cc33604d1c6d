// The four editors together: their texts, their marks, and the help of the language service, which is loaded after the first answer.

import { WORK_TEXTS, type Work, type WorkMode, type WorkText } from "@celadon/language/playground";
import { CodeEditor } from "../editor/code-editor.ts";
import type { HelpSource } from "../editor/help.ts";
import type { Coverage, Cure, ExplainedLine, Spot, TextFinding } from "../model/answer.ts";
import type { TextChange } from "../model/protocol.ts";
import { byId } from "./dom.ts";
import { wordsOf } from "./modes.ts";
import { valuesAreShown } from "./shown-values.ts";

const LABELS: Readonly<Record<WorkText, string>> = {
  policy: "Policy, binding and params",
  object: "Object",
  oldObject: "Old object",
  tests: "Test suite",
};

const HINTS: Readonly<Record<WorkText, string>> = {
  policy: "",
  object: "apiVersion: v1\nkind: Pod …",
  oldObject: "The existing object; makes the request an update",
  tests: "A TestSuite; “Make it a test” writes one",
};

/** Loaded with the first explanation. */
const ghostValues = (): Promise<typeof import("./ghost-values.ts")> => import("./ghost-values.ts");

export interface EditorEvents {
  /** By the user's hand. */
  readonly changed: (text: WorkText, changes: readonly TextChange[]) => void;
  /** The change is in the page. */
  readonly drawn: () => void;
  readonly help: (text: WorkText) => HelpSource;
}

export class Editors {
  readonly #editors: Readonly<Record<WorkText, CodeEditor>>;
  readonly #events: EditorEvents;
  #helpers: typeof import("../editor/help.ts") | undefined;
  #findings: readonly TextFinding[] = [];
  #lines: readonly ExplainedLine[] = [];
  #cure: Cure = {};

  constructor(events: EditorEvents) {
    this.#events = events;
    const editor = (text: WorkText): CodeEditor =>
      new CodeEditor({
        host: byId(`editor-${text}`),
        label: LABELS[text],
        placeholder: HINTS[text],
        onChange: (changes) => events.changed(text, changes),
        onDrawn: events.drawn,
      });
    this.#editors = {
      policy: editor("policy"),
      object: editor("object"),
      oldObject: editor("oldObject"),
      tests: editor("tests"),
    };
  }

  get texts(): Record<WorkText, string> {
    return Object.fromEntries(WORK_TEXTS.map((name) => [name, this.#editors[name].text])) as Record<WorkText, string>;
  }

  /** Characters of all texts. */
  get size(): number {
    return WORK_TEXTS.reduce((sum, name) => sum + this.#editors[name].length, 0);
  }

  open(work: Work): void {
    for (const name of WORK_TEXTS) {
      this.#editors[name].setText(work[name]);
      this.#editors[name].mark({ lit: [], guilty: [], coverage: [] });
      this.#editors[name].showGhosts([]);
    }
  }

  showMode(mode: WorkMode): void {
    const { policy, hint, object } = wordsOf(mode);
    this.#editors.policy.describe(policy, hint);
    this.#editors.policy.setLanguage(mode === "cel");
    this.#editors.object.describe(object, HINTS.object);
  }

  edit(text: WorkText, changes: readonly TextChange[]): void {
    this.#editors[text].edit(changes);
  }

  replace(text: WorkText, insert: string): void {
    this.edit(text, [{ from: 0, to: this.#editors[text].length, insert }]);
  }

  /** Marks the places that decided; of policies the explanation shows it. */
  markGuilty(spots: readonly Spot[]): void {
    for (const name of WORK_TEXTS) {
      this.#editors[name].mark({ guilty: spots.filter(({ text }) => text === name && name !== "policy") });
    }
  }

  markCoverage(coverage: readonly Coverage[]): void {
    this.#editors.policy.mark({ coverage });
  }

  /** Values of the explanation beside the policy, unless the user wants none. */
  showValues(lines: readonly ExplainedLine[]): void {
    this.#lines = lines;
    const { policy } = this.#editors;
    void ghostValues().then((found) => {
      if (lines === this.#lines) policy.showGhosts(valuesAreShown() ? found.valueGhosts(lines, policy.text) : []);
    });
  }

  /** Once more, after the user changed whether they are shown. */
  redrawValues(): void {
    this.showValues(this.#lines);
  }

  showCure(cure: Cure): void {
    this.#cure = cure;
    if (cure.changes === undefined) this.#editors.object.showGhosts([]);
    else
      void ghostValues().then(({ cureGhosts }) => {
        if (cure === this.#cure) this.#editors.object.showGhosts(cureGhosts(cure));
      });
  }

  light(spots: readonly Spot[]): void {
    for (const name of WORK_TEXTS) {
      const lit = spots.filter(({ text }) => text === name);
      this.#editors[name].mark({ lit });
      if (lit[0] !== undefined && !byId(`editor-${name}`).hidden) this.#editors[name].reveal(lit[0], false);
    }
  }

  /** Puts the cursor there. */
  reveal(spot: Spot): void {
    this.#editors[spot.text].reveal(spot, true);
  }

  showFindings(findings: readonly TextFinding[]): void {
    this.#findings = findings;
    for (const name of WORK_TEXTS) {
      const own = findings.filter(({ spot }) => spot.text === name);
      this.#helpers?.showFindings(this.#editors[name].view, own, this.#events.help(name));
    }
  }

  async loadHelp(): Promise<void> {
    if (this.#helpers !== undefined) return;
    // Without it the page still answers; the next answer tries again.
    const helpers = await import("../editor/help.ts").catch(() => undefined);
    if (helpers === undefined || this.#helpers !== undefined) return;
    this.#helpers = helpers;
    for (const name of WORK_TEXTS) this.#editors[name].setHelp(helpers.editorHelp(this.#events.help(name)));
    this.showFindings(this.#findings);
  }
}
