// The parts of a release that need no minutes: archives, the bill of materials, the manifest for Krew. `npm run release -- --verify` makes and
// tries all artifacts.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { noticesOf } from "../../../scripts/notices.mjs";
import { krewManifest } from "../../../scripts/release/krew.mjs";
import { packagesIn, sbomOf } from "../../../scripts/release/sbom.mjs";
import { tgz } from "../../../scripts/release/tar.mjs";
import { ROOT } from "./tree.ts";

test("archives contain their files, and are the same whenever they are made", () => {
  const long = `${"directory/".repeat(12)}file.txt`;
  const files = new Map([
    ["b/run", Buffer.from("#!/bin/sh\n")],
    ["a.txt", Buffer.from("é".repeat(700))],
    ["empty", Buffer.alloc(0)],
    [long, Buffer.from("x")],
  ]);
  const bytes = tgz(files, new Set(["b/run"]));
  expect(tgz(new Map([...files].reverse()), new Set(["b/run"])).equals(bytes)).toBe(true);
  const directory = mkdtempSync(join(tmpdir(), "celadon-tar-"));
  try {
    writeFileSync(join(directory, "x.tgz"), bytes);
    const listed = execFileSync("tar", ["-tvzf", "x.tgz"], { cwd: directory, encoding: "utf8" });
    expect(listed).toMatch(/^-rwxr-xr-x .* b\/run$/m);
    expect(listed).toMatch(/^-rw-r--r-- .* a\.txt$/m);
    execFileSync("tar", ["-xzf", "x.tgz"], { cwd: directory });
    for (const [path, data] of files) expect(readFileSync(join(directory, path)).equals(data), path).toBe(true);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

interface Bom {
  readonly bomFormat: string;
  readonly serialNumber: string;
  readonly components: readonly {
    readonly name: string;
    readonly purl: string;
    readonly licenses?: readonly object[];
    readonly hashes?: readonly { readonly content: string }[];
    readonly properties: readonly { readonly value: string }[];
  }[];
}

test("the bill of materials names every package of a bundle, with licence and digest", () => {
  const notices = noticesOf("A bundle", ["node_modules/yaml/dist/index.js", "node_modules/re2js/build/index.esm.js"]);
  const found = packagesIn(notices);
  expect(found.map(([name]) => name)).toEqual(["re2js", "yaml"]);
  const text = sbomOf({
    root: ROOT,
    version: "1.2.3",
    contained: new Map([
      ["command", found],
      ["page", found.slice(0, 1)],
    ]),
  });
  const bom = JSON.parse(text) as Bom;
  expect(bom.bomFormat).toBe("CycloneDX");
  expect(bom.serialNumber).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  const libraries = bom.components.filter(({ purl }) => purl.startsWith("pkg:npm/"));
  expect(libraries.map(({ purl }) => purl)).toEqual(found.map(([name, version]) => `pkg:npm/${name}@${version}`));
  for (const { licenses, hashes } of libraries) {
    expect(licenses).toHaveLength(1);
    expect(hashes?.[0]?.content).toMatch(/^[\da-f]{128}$/);
  }
  expect(libraries[0]!.properties.map(({ value }) => value)).toEqual(["command", "page"]);
  expect(
    sbomOf({
      root: ROOT,
      version: "1.2.3",
      contained: new Map([
        ["command", found],
        ["page", found.slice(0, 1)],
      ]),
    }),
  ).toBe(text);
});

test("a package that is not in the lockfile is an error, not left out", () => {
  const contained = new Map([["command", [["yaml", "0.0.0"] as const]]]);
  expect(() => sbomOf({ root: ROOT, version: "1.2.3", contained })).toThrow("yaml 0.0.0 is not in the lockfile");
});

test("the manifest for Krew", () => {
  const sha256 = "0".repeat(64);
  const manifest = parse(
    krewManifest({ version: "1.2.3", archives: [{ os: "linux", arch: "amd64", file: "x.tar.gz", sha256 }] }),
  ) as {
    metadata: { name: string };
    spec: { version: string; shortDescription: string; platforms: readonly object[] };
  };
  expect(manifest.metadata.name).toBe("celadon");
  expect(manifest.spec.version).toBe("v1.2.3");
  // Krew's own rules: short, and without the word kubectl.
  expect(manifest.spec.shortDescription.length).toBeLessThan(50);
  expect(manifest.spec.shortDescription).not.toMatch(/kubectl|\.$/i);
  expect(manifest.spec.platforms).toEqual([
    {
      selector: { matchLabels: { os: "linux", arch: "amd64" } },
      uri: "https://github.com/celadon-dev/celadon/releases/download/v1.2.3/x.tar.gz",
      sha256,
      bin: "celadon",
      files: [{ from: "*", to: "." }],
    },
  ]);
});

test("the executable's start names files that the package has", () => {
  const text = readFileSync(join(ROOT, "scripts/release/executable-start.cjs"), "utf8");
  expect(existsSync(join(ROOT, "apps/cli/src/start-compiled.ts"))).toBe(true);
  expect(text).toContain("startCompiled(file, word, process, argv)");
});
