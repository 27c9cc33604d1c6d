// The dialog of workspaces: open, name, add and delete them, and get back work that was replaced. Loaded when it is first opened.

import type { Work } from "@celadon/language/playground";
import { openDialog } from "../view/dialogs.ts";
import { h } from "../view/dom.ts";
import { wordsOf } from "../view/modes.ts";
import type { Spaces } from "./spaces.ts";
import type { Replaced, Space } from "./store.ts";

export interface SpacesEvents {
  readonly open: (space: Space) => void;
  readonly add: () => void;
  readonly renamed: () => void;
  readonly remove: (space: Space) => void;
  readonly restore: (work: Work) => void;
}

const when = (time: number): string =>
  time === 0 ? "" : new Date(time).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });

export async function openSpaces(spaces: Spaces, events: SpacesEvents): Promise<void> {
  const current = spaces.current();
  const others = (await spaces.list()).filter(({ id }) => id !== current.id);
  const replaced = await spaces.replaced();
  const name = h("input", { type: "text", id: "space-name", value: current.name, maxlength: "60" });
  name.addEventListener("change", () => {
    if (name.value.trim() === "") return;
    spaces.rename(name.value.trim());
    events.renamed();
  });
  const dialog = openDialog(
    "Workspaces",
    h("p", {}, "Work is saved in this browser only. A link that you open becomes a workspace of its own."),
    h("label", { class: "field" }, h("span", {}, "Name of this workspace"), name),
    h(
      "p",
      { class: "buttons" },
      h("button", { type: "button", id: "space-add", click: () => leave(events.add) }, "New workspace"),
    ),
    others.length === 0 ? undefined : h("h3", {}, "Other workspaces"),
    others.length === 0 ? undefined : h("ul", { class: "spaces" }, ...others.map((space) => spaceRow(space))),
    replaced.length === 0 ? undefined : h("h3", {}, "Replaced by an example or an import"),
    replaced.length === 0 ? undefined : h("ul", { class: "spaces" }, ...replaced.map((entry) => replacedRow(entry))),
  );
  const leave = (act: () => void): void => {
    dialog.close();
    act();
  };
  function spaceRow(space: Space): HTMLElement {
    const remove = h("button", { type: "button", class: "quiet", "aria-label": `Delete ${space.name}` }, "Delete");
    remove.addEventListener("click", () => {
      // The second click deletes: there is no way to do it by accident.
      if (remove.textContent === "Delete") remove.textContent = "Really delete?";
      else leave(() => events.remove(space));
    });
    remove.addEventListener("blur", () => (remove.textContent = "Delete"));
    return h(
      "li",
      { class: "space" },
      h("button", { type: "button", class: "linklike", click: () => leave(() => events.open(space)) }, space.name),
      h("span", { class: "soft" }, when(space.changed)),
      remove,
    );
  }
  function replacedRow({ work, at }: Replaced): HTMLElement {
    return h(
      "li",
      { class: "space" },
      h("span", {}, titleOf(work)),
      h("span", { class: "soft" }, when(at)),
      h("button", { type: "button", class: "quiet", click: () => leave(() => events.restore(work)) }, "Restore"),
    );
  }
}

/** `Validating: trusted-images` */
function titleOf({ mode, policy }: Work): string {
  const name = mode === "cel" ? policy.trim().slice(0, 40) : /^ {2}name: *(\S+)/m.exec(policy)?.[1];
  return name === undefined || name === "" ? wordsOf(mode).title : `${wordsOf(mode).title}: ${name}`;
}
