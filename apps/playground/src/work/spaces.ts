// Workspaces: the one at hand is saved when typing rests. Work from a link is a workspace of its own, saved once it is changed; work that an
// example or an import replaces is kept aside. So nothing that a user wrote is lost by opening something else.

import { deepEqual } from "@celadon/base";
import type { Work, WorkMode } from "@celadon/language/playground";
import {
  forgetAll,
  forgetSpace,
  keepReplaced,
  keepSpace,
  keptReplaced,
  keptSpaces,
  type Replaced,
  type Space,
} from "./store.ts";

const KEEP_AFTER_MS = 400;

/** Replaced work that is kept. */
const REPLACED = 10;

/** All saved work, to put it back. */
export interface Saved {
  readonly spaces: readonly Space[];
  readonly replaced: readonly Replaced[];
}

export class Spaces {
  readonly #work: () => Work;
  #id = newId();
  #name = "My work";
  /** The work of other modes, in this workspace. */
  #drafts = new Map<WorkMode, Work>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(work: () => Work) {
    this.#work = work;
  }

  get name(): string {
    return this.#name;
  }

  /** The workspace that was edited last. */
  async last(): Promise<Space | undefined> {
    return (await keptSpaces())[0];
  }

  list(): Promise<readonly Space[]> {
    return keptSpaces();
  }

  /** Returns the work that is to be shown. */
  enter({ id, name, works }: Space): Work {
    this.#flush();
    this.#id = id;
    this.#name = name;
    this.#drafts = new Map(works.map((work) => [work.mode, work]));
    return works[0]!;
  }

  /** A new workspace, saved with its first change. */
  begin(name: string): void {
    this.#flush();
    this.#id = newId();
    this.#name = name;
    this.#drafts = new Map();
  }

  /** The workspace as it is now. */
  current(): Space {
    const work = this.#work();
    const others = [...this.#drafts.values()].filter(({ mode }) => mode !== work.mode);
    return { id: this.#id, name: this.#name, works: [work, ...others], changed: Date.now() };
  }

  draft(mode: WorkMode): Work | undefined {
    return this.#drafts.get(mode);
  }

  keepDraft(work: Work): void {
    this.#drafts.set(work.mode, work);
  }

  rename(name: string): void {
    this.#name = name;
    this.edited();
  }

  edited(): void {
    this.#rest();
    this.#timer = setTimeout(() => void this.save(), KEEP_AFTER_MS);
  }

  /** Before another workspace is entered. */
  #flush(): void {
    if (this.#timer !== undefined) void this.save();
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async save(): Promise<void> {
    this.#rest();
    await keepSpace(this.current());
  }

  /** Keeps the user's own work before work of its mode replaces it; `known` is what anybody can open again. */
  async setAside(mode: WorkMode, known: readonly Work[]): Promise<void> {
    const now = this.#work();
    const work = now.mode === mode ? now : this.#drafts.get(mode);
    if (now.mode !== mode) this.keepDraft(now);
    if (work === undefined || isEmpty(work) || known.some((other) => deepEqual(other, work))) return;
    const others = (await this.replaced()).filter((entry) => !deepEqual(entry.work, work));
    await keepReplaced([{ work, at: Date.now() }, ...others].slice(0, REPLACED));
  }

  replaced(): Promise<readonly Replaced[]> {
    return keptReplaced();
  }

  async remove(id: string): Promise<void> {
    await forgetSpace(id);
  }

  /** Deletes everything; returns it, to put it back. */
  async forget(): Promise<Saved> {
    if (this.#timer !== undefined) await this.save();
    const saved = { spaces: await keptSpaces(), replaced: await keptReplaced() };
    await forgetAll();
    this.begin("My work");
    return saved;
  }

  async putBack({ spaces, replaced }: Saved): Promise<void> {
    for (const space of spaces) await keepSpace(space);
    await keepReplaced(replaced);
  }
}

const isEmpty = ({ policy, object, oldObject, tests }: Work): boolean =>
  [policy, object, oldObject, tests].every((text) => text.trim() === "");

const newId = (): string => `${Date.now().toString(36)}-${Math.floor(Math.random() * 1e9).toString(36)}`;
