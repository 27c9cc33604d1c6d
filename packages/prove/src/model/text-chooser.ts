// Chooses a text for each variable: in the languages that a path requires, different from those it must differ from, if possible one that a
// server accepts, and such that functions of it return the results that the path decided.

import { isError } from "@celadon/cel";
import type { RefinedSchema } from "@celadon/kube/facts";
import { applyTo } from "../evaluate/apply.ts";
import type { Interval } from "../number/solver.ts";
import type { Path } from "../path/path.ts";
import type { Symbolic } from "../path/symbolic.ts";
import { applied, type TextTerm } from "../path/texts.ts";
import { holds, oneOf } from "../text/language.ts";
import { shortestIn } from "../text/search.ts";
import { hintsOf, sampleOf } from "./minimal.ts";

/** Texts that functions of libraries tell apart. */
const SAMPLES: readonly string[] = [
  "a",
  "1",
  "1Gi",
  "100m",
  "0",
  "-1",
  "10.0.0.1",
  "fd00::1",
  "10.0.0.0/8",
  "https://example.com",
  "https://example.com:8443/a?b=c",
  "http://10.0.0.1",
  "1.2.3",
  "example.com",
  "a/b",
  "a/b:c",
  "a.b/c:1.0",
  "a:b",
  "a@sha256:b",
  "2024-01-01T00:00:00Z",
  "1h",
  "a,b",
  "A",
  "",
  "a b",
  "true",
];

export class TextChooser {
  readonly #path: Path;
  readonly #chosen = new Map<string, string>();

  constructor(path: Path) {
    this.#path = path;
  }

  /** Chooses a text if nothing is known of its variable but that it is one. */
  prefer(root: string, text: string): void {
    const { texts, numbers } = this.#path;
    const lengths = numbers.ranges.get(`length ${root}`);
    const fits = lengths === undefined || (lengths.least <= BigInt(text.length) && lengths.most >= BigInt(text.length));
    const isFree =
      texts.languages(root).every((language) => holds(language, text)) && this.#answersAsDecided(root, text);
    if (fits && isFree && !this.#avoided(root).includes(text)) this.#chosen.set(root, text);
  }

  /** The text of a variable; undefined when none was found. */
  choose(
    root: string,
    { least, most }: Interval,
    hint?: RefinedSchema,
    used: ReadonlySet<string> = new Set(),
  ): string | undefined {
    const known = this.#chosen.get(root);
    if (known !== undefined) return known;
    const avoid = new Set([...used, ...this.#avoided(root)]);
    const languages = this.#path.texts.languages(root);
    const range = { least: Number(least), most: Number(most) };
    const wish = {
      least: Math.max(range.least, hint?.minLength ?? 1),
      most: Math.min(range.most, hint?.maxLength ?? range.most),
    };
    const fits = (text: string): boolean =>
      [...text].length >= range.least &&
      [...text].length <= range.most &&
      !avoid.has(text) &&
      languages.every((language) => holds(language, text)) &&
      this.#answersAsDecided(root, text);
    const sample = sampleOf(hint?.format);
    const found =
      (sample !== undefined && fits(sample) ? sample : undefined) ??
      this.#shortest([...languages, ...(hint === undefined ? [] : hintsOf(hint))], wish, avoid, fits) ??
      this.#shortest(languages, wish, avoid, fits) ??
      SAMPLES.find(fits) ??
      this.#shortest(languages, range, avoid, fits) ??
      // Better a text that a function answers otherwise than none: the object is tried anyway.
      this.#shortest(languages, range, avoid, () => true);
    if (found !== undefined) this.#chosen.set(root, found);
    return found;
  }

  #shortest(
    languages: Parameters<typeof shortestIn>[0],
    range: Parameters<typeof shortestIn>[1],
    avoid: ReadonlySet<string>,
    fits: (text: string) => boolean,
  ): string | undefined {
    const tried = new Set(avoid);
    for (let i = 0; i < 4; i++) {
      const found = shortestIn(languages, range, tried);
      if (typeof found === "string") return undefined;
      if (fits(found.text)) return found.text;
      tried.add(found.text);
    }
    return undefined;
  }

  /** Texts of variables that this one is known to be unlike. */
  #avoided(root: string): string[] {
    const { texts } = this.#path;
    return texts.differing().flatMap(([a, b]) => {
      if (a.steps.length + b.steps.length > 0) return [];
      const [one, other] = [texts.root(a.variable), texts.root(b.variable)];
      const unlike = one === root ? other : other === root ? one : undefined;
      const text =
        unlike === undefined ? undefined : (this.#chosen.get(unlike) ?? texts.fixed({ variable: unlike, steps: [] }));
      return text === undefined ? [] : [text];
    });
  }

  /** Whether calls that depend on this text alone return the results that the path decided. */
  #answersAsDecided(root: string, text: string): boolean {
    return this.#path.calls.every(({ result, step, args }) => {
      if (result.is !== "bool") return true;
      const wanted = this.#path.decided.get(result.key);
      if (wanted === undefined) return true;
      const values = args.map((arg) => this.#valueOf(arg, root, text));
      if (values.includes(OPEN) || !args.some((arg) => this.#isVariable(arg, root))) return true;
      const answer = applyTo(step, values);
      return isError(answer) || answer === wanted;
    });
  }

  #isVariable(arg: Symbolic, root: string): boolean {
    const variable = arg.is === "text" ? arg.text.variable : arg.is === "node" ? arg.node.text : undefined;
    return variable !== undefined && this.#path.texts.root(variable) === root;
  }

  #valueOf(arg: Symbolic, root: string, text: string): unknown {
    if (arg.is === "value") return arg.value;
    const term: TextTerm | undefined =
      arg.is === "text" ? arg.text : arg.is === "node" ? { variable: arg.node.text, steps: [] } : undefined;
    if (term === undefined) return OPEN;
    const own = this.#path.texts.root(term.variable);
    const chosen = own === root ? text : this.#chosen.get(own);
    return chosen === undefined ? OPEN : applied(term.steps, chosen);
  }

  /** Makes a text the shortest way to write an amount. */
  fixQuantity({ variable, steps }: TextTerm, nanos: bigint): void {
    if (steps.length > 0) return;
    const root = this.#path.texts.root(variable);
    const text =
      nanos % 1_000_000_000n === 0n
        ? `${nanos / 1_000_000_000n}`
        : nanos % 1_000_000n === 0n
          ? `${nanos / 1_000_000n}m`
          : `${nanos}n`;
    const languages = [...this.#path.texts.languages(root), oneOf([text])];
    if (typeof shortestIn(languages, { least: 0, most: 1000 }) === "object") this.#chosen.set(root, text);
  }
}

const OPEN: unique symbol = Symbol("open");
