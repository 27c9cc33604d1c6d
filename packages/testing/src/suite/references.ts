// Resolves the references in the texts of a suite: files, directories and globs as they are loaded, objects of the pool by name, and
// objects written in place. A text that ends in .yaml, .yml or .json is a file; where one object is wanted, any other is a name.

import type { JsonPath } from "@celadon/base";
import { type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import type { TextPosition } from "@celadon/kube/read";
import type { Manifest, Origin } from "@celadon/simulator/manifests";
import { API_VERSION } from "./format.ts";
import { issueAt, type SuiteIssue } from "./issue.ts";
import type { Source } from "./read/document.ts";
import { didYouMean } from "./suggest.ts";
import type { Loaded, Loader } from "./suite.ts";

const FILE = /\.(?:ya?ml|json)$/i;
const PART_OF_FILE = /^(.+\.(?:ya?ml|json))#(.+)$/i;

export class References {
  readonly issues: SuiteIssue[] = [];
  readonly #origin: Origin;
  readonly #loader: Loader;
  readonly #loads = new Map<string, Promise<Loaded>>();
  #pool: readonly Manifest[] = [];

  constructor(origin: Origin, loader: Loader) {
    this.#origin = origin;
    this.#loader = loader;
  }

  setPool(pool: readonly Manifest[]): void {
    this.#pool = pool;
  }

  /** All objects of one entry of a list of sources. */
  async many(source: Source, path: JsonPath): Promise<readonly Manifest[]> {
    if (typeof source !== "string") return [this.inPlace(source, path)];
    const manifests = await this.#load(source, path);
    if (manifests?.length === 0) this.#issue(path, "bad_file", `${JSON.stringify(source)} has no objects`);
    return manifests ?? [];
  }

  /** The one object of a source; undefined if it does not exist, which has become an issue. */
  async single(source: Source, path: JsonPath): Promise<Manifest | undefined> {
    if (typeof source !== "string") return this.inPlace(source, path);
    const part = PART_OF_FILE.exec(source);
    if (part !== null) return this.#named(part[2]!, await this.#load(part[1]!, path), path, `file ${part[1]}`);
    if (!FILE.test(source)) return this.#named(source, this.#pool, path, "objects");
    const manifests = await this.#load(source, path);
    if (manifests === undefined || manifests.length === 1) return manifests?.[0];
    const which = manifests.map(({ object }) => `${source}#${nameOf(object)}`).slice(0, 5);
    this.#issue(
      path,
      "bad_reference",
      manifests.length === 0
        ? `${JSON.stringify(source)} has no objects`
        : `${JSON.stringify(source)} has ${manifests.length} objects`,
      manifests.length === 0 ? undefined : `say which: ${which.join(", ")}`,
    );
    return undefined;
  }

  inPlace(object: KubeObject, path: JsonPath): Manifest {
    return { object, origin: originWithin(this.#origin, path) };
  }

  async #load(source: string, path: JsonPath): Promise<readonly Manifest[] | undefined> {
    let load = this.#loads.get(source);
    if (load === undefined) this.#loads.set(source, (load = this.#loader.load(source, this.#origin.file)));
    const { manifests, issues } = await load;
    for (const { message, hint, file, line, column } of issues) {
      if (file !== undefined && line !== undefined) {
        const place = { file, line, ...(column !== undefined && { column }) };
        this.issues.push({ code: "bad_file", message, ...(hint !== undefined && { hint }), ...place });
      } else this.#issue(path, "bad_file", message, hint);
    }
    if (issues.length > 0) return undefined;
    // A directory may hold suites beside the tested resources.
    return manifests.filter(
      ({ object }) => !String(object.apiVersion ?? "").startsWith(`${API_VERSION.split("/")[0]}/`),
    );
  }

  #named(name: string, from: readonly Manifest[] | undefined, path: JsonPath, where: string): Manifest | undefined {
    if (from === undefined) return undefined;
    const found = from.filter(({ object }) => answersTo(object, name));
    if (found.length === 1) return found[0];
    const known = from.map(({ object }) => nameOf(object));
    if (found.length === 0) {
      const hint = didYouMean(name, [...known, ...from.map(({ object }) => fullName(object))]);
      const fallback = where === "objects" && from.length === 0 ? "file names end in .yaml, .yml or .json" : undefined;
      this.#issue(path, "unknown_object", `${where} has no ${JSON.stringify(name)}`, hint ?? fallback);
    } else {
      const which = found.map(({ object }) => fullName(object));
      this.#issue(
        path,
        "bad_reference",
        `${where} has ${found.length} named ${JSON.stringify(name)}`,
        `say which: ${which.join(", ")}`,
      );
    }
    return undefined;
  }

  #issue(path: JsonPath, code: SuiteIssue["code"], message: string, hint?: string): void {
    this.issues.push(issueAt(this.#origin, path, code, message, { hint }));
  }
}

/** `name`, `Kind/name` or `Kind/namespace/name`. */
function answersTo(object: KubeObject, name: string): boolean {
  const own = nameOf(object);
  return name === own || name === `${object.kind}/${own}` || name === fullName(object);
}

function fullName(object: KubeObject): string {
  const namespace = namespaceOf(object);
  return namespace === "" ? `${object.kind}/${nameOf(object)}` : `${object.kind}/${namespace}/${nameOf(object)}`;
}

/** An object that is part of a document. */
function originWithin(origin: Origin, path: JsonPath): Origin {
  return {
    file: origin.file,
    positionOf: (steps, part): TextPosition | undefined => origin.positionOf([...path, ...steps], part),
    positionIn: (steps, offset): TextPosition | undefined => origin.positionIn([...path, ...steps], offset),
    lineText: (line) => origin.lineText(line),
  };
}
