// Text beside the user's own: values of the parts of an expression at the end of their line, and fields that are missing where they would
// stand. It is shown and never part of the document.

import { StateEffect, type StateEffectType, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";

export interface Ghost {
  /** At the end of the line of this place, or with `isBlock` in lines of its own before it. */
  readonly at: number;
  readonly text: string;
  readonly isBlock: boolean;
  readonly tone: "value" | "good" | "bad" | "add";
}

export const setGhosts: StateEffectType<readonly Ghost[]> = StateEffect.define<readonly Ghost[]>();

class GhostWidget extends WidgetType {
  readonly ghost: Ghost;

  constructor(ghost: Ghost) {
    super();
    this.ghost = ghost;
  }

  override eq({ ghost: { text, isBlock, tone } }: GhostWidget): boolean {
    return text === this.ghost.text && isBlock === this.ghost.isBlock && tone === this.ghost.tone;
  }

  override toDOM(): HTMLElement {
    const { text, isBlock, tone } = this.ghost;
    const element = document.createElement(isBlock ? "div" : "span");
    element.className = `${isBlock ? "ghost-block" : "ghost"} ghost-${tone}`;
    element.textContent = text;
    // The result says the same in words.
    element.setAttribute("aria-hidden", "true");
    return element;
  }
}

export const ghosts: StateField<DecorationSet> = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    let shown = transaction.docChanged ? value.map(transaction.changes) : value;
    const { doc } = transaction.state;
    for (const effect of transaction.effects) {
      if (!effect.is(setGhosts)) continue;
      shown = Decoration.set(
        effect.value.map((ghost) => {
          const at = Math.min(ghost.at, doc.length);
          const widget = new GhostWidget(ghost);
          return ghost.isBlock
            ? Decoration.widget({ widget, block: true, side: -1 }).range(doc.lineAt(at).from)
            : Decoration.widget({ widget, side: 1 }).range(doc.lineAt(at).to);
        }),
        true,
      );
    }
    return shown;
  },
  provide: (field) => EditorView.decorations.from(field),
});
