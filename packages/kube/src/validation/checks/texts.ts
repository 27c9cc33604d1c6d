// Checks of texts that only validation needs, with the API server's words. Names of objects are in ../../names.ts.

import { utf8Length } from "@celadon/base";
import type { Emulation } from "../../emulation.ts";
import { checkDns1123Subdomain, patternProblem, SUBDOMAIN, type TextCheck } from "../../names.ts";

const MAX_ID = 2 ** 31 - 1;

/** The name of an environment variable, as lenient as it may be: printable ASCII but `=`. */
/** Printable names since 1.32; before, words like those of a shell. */
export function checkEnvVarName(value: string, by?: Emulation): string[] {
  if (by?.before(32)) return checkWordLikeName(value);
  if (value === "") return ["environment variable name must be non-empty"];
  if (/^[ -<>-~]*$/.test(value)) return [];
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

const WORD_LIKE = "[-._a-zA-Z][-._a-zA-Z0-9]*";
const wordLike = new RegExp(`^${WORD_LIKE}$`);

function checkWordLikeName(value: string): string[] {
  const words =
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit";
  const examples = ["my.env-name", "MY_ENV.NAME", "MyEnvName1"];
  const problems = wordLike.test(value) ? [] : [patternProblem(words, WORD_LIKE, ...examples)];
  if (value === "." || value === "..") return [...problems, `must not be '${value}'`];
  return value.startsWith("..") ? [...problems, "must not start with '..'"] : problems;
}

export function checkHttpHeaderName(value: string): string[] {
  if (/^[-A-Za-z0-9]+$/.test(value)) return [];
  const words = "a valid HTTP header must consist of alphanumeric characters or '-'";
  return [patternProblem(words, "[-A-Za-z0-9]+", "X-Header-Name")];
}

const LOOSE_LABEL = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const LOOSE_SUBDOMAIN = `${LOOSE_LABEL}(\\.${LOOSE_LABEL})*`;
const looseSubdomain = new RegExp(`^${LOOSE_SUBDOMAIN}$`);

/** A DNS search path: a subdomain with underscores. */
/** Up to 1.33 the pattern in the message is the one without underscores. */
export function checkSubdomainWithUnderscores(value: string, by?: Emulation): string[] {
  const problems = utf8Length(value) > 253 ? ["must be no more than 253 characters"] : [];
  if (looseSubdomain.test(value)) return problems;
  const words =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character";
  return [...problems, patternProblem(words, by?.before(34) ? SUBDOMAIN : LOOSE_SUBDOMAIN, "example.com")];
}

/** The id of a user or group. */
export function checkId(id: number): string[] {
  return id >= 0 && id <= MAX_ID ? [] : [`must be between 0 and ${MAX_ID}, inclusive`];
}

/** Upper and lower case are the same to a driver's name. */
export const checkSubdomainAnyCase: TextCheck = (value) => checkDns1123Subdomain(value.toLowerCase());

/** A list of texts as Go's %v prints it. */
export function goList(texts: readonly string[]): string {
  return `[${texts.join(" ")}]`;
}
