// An editor in its own shadow root: its styles are constructed there, which a strict content security policy permits.

import { history } from "@codemirror/commands";
import {
  Annotation,
  Compartment,
  EditorState,
  type Extension,
  StateEffect,
  StateField,
  type Text,
  type Transaction,
} from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  gutter,
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
import { type Ghost, ghosts, setGhosts } from "./ghosts.ts";
import { commentKey, KEYS } from "./keys.ts";
import { theme } from "./theme.ts";
import { wrapping } from "./wrap.ts";

export interface CodeEditorOptions {
  readonly host: HTMLElement;
  readonly label: string;
  readonly placeholder: string;
  /** By the user's hand. */
  readonly onChange: (changes: readonly TextChange[]) => void;
  /** Called when the changes passed to `onChange` have been drawn. */
  readonly onDrawn: () => void;
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

/**
 * Typed text goes into the state before the page has it: the change is known at once, and the browser need not edit text that is drawn anew
 * anyway. Over a selection this is required: by itself, Chromium writes the style of the selected text into the page, which the policy
 * forbids.
 */
const typing = EditorView.domEventHandlers({
  beforeinput({ inputType, data, cancelable }, view) {
    if (inputType !== "insertText" || data === null || !cancelable || view.composing) return false;
    const { state } = view;
    if (state.selection.main.empty && !isAtCursor(view)) return false;
    view.dispatch(state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
    return true;
  },
});

/** Whether the browser would insert where the state has its cursor: a move may not be reported yet, and some browsers report none. */
function isAtCursor(view: EditorView): boolean {
  const selection = (view.root as { getSelection?: () => Selection | null }).getSelection?.();
  const node = selection?.focusNode;
  if (!selection?.isCollapsed || !node || !view.contentDOM.contains(node)) return false;
  return view.posAtDOM(node, selection.focusOffset) === view.state.selection.main.head;
}

/** By the user's hand: of the text before, in order. */
function changesOf(transactions: readonly Transaction[]): readonly TextChange[] {
  const list: TextChange[] = [];
  const [first, ...others] = transactions.filter(({ docChanged }) => docChanged);
  if (first === undefined || transactions.some((transaction) => transaction.annotation(put) === true)) return list;
  const changes = others.reduce((sum, other) => sum.compose(other.changes), first.changes);
  changes.iterChanges((from, to, _from, _to, insert) => list.push({ from, to, insert: insert.toString() }));
  return list;
}

export class CodeEditor {
  readonly view: EditorView;
  /** The text of the state that the view has or is about to have. */
  #doc: Text;
  readonly #language = new Compartment();
  readonly #help = new Compartment();
  readonly #words = new Compartment();
  #isCel = false;

  constructor({ host, label, placeholder: hint, onChange, onDrawn }: CodeEditorOptions) {
    const root = host.attachShadow({ mode: "open", delegatesFocus: true });
    const extensions: Extension = [
      lineNumbers(),
      highlightActiveLineGutter(),
      highlightSpecialChars(),
      history(),
      highlightActiveLine(),
      EditorState.tabSize.of(2),
      this.#language.of([colours(false), keymap.of([commentKey("#")])]),
      keymap.of(KEYS),
      this.#help.of(gutter({ class: "cm-gutter-lint" })),
      this.#words.of([EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }), placeholder(hint)]),
      marks,
      ghosts,
      theme,
      wrapping,
      typing,
    ];
    const state = EditorState.create({ extensions });
    this.#doc = state.doc;
    // The change is sent first: the worker computes while the view draws.
    const dispatchTransactions = (transactions: readonly Transaction[], view: EditorView): void => {
      this.#doc = transactions.at(-1)?.newDoc ?? this.#doc;
      const changes = changesOf(transactions);
      if (changes.length > 0) onChange(changes);
      view.update(transactions);
      if (changes.length > 0) onDrawn();
    };
    this.view = new EditorView({ state, root, parent: root, dispatchTransactions });
  }

  get text(): string {
    return this.#doc.toString();
  }

  get length(): number {
    return this.#doc.length;
  }

  /** Replaces the text without telling `onChange`. */
  setText(text: string): void {
    if (text === this.text) return;
    const changes = { from: 0, to: this.length, insert: text };
    this.view.dispatch({ changes, annotations: put.of(true), selection: { anchor: 0 } });
  }

  /** Like an edit of the user: it can be undone, and `onChange` is called. */
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
    const now = this.view.state.field(marks).marks;
    const names = Object.keys(given) as (keyof Marks)[];
    if (names.every((name) => now[name].length === 0 && given[name]?.length === 0)) return;
    this.view.dispatch({ effects: setMarks.of(given) });
  }

  showGhosts(list: readonly Ghost[]): void {
    if (list.length === 0 && this.view.state.field(ghosts).size === 0) return;
    this.view.dispatch({ effects: setGhosts.of(list) });
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
