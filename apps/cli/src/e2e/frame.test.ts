// The frame of the command as a process: version, help, mistakes, signals, closed pipes.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verbs } from "../commands/index.ts";
import {
  BIN,
  bundle,
  celadon,
  expectGoldenRun,
  folder,
  installed,
  program,
  type Ran,
  ROOT,
  shell,
} from "./run.testing.ts";

const { version } = JSON.parse(readFileSync(join(ROOT, "apps/cli/package.json"), "utf8"));

/** Begun first: a server waits for its etcd for 15 s. */
let withoutEtcd: Promise<Ran>;
const data = mkdtempSync(join(tmpdir(), "celadon-"));
beforeAll(() => {
  // The port is reserved, so nothing listens there.
  withoutEtcd = installed(["up", "--etcd-servers", "http://127.0.0.1:1", "--data-dir", data, "--port", "0"]);
});
afterAll(() => rmSync(data, { recursive: true }));

test.each(["--version", "-V"])("%s", async (flag) => {
  expect(await installed([flag])).toEqual({ code: 0, stdout: `celadon ${version}\n`, stderr: "" });
});

test("help of the command", async () => {
  const { stdout } = await celadon([]);
  for (const { name, summary } of verbs) expect(stdout).toMatch(new RegExp(`^  ${name} +${summary.slice(0, 12)}`, "m"));
});

test.each(["help", "version", "completion"])("help of %s", async (name) => {
  expectGoldenRun(`help/${name}.txt`, await celadon([name, "--help"]));
});

