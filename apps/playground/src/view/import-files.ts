// Puts files and pasted text into the right panes, by their content.

import { readWork, type Work } from "@celadon/language/playground";

/** Bytes of a file that is read. */
const LARGEST_FILE = 8 * 1024 * 1024;

export interface Imported {
  /** The same as before where nothing could be taken. */
  readonly work: Work;
  /** The texts that could not be imported. */
  readonly problems: readonly string[];
}

interface Source {
  readonly name: string;
  readonly text: string;
}

export async function importFiles(files: readonly File[], current: Work): Promise<Imported> {
  const problems: string[] = [];
  const sources: Source[] = [];
  for (const file of files) {
    if (file.size > LARGEST_FILE) {
      problems.push(`${file.name} is larger than 8 MiB`);
      continue;
    }
    const text = textOf(new Uint8Array(await file.arrayBuffer()));
    if (text === undefined) problems.push(`${file.name} is not a text file`);
    else sources.push({ name: file.name, text });
  }
  return { work: sources.length === 0 ? current : withSources(sources, current), problems };
}

export function importText(text: string, current: Work): Work {
  return withSources([{ name: "pasted", text }], current);
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

const SIGNING = /^-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----/m;
const DECIDING =
  /^kind:\s*["']?((?:Validating|Mutating)(?:AdmissionPolicy(?:Binding)?|WebhookConfiguration)|CustomResourceDefinition|CertificateRequestPolicy|(?:Cluster)?Role(?:Binding)?|Namespace)\b/m;

function withSources(sources: readonly Source[], current: Work): Work {
  const deciding: string[] = [];
  const objects: string[] = [];
  const tests: string[] = [];
  for (const { name, text } of sources) {
    const saved = savedWork(text);
    if (saved !== undefined) return saved;
    if (SIGNING.test(text)) return { ...current, mode: "certificates", object: text };
    if (name.endsWith(".cel")) return { ...current, mode: "cel", policy: text };
    for (const document of text.split(/^---(?=\s|$)/m)) {
      if (document.trim() === "") continue;
      const list = /^kind:\s*TestSuite\b/m.test(document) ? tests : DECIDING.test(document) ? deciding : objects;
      list.push(document.replace(/^\s*\n/, ""));
    }
  }
  const joined = (list: readonly string[]): string =>
    list.map((text) => (text.endsWith("\n") ? text : `${text}\n`)).join("---\n");
  const policy = joined(deciding);
  // Params belong to the policies that name their kind; if there is nothing else, the request is about one of them.
  const kinds = new Set([...policy.matchAll(PARAM_KIND)].map(([, kind]) => kind));
  const isParam = (document: string): boolean => kinds.has(KIND.exec(document)?.[1]);
  const asked = objects.filter((document) => !isParam(document));
  const params = asked.length > 0 || objects.length === 0 ? objects.filter(isParam) : objects.slice(1);
  const subjects = asked.length > 0 ? asked : objects.slice(0, 1);
  return {
    ...current,
    mode: modeOf(policy) ?? current.mode,
    ...(deciding.length > 0 && { policy: joined([...deciding, ...params]) }),
    ...(subjects.length > 0 && { object: joined(subjects), oldObject: "" }),
    ...(tests.length > 0 && { tests: joined(tests) }),
  };
}

const KIND = /^kind:\s*["']?(\w+)/m;
const PARAM_KIND = /\bparamKind:(?:\s*\{[^{}]*?\bkind:|[^\S\n]*(?:\n\s+apiVersion:.*)?\n\s+kind:)\s*["']?(\w+)/g;

function savedWork(text: string): Work | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return readWork(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function modeOf(text: string): Work["mode"] | undefined {
  if (/^kind:\s*ValidatingAdmissionPolicy\b/m.test(text)) return "validating";
  if (/^kind:\s*MutatingAdmissionPolicy\b/m.test(text)) return "mutating";
  if (/^kind:\s*CustomResourceDefinition\b/m.test(text)) return "crd";
  if (/^kind:\s*\w+WebhookConfiguration\b/m.test(text)) return "conditions";
  return /^kind:\s*CertificateRequestPolicy\b/m.test(text) ? "certificates" : undefined;
}
