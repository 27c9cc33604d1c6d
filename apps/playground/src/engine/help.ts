// Help while writing, from the language service: loaded after the first answer.

import { type Diagnostic, Workspace } from "@celadon/language";
import type { WorkText } from "@celadon/language/playground";
import type { TextFinding } from "../model/answer.ts";
import type { Replies, TextChange } from "../model/protocol.ts";
import type { Session } from "./session.ts";
import { FILE_NAMES } from "./texts.ts";

const HELPED: readonly WorkText[] = ["policy", "object", "tests"];
const TONES = { error: "bad", warning: "warn", information: "none", hint: "none" } as const;

export class Help {
  readonly #session: Session;
  #workspace: Workspace;
  #known: string | undefined;
  #texts = new Map<WorkText, string>();

  constructor(session: Session) {
    this.#session = session;
    this.#workspace = new Workspace({ yamlKeys: true });
  }

  /** The workspace with the texts as they are. A single expression is put into a policy. */
  current(): Workspace {
    const { kubeVersion, mode, texts } = this.#session;
    if (this.#known !== kubeVersion) {
      this.#known = kubeVersion;
      this.#workspace = new Workspace({ yamlKeys: true, ...(kubeVersion && { minors: [kubeVersion] }) });
      this.#texts = new Map();
    }
    for (const name of HELPED) {
      const text = name === "policy" && mode === "cel" ? wrapped(texts.text("policy")).text : texts.text(name);
      if (this.#texts.get(name) === text) continue;
      this.#texts.set(name, text);
      this.#workspace.set(FILE_NAMES[name], text);
    }
    return this.#workspace;
  }

  async findings(): Promise<readonly TextFinding[]> {
    const workspace = this.current();
    const found: TextFinding[] = [];
    for (const text of HELPED) {
      if (this.#session.mode === "cel" && text === "policy") continue;
      for (const diagnostic of await workspace.diagnostics(FILE_NAMES[text])) {
        const [fix] = fixesOf(workspace, FILE_NAMES[text], diagnostic.range, [diagnostic]);
        found.push({ ...findingOf(text, diagnostic), ...(fix && { fix: fix.title }) });
      }
    }
    return found;
  }

  complete(text: WorkText, offset: number): Replies["complete"] {
    const place = this.#place(text, offset);
    if (place === undefined) return undefined;
    const { items, range } = this.current().completion(FILE_NAMES[text], place.offset);
    return {
      from: place.back(range.start),
      to: place.back(range.end),
      offers: items.map(({ label, kind, detail, documentation, insert, snippet }) => ({
        label,
        kind,
        insert,
        snippet: snippet === true,
        ...(detail !== undefined && { detail }),
        ...(documentation !== undefined && { documentation }),
      })),
    };
  }

  async hover(text: WorkText, offset: number): Promise<Replies["hover"]> {
    const place = this.#place(text, offset);
    if (place === undefined) return undefined;
    const workspace = this.current();
    const hover = workspace.hover(FILE_NAMES[text], place.offset);
    const value = this.#session.mode === "cel" ? undefined : await workspace.valueAt(FILE_NAMES[text], place.offset);
    const range = hover?.range ?? value?.range;
    if (range === undefined) return undefined;
    const shown = value && `\`${value.text}\` is \`${value.value}\` for ${value.sample}`;
    const markdown = [shown, hover?.text].filter((item) => item !== undefined).join("\n\n");
    return { spot: { text, from: place.back(range.start), to: place.back(range.end) }, markdown };
  }

  async fixes(text: WorkText, from: number, to: number): Promise<Replies["fixes"]> {
    const uri = FILE_NAMES[text];
    const workspace = this.current();
    if (this.#session.mode === "cel") return [];
    const diagnostics = await workspace.diagnostics(uri);
    const touching = diagnostics.filter(({ range }) => range.start <= to && range.end >= from);
    return fixesOf(workspace, uri, { start: from, end: to }, touching);
  }

  format(text: WorkText): readonly TextChange[] {
    return this.#session.mode === "cel" && text === "policy" ? [] : changesOf(this.current().format(FILE_NAMES[text]));
  }

  /** The place in the file of the service for a place in the text. */
  #place(text: WorkText, offset: number): { offset: number; back: (offset: number) => number } | undefined {
    if (!HELPED.includes(text)) return undefined;
    if (text !== "policy" || this.#session.mode !== "cel") return { offset, back: (at) => at };
    const { to, back } = wrapped(this.#session.texts.text("policy"));
    return { offset: to(offset), back };
  }
}

/** Fixes for problems, as changes of the file itself. */
function fixesOf(
  workspace: Workspace,
  uri: string,
  range: { readonly start: number; readonly end: number },
  diagnostics: readonly Diagnostic[],
): Replies["fixes"] {
  return workspace
    .actions(uri, range, diagnostics)
    .filter(
      ({ kind, create, edits }) => kind === "quickfix" && create === undefined && edits.size === 1 && edits.has(uri),
    )
    .map(({ title, edits }) => ({ title, changes: changesOf(edits.get(uri)!) }));
}

function findingOf(text: WorkText, { severity, code, message, help, range }: Diagnostic): TextFinding {
  const spot = { text, from: range.start, to: Math.max(range.end, range.start + 1) };
  return { tone: TONES[severity], code, message, ...(help !== undefined && { help }), spot };
}

function changesOf(
  edits: readonly { readonly range: { readonly start: number; readonly end: number }; readonly text: string }[],
): readonly TextChange[] {
  return edits
    .map(({ range, text }) => ({ from: range.start, to: range.end, insert: text }))
    .sort((a, b) => a.from - b.from);
}

const AROUND = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: expression }
spec:
  matchConstraints:
    resourceRules:
      - { apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"] }
  validations:
    - expression: |-
`;
const INDENT = "        ";

/** An expression in a policy, with the way from one text to the other. */
function wrapped(expression: string): {
  text: string;
  to: (offset: number) => number;
  back: (offset: number) => number;
} {
  const lines = expression.split("\n");
  const text = AROUND + lines.map((line) => INDENT + line).join("\n");
  const lineOf = (offset: number): number => expression.slice(0, offset).split("\n").length;
  return {
    text,
    to: (offset) => AROUND.length + offset + INDENT.length * lineOf(offset),
    back: (offset) => {
      const inside = text.slice(AROUND.length, offset);
      return Math.max(0, inside.length - INDENT.length * inside.split("\n").length);
    },
  };
}
