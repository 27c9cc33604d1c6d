// Diagnostics of a document and the way they reach the client, in two phases with one set each. At once: those of the file alone, with those
// of the last review of the workspace carried over the edit. After a pause in typing: those of all files, with verdicts and tests. Each set
// is complete, so nothing flickers. They are pulled if the client supports it and pushed otherwise, never both.

import type { Diagnostic, Workspace } from "@celadon/language";
import { carried } from "./carried.ts";

/** Without a keystroke, before the workspace is checked. */
const IDLE_MS = 250;

export interface Channel {
  /** Files that the client has open. */
  open(): Iterable<string>;
  publish(uri: string, diagnostics: readonly Diagnostic[]): void;
  /** Asks the client to ask again. */
  refresh(): void;
  log(message: string): void;
}

/** The diagnostics of a file at the last review of the workspace, and the text they are for. */
interface Reviewed {
  readonly text: string;
  readonly all: readonly Diagnostic[];
  /** Diagnostics that need more than the file. */
  readonly ofWorkspace: readonly Diagnostic[];
}

const isSame = (a: Diagnostic, b: Diagnostic): boolean =>
  a.code === b.code && a.message === b.message && a.range.start === b.range.start && a.range.end === b.range.end;

/** The part of a workspace that diagnostics come from. */
export type Diagnosed = Pick<
  Workspace,
  "diagnostics" | "quickDiagnostics" | "suiteDiagnostics" | "verdictDiagnostics"
> & {
  file(uri: string): { readonly text: string } | undefined;
  files(): Iterable<{ readonly uri: string; readonly text: string }>;
};

/** Thrown between objects when a document changed in the meantime. */
class Stale extends Error {}

export class Diagnoser {
  readonly #workspace: Diagnosed;
  readonly #channel: Channel;
  readonly #verdicts: boolean;
  readonly #pull: boolean;
  #reviewed: ReadonlyMap<string, Reviewed> = new Map();
  #published = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #version = 0;
  #reviewing: Promise<void> = Promise.resolve();

  constructor(workspace: Diagnosed, channel: Channel, options: { readonly verdicts: boolean; readonly pull: boolean }) {
    this.#workspace = workspace;
    this.#channel = channel;
    this.#verdicts = options.verdicts;
    this.#pull = options.pull;
  }

  /** Something changed; `uri` is the edited document. */
  changed(uri?: string): void {
    this.#version++;
    if (uri !== undefined && !this.#pull) void this.#quick(uri, this.#version);
    this.#later();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#version++;
  }

  /** The present diagnostics of a file: those of the last review if its text is the same, or the quick ones with the others carried over. */
  async of(uri: string): Promise<readonly Diagnostic[]> {
    const text = this.#workspace.file(uri)?.text ?? "";
    const reviewed = this.#reviewed.get(uri);
    if (reviewed?.text === text) return reviewed.all;
    const quick = await this.#workspace.quickDiagnostics(uri);
    return reviewed === undefined ? quick : [...quick, ...carried(reviewed.ofWorkspace, reviewed.text, text)];
  }

  /** The diagnostics of a file's present text alone, for actions. */
  async known(uri: string): Promise<readonly Diagnostic[]> {
    await this.#reviewing.catch(() => {});
    const reviewed = this.#reviewed.get(uri);
    if (reviewed?.text === this.#workspace.file(uri)?.text && reviewed !== undefined) return reviewed.all;
    return this.#workspace.diagnostics(uri);
  }

  async #quick(uri: string, version: number): Promise<void> {
    const found = await this.of(uri);
    if (version === this.#version && this.#workspace.file(uri) !== undefined) this.#publish(uri, found);
  }

  #publish(uri: string, found: readonly Diagnostic[]): void {
    this.#published.add(uri);
    this.#channel.publish(uri, found);
  }

  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#reviewing = this.#review(this.#version).catch((error) => this.#failed(error));
    }, IDLE_MS);
  }

  #failed(error: unknown): void {
    if (error instanceof Stale) return;
    this.#channel.log(`diagnostics failed: ${error instanceof Error ? error.stack : String(error)}`);
  }

  async #review(version: number): Promise<void> {
    const pause = async (): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      if (version !== this.#version) throw new Stale();
    };
    const workspace = this.#workspace;
    const more = this.#verdicts ? await this.#ofObjects(pause) : new Map<string, readonly Diagnostic[]>();
    const reviewed = new Map<string, Reviewed>();
    for (const { uri, text } of workspace.files()) {
      await pause();
      const quick = await workspace.quickDiagnostics(uri);
      const all = [...(await workspace.diagnostics(uri)), ...(more.get(uri) ?? [])];
      const ofWorkspace = all.filter((found) => !quick.some((other) => isSame(found, other)));
      reviewed.set(uri, { text, all, ofWorkspace });
    }
    await pause();
    this.#show(reviewed);
  }

  /** Verdicts on the objects of the workspace, and its failing tests. Without them, if they fail, the other diagnostics are shown. */
  async #ofObjects(pause: () => Promise<void>): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
    const more = new Map<string, readonly Diagnostic[]>();
    const add = (found: ReadonlyMap<string, readonly Diagnostic[]>): void => {
      for (const [uri, diagnostics] of found) more.set(uri, [...(more.get(uri) ?? []), ...diagnostics]);
    };
    try {
      add(await this.#workspace.verdictDiagnostics(pause));
      add(await this.#workspace.suiteDiagnostics(pause));
    } catch (error) {
      if (error instanceof Stale) throw error;
      this.#failed(error);
    }
    return more;
  }

  #show(reviewed: ReadonlyMap<string, Reviewed>): void {
    const before = this.#reviewed;
    this.#reviewed = reviewed;
    if (this.#pull) {
      const unchanged =
        before.size === reviewed.size &&
        [...reviewed].every(([uri, { all }]) => JSON.stringify(before.get(uri)?.all) === JSON.stringify(all));
      if (!unchanged) this.#channel.refresh();
    }
    const now = new Set([...reviewed].flatMap(([uri, { all }]) => (all.length > 0 ? [uri] : [])));
    // A client that pulls diagnostics does so for open files; the server pushes those of other files.
    for (const uri of this.#channel.open()) {
      if (this.#pull) now.delete(uri);
      else now.add(uri);
    }
    for (const uri of this.#published) if (!now.has(uri)) this.#channel.publish(uri, []);
    this.#published = new Set();
    for (const uri of now) this.#publish(uri, reviewed.get(uri)?.all ?? []);
  }
}
