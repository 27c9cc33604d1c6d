// Text that acts on a terminal or a CI runner, and the checks that find it in output.

/** Workflow commands, line breaks, escape sequences, direction overrides, and characters that nobody sees. */
export const EVIL: string = [
  "x\n::error file=a::FORGED\nFORGED\r##[group]FORGED ##vso[task.complete]FORGED ##teamcity[x]FORGED",
  "\u001b[2J\u001b]0;t\u0007\u0000\u007f\u0085\u009b1m\u2028FORGED\u2029FORGED\u202e\u2066\u200e\u061c",
  "a\u200ba\u200da\u00ada\u2060a\ufeffa\u{e0041}end",
].join("");

/** The same as an argument, which ends at a NUL. */
export const EVIL_WORD: string = EVIL.replaceAll("\u0000", "");

/** The same inside an expression's literal. */
export const EVIL_LITERAL: string = JSON.stringify(EVIL);

/** Every control and format character, line separator and half of a pair, but tab and line feed. */
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115f\u1160\u3164\uffa0]/u;

/** Commands that the github format writes itself. */
const OURS = /^::(?:error|warning|notice) (?:file|title)=[^:]*::/;

/** Lines that act, or begin like data: expressions and messages are indented. */
export function problemsOf(text: string, format?: string): string[] {
  return text.split("\n").filter((line) => {
    const command = line.trimStart().startsWith("::") && !(format === "github" && OURS.test(line));
    return HIDDEN.test(line) || command || /##\w*\[/.test(line) || /^FORGED/.test(line);
  });
}
