// The keys of an editor. Keys of CodeMirror that need its parser are left out, as that would double the first load: Enter, indentation and
// comments are implemented here for YAML.

import {
  copyLineDown,
  copyLineUp,
  cursorCharLeft,
  cursorCharRight,
  cursorDocEnd,
  cursorDocStart,
  cursorGroupLeft,
  cursorGroupRight,
  cursorLineBoundaryBackward,
  cursorLineBoundaryForward,
  cursorLineBoundaryLeft,
  cursorLineBoundaryRight,
  cursorLineDown,
  cursorLineUp,
  cursorPageDown,
  cursorPageUp,
  deleteGroupBackward,
  deleteGroupForward,
  deleteLine,
  deleteLineBoundaryBackward,
  deleteLineBoundaryForward,
  historyKeymap,
  moveLineDown,
  moveLineUp,
  selectAll,
  selectCharLeft,
  selectCharRight,
  selectDocEnd,
  selectDocStart,
  selectGroupLeft,
  selectGroupRight,
  selectLineBoundaryBackward,
  selectLineBoundaryForward,
  selectLineBoundaryLeft,
  selectLineBoundaryRight,
  selectLineDown,
  selectLineUp,
  selectPageDown,
  selectPageUp,
  simplifySelection,
} from "@codemirror/commands";
import {
  type ChangeSpec,
  EditorSelection,
  type EditorState,
  findClusterBreak,
  type Line,
  type StateCommand,
} from "@codemirror/state";
import type { Command, KeyBinding } from "@codemirror/view";

// biome-ignore format: one key per line
export const KEYS: readonly KeyBinding[] = [
  { key: "ArrowLeft", run: cursorCharLeft, shift: selectCharLeft, preventDefault: true },
  { key: "ArrowRight", run: cursorCharRight, shift: selectCharRight, preventDefault: true },
  { key: "ArrowUp", run: cursorLineUp, shift: selectLineUp, preventDefault: true },
  { key: "ArrowDown", run: cursorLineDown, shift: selectLineDown, preventDefault: true },
  { key: "Mod-ArrowLeft", mac: "Alt-ArrowLeft", run: cursorGroupLeft, shift: selectGroupLeft, preventDefault: true },
  { key: "Mod-ArrowRight", mac: "Alt-ArrowRight", run: cursorGroupRight, shift: selectGroupRight, preventDefault: true },
  { mac: "Cmd-ArrowLeft", run: cursorLineBoundaryLeft, shift: selectLineBoundaryLeft, preventDefault: true },
  { mac: "Cmd-ArrowRight", run: cursorLineBoundaryRight, shift: selectLineBoundaryRight, preventDefault: true },
  { mac: "Cmd-ArrowUp", run: cursorDocStart, shift: selectDocStart },
  { mac: "Cmd-ArrowDown", run: cursorDocEnd, shift: selectDocEnd },
  { key: "PageUp", mac: "Ctrl-ArrowUp", run: cursorPageUp, shift: selectPageUp },
  { key: "PageDown", mac: "Ctrl-ArrowDown", run: cursorPageDown, shift: selectPageDown },
  { key: "Home", run: cursorLineBoundaryBackward, shift: selectLineBoundaryBackward, preventDefault: true },
  { key: "End", run: cursorLineBoundaryForward, shift: selectLineBoundaryForward, preventDefault: true },
  { key: "Mod-Home", run: cursorDocStart, shift: selectDocStart },
  { key: "Mod-End", run: cursorDocEnd, shift: selectDocEnd },
  { key: "Mod-a", run: selectAll },
  { key: "Enter", run: newline, shift: newline },
  { key: "Backspace", run: deleteBackward, shift: deleteBackward, preventDefault: true },
  { key: "Delete", run: deleteForward, preventDefault: true },
  { key: "Mod-Backspace", mac: "Alt-Backspace", run: deleteGroupBackward, preventDefault: true },
  { key: "Mod-Delete", mac: "Alt-Delete", run: deleteGroupForward, preventDefault: true },
  { mac: "Mod-Backspace", run: deleteLineBoundaryBackward, preventDefault: true },
  { mac: "Mod-Delete", run: deleteLineBoundaryForward, preventDefault: true },
  { key: "Alt-ArrowUp", run: moveLineUp, shift: copyLineUp },
  { key: "Alt-ArrowDown", run: moveLineDown, shift: copyLineDown },
  { key: "Escape", run: simplifySelection },
  { key: "Shift-Mod-k", run: deleteLine },
  { key: "Mod-]", run: (view) => indent(view, true) },
  { key: "Mod-[", run: (view) => indent(view, false) },
  ...historyKeymap,
];

