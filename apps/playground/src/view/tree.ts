// The explanation as a tree: arrows move and open, Enter goes to the place in the editor, pointing at a line or reaching it lights up its
// place. While typing, unchanged lines stay in the page.

import type { ExplainedLine, Spot, Tone } from "../model/answer.ts";
import { breakable, h } from "./dom.ts";

export interface TreeEvents {
  /** Highlights the places of the line under the pointer or focus; none when it leaves. */
  readonly light: (spots: readonly Spot[]) => void;
  readonly go: (spots: readonly Spot[]) => void;
}

const SIGNS: Readonly<Record<Tone, string>> = { good: "✓", bad: "✗", warn: "!", none: "·" };
const WORDS: Readonly<Record<Tone, string>> = { good: "true", bad: "failed", warn: "warning", none: "" };

/** More lines than this are not read. */
const LINES = 1_500;

interface Item {
  /** The newest that reads so: its places move with the text. */
  line: ExplainedLine;
  readonly row: HTMLElement;
  readonly hasChildren: boolean;
  open: boolean;
}

export class ExplanationTree {
  readonly element: HTMLElement;
  readonly #more: HTMLElement;
  readonly #events: TreeEvents;
  #items: Item[] = [];
  #current = 0;
  /** Kept while typing: lines that the user opened or closed, by their place. */
  readonly #chosen = new Map<string, boolean>();

