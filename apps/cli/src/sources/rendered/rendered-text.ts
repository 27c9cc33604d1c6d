// A document that Helm made from a template, with the places of the template.

import type { TextPosition } from "@celadon/kube/read";
import { SourceText } from "../source-text.ts";
import { templateLines } from "./template-lines.ts";

export class RenderedText extends SourceText {
  readonly #template: readonly string[];
  #lines: readonly number[] | undefined;

  constructor(file: string, text: string, template: string) {
    super(file, text);
    this.#template = linesOf(template);
  }

  override at(offset: number): TextPosition {
    const found = super.at(offset);
    const line = this.lineAt(found.line);
    const [rendered, written] = [super.lineText(found.line) ?? "", this.#template[line - 1] ?? ""];
    const column = rendered === written ? found.column : written.length - written.trimStart().length + 1;
    return { ...found, line, column };
  }

  override lineText(line: number): string | undefined {
    return this.#template[line - 1];
  }

  override lineAt(line: number): number {
    this.#lines ??= templateLines(linesOf(this.text), this.#template);
    return this.#lines[line - 1] ?? line;
  }
}

const linesOf = (text: string): readonly string[] => text.split(/\r?\n/);
