// When diagnostics are computed, and how they reach the client. There are two phases with one set each: diagnostics of
// the file alone at once, diagnostics of the workspace after a pause in typing. Each set is complete, so nothing
// flickers. They are pulled if the client supports it and pushed otherwise, never both.

import type { Diagnostic, Workspace } from "@celadon/language";

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

/** The diagnostics of each file, and the text they are for. */
type Found = ReadonlyMap<string, { readonly text: string; readonly found: readonly Diagnostic[] }>;

function withMore(known: Found, more: ReadonlyMap<string, readonly Diagnostic[]>): Found {
  return new Map(
    [...known].map(([uri, { text, found }]) => [uri, { text, found: [...found, ...(more.get(uri) ?? [])] }]),
  );
}

/** Thrown between objects when a document changed in the meantime. */
class Stale extends Error {}

export class Diagnoser {
  readonly #workspace: Workspace;
  readonly #channel: Channel;
  readonly #verdicts: boolean;
  readonly #pull: boolean;
  /** What the workspace says, as of the last look. */
  #whole: Found = new Map();
  #published = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #version = 0;
  #looking: Promise<void> = Promise.resolve();

  constructor(workspace: Workspace, channel: Channel, options: { readonly verdicts: boolean; readonly pull: boolean }) {
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

  /** What is known of a file now: for clients that ask. */
  async of(uri: string): Promise<readonly Diagnostic[]> {
    const text = this.#workspace.file(uri)?.text;
    const whole = this.#whole.get(uri);
    return whole !== undefined && whole.text === text ? whole.found : this.#workspace.quickDiagnostics(uri);
  }

  /** The last diagnostics of a file, for actions. */
  async known(uri: string): Promise<readonly Diagnostic[]> {
    await this.#looking.catch(() => {});
    const whole = this.#whole.get(uri);
    if (whole !== undefined && whole.text === this.#workspace.file(uri)?.text) return whole.found;
    return this.#workspace.diagnostics(uri);
  }

  async #quick(uri: string, version: number): Promise<void> {
    const found = await this.#workspace.quickDiagnostics(uri);
    if (version === this.#version && this.#workspace.file(uri) !== undefined) this.#publish(uri, found);
  }

  #publish(uri: string, found: readonly Diagnostic[]): void {
    this.#published.add(uri);
    this.#channel.publish(uri, found);
  }

  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const version = this.#version;
      this.#looking = this.#look(version).catch((error) => {
        if (!(error instanceof Stale)) this.#channel.log(`diagnostics failed: ${String(error?.stack ?? error)}`);
      });
    }, IDLE_MS);
  }

  async #look(version: number): Promise<void> {
    const pause = async (): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      if (version !== this.#version) throw new Stale();
    };
    const workspace = this.#workspace;
    const whole = new Map<string, { readonly text: string; readonly found: readonly Diagnostic[] }>();
    for (const file of workspace.files()) {
      await pause();
      whole.set(file.uri, { text: file.text, found: await workspace.diagnostics(file.uri) });
    }
    this.#show(whole);
    if (!this.#verdicts) return;
    const verdicts = await workspace.verdictDiagnostics(pause);
    if (version !== this.#version) return;
    this.#show(withMore(whole, verdicts));
    const tests = await workspace.suiteDiagnostics(pause);
    if (version === this.#version && tests.size > 0) this.#show(withMore(this.#whole, tests));
  }

  #show(whole: Found): void {
    const before = this.#whole;
    this.#whole = whole;
    if (this.#pull) {
      const isSame =
        before.size === whole.size &&
        [...whole].every(([uri, { found }]) => JSON.stringify(before.get(uri)?.found) === JSON.stringify(found));
      if (!isSame) this.#channel.refresh();
    }
    const now = new Set([...whole].flatMap(([uri, { found }]) => (found.length > 0 ? [uri] : [])));
    // A client that pulls diagnostics does so for open files; those of other files are pushed.
    for (const uri of this.#channel.open()) {
      if (this.#pull) now.delete(uri);
      else now.add(uri);
    }
    for (const uri of this.#published) if (!now.has(uri)) this.#channel.publish(uri, []);
    this.#published = new Set();
    for (const uri of now) this.#publish(uri, whole.get(uri)?.found ?? []);
  }
}
