import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { verbs } from "../commands/index.ts";
import { celadon, folder, program } from "./run.testing.ts";

const has = (shell: string): boolean => spawnSync(shell, ["--version"]).error === undefined;

/** Flags with which a shell only reads a script. */
const SYNTAX = { bash: ["-n"], zsh: ["-n"], fish: ["--no-execute"] } as const;

const scripts = new Map<string, Promise<string>>();

async function script(shell: string): Promise<string> {
  const made = scripts.get(shell) ?? make(shell);
  scripts.set(shell, made);
  return join(folder({ script: await made }), "script");
}

async function make(shell: string): Promise<string> {
  const { code, stdout, stderr } = await celadon(["completion", shell]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

for (const [shell, flags] of Object.entries(SYNTAX)) {
  if (!has(shell)) console.warn(`${shell} is not installed: its completion script is not tried`);
  test.skipIf(!has(shell))(`${shell} can read its script`, async () => {
    expect(await program(shell, [...flags, await script(shell)])).toEqual({ code: 0, stdout: "", stderr: "" });
  });
}

describe.skipIf(!has("bash"))("bash", () => {
  /** The completions of the last word. */
  async function offered(...words: string[]): Promise<readonly string[]> {
    const list = ["celadon", ...words].map((word) => `'${word}'`).join(" ");
    const line = `source "${await script("bash")}"; COMP_WORDS=(${list}); COMP_CWORD=${words.length}; _celadon; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = await program("bash", ["-c", line]);
    expect(stderr).toBe("");
    return stdout.split("\n").filter((word) => word !== "");
  }

  // biome-ignore format: one case per line
  const cases = [
    { words: [""],                            want: [...new Set(verbs.map(({ name }) => name.split(" ")[0]!)), "--help", "--version"] },
    { words: ["vers"],                        want: ["version"] },
    { words: ["help", "vers"],                want: ["version"] },
    { words: ["version", "--out"],            want: ["--output"] },
    { words: ["version", "-o", "j"],          want: ["json", "junit"] },
    { words: ["version", "--output", "=", "s"], want: ["sarif"] },
    { words: ["version", "--color", "="],     want: ["auto", "always", "never"] },
    { words: ["version", "x"],                want: [] },
    { words: ["completion", ""],              want: ["bash", "zsh", "fish"] },
    { words: ["nonsense", ""],                want: [] },
  ];
  test.each(cases)("$words", async ({ words, want }) => expect(await offered(...words)).toEqual(want));
});

describe.skipIf(!has("fish"))("fish", () => {
  const offered = async (line: string): Promise<readonly string[]> => {
    const { stdout } = await program("fish", [
      "--no-config",
      "-c",
      `source ${await script("fish")}; complete -C '${line}'`,
    ]);
    return stdout
      .split("\n")
      .map((row) => row.split("\t")[0]!)
      .filter((word) => word !== "");
  };
  test("verbs", async () => expect(await offered("celadon vers")).toEqual(["version"]));
  test("flags", async () => expect(await offered("celadon version --out")).toEqual(["--output"]));
  test("values", async () => expect(await offered("celadon version -o ")).toContain("sarif"));
});
