// Names and labels: the rules of Kubernetes, and its exact error texts. Each function returns the list of complaints, empty when the value
// is fine. Two families of words exist upstream: names of objects count "characters", label keys and values count "bytes" since 1.35; both
// mean bytes.

import { utf8Length } from "@celadon/base";
import { type Emulation, emulationOf } from "./emulation.ts";

/** Returns the problems of a text in the words of a server, of the newest by default; none if it is valid. */
export type TextCheck = (value: string, by?: Emulation) => string[];

const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
export const SUBDOMAIN: string = `${LABEL}(\\.${LABEL})*`;
const LABEL_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
const WILDCARD_SUBDOMAIN = `\\*\\.${SUBDOMAIN}`;
const LABEL_KEY = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const LABEL_VALUE = `(${LABEL_KEY})?`;
const C_IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]*";
const CONFIG_MAP_KEY = "[-._a-zA-Z0-9]+";
const PERCENT = "[0-9]+%";

// JavaScript's `$` without the m flag matches only at the end, as Go's does. The patterns repeat one class at a time,
// so backtracking stays linear; the subdomain's nesting is unambiguous because a dot separates its repetitions.
const whole = (pattern: string): RegExp => new RegExp(`^${pattern}$`);
const labelPattern = whole(LABEL);
const subdomainPattern = whole(SUBDOMAIN);
const label1035Pattern = whole(LABEL_1035);
const wildcardPattern = whole(WILDCARD_SUBDOMAIN);
const labelKeyPattern = whole(LABEL_KEY);
const labelValuePattern = whole(LABEL_VALUE);
const cIdentifierPattern = whole(C_IDENTIFIER);
const configMapKeyPattern = whole(CONFIG_MAP_KEY);
const percentPattern = whole(PERCENT);

const LABEL_WORDS =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const SUBDOMAIN_WORDS =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const CASELESS_WORDS =
  "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const LABEL_1035_WORDS =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
const WILDCARD_WORDS =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";
const LABEL_KEY_WORDS =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const LABEL_VALUE_WORDS =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const C_IDENTIFIER_WORDS =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'";

/** A lower-case RFC 1123 label of at most 63 bytes: names of namespaces and services. */
export function checkDns1123Label(value: string): string[] {
  return labelProblems(value, "characters");
}

function labelProblems(value: string, unit: string): string[] {
  const problems = tooLongProblem(value, 63, unit);
  if (labelPattern.test(value)) return problems;
  problems.push(
    subdomainPattern.test(value) ? "must not contain dots" : patternProblem(LABEL_WORDS, LABEL, "my-name", "123-abc"),
  );
  return problems;
}

/** Lower-case labels joined by dots, at most 253 bytes: names of most objects. */
export function checkDns1123Subdomain(value: string): string[] {
  return subdomainProblems(value, "characters");
}

function subdomainProblems(value: string, unit: string): string[] {
  const problems = tooLongProblem(value, 253, unit);
  if (!subdomainPattern.test(value)) problems.push(patternProblem(SUBDOMAIN_WORDS, SUBDOMAIN, "example.com"));
  return problems;
}

/** The same in upper or lower case, in the words of declared rules. */
export function checkSubdomainOfAnyCase(value: string): string[] {
  if (subdomainPattern.test(value.toLowerCase())) return tooLongProblem(value, 253, "bytes");
  return [...tooLongProblem(value, 253, "bytes"), patternProblem(CASELESS_WORDS, SUBDOMAIN, "Example.com")];
}

/** A label in the words of declared rules, which count bytes. */
export function checkDeclaredLabel(value: string): string[] {
  return labelProblems(value, "bytes");
}

/** An RFC 1123 label that starts with a letter. */
export function checkDns1035Label(value: string): string[] {
  const problems = tooLongProblem(value, 63, "characters");
  if (!label1035Pattern.test(value)) {
    problems.push(patternProblem(LABEL_1035_WORDS, LABEL_1035, "my-name", "abc-123"));
  }
  return problems;
}

/** Checks a subdomain that begins with `*.`. */
export function checkWildcardDns1123Subdomain(value: string): string[] {
  const problems = tooLongProblem(value, 253, "characters");
  if (!wildcardPattern.test(value)) {
    problems.push(patternProblem(WILDCARD_WORDS, WILDCARD_SUBDOMAIN, "*.example.com"));
  }
  return problems;
}

