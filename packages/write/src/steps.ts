// The steps of a write and everything they find. The first refusal is the answer; a host that shows all problems lets the write go on.

import type { Maybe } from "@celadon/admission";
import { type FieldError, fieldErrorText, type Warning } from "@celadon/kube/errors";
import type { Status } from "@celadon/kube/status";
import { StatusError } from "./status-error.ts";

/** The steps of a write, in their order. */
export type StepName = "decode" | "mutate" | "prepare" | "validate" | "admit";

/** The findings of one step. */
export interface StepFinding {
  readonly step: StepName;
  /** The answer with which the step ends the request. */
  readonly status?: Status;
  /** The field errors behind the status, if it is about fields. */
  readonly errors: readonly FieldError[];
  /** Errors that are only warned about, because the value did not change. */
  readonly ratcheted: readonly FieldError[];
  readonly warnings: readonly Warning[];
}

/** A write that was refused: the step, the answer, and the findings of all steps. */
export class Refused {
  readonly step: StepName;
  readonly status: Status;
  readonly findings: readonly StepFinding[];

  constructor(step: StepName, status: Status, findings: readonly StepFinding[]) {
    this.step = step;
    this.status = status;
    this.findings = findings;
  }
}

interface OpenFinding {
  readonly step: StepName;
  status?: Status;
  errors: readonly FieldError[];
  ratcheted: readonly FieldError[];
  warnings: Warning[];
}

const NO_ERRORS: readonly FieldError[] = [];

/** Collects the findings of one write. */
export class Steps {
  readonly #findings: OpenFinding[] = [];
  readonly #goOn: boolean;
  readonly #heard: (warning: Warning) => void;
  #refused: Refused | undefined;

  /** `heard` receives warnings as they arise. With `goOn`, steps run after a refusal. */
  constructor(heard: (warning: Warning) => void, goOn = false) {
    this.#heard = heard;
    this.#goOn = goOn;
  }

  get findings(): readonly StepFinding[] {
    return this.#findings;
  }

  /** The first refusal. */
  get refused(): Refused | undefined {
    return this.#refused;
  }

  /** The refusal that ends the write here. */
  get ended(): Refused | undefined {
    return this.#goOn ? undefined : this.#refused;
  }

  /** Begins a step: later findings belong to it. */
  enter(step: StepName): void {
    this.#findings.push({ step, errors: NO_ERRORS, ratcheted: NO_ERRORS, warnings: [] });
  }

  warn(warning: Warning): void {
    this.#current.warnings.push(warning);
    this.#heard(warning);
  }

  /** Notes errors that are only warned about. */
  ratchet(errors: readonly FieldError[]): void {
    this.#current.ratcheted = errors;
    for (const error of errors) this.#heard({ text: fieldErrorText(error), path: error.path });
  }

  refuse(status: Status, errors: readonly FieldError[] = NO_ERRORS): Refused {
    const current = this.#current;
    current.status ??= status;
    current.errors = errors;
    this.#refused ??= new Refused(current.step, status, this.#findings);
    return this.#refused;
  }

  /** The refusal that was thrown. Throws everything else again. */
  caught(thrown: unknown): Refused {
    if (thrown instanceof StatusError) return this.refuse(thrown.status);
    throw thrown;
  }

  /** The result of a step's work; `instead` where it refuses and the write goes on. */
  result<T>(work: () => Maybe<T>, instead: T): Maybe<T> {
    if (!this.#goOn) return work();
    const refused = (thrown: unknown): T => {
      this.caught(thrown);
      return instead;
    };
    try {
      const done = work();
      return done instanceof Promise ? done.catch(refused) : done;
    } catch (thrown) {
      return refused(thrown);
    }
  }

  /** Whether the present step has refused the write. */
  get isRefused(): boolean {
    return this.#current.status !== undefined;
  }

  get #current(): OpenFinding {
    return this.#findings.at(-1)!;
  }
}
