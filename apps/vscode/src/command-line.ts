// A command as a terminal takes it: quoted for the shell that the platform starts.

/** `asNode`: the program is VS Code itself, which is to run as Node. */
export function commandLine(words: readonly string[], asNode: boolean, platform: string): string {
  if (platform === "win32") {
    const line = words.map((word) => `'${word.replaceAll("'", "''")}'`).join(" ");
    return `${asNode ? "$env:ELECTRON_RUN_AS_NODE=1; " : ""}& ${line}`;
  }
  const line = words
    .map((word) => (/^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ");
  return `${asNode ? "ELECTRON_RUN_AS_NODE=1 " : ""}${line}`;
}
