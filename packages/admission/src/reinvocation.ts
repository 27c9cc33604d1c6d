// The two passes over a request: if a mutating plugin changed the object, all of them run once more, but only policies and webhooks that
// asked for it and ran before the change. Policies and webhooks each remember their runs, and decide together whether there is a second
// pass. Upstream: apiserver pkg/admission/plugin/{webhook,policy}/mutating/reinvocationcontext.go.

import { semanticEqual } from "@celadon/base";

/** Tracks which policies and webhooks must run again because another one changed the object after them. */
export class Reinvocation {
  #pass = 0;
  #needed = false;
  readonly #plugins = new Map<string, PluginRuns>();

  get round(): 0 | 1 {
    return this.#pass > 1 ? 1 : 0;
  }

  /** After the first pass: whether the object changed, so that the whole chain of mutation runs once more. */
  get needed(): boolean {
    return this.#needed && this.#pass === 1;
  }

  /** Before each pass. */
  begin(): void {
    this.#pass++;
  }

  /** For plugins of a host's own that changed the object. */
  require(): void {
    this.#needed = true;
  }

  plugin(name: string): PluginRuns {
    let runs = this.#plugins.get(name);
    if (runs === undefined) this.#plugins.set(name, (runs = new PluginRuns(this)));
    return runs;
  }
}

/** The runs of one plugin, and those to repeat. */
export class PluginRuns {
  readonly #reinvocation: Reinvocation;
  /** Ran, and runs again if the object changes after it. */
  #invoked = new Set<string>();
  readonly #again = new Set<string>();
  #output: unknown;

  constructor(reinvocation: Reinvocation) {
    this.#reinvocation = reinvocation;
  }

  get round(): 0 | 1 {
    return this.#reinvocation.round;
  }

  begin(object: unknown): void {
    if (this.round === 1 && !semanticEqual(object, this.#output)) this.#reinvokeInvoked();
  }

  end(object: unknown): void {
    this.#output = object;
  }

  mayRun(id: string): boolean {
    return this.round === 0 || this.#again.has(id);
  }

  /** Marks the previous runs to be repeated in a second pass. */
  changed(): void {
    this.#reinvokeInvoked();
    this.#reinvocation.require();
  }

  /** After `changed`: a plugin does not run again for its own change. */
  ran(id: string): void {
    this.#invoked.add(id);
  }

  #reinvokeInvoked(): void {
    for (const id of this.#invoked) this.#again.add(id);
    this.#invoked = new Set();
  }
}
