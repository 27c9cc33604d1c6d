// The files of a workspace and the cluster that their manifests make. Files are replaced whole; parts that did not change keep their
// manifests, and with them everything that was compiled. It depends on no editor, disk or clock.

import { createSchemas, type Schemas } from "@celadon/admission/memory";
import type { KubeObject } from "@celadon/kube";
import { compareMinors, type Minor } from "@celadon/kube-cel";
import { identityOf, SimulatedCluster } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import { File, type PlacedResource } from "./document/file.ts";
import { Sites } from "./expression/sites.ts";
import type { Known } from "./known.ts";
import type { TextEdit } from "./text/range.ts";

/** Options for checking a workspace. */
export interface WorkspaceOptions {
  /** Kubernetes minors that everything must work with; the current one when absent. */
  readonly minors?: readonly Minor[];
  /** Whether keys and values of YAML are completed too, or expressions alone. */
  readonly yamlKeys?: boolean;
}

/** Files by their uri, the simulated cluster of their manifests, and the names that expressions may use. */
export class WorkspaceFiles implements Known {
  readonly options: WorkspaceOptions;
  /** Counts the changes of files. */
  protected revision = 0;
  readonly #files = new Map<string, File>();
  #placed: Map<Manifest, PlacedResource> | undefined;
  #simulated: SimulatedCluster;
  /** Manifests of each file that the simulated cluster has. */
  readonly #inCluster = new Map<string, readonly Manifest[]>();
  readonly #stale = new Set<string>();
  /** The object whose values hovers show: see `identityOf` of the simulator. */
  pinned: string | undefined;
  #sites: { readonly definitions: readonly KubeObject[]; readonly sites: Sites } | undefined;

  constructor(options: WorkspaceOptions = {}) {
    this.options = options;
    // Objects are reviewed as the newest of the requested versions does, or the current one.
    const kubeVersion = options.minors?.toSorted(compareMinors).at(-1);
    this.#simulated = SimulatedCluster.of([], kubeVersion && { kubeVersion });
  }

  /** Adds a file, or replaces its text. */
  set(uri: string, text: string): void {
    this.#put(new File(uri, text, this.#files.get(uri)));
  }

  /** Changes a file; edits refer to its present text. */
  edit(uri: string, edits: readonly TextEdit[]): void {
    const file = this.#files.get(uri);
    if (file !== undefined) this.#put(file.with(edits));
  }

  delete(uri: string): void {
    if (this.#files.delete(uri)) this.#changed(uri);
  }

  file(uri: string): File | undefined {
    return this.#files.get(uri);
  }

  files(): IterableIterator<File> {
    return this.#files.values();
  }

  #put(file: File): void {
    this.#files.set(file.uri, file);
    this.#changed(file.uri);
  }

  #changed(uri: string): void {
    this.#stale.add(uri);
    this.#placed = undefined;
    this.revision++;
  }

  /** The manifests of a file that the simulated cluster has. */
  protected manifestsOf(uri: string): readonly Manifest[] {
    return this.#inCluster.get(uri) ?? [];
  }

  /** The manifests of all files that the simulated cluster has. */
  protected allManifests(): readonly Manifest[] {
    return [...this.#inCluster.values()].flat();
  }

  /** The cluster that the workspace's manifests make. */
  get simulated(): SimulatedCluster {
    if (this.#stale.size > 0) this.#update();
    return this.#simulated;
  }

  /** Only what changed: parts that stay keep their manifests, and with them all that was compiled. */
  #update(): void {
    const put: Manifest[] = [];
    const gone: Manifest[] = [];
    for (const uri of this.#stale) {
      const before = this.#inCluster.get(uri) ?? [];
      const now = (this.#files.get(uri)?.resources() ?? []).flatMap(({ resource }) =>
        resource.inSuite || isOwn(resource.object) ? [] : [resource.manifest],
      );
      const kept = new Set(now);
      for (const manifest of before) if (!kept.has(manifest)) gone.push(manifest);
      const had = new Set(before);
      for (const manifest of now) if (!had.has(manifest)) put.push(manifest);
      if (now.length === 0) this.#inCluster.delete(uri);
      else this.#inCluster.set(uri, now);
    }
    const remove = gone.map(({ object }) => object);
    // Written in two files, an object is still there when one of them lets it go.
    const names = new Set(remove.map(identityOf));
    const others =
      names.size === 0
        ? []
        : [...this.#inCluster.values()].flat().filter(({ object }) => names.has(identityOf(object)));
    put.unshift(...others.filter((other) => !put.includes(other)));
    this.#stale.clear();
    if (put.length > 0 || remove.length > 0) this.#simulated = this.#simulated.with({ put, remove });
  }

  get schemas(): Schemas {
    return this.sites.schemas;
  }

  /** The names that expressions may use, by the definitions of the workspace. */
  get sites(): Sites {
    const definitions = this.simulated.manifests("definition").map(({ object }) => object);
    const known = this.#sites;
    const same =
      known !== undefined &&
      known.definitions.length === definitions.length &&
      definitions.every((definition, i) => definition === known.definitions[i]);
    if (same) return known.sites;
    const sites = new Sites(createSchemas({ definitions }));
    this.#sites = { definitions, sites };
    return sites;
  }

  /** All objects with where they stand. */
  placed(): ReadonlyMap<Manifest, PlacedResource> {
    if (this.#placed === undefined) {
      this.#placed = new Map();
      for (const file of this.#files.values()) {
        for (const resource of file.resources()) this.#placed.set(resource.resource.manifest, resource);
      }
    }
    return this.#placed;
  }
}

/** Our own files lie beside policies; no cluster knows them. */
function isOwn({ apiVersion }: KubeObject): boolean {
  return String(apiVersion).startsWith("celadon.dev/");
}
