// An editor in a shadow root of its own: its styles are constructed there, which a strict content security policy permits.

import { history } from "@codemirror/commands";
import { Annotation, Compartment, EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
} from "@codemirror/view";
import type { Coverage, Spot } from "../model/answer.ts";
import type { TextChange } from "../model/protocol.ts";
import { colours } from "./colours.ts";
import { commentKey, KEYS } from "./keys.ts";
import { theme } from "./theme.ts";

export interface CodeEditorOptions {
  readonly host: HTMLElement;
  readonly label: string;
  readonly placeholder: string;
  /** By the user's hand. */
  readonly onChange: (changes: readonly TextChange[]) => void;
}

/** Not the user's: the page put the text in. */
const put = Annotation.define<boolean>();

interface Marks {
  readonly lit: readonly Spot[];
  readonly guilty: readonly Spot[];
  readonly coverage: readonly Coverage[];
}

const setMarks = StateEffect.define<Partial<Marks>>();

const marks = StateField.define<{ readonly marks: Marks; readonly shown: DecorationSet }>({
  create: () => ({ marks: { lit: [], guilty: [], coverage: [] }, shown: Decoration.none }),
  update(value, transaction) {
    let { marks: now, shown } = value;
    if (transaction.docChanged) shown = shown.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setMarks)) continue;
      now = { ...now, ...effect.value };
      shown = decorate(now, transaction.state);
    }
    return { marks: now, shown };
  },
  provide: (field) => EditorView.decorations.from(field, ({ shown }) => shown),
});

function decorate({ lit, guilty, coverage }: Marks, { doc }: EditorState): DecorationSet {
  const inside = ({ from, to }: Spot): { from: number; to: number } => ({
    from: Math.min(from, doc.length),
    to: Math.min(to, doc.length),
  });
  const marked = (spot: Spot, attributes: { class: string; attributes?: Record<string, string> }) => {
    const { from, to } = inside(spot);
    const ranges = [];
    // Line by line, without the indentation.
    for (let at = from; at < to; ) {
      const line = doc.lineAt(at);
      const end = Math.min(to, line.to);
      const blank = /^\s*/.exec(line.text.slice(at - line.from))![0].length;
      if (at + blank < end) ranges.push(Decoration.mark(attributes).range(at + blank, end));
      at = line.to + 1;
    }
    return ranges;
  };
  const lines = lit.flatMap((spot) => {
    const { from, to } = inside(spot);
    const [first, last] = [doc.lineAt(from).number, doc.lineAt(to).number];
    if (last === first || last - first > 500) return [];
    return Array.from({ length: last - first + 1 }, (_, i) =>
      Decoration.line({ class: "lit-line" }).range(doc.line(first + i).from),
    );
  });
  return Decoration.set(
    [
      ...lines,
      ...coverage.flatMap(({ spot, covered, missing }) =>
        marked(spot, {
          class: `cov-${covered}`,
          ...(missing.length > 0 && { attributes: { title: missing.join("\n") } }),
        }),
      ),
      ...guilty.flatMap((spot) => marked(spot, { class: "guilty" })),
      ...lit.flatMap((spot) =>
        doc.lineAt(inside(spot).from).to >= inside(spot).to ? marked(spot, { class: "lit" }) : [],
      ),
    ],
    true,
  );
}

/** Typing over a selection. Left to itself, Chromium writes the style of what was selected into the page, which the policy forbids. */
const plainReplacement = EditorView.domEventHandlers({
  beforeinput({ inputType, data }, view) {
    const { state } = view;
    if (inputType !== "insertText" || data === null || view.composing || state.selection.main.empty) return false;
    view.dispatch(state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
    return true;
  },
});

export class CodeEditor {
  readonly view: EditorView;
  readonly #language = new Compartment();
  readonly #help = new Compartment();
  readonly #words = new Compartment();
  #isCel = false;

  constructor({ host, label, placeholder: hint, onChange }: CodeEditorOptions) {
    const root = host.attachShadow({ mode: "open", delegatesFocus: true });
    const extensions: Extension = [
      lineNumbers(),
      highlightActiveLineGutter(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      highlightActiveLine(),
      EditorState.tabSize.of(2),
      this.#language.of([colours(false), keymap.of([commentKey("#")])]),
      keymap.of(KEYS),
      this.#help.of([]),
      this.#words.of([EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }), placeholder(hint)]),
      marks,
      theme,
      plainReplacement,
      EditorView.updateListener.of(({ docChanged, transactions, changes }) => {
        if (!docChanged || transactions.some((transaction) => transaction.annotation(put) === true)) return;
        const list: TextChange[] = [];
        changes.iterChanges((from, to, _from, _to, insert) => list.push({ from, to, insert: insert.toString() }));
        onChange(list);
      }),
    ];
    this.view = new EditorView({ state: EditorState.create({ extensions }), root, parent: root });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Replaces the text without telling `onChange`. */
  setText(text: string): void {
    if (text === this.text) return;
    const changes = { from: 0, to: this.view.state.doc.length, insert: text };
    this.view.dispatch({ changes, annotations: put.of(true), selection: { anchor: 0 } });
  }

  /** As the user would: it can be undone, and `onChange` is told. */
  edit(changes: readonly TextChange[]): void {
    this.view.dispatch({ changes: [...changes] });
  }

  describe(label: string, hint: string): void {
    const words = [EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }), placeholder(hint)];
    this.view.dispatch({ effects: this.#words.reconfigure(words) });
  }

  setLanguage(isCel: boolean): void {
    if (isCel === this.#isCel) return;
    this.#isCel = isCel;
    this.view.dispatch({
      effects: this.#language.reconfigure([colours(isCel), keymap.of([commentKey(isCel ? "//" : "#")])]),
    });
  }

  setHelp(extension: Extension): void {
    this.view.dispatch({ effects: this.#help.reconfigure(extension) });
  }

  mark(given: Partial<Marks>): void {
    this.view.dispatch({ effects: setMarks.of(given) });
  }

  /** Brings a stretch into view. */
  reveal({ from, to }: Spot, focus: boolean): void {
    const { length } = this.view.state.doc;
    const anchor = Math.min(from, length);
    this.view.dispatch({
      effects: EditorView.scrollIntoView(anchor, { y: "center" }),
      ...(focus && { selection: { anchor, head: Math.min(to, length) } }),
    });
    if (focus) this.view.focus();
  }
}
