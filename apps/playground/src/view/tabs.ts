// A list of tabs: arrows move, Home and End jump, one of them is in the order of the keyboard.

import { h } from "./dom.ts";

export interface Tab {
  readonly id: string;
  readonly title: string;
  /** The element that it shows. */
  readonly panel: string;
}

export interface Tabs {
  select(id: string, focus?: boolean): void;
  readonly selected: string;
  /** A mark after the title, such as a number. */
  mark(id: string, text: string, tone?: string): void;
  show(id: string, isShown: boolean): void;
}

export function makeTabs(list: HTMLElement, tabs: readonly Tab[], onSelect: (id: string) => void): Tabs {
  const buttons = new Map(
    tabs.map(({ id, title, panel }) => [
      id,
      h(
        "button",
        { type: "button", role: "tab", id: `${list.id}-${id}`, "aria-controls": panel, class: "tab" },
        title,
        h("span", { class: "tab-mark" }),
      ),
    ]),
  );
  let selected = tabs[0]!.id;
  const shown = (): string[] => [...buttons].filter(([, button]) => !button.hidden).map(([id]) => id);
  const select = (id: string, focus = false): void => {
    selected = id;
    for (const [own, button] of buttons) {
      button.setAttribute("aria-selected", String(own === id));
      button.tabIndex = own === id ? 0 : -1;
    }
    if (focus) buttons.get(id)?.focus();
    onSelect(id);
  };
  for (const [id, button] of buttons) button.addEventListener("click", () => select(id));
  list.addEventListener("keydown", (event) => {
    const ids = shown();
    const at = ids.indexOf(selected);
    const next: Readonly<Record<string, number>> = {
      ArrowRight: (at + 1) % ids.length,
      ArrowLeft: (at + ids.length - 1) % ids.length,
      Home: 0,
      End: ids.length - 1,
    };
    const to = next[event.key];
    if (to === undefined) return;
    event.preventDefault();
    select(ids[to]!, true);
  });
  list.replaceChildren(...buttons.values());
  return {
    select,
    get selected() {
      return selected;
    },
    mark(id, text, tone = "none") {
      const mark = buttons.get(id)?.querySelector(".tab-mark");
      if (!mark) return;
      mark.textContent = text;
      mark.className = `tab-mark tone-${tone}`;
    },
    show(id, isShown) {
      const button = buttons.get(id);
      if (button === undefined || button.hidden === !isShown) return;
      button.hidden = !isShown;
      if (!isShown && selected === id) select(shown()[0]!);
    },
  };
}
