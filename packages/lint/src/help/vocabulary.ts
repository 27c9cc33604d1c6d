// Names and functions that expressions may use, for one run; computed on first use.

import { describe, type Env } from "@celadon/cel";
import { kubeEnv } from "@celadon/kube-cel";

/** Names that expressions may use, for suggestions. */
export class Vocabulary {
  #env: Env | undefined;
  #plain: Env | undefined;
  #callable: readonly string[] | undefined;

  /** The environment of the current minor; for looking at text, not for types. */
  get env(): Env {
    this.#env ??= kubeEnv();
    return this.#env;
  }

  /** With macros as plain calls, as a version without them parses those. */
  get plain(): Env {
    this.#plain ??= this.env.extend({ macros: false });
    return this.#plain;
  }

  /** Names of functions and macros. */
  get callable(): readonly string[] {
    if (this.#callable === undefined) {
      const { functions, macros } = describe(this.env);
      const names = new Set([...functions, ...macros].map(({ name }) => name));
      this.#callable = [...names].filter((name) => /^[A-Za-z]/.test(name)); // `_+_` is not written as a call
    }
    return this.#callable;
  }
}
