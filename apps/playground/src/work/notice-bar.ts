// A line above the panes about something that has just happened to the work, with a way back. It stays until it is closed or the next.

import { byId, h } from "../view/dom.ts";

export interface NoticeAction {
  readonly title: string;
  readonly act: () => void;
}

export function showNotice(text: readonly (Node | string)[], actions: readonly NoticeAction[] = []): void {
  const bar = byId("notice");
  const button = ({ title, act }: NoticeAction): HTMLElement =>
    h(
      "button",
      {
        type: "button",
        class: "quiet",
        click: () => {
          hideNotice();
          act();
        },
      },
      title,
    );
  const close = h("button", { type: "button", class: "quiet close", "aria-label": "Close", click: hideNotice }, "✕");
  bar.replaceChildren(h("p", { role: "status" }, ...text), ...actions.map(button), close);
  bar.hidden = false;
}

export function hideNotice(): void {
  byId("notice").hidden = true;
}
