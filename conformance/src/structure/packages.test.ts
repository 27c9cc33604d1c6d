// A package's dependencies are declared twice, for npm and for the compiler, and both must agree. All packages have one version.

import { basename } from "node:path";
import { expect, test } from "vitest";
import { packages, read } from "./tree.ts";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  /** The command bundles its dependencies. */
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const manifestOf = (path: string): Manifest => JSON.parse(read(`${path}/package.json`)) as Manifest;

test.each(packages())("%s: references are dependencies", (path) => {
  const { dependencies, devDependencies } = manifestOf(path);
  const used = path.startsWith("apps/") ? { ...dependencies, ...devDependencies } : (dependencies ?? {});
  const ours = Object.keys(used).filter((name) => name.startsWith("@celadon/"));
  const { references = [] } = JSON.parse(read(`${path}/tsconfig.json`)) as { references?: { path: string }[] };
  const referenced = references.map((reference) => manifestOf(`packages/${basename(reference.path)}`).name);
  expect(referenced.toSorted()).toEqual(ours.toSorted());
});

test("all packages have one version, and depend on that", () => {
  const { version } = manifestOf("packages/base");
  const wrong = packages().filter((path) => {
    const { version: own, dependencies, devDependencies } = manifestOf(path);
    const used = Object.entries({ ...dependencies, ...devDependencies });
    return own !== version || used.some(([name, range]) => name.startsWith("@celadon/") && range !== version);
  });
  expect(wrong, `their version is not ${version}`).toEqual([]);
});

test.each(packages().filter((path) => !JSON.parse(read(`${path}/package.json`)).private))(
  "%s: the changelog has an entry for its version",
  (path) => {
    const { version } = manifestOf(path);
    const [, entry = ""] = read(`${path}/CHANGELOG.md`).split(`\n## ${version}\n`);
    expect(entry.split("\n## ")[0]).toMatch(/^- \S/m);
  },
);
