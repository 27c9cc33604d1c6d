// Help while writing, from the language service: loaded after the first answer.

import { type Diagnostic, Workspace } from "@celadon/language";
import type { WorkText } from "@celadon/language/playground";
import type { Spot, TextFinding } from "../model/answer.ts";
import type { Replies, TextChange } from "../model/protocol.ts";
import { EXTRA_VARIABLES } from "./expression-review.ts";
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
      // The objects of an expression may be anything.
      if (this.#session.mode === "cel" && text !== "policy") continue;
      for (const diagnostic of await this.#diagnostics(workspace, text)) {
        const [fix] = fixesOf(workspace, FILE_NAMES[text], diagnostic.range, [diagnostic]);
        const { spot, ...finding } = findingOf(text, diagnostic);
        found.push({ ...finding, spot: this.#placed(spot), ...(fix && { fix: fix.title }) });
      }
    }
    return found;
  }

  /** Problems of an expression by itself leave out those of the policy around it. */
  async #diagnostics(workspace: Workspace, text: WorkText): Promise<readonly Diagnostic[]> {
    const diagnostics = await workspace.diagnostics(FILE_NAMES[text]);
    if (this.#session.mode !== "cel" || text !== "policy") return diagnostics;
    const expression = this.#session.texts.text("policy");
    const { to } = wrapped(expression);
    const [start, end] = [to(0), to(expression.length)];
    const source = workspace.file(FILE_NAMES.policy)!.text;
    return diagnostics.filter(
      ({ range, code }) =>
        // The kinds that a policy could be for are not asked for here.
        code !== "type_mismatch_by_wildcard" &&
        range.start >= start &&
        range.start <= end &&
        // Variables that rules of definitions have, and policies do not.
        !EXTRA_VARIABLES.includes(source.slice(range.start, range.end)),
    );
  }

  #placed({ text, from, to }: Spot): Spot {
    const back = this.#place(text, 0)?.back ?? ((at) => at);
    return { text, from: back(from), to: Math.max(back(to), back(from) + 1) };
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
    const [start, end] = [this.#place(text, from), this.#place(text, to)];
    if (start === undefined || end === undefined) return [];
    const diagnostics = await this.#diagnostics(workspace, text);
    const range = { start: start.offset, end: end.offset };
    const touching = diagnostics.filter((other) => other.range.start <= range.end && other.range.end >= range.start);
    return fixesOf(workspace, uri, range, touching).map(({ title, changes }) => ({
      title,
      changes: changes.map(({ from: at, to: until, insert }) => ({
        from: start.back(at),
        to: start.back(until),
        insert,
      })),
    }));
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
      - { apiGroups: ["*"], apiVersions: ["*"], operations: ["CREATE"], resources: ["*"] }
  variables:
    - name: expression
      expression: |-
`;
const INDENT = "        ";
const BEHIND = `
  validations:
    - expression: variables.expression == variables.expression
`;

/** An expression in a policy, as a variable because its type may be any, with the way from one text to the other. */
function wrapped(expression: string): {
  text: string;
  to: (offset: number) => number;
  back: (offset: number) => number;
} {
  const lines = expression.split("\n");
  const inside = lines.map((line) => INDENT + line).join("\n");
  const text = AROUND + inside + BEHIND;
  const lineOf = (offset: number): number => expression.slice(0, offset).split("\n").length;
  return {
    text,
    to: (offset) => AROUND.length + offset + INDENT.length * lineOf(offset),
    back: (offset) => {
      const before = text.slice(AROUND.length, Math.min(offset, AROUND.length + inside.length));
      return Math.max(0, before.length - INDENT.length * before.split("\n").length);
    },
  };
}
