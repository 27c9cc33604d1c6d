// The first word of a call, by which compiled code is kept: each command compiles other parts of the same file.

/** Commands that need so little code that loading a few modules is faster. */
const SHORT: ReadonlySet<string> = new Set(["help", "completion", "version"]);

/** Undefined for a call that is over soon. A misspelt word has nothing kept, and a path never gets to a file's name. */
export function wordOf(argv: readonly string[]): string | undefined {
  const [word = ""] = argv;
  const isShort = SHORT.has(word) || argv.includes("--help") || argv.includes("-h");
  return /^[a-z]+$/.test(word) && !isShort ? word : undefined;
}
