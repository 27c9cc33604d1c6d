// The `console` blocks of a page as one session of a shell, from its first line to its last, in a folder of its own. It holds the files
// that the page shows (```yaml file=policy.yaml), written where the page shows them, and a copy of examples/ if the session is about them.
// The input stands after `$ `, the whole output below it. `…` on a line of its own stands for any lines, within a line for any characters.

import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BIN, bundle, program } from "../../../apps/cli/src/e2e/run.testing.ts";
import { type Block, fileOf, type Page, ROOT } from "./pages.ts";

export interface Step {
  /** The typed command; several lines where all but the last end with a backslash. */
  readonly input: string;
  readonly output: string;
  /** Lines of the output in the page: from, and how many. */
  readonly line: number;
  readonly lines: number;
}

export function stepsOf(block: Block): readonly Step[] {
  const lines = block.text.replace(/\n$/, "").split("\n");
  const steps: Step[] = [];
  for (let i = 0; i < lines.length; ) {
    if (!lines[i]!.startsWith("$ ")) throw new Error(`a console block begins with "$ ", found "${lines[i]}"`);
    const start = i;
    while (lines[i]!.endsWith("\\")) i++;
    const input = lines.slice(start, ++i).join("\n").slice(2);
    const first = i;
    while (i < lines.length && !lines[i]!.startsWith("$ ")) i++;
    const output = lines.slice(first, i).map((line) => `${line}\n`);
    steps.push({ input, output: output.join(""), line: block.line + first, lines: i - first });
  }
  return steps;
}

/** Programs beside the shell's own that sessions use. */
const PROGRAMS = ["kubectl", "curl"];

/** The programs that a page's session needs and that are not installed. */
export function missingPrograms({ blocks }: Page): readonly string[] {
  const inputs = blocks.filter(({ language }) => language === "console").flatMap(stepsOf);
  const used = PROGRAMS.filter((name) =>
    inputs.some(({ input }) => new RegExp(`(^|[|(;] *)${name} `, "m").test(input)),
  );
  const folders = (process.env.PATH ?? "").split(":");
  return used.filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
}

/** Runs the session and returns the output of every step, in order. */
export async function runSession({ blocks }: Page): Promise<readonly { step: Step; printed: string }[]> {
  const steps = blocks.filter(({ language }) => language === "console").flatMap(stepsOf);
  await bundle();
  const folder = mkdtempSync(join(tmpdir(), "celadon-page-"));
  try {
    const aboutExamples = steps.some(({ input }) => input.includes("examples/"));
    if (aboutExamples) cpSync(join(ROOT, "examples"), join(folder, "examples"), { recursive: true });
    writeFileSync(join(folder, ".session"), scriptOf(blocks));
    const { stdout } = await program("bash", [".session"], { cwd: folder, timeout: 120_000 });
    const printed = stdout.split(MARK).slice(1);
    return steps.map((step, i) => ({ step, printed: printed[i] ?? "(the session ended before this)\n" }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const MARK = "\u001e\n";

function scriptOf(blocks: readonly Block[]): string {
  const parts = blocks.flatMap((block) => {
    const file = fileOf(block);
    // The quoted end keeps the shell's hands off the text.
    if (file !== undefined)
      return [`mkdir -p "$(dirname ${file})" && cat > ${file} <<'END_OF_FILE'\n${block.text}END_OF_FILE`];
    return block.language === "console" ? stepsOf(block).map(({ input }) => `mark\n${input}`) : [];
  });
  return [
    "exec 2>&1",
    // A program, not a function, so that one in the background is ended by `kill $!`.
    `mkdir .bin && printf '#!/bin/sh\\nexec "%s" "%s" "$@"\\n' "${process.execPath}" "${BIN}" > .bin/celadon && chmod +x .bin/celadon`,
    'PATH="$PWD/.bin:$PATH"',
    // kubectl keeps what servers serve for hours, by their port.
    'export KUBECACHEDIR="$PWD/.kube"',
    "trap 'kill $(jobs -p) 2>/dev/null' EXIT",
    // Leaves `$?` as it was, so that a page may show it.
    "mark() { local code=$?; printf '\\036\\n'; return $code; }",
    ...parts,
    "",
  ].join("\n");
}

/** Whether a page shows the output. */
export function isShown(output: string, printed: string): boolean {
  const pattern = output
    .split(/(?<=\n)/)
    .map((line) => (line === "…\n" ? "(?:.*\\n)*?" : escaped(line).replaceAll("…", ".*")))
    .join("");
  return new RegExp(`^${pattern}$`, "u").test(printed);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
