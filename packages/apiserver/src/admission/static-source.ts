// The directories of static manifests while the server runs: loaded at the start, again when a file changes, and once a minute where
// changes are not reported. If a later load fails, the previous state stays in force.

import { type FSWatcher, watch } from "node:fs";
import { nameOf } from "@celadon/kube";
import type { StaticMetrics } from "../metrics/static-metrics.ts";
import {
  directoryProblem,
  loadFailure,
  loadStaticManifests,
  STATIC_PLUGINS,
  type StaticDirectories,
  type StaticManifestSet,
  StaticManifestsError,
  type StaticPlugin,
  type StaticResource,
} from "./static-manifests.ts";

const POLL_MS = 60_000;
/** Editors write in several steps. */
const SETTLE_MS = 50;

export interface StaticChange {
  readonly put: readonly StaticResource[];
  readonly remove: readonly { readonly kind: string; readonly name: string }[];
}

export class StaticSource {
  readonly #directories: StaticDirectories;
  readonly #metrics: StaticMetrics;
  readonly #apply: (plugin: StaticPlugin, change: StaticChange) => void;
  readonly #loaded = new Map<StaticPlugin, StaticManifestSet>();
  readonly #watchers: FSWatcher[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(
    directories: StaticDirectories,
    metrics: StaticMetrics,
    apply: (plugin: StaticPlugin, change: StaticChange) => void,
  ) {
    this.#directories = directories;
    this.#metrics = metrics;
    this.#apply = apply;
  }

  /** Throws a StaticManifestsError when a directory cannot be loaded: a server without its policies is not to start. */
  start(): void {
    for (const plugin of STATIC_PLUGINS) {
      const directory = this.#directories[plugin];
      if (directory === undefined) continue;
      const problem = directoryProblem(directory);
      if (problem !== undefined) throw new StaticManifestsError(problem);
      try {
        this.#load(plugin, directory);
      } catch (error) {
        throw loadFailure(plugin, directory, error);
      }
      this.#follow(plugin, directory);
    }
  }

  stop(): void {
    for (const watcher of this.#watchers) watcher.close();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #load(plugin: StaticPlugin, directory: string): void {
    const before = this.#loaded.get(plugin);
    const next = loadStaticManifests(plugin, directory);
    if (before?.hash === next.hash) return;
    this.#loaded.set(plugin, next);
    const keys = new Set(next.resources.map((resource) => `${resource.kind}/${nameOf(resource)}`));
    const gone = (before?.resources ?? []).filter((resource) => !keys.has(`${resource.kind}/${nameOf(resource)}`));
    this.#apply(plugin, {
      put: next.resources,
      remove: gone.map((resource) => ({ kind: resource.kind, name: nameOf(resource) })),
    });
    this.#metrics.loaded(plugin, next.hash);
  }

  #follow(plugin: StaticPlugin, directory: string): void {
    const again = (): void => {
      try {
        this.#load(plugin, directory);
      } catch {
        this.#metrics.failed(plugin);
      }
    };
    let settling: NodeJS.Timeout | undefined;
    try {
      const watcher = watch(directory, { persistent: false }, () => {
        if (settling !== undefined) this.#timers.delete(settling);
        clearTimeout(settling);
        settling = setTimeout(again, SETTLE_MS).unref();
        this.#timers.add(settling);
      });
      watcher.on("error", () => watcher.close());
      this.#watchers.push(watcher);
    } catch {
      // If changes are not reported, the directory is read once a minute.
    }
    this.#timers.add(setInterval(again, POLL_MS).unref());
  }
}