/** Most keys are as they should be, which one look tells. */
const goodLabelKey =
  /^(?:(?=[^/]{1,253}\/)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\/)?(?=[^/]{1,63}$)[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/** A label key, also called a qualified name: `name` or `example.com/name`. */
export function checkQualifiedName(value: string, by: Emulation = emulationOf()): string[] {
  if (goodLabelKey.test(value)) return [];
  const parts = value.split("/");
  if (parts.length > 2) {
    const words = patternProblem(LABEL_KEY_WORDS, LABEL_KEY, "MyName", "my.name", "123-abc");
    const what = by.since(35) ? "a valid label key" : "a qualified name";
    return [`${what} ${words} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const name = parts.at(-1) ?? "";
  const problems = parts.length === 2 ? prefixProblems(parts[0] ?? "", unitOf(by)) : [];
  if (name === "") problems.push("name part must be non-empty");
  else problems.push(...tooLongProblem(name, 63, unitOf(by)).map((problem) => `name part ${problem}`));
  if (!labelKeyPattern.test(name)) {
    problems.push(`name part ${patternProblem(LABEL_KEY_WORDS, LABEL_KEY, "MyName", "my.name", "123-abc")}`);
  }
  return problems;
}

/** The unit in which lengths of label keys and values are reported. */
function unitOf(by: Emulation): string {
  return by.since(35) ? "bytes" : "characters";
}

function prefixProblems(prefix: string, unit: string): string[] {
  if (prefix === "") return ["prefix part must be non-empty"];
  return subdomainProblems(prefix, unit).map((problem) => `prefix part ${problem}`);
}

/** A label value: empty, or at most 63 bytes of letters, digits, `-`, `_`, `.`. */
export function checkLabelValue(value: string, by: Emulation = emulationOf()): string[] {
  const problems = tooLongProblem(value, 63, unitOf(by));
  if (!labelValuePattern.test(value)) {
    problems.push(patternProblem(LABEL_VALUE_WORDS, LABEL_VALUE, "MyValue", "my_value", "12345"));
  }
  return problems;
}

/** Checks that a text is an identifier of C. */
export function checkCIdentifier(value: string): string[] {
  if (cIdentifierPattern.test(value)) return [];
  return [patternProblem(C_IDENTIFIER_WORDS, C_IDENTIFIER, "my_name", "MY_NAME", "MyName")];
}

/** A name that can be one segment of a path. */
export function checkPathSegmentName(name: string): string[] {
  if (name === "." || name === "..") return [`may not be '${name}'`];
  return checkPathSegmentPrefix(name);
}

/** The start of a name that can be one segment of a path. */
export function checkPathSegmentPrefix(name: string): string[] {
  return ["/", "%"].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
}

/** A key of a ConfigMap or Secret. */
export function checkConfigMapKey(value: string): string[] {
  const problems = tooLongProblem(value, 253, "characters");
  if (!configMapKeyPattern.test(value)) {
    const words = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
    problems.push(patternProblem(words, CONFIG_MAP_KEY, "key.name", "KEY_NAME", "key-name"));
  }
  if (value === "." || value === "..") problems.push(`must not be '${value}'`);
  else if (value.startsWith("..")) problems.push("must not start with '..'");
  return problems;
}

/** Checks that a text is a percentage. */
export function checkPercent(value: string): string[] {
  if (percentPattern.test(value)) return [];
  const words = "a valid percent string must be a numeric string followed by an ending '%'";
  return [patternProblem(words, PERCENT, "1%", "93%")];
}

/** Checks the number of a port. */
export function checkPortNumber(port: number): string[] {
  return port >= 1 && port <= 65535 ? [] : ["must be between 1 and 65535, inclusive"];
}

/** Checks the name of a port. */
export function checkPortName(port: string): string[] {
  const problems = tooLongProblem(port, 15, "characters");
  if (!/^[-a-z0-9]+$/.test(port)) {
    problems.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (!/[a-z]/.test(port)) problems.push("must contain at least one letter (a-z)");
  if (port.includes("--")) problems.push("must not contain consecutive hyphens");
  if (port.startsWith("-") || port.endsWith("-")) problems.push("must not begin or end with a hyphen");
  return problems;
}

/**
 * The same check for the start of a name (generateName): a trailing dash is fine because more follows. The last two
 * bytes are replaced, not one; upstream does so and a name may pass or fail for it.
 */
export function asPrefixCheck(check: TextCheck): TextCheck {
  if (check === checkPathSegmentName) return checkPathSegmentPrefix;
  return (value, by) => check(maskTrailingDash(value), by);
}

function maskTrailingDash(value: string): string {
  if (value.length < 2 || !value.endsWith("-")) return value;
  const before = [...value].at(-2)!;
  // The rest of a longer character is no name either way, but its bytes count.
  const left = "\0".repeat(utf8Length(before) - 1);
  return `${value.slice(0, -1 - before.length)}${left}a`;
}

/** Checks the beginning of an RFC 1123 label, from which names are generated. */
export const checkDns1123LabelPrefix: TextCheck = asPrefixCheck(checkDns1123Label);
/** Checks the beginning of an RFC 1123 subdomain, from which names are generated. */
export const checkDns1123SubdomainPrefix: TextCheck = asPrefixCheck(checkDns1123Subdomain);
/** Checks the beginning of an RFC 1035 label, from which names are generated. */
export const checkDns1035LabelPrefix: TextCheck = asPrefixCheck(checkDns1035Label);

function tooLongProblem(value: string, max: number, unit: string): string[] {
  return utf8Length(value) > max ? [`must be no more than ${max} ${unit}`] : [];
}

/** The words, examples and pattern of a failed pattern. The comma and the two spaces before `or` are upstream's. */
export function patternProblem(words: string, pattern: string, ...examples: readonly string[]): string {
  if (examples.length === 0) return `${words} (regex used for validation is '${pattern}')`;
  const shown = examples.map((example) => `'${example}', `).join(" or ");
  return `${words} (e.g. ${shown}regex used for validation is '${pattern}')`;
}
