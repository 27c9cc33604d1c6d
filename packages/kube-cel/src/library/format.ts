// kubernetes.format: named formats of strings. Upstream: apiserver pkg/cel/library/format.go, pkg/cel/format.go.

import {
  type CelError,
  fn,
  type Library,
  listOf,
  method,
  Opaque,
  Optional,
  optionalOf,
  STRING,
  type Type,
  type Value,
} from "@celadon/cel";
import { type CostFormula, costs, fixed, lateSizeOf, ownSize, PATTERN, scale, TRAVERSAL } from "@celadon/cel/cost";
import { abstractStruct } from "@celadon/cel/types";
import {
  checkDns1035Label,
  checkDns1035LabelPrefix,
  checkDns1123Label,
  checkDns1123LabelPrefix,
  checkDns1123Subdomain,
  checkDns1123SubdomainPrefix,
  checkLabelValue,
  checkQualifiedName,
  isBase64,
  isDate,
  isDateTime,
  isUuid,
  type TextCheck,
} from "@celadon/kube/names";
import { type Emulation, emulationOf } from "@celadon/kube/versions";
import { MaxNameFormatRegexSize } from "../limits.ts";
import { parseRequestUri, UrlFailure } from "../url/parse-url.ts";
import { patternCost } from "./costs.ts";
import { equalityUnsupported } from "./unlike.ts";

/** The type of named formats. */
export const FORMAT: Type<NamedFormat> = abstractStruct("kubernetes.NamedFormat");

/** A `kubernetes.NamedFormat`. */
export class NamedFormat extends Opaque {
  override readonly type: Type = FORMAT;
  override readonly goType = "cel.Format";
  override get hostName(): string {
    return "Format";
  }
  /** Whether it may be a key: until 1.31 formats were pointers, which Go can hash. */
  override get hashable(): boolean {
    return this.#hashable;
  }
  override get keyText(): string {
    return `format ${this.name}`;
  }
  override readonly equalityCost = 1;
  /** Upstream's inner name; formats are equal when these are. */
  readonly #hashable: boolean;
  readonly name: string;
  readonly check: TextCheck;
  /** The size of the pattern that checking is taken to cost. */
  readonly patternSize: number;
  constructor(name: string, patternSize: number, check: TextCheck, hashable = false) {
    super();
    this.#hashable = hashable;
    this.name = name;
    this.check = check;
    this.patternSize = patternSize;
  }
  override equals(other: Value): boolean | CelError {
    return other instanceof NamedFormat ? this.name === other.name : equalityUnsupported(other);
  }
}

/** A check that has but one complaint. */
const unless =
  (accepts: (text: string) => boolean, problem: string): TextCheck =>
  (text) =>
    accepts(text) ? [] : [problem];

function checkUri(text: string): string[] {
  const url = parseRequestUri(text);
  return url instanceof UrlFailure ? [url.reason] : [];
}

/** The formats by name. */
// biome-ignore format: one format per line
export const NAMED_FORMATS: ReadonlyMap<string, NamedFormat> = new Map(Object.entries({
  //                                      inner name                pattern  check
  dns1123Label:           new NamedFormat("DNS1123Label",           30,      checkDns1123Label),
  dns1123Subdomain:       new NamedFormat("DNS1123Subdomain",       60,      checkDns1123Subdomain),
  dns1035Label:           new NamedFormat("DNS1035Label",           30,      checkDns1035Label),
  qualifiedName:          new NamedFormat("QualifiedName",          60,      checkQualifiedName),
  dns1123LabelPrefix:     new NamedFormat("DNS1123LabelPrefix",     30,      checkDns1123LabelPrefix),
  dns1123SubdomainPrefix: new NamedFormat("DNS1123SubdomainPrefix", 60,      checkDns1123SubdomainPrefix),
  dns1035LabelPrefix:     new NamedFormat("DNS1035LabelPrefix",     30,      checkDns1035LabelPrefix),
  labelValue:             new NamedFormat("LabelValue",             40,      checkLabelValue),
  uri:                    new NamedFormat("URI",                    1103,    checkUri),
  uuid:                   new NamedFormat("uuid",                   70,      unless(isUuid, "does not match the UUID format")),
  byte:                   new NamedFormat("byte",                   84,      unless(isBase64, "invalid base64")),
  date:                   new NamedFormat("date",                   71,      unless(isDate, "invalid date")),
  datetime:               new NamedFormat("datetime",               71,      unless(isDateTime, "invalid datetime")),
}));

const hashableFormats: ReadonlyMap<string, NamedFormat> = new Map(
  [...NAMED_FORMATS].map(([key, { name, patternSize, check }]) => [
    key,
    new NamedFormat(name, patternSize, check, true),
  ]),
);

const formatsOf = (by: Emulation): ReadonlyMap<string, NamedFormat> => (by.since(32) ? NAMED_FORMATS : hashableFormats);

const validating: CostFormula = costs({
  text: `⌈${TRAVERSAL} · (1 + {1})⌉ · ⌈${PATTERN} · pattern⌉`,
  estimate: (args) => ({
    cost: scale(scale(lateSizeOf(args, 1), TRAVERSAL), MaxNameFormatRegexSize * PATTERN),
  }),
  fromArguments: true,
  actual: ([format, text]) => (format instanceof NamedFormat ? patternCost(ownSize(text), format.patternSize) : 1),
});

const PROBLEMS = optionalOf(listOf(STRING));

/** `format.named` and `validate`, in the words of a server: the newest unless another is given. */
// biome-ignore format: one overload per line
export const formatLibrary = (by: Emulation = emulationOf()): Library => ({
  name: "kubernetes.format", costBy: "function",
  overloads: [
    //     name            overload id        arguments         result              cost        implementation
    method("validate",     "format-validate", [FORMAT, STRING], PROBLEMS,           validating, validate(by)),
    fn(    "format.named", "format-named",    [STRING],         optionalOf(FORMAT), fixed(1),   named(formatsOf(by))),
    ...[...formatsOf(by)].map(([name, format]) => fn(`format.${name}`, `format.${name}`, [], FORMAT, fixed(1), () => format)),
  ],
});

/** None if the text has the format. */
const validate =
  (by: Emulation) =>
  (format: NamedFormat, text: string): Optional => {
    const problems = format.check(text, by);
    return problems.length === 0 ? Optional.none : Optional.of(problems);
  };

const named =
  (formats: ReadonlyMap<string, NamedFormat>) =>
  (name: string): Optional => {
    const format = formats.get(name);
    return format === undefined ? Optional.none : Optional.of(format);
  };
