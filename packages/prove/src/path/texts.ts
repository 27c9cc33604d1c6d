// The facts of a path about texts: their languages, equalities, differences and lengths. A text is a variable, perhaps with constant texts
// around it or in one case.

import { BoundedMap } from "@celadon/base";
import { complement, inCase, type Language, oneOf, within } from "../text/language.ts";
import { type Found, shortestIn } from "../text/search.ts";
import { INFEASIBLE } from "./choices.ts";

/** `steps` are applied to the variable one after the other. */
export interface TextTerm {
  readonly variable: string;
  readonly steps: readonly TextStep[];
}

export type TextStep =
  | { readonly kind: "lower" | "upper" }
  | { readonly kind: "around"; readonly before: string; readonly after: string };

/** A request holds no longer text. */
export const LONGEST_TEXT = 3_145_728;

export function keyOfText({ variable, steps }: TextTerm): string {
  return steps.reduce(
    (key, step) => `${step.kind}(${key}${step.kind === "around" ? JSON.stringify(step) : ""})`,
    variable,
  );
}

/** The steps applied to a text. */
export function applied(steps: readonly TextStep[], text: string): string {
  return steps.reduce((made, step) => {
    if (step.kind === "around") return step.before + made + step.after;
    return step.kind === "lower"
      ? made.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
      : made.replace(/[a-z]/g, (letter) => letter.toUpperCase());
  }, text);
}

/** Code points that steps add. */
export function added(steps: readonly TextStep[]): number {
  return steps.reduce((sum, step) => sum + (step.kind === "around" ? [...step.before, ...step.after].length : 0), 0);
}

/** The texts whose changed form is in a language. */
function before(steps: readonly TextStep[], language: Language): Language {
  return steps.reduceRight(
    (made, step) => (step.kind === "around" ? within(made, step.before, step.after) : inCase(made, step.kind)),
    language,
  );
}

interface Known {
  readonly languages: Map<string, Language>;
  fixed: string | undefined;
}

const searched = new BoundedMap<string, Found>(5000);

export class Texts {
  readonly #known = new Map<string, Known>();
  readonly #parents = new Map<string, string>();
  readonly #different: (readonly [TextTerm, TextTerm])[] = [];

  root(variable: string): string {
    let root = variable;
    for (let up = this.#parents.get(root); up !== undefined; up = this.#parents.get(root)) root = up;
    return root;
  }

  roots(): readonly string[] {
    return [...this.#known.keys()].filter((name) => !this.#parents.has(name));
  }

  differing(): readonly (readonly [TextTerm, TextTerm])[] {
    return this.#different;
  }

  languages(variable: string): readonly Language[] {
    return [...this.#of(variable).languages.values()];
  }

  /** The text a term is known to be. */
  fixed({ variable, steps }: TextTerm): string | undefined {
    const text = this.#of(variable).fixed;
    return text === undefined ? undefined : applied(steps, text);
  }

  /** Requires a term to be in a language, or not to be in it. */
  require({ variable, steps }: TextTerm, language: Language, holds: boolean): void {
    const wanted = before(steps, holds ? language : complement(language));
    const known = this.#of(variable);
    if (known.languages.has(wanted.key)) return;
    known.languages.set(wanted.key, wanted);
    if (this.search(variable, 0, LONGEST_TEXT) === "none") throw INFEASIBLE;
    this.#checkDifferent();
  }

  /** Requires a term to be a text, or not to be it. */
  is(term: TextTerm, text: string, holds: boolean): void {
    if (holds && term.steps.length === 0) this.#of(term.variable).fixed ??= text;
    this.require(term, oneOf([text]), holds);
  }

  same(a: TextTerm, b: TextTerm): boolean {
    return (
      this.root(a.variable) === this.root(b.variable) &&
      keyOfText({ ...a, variable: "" }) === keyOfText({ ...b, variable: "" })
    );
  }

  /** Makes two variables one. */
  unite(a: string, b: string): void {
    const [one, other] = [this.root(a), this.root(b)];
    if (one === other) return;
    const [into, from] = [this.#of(one), this.#of(other)];
    this.#parents.set(other, one);
    if (into.fixed !== undefined && from.fixed !== undefined && into.fixed !== from.fixed) throw INFEASIBLE;
    into.fixed ??= from.fixed;
    for (const [key, language] of from.languages) into.languages.set(key, language);
    if (this.search(one, 0, LONGEST_TEXT) === "none") throw INFEASIBLE;
    this.#checkDifferent();
  }

  differ(a: TextTerm, b: TextTerm): void {
    this.#different.push([a, b]);
    this.#checkDifferent();
  }

  /** The shortest text a variable may be, within a range of lengths. */
  search(variable: string, least: number, most: number, avoid?: ReadonlySet<string>): Found {
    const known = this.#of(variable);
    const languages = [...known.languages.values()];
    if (avoid !== undefined) return shortestIn(languages, { least, most }, avoid);
    const key = `${least} ${most} ${[...known.languages.keys()].sort().join(" & ")}`;
    let found = searched.get(key);
    if (found === undefined) {
      searched.set(key, (found = shortestIn(languages, { least, most })));
    }
    return found;
  }

  #of(variable: string): Known {
    const root = this.root(variable);
    let known = this.#known.get(root);
    if (known === undefined) this.#known.set(root, (known = { languages: new Map(), fixed: undefined }));
    return known;
  }

  #checkDifferent(): void {
    for (const [a, b] of this.#different) {
      if (this.same(a, b)) throw INFEASIBLE;
      const text = this.fixed(a);
      if (text !== undefined && text === this.fixed(b)) throw INFEASIBLE;
    }
  }
}
