// The look of an editor. Colours come from the page's custom properties, which reach into shadow roots.

import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

const FONT = "ui-monospace, SFMono-Regular, 'SF Mono', Menlo, 'Cascadia Code', 'DejaVu Sans Mono', Consolas, monospace";

export const theme: Extension = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "transparent", fontSize: "var(--code-size)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: FONT, lineHeight: "1.55", overflow: "auto" },
  ".cm-content": { padding: "10px 0", caretColor: "var(--accent)" },
  ".cm-line": { padding: "0 14px 0 8px" },
  ".cm-gutters": { backgroundColor: "var(--pane)", color: "var(--faint)", border: "none", paddingLeft: "6px" },
  // Room for the marks of problems from the start: their gutter comes with the first answer, and the text must not move.
  ".cm-gutter-lint": { width: "14px" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "26px", padding: "0 6px 0 4px" },
  ".cm-activeLine": { backgroundColor: "var(--active-line)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)" },
  // The browser's own cursor and selection: one that is drawn here would blink by an animation, and an animated page shows typed text not
  // at once but with the next tick of the screen.
  ".cm-line::selection, .cm-line ::selection": { backgroundColor: "var(--selection)" },
  ".cm-placeholder": { color: "var(--soft)" },
  ".c-key": { color: "var(--c-key)" },
  ".c-string": { color: "var(--c-string)" },
  ".c-number": { color: "var(--c-number)" },
  ".c-word": { color: "var(--c-word)" },
  ".c-comment": { color: "var(--c-comment)", fontStyle: "italic" },
  ".c-sign": { color: "var(--c-sign)" },
  ".c-call": { color: "var(--c-call)" },
  ".c-name": { color: "var(--c-name)", fontWeight: "600" },
  ".c-mark": { color: "var(--c-sign)", fontWeight: "600" },
  ".lit": { backgroundColor: "var(--lit)", borderRadius: "3px", boxShadow: "0 0 0 1px var(--lit-edge)" },
  ".lit-line": { backgroundColor: "var(--lit-soft)" },
  ".guilty": { backgroundColor: "var(--guilty)", borderRadius: "3px", boxShadow: "inset 0 -2px 0 var(--bad)" },
  ".ghost": {
    marginLeft: "2ch",
    color: "var(--soft)",
    fontStyle: "italic",
    fontSize: "0.92em",
    whiteSpace: "pre-wrap",
  },
  ".ghost-add": { color: "var(--good)" },
  ".ghost-block": {
    padding: "0 14px 0 8px",
    color: "var(--good)",
    backgroundColor: "var(--good-back)",
    fontStyle: "italic",
    whiteSpace: "pre-wrap",
  },
  ".cov-all": { boxShadow: "inset 0 -2px 0 var(--good)" },
  ".cov-some": { boxShadow: "inset 0 -2px 0 var(--warn)" },
  ".cov-none": { boxShadow: "inset 0 -2px 0 var(--bad)" },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    border: "1px solid var(--edge)",
    borderRadius: "8px",
    boxShadow: "var(--shadow)",
    fontSize: "13px",
    maxWidth: "min(560px, 90vw)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: FONT, maxHeight: "15em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "4px 10px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
  },
  ".cm-completionDetail": { fontStyle: "normal", opacity: "0.8", marginLeft: "1em" },
  ".cm-completionInfo": { padding: "8px 12px", maxWidth: "380px" },
  ".cm-tooltip-hover .words": { padding: "8px 12px", whiteSpace: "pre-wrap" },
  ".words code": { fontFamily: FONT, backgroundColor: "var(--code-back)", borderRadius: "4px", padding: "0 4px" },
  ".cm-diagnostic": { padding: "6px 10px", borderLeft: "3px solid var(--warn)" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
  ".cm-diagnosticAction": {
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
    borderRadius: "4px",
    padding: "2px 8px",
  },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad)",
    textUnderlineOffset: "3px",
  },
  ".cm-lintRange-warning": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--warn)",
    textUnderlineOffset: "3px",
  },
  ".cm-lintRange-info, .cm-lintRange-hint": {
    backgroundImage: "none",
    textDecoration: "underline dotted var(--soft)",
    textUnderlineOffset: "3px",
  },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--ink)", borderColor: "var(--edge)" },
  ".cm-panels input, .cm-panels button": {
    backgroundImage: "none",
    backgroundColor: "var(--field)",
    color: "var(--ink)",
    border: "1px solid var(--edge)",
    borderRadius: "6px",
    fontSize: "14px",
  },
});
