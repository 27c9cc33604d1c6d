// Long lines are wrapped, and their continuation hangs below the text of the line rather than at the margin. Indentations are classes, because
// the content security policy allows no style in attributes.

import { type Extension, RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

/** Deeper indentation hangs as this one. */
const DEEPEST = 40;

const HANGING = Array.from({ length: DEEPEST + 1 }, (_, indent) => Decoration.line({ class: `hang-${indent}` }));

/** The space left of a line's text. */
const MARGIN = 8;

const styles = EditorView.theme(
  Object.fromEntries(
    HANGING.map((_, indent) => [
      `.cm-line.hang-${indent}`,
      { paddingLeft: `calc(${MARGIN}px + ${indent + 2}ch)`, textIndent: `-${indent + 2}ch` },
    ]),
  ),
);

class Hanging {
  decorations: DecorationSet;

  constructor(view: EditorView) {
    this.decorations = this.#build(view);
  }

  update({ docChanged, viewportChanged, view }: ViewUpdate): void {
    if (docChanged || viewportChanged) this.decorations = this.#build(view);
  }

  #build(view: EditorView): DecorationSet {
    const builder = new RangeSetBuilder<Decoration>();
    const { doc } = view.state;
    for (const { from, to } of view.visibleRanges) {
      for (let at = from; at <= to; ) {
        const line = doc.lineAt(at);
        const indent = /^ *(?:- +)*/.exec(line.text.slice(0, 200))![0].length;
        builder.add(line.from, line.from, HANGING[Math.min(indent, DEEPEST)]!);
        at = line.to + 1;
      }
    }
    return builder.finish();
  }
}

export const wrapping: Extension = [
  EditorView.lineWrapping,
  styles,
  ViewPlugin.fromClass(Hanging, { decorations: ({ decorations }) => decorations }),
];