  constructor(events: TreeEvents) {
    this.#events = events;
    this.#more = h("p", { class: "soft", role: "none", hidden: true });
    this.element = h("div", { role: "tree", "aria-label": "Explanation", class: "tree" }, this.#more);
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("pointerleave", () => events.light([]));
    this.element.addEventListener("focusout", () => events.light([]));
  }

  show(lines: readonly ExplainedLine[]): void {
    const shown = lines.slice(0, LINES);
    const hadFocus = this.element.contains(document.activeElement);
    this.#replace(shown);
    this.element.hidden = shown.length === 0;
    this.#more.textContent = `${lines.length - LINES} more lines are not shown.`;
    this.#more.hidden = lines.length <= LINES;
    this.#current = Math.min(this.#current, Math.max(0, shown.length - 1));
    this.#layout();
    if (hadFocus && !this.element.contains(document.activeElement)) this.#items[this.#current]?.row.focus();
  }

  /** Makes rows for the lines between those that are unchanged at the start and at the end. */
  #replace(lines: readonly ExplainedLine[]): void {
    const old = this.#items;
    const least = Math.min(old.length, lines.length);
    let start = 0;
    while (start < least && isSame(old[start]!, lines, start)) start++;
    let end = 0;
    while (end < least - start && isSame(old[old.length - 1 - end]!, lines, lines.length - 1 - end)) end++;
    const kept = [...old.slice(0, start), ...old.slice(old.length - end)];
    for (const { row } of old.slice(start, old.length - end)) row.remove();
    const made = lines
      .slice(start, lines.length - end)
      .map((line, i) => this.#item(line, hasChildrenAt(lines, start + i)));
    (kept[start]?.row ?? this.#more).before(...made.map(({ row }) => row));
    this.#items = kept.toSpliced(start, 0, ...made);
    for (const [i, item] of this.#items.entries()) item.line = lines[i]!;
  }

  #item(line: ExplainedLine, hasChildren: boolean): Item {
    const open = this.#chosen.get(keyOf(line)) ?? line.closed !== true;
    const row = h(
      "div",
      {
        role: "treeitem",
        "aria-level": String(line.level),
        class: `line line-${line.role} tone-${line.tone}`,
        tabindex: "-1",
        ...(hasChildren && { "aria-expanded": String(open) }),
      },
      h("span", { class: "twist", "aria-hidden": "true" }, hasChildren ? "▸" : ""),
      h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[line.tone]),
      h(
        "span",
        { class: "line-text" },
        line.role === "group" || line.role === "aside" || line.role === "message"
          ? h("span", { class: "line-words" }, ...breakable(line.text))
          : h("code", { class: "line-code" }, ...breakable(line.text)),
        line.value !== undefined && line.value !== "" ? h("span", { class: "arrow" }, " → ") : undefined,
        line.value !== undefined && line.value !== ""
          ? h("code", { class: `value ${valueClass(line.value)}` }, ...breakable(line.value))
          : undefined,
        line.note === undefined ? undefined : h("span", { class: "line-note" }, line.note),
        WORDS[line.tone] !== "" && line.value === undefined && line.role !== "deciding"
          ? h("span", { class: "hidden" }, ` (${WORDS[line.tone]})`)
          : undefined,
      ),
    );
    row.style.setProperty("--level", String(line.level - 1));
    const item: Item = { line, row, hasChildren, open };
    row.addEventListener("click", (event) => {
      this.#current = this.#items.indexOf(item);
      if (hasChildren && (event.target as HTMLElement).classList.contains("twist")) this.#toggle(item, !item.open);
      else {
        if (hasChildren && !item.open) this.#toggle(item, true);
        this.#events.go(item.line.spots);
      }
      this.#layout();
    });
    row.addEventListener("pointerenter", () => this.#events.light(item.line.spots));
    row.addEventListener("focus", () => {
      this.#current = this.#items.indexOf(item);
      this.#events.light(item.line.spots);
      this.#layout();
    });
    return item;
  }

  #toggle(item: Item, open: boolean): void {
    item.open = open;
    this.#chosen.set(keyOf(item.line), open);
    item.row.setAttribute("aria-expanded", String(open));
    this.#layout();
  }

  /** Hides lines below closed ones; one line is in the tab order. */
  #layout(): void {
    let closedAt = Number.POSITIVE_INFINITY;
    for (const [i, { line, row, hasChildren, open }] of this.#items.entries()) {
      if (line.level <= closedAt) closedAt = Number.POSITIVE_INFINITY;
      const [isHidden, tabIndex] = [line.level > closedAt, i === this.#current ? 0 : -1];
      if (hasChildren && !open && closedAt === Number.POSITIVE_INFINITY) closedAt = line.level;
      // Written only where it changes: writing costs, even the same.
      if (row.hidden !== isHidden) row.hidden = isHidden;
      if (row.tabIndex !== tabIndex) row.tabIndex = tabIndex;
    }
  }

  #key(event: KeyboardEvent): void {
    const item = this.#items[this.#current];
    if (item === undefined) return;
    const visible = this.#items.filter(({ row }) => !row.hidden);
    const at = visible.indexOf(item);
    const move = (to: Item | undefined): void => to?.row.focus();
    switch (event.key) {
      case "ArrowDown":
        move(visible[at + 1]);
        break;
      case "ArrowUp":
        move(visible[at - 1]);
        break;
      case "ArrowRight":
        if (item.hasChildren && !item.open) this.#toggle(item, true);
        else if (item.hasChildren) move(visible[at + 1]);
        break;
      case "ArrowLeft":
        if (item.hasChildren && item.open) this.#toggle(item, false);
        else move(visible.slice(0, at).findLast(({ line }) => line.level < item.line.level));
        break;
      case "Home":
        move(visible[0]);
        break;
      case "End":
        move(visible.at(-1));
        break;
      case "Enter":
      case " ":
        this.#events.go(item.line.spots);
        break;
      default:
        return;
    }
    event.preventDefault();
  }
}

const hasChildrenAt = (lines: readonly ExplainedLine[], at: number): boolean =>
  (lines[at + 1]?.level ?? 0) > lines[at]!.level;

/** Whether a row shows this line as it is to be shown. */
function isSame({ line, hasChildren }: Item, lines: readonly ExplainedLine[], at: number): boolean {
  const other = lines[at]!;
  return (
    hasChildren === hasChildrenAt(lines, at) &&
    line.text === other.text &&
    line.value === other.value &&
    line.note === other.note &&
    line.level === other.level &&
    line.tone === other.tone &&
    line.role === other.role &&
    line.closed === other.closed
  );
}

const keyOf = ({ level, role, text }: ExplainedLine): string => `${level} ${role} ${text}`;

function valueClass(value: string): string {
  if (value === "true") return "is-true";
  return value === "false" || value.startsWith("error") ? "is-false" : "is-value";
}