test.each(verbs.map(({ name }) => name))("%s has help", async (name) => {
  const { code, stdout, stderr } = await celadon([...name.split(" "), "--help"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain(`\nUsage:\n  celadon ${name}`);
  expect(stdout).toContain("\nExit codes:\n");
});

test("every file of the bundle can be loaded", async () => {
  await bundle();
  const shared = join(ROOT, "apps/cli/dist/bundle/shared");
  const load = `import(${JSON.stringify(`${shared}/`)} + name)`;
  const script = `for (const name of ${JSON.stringify(readdirSync(shared))}) if (name.endsWith(".js")) await ${load}`;
  const argv = ["--input-type=module", "-e", script];
  expect(await program(process.execPath, argv)).toEqual({ code: 0, stdout: "", stderr: "" });
});

// biome-ignore format: one case per line
const mistakes = [
  { name: "unknown-verb",   argv: ["chekc"] },
  { name: "unknown-flag",   argv: ["version", "--outptu", "json"] },
  { name: "missing-value",  argv: ["version", "-o"] },
  { name: "unknown-format", argv: ["version", "-o", "jnuit"] },
  { name: "two-formats",    argv: ["version", "-o", "json", "-o", "yaml"] },
  { name: "flag-first",     argv: ["--quiet", "version"] },
  { name: "unknown-shell",  argv: ["completion", "tcsh"] },
];
test.each(mistakes)("$name", async ({ name, argv }) => expectGoldenRun(`mistakes/${name}.txt`, await celadon(argv)));

test("formats on standard output", async () => {
  const { code, stdout } = await celadon(["version", "-o", "json"]);
  expect({ code, data: JSON.parse(stdout) }).toMatchObject({
    code: 0,
    data: { apiVersion: "celadon.dev/v1", version },
  });
  expect((await celadon(["version", "-o", "yaml"])).stdout).toMatch(/^apiVersion: celadon.dev\/v1\nkind: Version\n/);
});

test("formats in files, whole, with nothing left beside them", async () => {
  const cwd = folder({ "old.json": "old" });
  const ran = await celadon(["version", "-o", "json=old.json", "-o", "junit=new/deep/report.xml", "-o", "table"], {
    cwd,
  });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(ran.stdout).toMatch(/^CELADON/);
  expect(JSON.parse(readFileSync(join(cwd, "old.json"), "utf8")).kind).toBe("Version");
  expect(readdirSync(cwd).sort()).toEqual(["new", "old.json"]);
  expect(readdirSync(join(cwd, "new/deep"))).toEqual(["report.xml"]);
});

test("a wrong format writes nothing, even beside a right one", async () => {
  const cwd = folder();
  expect(await celadon(["version", "-o", "json=a.json", "-o", "nope=b"], { cwd })).toMatchObject({
    code: 2,
    stdout: "",
  });
  expect(existsSync(join(cwd, "a.json"))).toBe(false);
});

test("a file that cannot be written", async () => {
  const cwd = folder({ "taken/x": "" });
  const { code, stdout, stderr } = await celadon(["version", "-o", "json=taken"], { cwd });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^celadon: cannot write "taken": is a directory/);
  expect(readdirSync(cwd)).toEqual(["taken"]);
});

test("a reader that leaves early", async () => {
  const { code, stdout, stderr } = await shell(`celadon help | head -1; echo \${PIPESTATUS[0]}`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^CEL admission control .*\n0\n$/);
});

test("a reader that was never there", async () => {
  const { stdout, stderr } = await shell("exec 3> >(true); wait $!; celadon completion bash >&3; echo $? >&2");
  expect({ stdout, stderr: stderr.trim() }).toEqual({ stdout: "", stderr: "0" });
});

/** More than a pipe holds, and than Node writes at once. */
const many = Array.from({ length: 600 }, (_, i) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c${i}}\n`).join(
  "---\n",
);

/** Comes to an end when the first is written. */
const ONE_BYTE = "dd bs=1 count=1 status=none > /dev/null";

test("a slow reader gets everything", async () => {
  const whole = await celadon(["check", "-f", "-", "-o", "json"], { stdin: many });
  expect(whole).toMatchObject({ code: 0, stderr: "" });
  expect(whole.stdout.length).toBeGreaterThan(150_000);
  const { stdout } = await shell(`celadon check -f - -o json | (${ONE_BYTE}; sleep 0.2; wc -c)`, { stdin: many });
  expect(Number(stdout)).toBe(Buffer.byteLength(whole.stdout) - 1);
});

test("a reader that leaves in the middle", async () => {
  const line = `celadon check -f - -o json | head -1; echo \${PIPESTATUS[0]}`;
  expect(await shell(line, { stdin: many })).toEqual({ code: 0, stdout: "{\n0\n", stderr: "" });
});

test.skipIf(!existsSync("/dev/full"))("a full disk is reported", async () => {
  const { code, stderr } = await shell("celadon version > /dev/full");
  expect(code).toBe(2);
  expect(stderr).toMatch(/^celadon: cannot write to standard output: ENOSPC/);
});

// biome-ignore format: one case per line
test.each([["SIGINT", 130], ["SIGTERM", 143]] as const)("%s ends with %i and writes nothing", async (name, code) => {
  const cwd = folder();
  const argv = ["check", "-f", "-", "-o", "json=report.json"];
  const ran = await installed(argv, { cwd, stdin: many.repeat(10), signal: { name, after: 0 } });
  expect(ran).toEqual({ code, stdout: "", stderr: "" });
  expect(readdirSync(cwd)).toEqual([]);
});

test("colours by --color alone, when it is no terminal", async () => {
  const table = (...flags: string[]): Promise<{ stdout: string }> => celadon(["version", "-o", "table", ...flags]);
  expect((await table()).stdout).not.toContain("\u001b");
  expect((await table("--color", "always")).stdout).toContain("\u001b[1m");
});

test("the installed file is a program", async () => {
  expect(await program(BIN, ["--version"])).toMatchObject({ code: 0, stderr: "" });
});

test("the licences of bundled packages go along", async () => {
  await bundle();
  const notices = readFileSync(join(ROOT, "apps/cli/dist/bundle/NOTICES.txt"), "utf8");
  const named = [...notices.matchAll(/^(\S+) \d+\.\d+\.\d+$/gm)].map(([, name]) => name);
  expect(named).toEqual(expect.arrayContaining(["asn1js", "yaml"]));
  expect(notices.match(/permission|licen[cs]e/gi)!.length).toBeGreaterThanOrEqual(named.length);
});

test("an etcd cluster that cannot be reached is an error with a message, not a process that ends without one", async () => {
  const { code, stdout, stderr } = await withoutEtcd;
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("celadon: the etcd cluster cannot be used: etcd is not available: ");
});