/** Ctrl-/ with the sign that starts a comment. */
export function commentKey(sign: string): KeyBinding {
  return { key: "Mod-/", run: (view) => toggleComment(view, sign) };
}

const UNIT = "  ";

/** Whether a line ends behind the colon of a key, or behind the sign of a block scalar, outside of a comment. */
function opensBlock(line: string): boolean {
  const end = /:(?: +[|>][-+]?\d?)?$/.exec(line);
  if (end === null) return false;
  const comment = line.lastIndexOf("#", end.index);
  return (comment < 0 ? /\S/ : /\s\S/).test(line.slice(comment + 1, end.index));
}

/** Indented as the line it leaves, or one step more behind a key without a value and the start of a block. */
function newline({ state, dispatch }: Parameters<StateCommand>[0]): boolean {
  const changes = state.changeByRange(({ from, to }) => {
    const line = state.doc.lineAt(from);
    const before = line.text.slice(0, from - line.from);
    const margin = /^\s*(?:- +)*/.exec(before)![0].replaceAll("-", " ");
    const opens = opensBlock(before) || /[([{]$/.test(before);
    const insert = `${state.lineBreak}${margin}${opens ? UNIT : ""}`;
    return { changes: { from, to, insert }, range: EditorSelection.cursor(from + insert.length) };
  });
  dispatch(state.update(changes, { scrollIntoView: true, userEvent: "input" }));
  return true;
}

function deleteBackward(view: Parameters<Command>[0]): boolean {
  return deleteChar(view, (line, at) => {
    if (at === 0) return -1;
    // In the margin of a line, a step of indentation.
    const isMargin = /^ +$/.test(line.text.slice(0, at)) && at % UNIT.length === 0;
    return isMargin ? at - UNIT.length : findClusterBreak(line.text, at, false);
  });
}

function deleteForward(view: Parameters<Command>[0]): boolean {
  return deleteChar(view, (line, at) => (at === line.length ? at + 1 : findClusterBreak(line.text, at, true)));
}

/** Deletes the selection, or the text up to where `other` leads, in the line. */
function deleteChar(
  { state, dispatch }: Parameters<StateCommand>[0],
  other: (line: Line, at: number) => number,
): boolean {
  if (state.readOnly) return false;
  const changes = state.changeByRange((range) => {
    const line = state.doc.lineAt(range.from);
    const to = Math.max(0, Math.min(state.doc.length, line.from + other(line, range.from - line.from)));
    const [start, end] = range.empty ? [Math.min(range.from, to), Math.max(range.from, to)] : [range.from, range.to];
    return { changes: { from: start, to: end }, range: EditorSelection.cursor(start) };
  });
  dispatch(state.update(changes, { scrollIntoView: true, userEvent: "delete" }));
  return true;
}

function selectedLines({ doc, selection }: EditorState): readonly Line[] {
  const numbers = new Set<number>();
  for (const { from, to } of selection.ranges) {
    for (let n = doc.lineAt(from).number; n <= doc.lineAt(to).number; n++) numbers.add(n);
  }
  return [...numbers].map((n) => doc.line(n));
}

function change({ state, dispatch }: Parameters<StateCommand>[0], changes: readonly ChangeSpec[]): boolean {
  if (changes.length > 0) dispatch(state.update({ changes, userEvent: "input" }));
  return true;
}

function indent(target: Parameters<StateCommand>[0], more: boolean): boolean {
  return change(
    target,
    selectedLines(target.state).flatMap(({ from, text }): ChangeSpec[] => {
      if (more) return text === "" ? [] : [{ from, insert: UNIT }];
      const least = Math.min(UNIT.length, /^ */.exec(text)![0].length);
      return least === 0 ? [] : [{ from, to: from + least }];
    }),
  );
}

function toggleComment(target: Parameters<StateCommand>[0], sign: string): boolean {
  const lines = selectedLines(target.state).filter(({ text }) => text.trim() !== "");
  const margin = lines.reduce((least, { text }) => Math.min(least, text.length - text.trimStart().length), Infinity);
  const isComment = lines.every(({ text }) => text.trimStart().startsWith(sign));
  return change(
    target,
    lines.map(({ from, text }): ChangeSpec => {
      if (!isComment) return { from: from + margin, insert: `${sign} ` };
      const at = text.indexOf(sign);
      return { from: from + at, to: from + at + sign.length + (text[at + sign.length] === " " ? 1 : 0) };
    }),
  );
}
