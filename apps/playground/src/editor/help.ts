// Completion, hovers, findings and search in an editor: loaded after the first answer.

import { autocompletion, type Completion, completionKeymap, snippetCompletion } from "@codemirror/autocomplete";
import { type Diagnostic, diagnosticCount, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { searchKeymap } from "@codemirror/search";
import type { Extension } from "@codemirror/state";
import { type EditorView, hoverTooltip, keymap } from "@codemirror/view";
import type { Offer, TextFinding } from "../model/answer.ts";
import type { Replies } from "../model/protocol.ts";

export interface HelpSource {
  complete(offset: number): Promise<Replies["complete"] | undefined>;
  hover(offset: number): Promise<Replies["hover"]>;
  fixes(from: number, to: number): Promise<Replies["fixes"] | undefined>;
  format(): void;
}

const TYPES: Readonly<Record<string, string>> = {
  field: "property",
  variable: "variable",
  function: "function",
  macro: "keyword",
  namespace: "namespace",
  keyword: "keyword",
  value: "constant",
  snippet: "text",
};

export function editorHelp(source: HelpSource): Extension {
  return [
    autocompletion({
      icons: false,
      override: [
        async (context) => {
          if (!context.explicit && context.matchBefore(/[\w.]$/) === null) return null;
          const found = await source.complete(context.pos);
          if (found === undefined || found.offers.length === 0) return null;
          const options = found.offers.map((offer, i) => optionOf(offer, found.offers.length - i));
          return { from: found.from, to: found.to, options, validFor: /^\w*$/ };
        },
      ],
    }),
    hoverTooltip(async (_view, pos) => {
      const found = await source.hover(pos);
      if (found === undefined) return null;
      const { spot, markdown } = found;
      return { pos: spot.from, end: spot.to, above: true, create: () => ({ dom: wordsOf(markdown) }) };
    }),
    lintGutter(),
    keymap.of([
      ...completionKeymap,
      ...lintKeymap,
      ...searchKeymap,
      {
        key: "Shift-Alt-f",
        run: () => {
          source.format();
          return true;
        },
      },
    ]),
  ];
}

function optionOf({ label, kind, detail, documentation, insert, snippet }: Offer, boost: number): Completion {
  const about = {
    label,
    type: TYPES[kind] ?? "text",
    boost: Math.min(boost, 99),
    ...(detail !== undefined && { detail }),
    ...(documentation !== undefined && { info: () => wordsOf(documentation) }),
  };
  // Places to fill in are written `$1` by the service and `#{1}` here.
  return snippet
    ? snippetCompletion(insert.replace(/\$\{(\d+):([^}]*)\}/g, "#{$2}").replace(/\$\d/g, "#{}"), about)
    : { ...about, apply: insert };
}

/** Paragraphs, code and bold; nothing is read as HTML. */
function wordsOf(markdown: string): HTMLElement {
  const box = document.createElement("div");
  box.className = "words";
  for (const [i, part] of markdown
    .replace(/```\w*\n?/g, "")
    .split(/`([^`]+)`/)
    .entries()) {
    if (i % 2 === 1) {
      const code = document.createElement("code");
      code.textContent = part;
      box.append(code);
    } else box.append(part.replace(/\*\*/g, ""));
  }
  return box;
}

const SEVERITIES = { bad: "error", warn: "warning", none: "info", good: "info" } as const;

/** Shows the findings of a text; those with a known fix offer it. */
export function showFindings(view: EditorView, findings: readonly TextFinding[], source: HelpSource): void {
  if (findings.length === 0 && diagnosticCount(view.state) === 0) return;
  const { length } = view.state.doc;
  const diagnostics = findings.map(({ tone, message, help, code, spot, fix }): Diagnostic => {
    const [from, to] = [Math.min(spot.from, length), Math.min(spot.to, length)];
    return {
      from,
      to,
      severity: SEVERITIES[tone],
      source: code,
      message: help === undefined ? message : `${message}\nhelp: ${help}`,
      ...(fix !== undefined && {
        actions: [
          {
            name: fix,
            apply: (target: EditorView, start: number, end: number) => {
              void source.fixes(start, end).then((found) => {
                const wanted = found?.find(({ title }) => title === fix);
                if (wanted !== undefined) target.dispatch({ changes: [...wanted.changes] });
              });
            },
          },
        ],
      }),
    };
  });
  view.dispatch(
    setDiagnostics(
      view.state,
      diagnostics.sort((a, b) => a.from - b.from),
    ),
  );
}
