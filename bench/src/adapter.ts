// The form of an engine for the benchmark: a module of a few lines, found by path.

import { fileURLToPath, pathToFileURL } from "node:url";
import type { Vars } from "./cases.ts";

export interface Adapter {
  readonly name: string;
  /** An expression over the dyn variables object, oldObject and params. Throws when the engine cannot compile it. */
  compile(source: string): (vars: Vars) => unknown;
  readonly stages: {
    readonly parse: ((source: string) => unknown) | null;
    readonly check: ((parsed: unknown) => unknown) | null;
    readonly plan: ((checked: unknown) => unknown) | null;
  };
  /** Turns the engine's answer into plain JavaScript, for comparing; not timed. */
  toPlain?(result: unknown): unknown;
}

/** The engines compared by default: ours, hand-written JavaScript, then the others. */
export const ADAPTERS: readonly string[] = [
  "hand-written",
  "celadon",
  "celadon-interpreted",
  "marcbachmann-cel-js",
  "bufbuild-cel",
  "cel-js",
].map((name) => fileURLToPath(new URL(`../adapters/${name}.mjs`, import.meta.url)));

export async function loadAdapter(path: string): Promise<Adapter> {
  const loaded: Adapter = await import(pathToFileURL(path).href);
  if (typeof loaded.name !== "string" || typeof loaded.compile !== "function") {
    throw new Error(`'${path}' is not an adapter: it must export name, compile and stages`);
  }
  return loaded;
}
