// The place of a value in a file, as the origin of manifests. A stream may have hundreds of thousands of documents, and places inside
// are needed for few of them: a place keeps offsets, and reads its document again when needed.

import type { JsonPath } from "@celadon/base";
import type { FieldPlace, ReadDocument, TextPosition } from "@celadon/kube/read";
import type { Origin } from "@celadon/simulator/manifests";
import type { SourceText } from "./source-text.ts";

/** A slice of a file that is read by itself, with the way to read it. */
export interface TextPart {
  readonly source: SourceText;
  readonly start: number;
  documents(): readonly ReadDocument[];
  /** The place of a field of the only document, if it is found without reading all of the document. */
  seek(path: JsonPath): FieldPlace | undefined;
}

export class TextPlace implements Origin {
  readonly part: TextPart;
  /** The number of the document in the part. */
  readonly nth: number;
  readonly prefix: JsonPath;
  /** The beginning of the document in the part, if it was found on the way: the place needed most often. */
  readonly begin: number | undefined;

  constructor(part: TextPart, nth: number, begin?: number, prefix: JsonPath = NO_PATH) {
    this.part = part;
    this.nth = nth;
    this.begin = begin;
    this.prefix = prefix;
  }

  get source(): SourceText {
    return this.part.source;
  }

  get file(): string {
    return this.source.file;
  }

  /** A place inside this one. */
  within(path: JsonPath): TextPlace {
    return new TextPlace(this.part, this.nth, this.begin, [...this.prefix, ...path]);
  }

  positionOf(path: JsonPath = NO_PATH, part?: "value" | "key"): TextPosition | undefined {
    if (path.length + this.prefix.length > 0 || this.begin === undefined) {
      const steps = [...this.prefix, ...path];
      // A document with a known beginning can be searched.
      const found = this.begin === undefined ? undefined : this.part.seek(steps);
      if (found === undefined) return this.#inFile(this.#document()?.positionOf(steps, part));
      const offset = part === "key" ? found.key : found.value;
      return offset === undefined ? undefined : this.source.at(this.part.start + offset);
    }
    return part === "key" ? undefined : this.source.at(this.part.start + this.begin);
  }

  positionIn(path: JsonPath, offset: number): TextPosition | undefined {
    return this.#inFile(this.#document()?.positionIn([...this.prefix, ...path], offset));
  }

  lineText(line: number): string | undefined {
    return this.source.lineText(line);
  }

  #document(): ReadDocument | undefined {
    return this.part.documents()[this.nth];
  }

  /** The document knows offsets in its own text only. */
  #inFile(found: TextPosition | undefined): TextPosition | undefined {
    return found && this.source.at(this.part.start + found.offset);
  }
}

const NO_PATH: JsonPath = [];
