// The container image without a container: the files that its Dockerfile copies, and its one file, which needs nothing beside it.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const bundle = join(root, "scripts/bundle-image.mjs");
const BUILT = "apps/cli/dist/image/celadon.mjs";

test("the Dockerfile copies files that exist, runs a copied one, and not as root", () => {
  const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8");
  const copied = [...dockerfile.matchAll(/^COPY --from=build \/src\/(\S+) \S+$/gm)].map(([, path]) => path!);
  const scripts = [...dockerfile.matchAll(/node (scripts\/\S+)/g)].map(([, path]) => path!);
  expect(copied).toContain(BUILT);
  expect(scripts).toEqual(["scripts/bundle-image.mjs"]);
  for (const path of [...copied.filter((file) => file !== BUILT), ...scripts, "package-lock.json"])
    expect(existsSync(join(root, path)), path).toBe(true);
  // The script writes there by default.
  expect(readFileSync(bundle, "utf8")).toContain(`"${BUILT.slice("apps/cli/".length)}"`);
  const [, entry] = /^ENTRYPOINT \["\/nodejs\/bin\/node", "(\S+)"\]$/m.exec(dockerfile) ?? [];
  expect(dockerfile).toContain(`/${BUILT} ${entry}\n`);
  expect(dockerfile).toMatch(/^USER 65532:65532$/m);
});

test("the command runs from one file", { timeout: 120_000 }, () => {
  const directory = mkdtempSync(join(tmpdir(), "celadon-image-"));
  try {
    const file = join(directory, "celadon.mjs");
    const run = (...argv: readonly string[]): string =>
      execFileSync(process.execPath, argv, { cwd: directory, encoding: "utf8", env: {} });
    run(bundle, file);
    expect(run(file, "--version")).toMatch(/^celadon \d/);
    expect(run(file, "webhook", "--help")).toContain("celadon webhook");
    expect(run(file, "manifests", "audit")).toContain("kind: CronJob");
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
