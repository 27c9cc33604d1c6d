// Documents: text with places where lines may break, and the printer that decides which of them do. The algebra is the well-known one of
// Wadler and of Prettier: a group stays on one line if it fits and otherwise breaks at all its own lines, outer groups first. A comment
// always ends its line: the printer enforces this, so no arrangement of documents can make a comment swallow the next token.

export type Doc = string | Concat | Group | Indent | Line | Choice | Flat | Comment;

interface Concat {
  readonly kind: "concat";
  readonly parts: readonly Doc[];
  readonly breaks: boolean;
}
interface Group {
  readonly kind: "group";
  readonly contents: Doc;
  readonly breaks: boolean;
}
interface Indent {
  readonly kind: "indent";
  readonly contents: Doc;
  readonly breaks: boolean;
}
interface Line {
  readonly kind: "line";
  /** The text in place of the break when the line does not break. */
  readonly flat: "" | " ";
  readonly breaks: false;
}
/** `first` if it fits up to the first place where it can break, otherwise `second`. */
interface Choice {
  readonly kind: "choice";
  readonly first: Doc;
  readonly second: Doc;
  readonly breaks: boolean;
}
/** Breaks nowhere. */
interface Flat {
  readonly kind: "flat";
  readonly contents: Doc;
  readonly breaks: false;
}
/** On a separate line, or after the text before it. The groups around it are set to break by their makers. */
interface Comment {
  readonly kind: "comment";
  readonly text: string;
  readonly own: boolean;
  readonly breaks: false;
}

/** A space, or a new line in a group that breaks. */
export const line: Doc = { kind: "line", flat: " ", breaks: false };
/** Empty, or a new line in a group that breaks. */
export const softline: Doc = { kind: "line", flat: "", breaks: false };

export function concat(...parts: readonly Doc[]): Doc {
  return { kind: "concat", parts, breaks: parts.some(breaks) };
}
/** Broken if it must, or if something in it must. */
export function group(contents: Doc, must = false): Doc {
  return { kind: "group", contents, breaks: must || breaks(contents) };
}
export function indent(contents: Doc): Doc {
  return { kind: "indent", contents, breaks: breaks(contents) };
}
export function choice(first: Doc, second: Doc): Doc {
  return { kind: "choice", first, second, breaks: breaks(first) };
}
export function flat(contents: Doc): Doc {
  return { kind: "flat", contents, breaks: false };
}
export function comment(text: string, own: boolean): Doc {
  return { kind: "comment", text, own, breaks: false };
}
export function breaks(doc: Doc): boolean {
  return typeof doc !== "string" && doc.breaks;
}

const STEP = 2;

interface Command {
  readonly indent: number;
  readonly broken: boolean;
  readonly doc: Doc;
}

export function print(doc: Doc, width: number): string {
  return new Printer(width).print(doc);
}

class Printer {
  readonly #width: number;
  readonly #commands: Command[] = [];
  #out = "";
  #column = 0;
  /** Spaces owed: written before the next text, so that no line ends in them. */
  #owed = 0;
  #lineIsEmpty = true;
  /** A comment stands at the end of the line: nothing else can. */
  #full = false;

  constructor(width: number) {
    this.#width = width;
  }

  print(root: Doc): string {
    const commands = this.#commands;
    commands.push({ indent: 0, broken: true, doc: root });
    for (let command = commands.pop(); command !== undefined; command = commands.pop()) this.#step(command);
    return this.#out;
  }

  #step({ indent, broken, doc }: Command): void {
    if (typeof doc === "string") {
      this.#write(doc, indent);
      return;
    }
    switch (doc.kind) {
      case "concat":
        for (const part of doc.parts.toReversed()) this.#commands.push({ indent, broken, doc: part });
        break;
      case "indent":
        this.#commands.push({ indent: indent + STEP, broken, doc: doc.contents });
        break;
      case "flat":
        this.#commands.push({ indent, broken: false, doc: doc.contents });
        break;
      case "group": {
        const fits = !broken || (!doc.breaks && this.#fits({ indent, broken: false, doc: doc.contents }));
        this.#commands.push({ indent, broken: !fits || doc.breaks, doc: doc.contents });
        break;
      }
      case "choice": {
        const first: Command = { indent, broken, doc: doc.first };
        this.#commands.push(!broken || this.#fits(first) ? first : { indent, broken, doc: doc.second });
        break;
      }
      case "line":
        if (broken) this.#newline(indent);
        else this.#write(doc.flat, indent);
        break;
      case "comment":
        if (!this.#lineIsEmpty && doc.own) this.#newline(indent);
        else if (!this.#lineIsEmpty) this.#owed = 1;
        this.#write(doc.text, indent);
        this.#full = true;
        break;
    }
  }

  #write(text: string, indent: number): void {
    if (text === "") return;
    if (text === " ") {
      if (!this.#lineIsEmpty && !this.#full) this.#owed = 1;
      return;
    }
    if (this.#full) this.#newline(indent);
    this.#out += " ".repeat(this.#owed) + text;
    const newline = text.lastIndexOf("\n");
    this.#column = newline < 0 ? this.#column + this.#owed + text.length : text.length - newline - 1;
    this.#owed = 0;
    this.#lineIsEmpty = false;
  }

  #newline(indent: number): void {
    this.#out += "\n";
    this.#column = 0;
    this.#owed = indent;
    this.#lineIsEmpty = true;
    this.#full = false;
  }

  /** True if `first` and the commands after it fit on this line, up to where a line ends or can end. */
  #fits(first: Command): boolean {
    const ahead = [first];
    let rest = this.#commands.length;
    let room = this.#width - this.#column - this.#owed;
    let empty = this.#lineIsEmpty;
    while (room >= 0) {
      const command = ahead.pop() ?? this.#commands[--rest];
      if (command === undefined) return true;
      const { indent, broken, doc } = command;
      if (typeof doc === "string") {
        const newline = doc.indexOf("\n");
        if (newline >= 0) return newline <= room;
        room -= doc.length;
        empty &&= doc === "";
        continue;
      }
      switch (doc.kind) {
        case "concat":
          for (const part of doc.parts.toReversed()) ahead.push({ indent, broken, doc: part });
          break;
        case "indent":
          ahead.push({ indent: indent + STEP, broken, doc: doc.contents });
          break;
        case "flat":
          ahead.push({ indent, broken: false, doc: doc.contents });
          break;
        case "group":
          ahead.push({ indent, broken: broken || doc.breaks, doc: doc.contents });
          break;
        case "choice":
          // later commands can still choose to break
          ahead.push({ indent, broken, doc: broken ? doc.second : doc.first });
          break;
        case "line":
          if (broken) return true;
          room -= doc.flat.length;
          break;
        case "comment":
          // one that stands before everything is not on the line in question
          if (!empty || !doc.own) return true;
          room = this.#width - indent;
          break;
      }
    }
    return false;
  }
}
