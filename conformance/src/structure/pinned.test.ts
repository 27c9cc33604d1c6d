// CI recipes and the Dockerfile name everything they use by exact version.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const text = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), "utf8");
const all = (path: string, pattern: RegExp): string[] => [...text(path).matchAll(pattern)].map(([, found]) => found!);

const FILES = ["docs/guides/ci.md", "docs/guides/gitops.md", "action.yml", "ci/gitlab.yml"];

test("actions, images and packages of guides, action and template", () => {
  const actions = FILES.flatMap((file) => all(file, /uses: \S+@(\S+)/g));
  expect(actions.length).toBeGreaterThan(6);
  for (const version of actions) expect(version).toMatch(/^v\d+\.\d+\.\d+$/);
  for (const image of FILES.flatMap((file) => all(file, /(?:image:|image:\n +default:) (node:\S+)/g)))
    expect(image).toMatch(/^node:\d+\.\d+\.\d+-/);
  const { version } = JSON.parse(text("apps/cli/package.json")) as { version: string };
  const packages = all("docs/guides/ci.md", /(?:install .*|\[")(@celadon\/cli[^"\s]*)/g);
  expect(packages.length).toBeGreaterThan(1);
  for (const name of packages) expect(name).toBe(`@celadon/cli@${version}`);
  const tags = FILES.flatMap((file) => all(file, /celadon-dev\/celadon(?:@|\/|\n +rev: )v(\d[^\s/]*)/g));
  expect(tags.length).toBeGreaterThan(4);
  const defaults = [/version:\n(?: +description:.*\n) +default: (\S+)/g].flatMap((pattern) =>
    ["action.yml", "ci/gitlab.yml"].flatMap((file) => all(file, pattern)),
  );
  expect(defaults).toHaveLength(2);
  for (const found of [...tags, ...defaults]) expect(found).toBe(version);
});

test("bases of the Dockerfile: exact, or replaceable by a digest where there are no exact tags", () => {
  const bases = all("Dockerfile", /^FROM (?:--platform=\S+ )?(\S+)/gm);
  expect(bases).toEqual([`\${BUILD_BASE}`, `\${BASE}`]);
  expect(all("Dockerfile", /^ARG BUILD_BASE=(\S+)$/gm)).toEqual([expect.stringMatching(/^node:\d+\.\d+\.\d+-/)]);
});
