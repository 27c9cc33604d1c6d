// Reads the files of an import as text; the worker sorts them into panes.

/** Bytes of a file that is read. */
const LARGEST_FILE = 8 * 1024 * 1024;

export interface ReadFiles {
  readonly sources: readonly { readonly name: string; readonly text: string }[];
  /** The files that could not be read. */
  readonly problems: readonly string[];
}

export async function readFiles(files: readonly File[]): Promise<ReadFiles> {
  const problems: string[] = [];
  const sources: { readonly name: string; readonly text: string }[] = [];
  for (const file of files) {
    if (file.size > LARGEST_FILE) {
      problems.push(`${file.name} is larger than 8 MiB`);
      continue;
    }
    const text = textOf(new Uint8Array(await file.arrayBuffer()));
    if (text === undefined) problems.push(`${file.name} is not a text file`);
    else sources.push({ name: file.name, text });
  }
  return { sources, problems };
}

/** A request in DER is shown as PEM. Undefined where the bytes are no text. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] !== 0x30 || bytes.length > 40_000) return decoded(bytes)?.replaceAll(/\r\n?/g, "\n");
  const base64 = btoa(String.fromCharCode(...bytes));
  return `-----BEGIN CERTIFICATE REQUEST-----\n${base64.replace(/(.{64})/g, "$1\n").trimEnd()}\n-----END CERTIFICATE REQUEST-----\n`;
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return bytes.includes(0) ? undefined : new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
