// Options of the readers, and their limits.

/** Limits on the size of a text. If one is exceeded, reading ends with an issue and without a partial result. */
export interface ReadLimits {
  /** Size of the text in UTF-8. */
  readonly bytes: number;
  /** Nesting of objects and lists. */
  readonly depth: number;
  /** Objects, lists, scalars and keys in one document, aliases written out. */
  readonly nodes: number;
  readonly documents: number;
}

/** Default limits on the size of a text. */
export const DEFAULT_LIMITS: ReadLimits = {
  bytes: 32 * 1024 * 1024,
  depth: 500,
  nodes: 4_000_000,
  documents: 100_000,
};

/** Options for reading a text. */
export interface ReadOptions {
  /** The name positions and issues carry. */
  readonly file?: string;
  /** `auto` (the default) reads text that starts with `{` or `[` as JSON and, if that fails, as YAML. */
  readonly format?: "auto" | "json" | "yaml";
  /**
   * Makes the value of a number that is written as a double but whose value is a safe integer, such as `1.0`. Without it such a number
   * cannot be distinguished from an integer.
   */
  readonly double?: (n: number) => unknown;
  /**
   * A key given twice is an issue (`error`, the default), or the last one counts, as where Kubernetes is not strict: with a warning
   * (`warn`) or without (`last`).
   */
  readonly duplicateKeys?: "error" | "warn" | "last";
  /**
   * Reads YAML as the body of a request: as it is, not cut at lines of `---`. Only its first document counts. Files are cut first, as
   * kubectl does it, and their documents read one by one.
   */
  readonly asBody?: boolean;
  /**
   * Reads whole doubles in YAML as integers. kubectl and the API server turn YAML into JSON text first, and there
   * `1.0` is written `1`. JSON is not affected: it keeps `1.0`.
   */
  readonly foldYamlDoubles?: boolean;
  readonly limits?: Partial<ReadLimits>;
}

/** Options with nothing left to choose. */
export interface ReadSettings {
  readonly file: string;
  readonly double: (n: number) => unknown;
  /** `keep` is for bodies of requests: see json-body.ts. */
  readonly duplicates: "error" | "warn" | "last" | "keep";
  /** Numbers that are no integers keep their text. */
  readonly keepsNumberText: boolean;
  readonly foldYamlDoubles: boolean;
  readonly asBody: boolean;
  readonly limits: ReadLimits;
}

export function settingsOf(options: ReadOptions): ReadSettings {
  return {
    file: options.file ?? "",
    double: options.double ?? ((n) => n),
    duplicates: options.duplicateKeys ?? "error",
    keepsNumberText: false,
    foldYamlDoubles: options.foldYamlDoubles ?? false,
    asBody: options.asBody ?? false,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
  };
}
