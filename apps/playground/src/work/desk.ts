// The work at hand and all other: workspaces, examples, links and imports are opened without losing anything, and there is a way back.

import type { Work, WorkMode } from "@celadon/language/playground";
import { FIRST_WORK } from "../examples/first.ts";
import { byId } from "../view/dom.ts";
import type { EngineLink } from "../view/engine-link.ts";
import { wordsOf } from "../view/modes.ts";
import { hideNotice, type NoticeAction, showNotice } from "./notice-bar.ts";
import { Spaces } from "./spaces.ts";
import type { Space } from "./store.ts";

/** Loaded when the first is opened. */
export const dialogs = (): Promise<typeof import("../view/dialogs.ts")> => import("../view/dialogs.ts");

/** The page as the desk sees it. */
export interface DeskHost {
  readonly work: () => Work;
  readonly show: (work: Work) => void;
  readonly ask: EngineLink["ask"];
  /** Runs an action when a part of the page that is loaded on demand has arrived. */
  readonly whenLoaded: (done: Promise<unknown>) => void;
  readonly say: (text: string) => void;
}

export class Desk {
  readonly #host: DeskHost;
  readonly #spaces: Spaces;

  constructor(host: DeskHost) {
    this.#host = host;
    this.#spaces = new Spaces(host.work);
  }

  /** The link in the address is not of this work any more; the work is kept when typing rests. */
  edited(): void {
    if (location.hash !== "") history.replaceState(null, "", location.pathname);
    this.#spaces.edited();
  }

  #open(work: Work): void {
    hideNotice();
    this.#host.show(work);
    byId("space-now").textContent = this.#spaces.name;
  }

  async openFirst(): Promise<void> {
    const last = await this.#spaces.last();
    if (!(await this.#openFragment(last))) this.#open(last === undefined ? FIRST_WORK : this.#spaces.enter(last));
  }

  async openLink(): Promise<void> {
    await this.#openFragment(this.#spaces.current());
  }

  /** The work of a link is a workspace of its own: nothing is replaced. */
  async #openFragment(own: Space | undefined): Promise<boolean> {
    const fragment = location.hash.slice(1);
    if (!/^\d+\./.test(fragment)) return false;
    const { NO_LINK, readLink } = await import("./read-link.ts");
    const work = await readLink(fragment);
    if ("problem" in work) {
      // Visible, not only announced: the page shows other work, and links are often cut short.
      this.#host.whenLoaded(
        dialogs().then(({ openNotice }) => openNotice("The link could not be opened", NO_LINK(work.problem))),
      );
      history.replaceState(null, "", location.pathname);
      return false;
    }
    this.#spaces.begin("From a link");
    this.#open(work);
    if (own !== undefined) {
      const actions = [{ title: `Back to “${own.name}”`, act: () => this.#enter(own) }];
      showNotice(["This is the work of the link. Changes are saved as a workspace of its own."], actions);
    }
    return true;
  }

  #enter(space: Space): void {
    history.replaceState(null, "", location.pathname);
    this.#open(this.#spaces.enter(space));
  }

  /** The mode's own work as it was left, or its first example. */
  async chooseMode(mode: WorkMode): Promise<void> {
    this.#spaces.keepDraft(this.#host.work());
    const { EXAMPLES } = await import("../examples/index.ts");
    const first = EXAMPLES.find(({ work }) => work.mode === mode);
    this.#openNew(this.#spaces.draft(mode) ?? first?.work ?? { ...this.#host.work(), mode });
  }

  async showExamples(): Promise<void> {
    const { EXAMPLES } = await import("../examples/index.ts");
    (await dialogs()).openExamples(EXAMPLES, this.#host.work().mode, ({ title, work }) =>
      this.#host.whenLoaded(this.#replace(work, [`Example “${title}” opened.`])),
    );
  }

  async showSpaces(): Promise<void> {
    const { openSpaces } = await import("./spaces-dialog.ts");
    await this.#spaces.save();
    await openSpaces(this.#spaces, {
      open: (space) => this.#enter(space),
      add: () => this.#beginSpace(),
      renamed: () => (byId("space-now").textContent = this.#spaces.name),
      remove: (space) => this.#host.whenLoaded(this.#removeSpace(space)),
      restore: (work) => this.#host.whenLoaded(this.#replace(work, ["Your work was restored."])),
    });
  }

  /** Empty panes in the present mode. */
  #beginSpace(): void {
    const own = this.#spaces.current();
    this.#spaces.begin("New workspace");
    this.#openNew({ mode: this.#host.work().mode, policy: "", object: "", oldObject: "", tests: "", request: {} });
    showNotice(["New workspace."], [{ title: `Back to “${own.name}”`, act: () => this.#enter(own) }]);
  }

  async #removeSpace(space: Space): Promise<void> {
    await this.#spaces.remove(space.id);
    const undo = { title: "Undo", act: () => void this.#spaces.putBack({ spaces: [space], replaced: [] }) };
    showNotice([`“${space.name}” was deleted.`], [undo]);
  }

  /** Opens other work in this workspace; the replaced work is kept aside, and there is a way back. */
  async #replace(work: Work, text: readonly (Node | string)[], more: readonly NoticeAction[] = []): Promise<void> {
    const { EXAMPLES } = await import("../examples/index.ts");
    const before = this.#spaces.current();
    await this.#spaces.setAside(
      work.mode,
      EXAMPLES.map((example) => example.work),
    );
    this.#openNew(work);
    const undo = (): void => {
      this.#openNew(this.#spaces.enter(before));
      this.#host.say("Undone.");
    };
    showNotice(text, [...more, { title: "Undo", act: undo }]);
  }

  #openNew(work: Work): void {
    this.#open(work);
    this.edited();
  }

  async importFiles(files: readonly File[]): Promise<void> {
    const { readFiles } = await import("./import-files.ts");
    const { sources, problems } = await readFiles(files);
    await this.import(sources, problems);
  }

  async import(
    sources: readonly { readonly name: string; readonly text: string }[],
    unread: readonly string[],
  ): Promise<void> {
    const found =
      sources.length === 0 ? undefined : await this.#host.ask({ what: "sort", sources, work: this.#host.work() });
    const problems = [...unread, ...(found?.problems ?? [])];
    if (found !== undefined && found.placed.length > 0) {
      const { importText } = await import("./import-text.ts");
      await this.#replace(found.work, importText(found, wordsOf(found.work.mode), problems));
    } else {
      const text = problems.length > 0 ? `${problems.join("; ")}.` : "There was nothing to import.";
      (await dialogs()).openNotice("Not imported", text);
    }
  }

  async forget(): Promise<void> {
    const saved = await this.#spaces.forget();
    history.replaceState(null, "", location.pathname);
    this.#open(FIRST_WORK);
    const undo = async (): Promise<void> => {
      await this.#spaces.putBack(saved);
      const [last] = saved.spaces;
      if (last !== undefined) this.#open(this.#spaces.enter(last));
    };
    showNotice(["All saved work was deleted."], [{ title: "Undo", act: () => this.#host.whenLoaded(undo()) }]);
  }
}
