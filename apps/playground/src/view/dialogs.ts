// Dialogs: examples, import, share, and rare commands.

import {
  encodeWork,
  LONG_LINK,
  LONGEST_LINK,
  type MaskedWork,
  type Work,
  type WorkMode,
  type WorkText,
} from "@celadon/language/playground";
import type { Example } from "../examples/example.ts";
import { commandLine } from "./command-line.ts";
import { deflate } from "./compress.ts";
import { h } from "./dom.ts";

/** Opens a modal dialog; Escape and its button close it, and focus goes back to where it was. */
export function openDialog(title: string, ...content: readonly (Node | undefined)[]): HTMLDialogElement {
  const id = `dialog-${title.toLowerCase().replace(/\W+/g, "-")}`;
  const dialog = h("dialog", { "aria-labelledby": id });
  const close = h(
    "button",
    { type: "button", class: "quiet close", "aria-label": "Close", click: () => dialog.close() },
    "✕",
  );
  dialog.append(
    h("header", { class: "dialog-head" }, h("h2", { id }, title), close),
    h("div", { class: "dialog-body" }, ...content.filter((node) => node !== undefined)),
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Something that the user should know before going on. */
export function openNotice(title: string, text: string): void {
  openDialog(title, h("p", {}, text));
}

/** Shows examples, those of the current mode first. */
export function openExamples(examples: readonly Example[], mode: WorkMode, take: (example: Example) => void): void {
  const own = examples.filter(({ work }) => work.mode === mode);
  const groups = [...new Set([...own, ...examples].map(({ group }) => group))];
  const dialog = openDialog(
    "Examples",
    ...groups.map((group) =>
      h(
        "section",
        { class: "example-group" },
        h("h3", {}, group),
        h(
          "ul",
          { class: "examples" },
          ...examples
            .filter((example) => example.group === group)
            .map((example) =>
              h(
                "li",
                {},
                h(
                  "button",
                  {
                    type: "button",
                    class: "example",
                    id: `example-${example.id}`,
                    click: () => {
                      dialog.close();
                      take(example);
                    },
                  },
                  h("strong", {}, example.title),
                  h("span", {}, example.about),
                ),
              ),
            ),
        ),
      ),
    ),
  );
}

export interface ImportEvents {
  readonly files: (files: readonly File[]) => void;
  readonly text: (text: string) => void;
}

export function openImport({ files, text }: ImportEvents): void {
  const chosen = h("input", {
    type: "file",
    id: "import-files",
    multiple: true,
    accept: ".yaml,.yml,.json,.cel,.csr,.pem,.txt",
  });
  const area = h("textarea", { id: "import-text", rows: "8", spellcheck: "false", placeholder: "apiVersion: …" });
  const dialog = openDialog(
    "Import",
    h(
      "p",
      {},
      "Choose files, drop them anywhere on the page, or paste manifests: YAML, JSON, Lists. Policies, bindings, definitions and their params go to the policy pane, other objects to the object pane, test suites to the tests, and signing requests (PEM) to the certificates.",
    ),
    h("label", { class: "field" }, h("span", {}, "Files"), chosen),
    h("label", { class: "field" }, h("span", {}, "Or paste"), area),
    h(
      "p",
      { class: "buttons" },
      h(
        "button",
        {
          type: "button",
          class: "primary",
          click: () => {
            dialog.close();
            if (area.value.trim() !== "") text(area.value);
          },
        },
        "Import the text",
      ),
    ),
  );
  chosen.addEventListener("change", () => {
    dialog.close();
    files([...(chosen.files ?? [])]);
  });
}

const NAMES: Readonly<Record<WorkText, string>> = {
  policy: "policy",
  object: "object",
  oldObject: "old object",
  tests: "tests",
};

/** A link with secrets masked, unless the user wants them in it. */
export async function openShare(work: Work, mask: (work: Work) => Promise<MaskedWork | undefined>): Promise<void> {
  const maskedWork = await mask(work);
  const { masked = [], unread = [] } = maskedWork ?? {};
  const choice = h("input", { type: "checkbox", id: "share-mask", checked: true });
  const link = h("input", { type: "text", id: "share-link", readonly: true, "aria-label": "Link" });
  const state = h("p", { class: "soft", role: "status" });
  const copy = h("button", { type: "button", class: "primary", id: "share-copy" }, "Copy link");
  const file = h("button", { type: "button", id: "share-file" }, "Save as file");
  const current = (): Work => (choice.checked ? (maskedWork?.work ?? work) : work);
  const make = async (): Promise<void> => {
    const url = `${location.href.split("#")[0]}#${await encodeWork(current(), deflate)}`;
    const isTooLong = url.length > LONGEST_LINK;
    link.value = isTooLong ? "" : url;
    copy.disabled = isTooLong;
    state.textContent = isTooLong
      ? `The link would have ${url.length.toLocaleString("en")} characters, too many for most programs. Save a file instead.`
      : url.length > LONG_LINK
        ? `${url.length.toLocaleString("en")} characters. Chat programs may cut a link of this length.`
        : `${url.length.toLocaleString("en")} characters. Everything is in the link; nothing is uploaded.`;
  };
  choice.addEventListener("change", () => void make());
  copy.addEventListener("click", () => {
    link.select();
    navigator.clipboard.writeText(link.value).then(
      () => (state.textContent = "Copied."),
      () => (state.textContent = "The browser did not allow copying. Press Ctrl-C instead."),
    );
  });
  file.addEventListener("click", () => save("playground.json", JSON.stringify(current(), null, 2)));
  openDialog(
    "Share",
    h("p", {}, "The link contains your work, compressed, after the #. Browsers never send that part to a server."),
    masked.length === 0
      ? h("p", { class: "soft" }, "No secrets were found.")
      : h(
          "div",
          { class: "masked" },
          h(
            "label",
            { class: "field check" },
            choice,
            h("span", {}, `Mask ${masked.length} secret ${masked.length === 1 ? "value" : "values"}`),
          ),
          h(
            "ul",
            {},
            ...masked.map(({ text, object, path }) =>
              h("li", {}, `${NAMES[text]}: ${object} `, h("code", {}, path.join("."))),
            ),
          ),
        ),
    unread.length === 0
      ? undefined
      : h(
          "p",
          { class: "tone-warn" },
          `The ${unread.map((text) => NAMES[text]).join(" and ")} could not be read, so it was not searched for secrets.`,
        ),
    link,
    h("p", { class: "buttons" }, copy, file),
    state,
  );
  await make();
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}

export interface MoreEvents {
  readonly spaces: () => void;
  readonly forget: () => void;
  readonly scheme: (scheme: string) => void;
}

export function openMore(work: Work, scheme: string, { spaces, forget, scheme: choose }: MoreEvents): void {
  const select = h(
    "select",
    { id: "scheme", change: () => choose(select.value) },
    ...(["light dark", "light", "dark"] as const).map((value) =>
      h(
        "option",
        { value, selected: value === scheme },
        value === "light dark" ? "Same as system" : value === "light" ? "Light" : "Dark",
      ),
    ),
  );
  const dialog = openDialog(
    "More",
    h("label", { class: "field" }, h("span", {}, "Colours"), select),
    h("h3", {}, "On the command line"),
    h("p", {}, "With the panes saved under these names:"),
    h("pre", { class: "command", tabindex: "0" }, h("code", {}, commandLine(work))),
    h("h3", {}, "Keyboard"),
    h(
      "dl",
      { class: "keys" },
      ...[
        ["Ctrl-Space", "complete"],
        ["F8", "next problem; Ctrl-Shift-M lists them"],
        ["Shift-Alt-F", "format expressions"],
        ["Ctrl-F", "search"],
        ["Tab", "leave the editor"],
        ["↑ ↓ ← →, Enter", "in the explanation: move, expand, go to the place"],
      ].flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key!)), h("dd", {}, what!)]),
    ),
    h("h3", {}, "Saved data"),
    h("p", {}, "Your work is saved in this browser only."),
    h(
      "p",
      { class: "buttons" },
      h("button", { type: "button", id: "more-spaces", click: () => leave(spaces) }, "Workspaces"),
      h("button", { type: "button", id: "forget", click: () => leave(() => confirmForget(forget)) }, "Delete all"),
    ),
  );
  const leave = (act: () => void): void => {
    dialog.close();
    act();
  };
}

function confirmForget(forget: () => void): void {
  const dialog = openDialog(
    "Delete all saved work?",
    h("p", {}, "All workspaces and the work that was replaced are deleted from this browser."),
    h(
      "p",
      { class: "buttons" },
      h(
        "button",
        {
          type: "button",
          class: "primary",
          id: "forget-confirm",
          click: () => {
            dialog.close();
            forget();
          },
        },
        "Delete all",
      ),
      h("button", { type: "button", click: () => dialog.close() }, "Cancel"),
    ),
  );
}
