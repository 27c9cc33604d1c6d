// Texts and bytes that are read from people one does not trust.

import { createEnv, DYN, type Env, isError } from "@celadon/cel";
import { type CanonicalParsed, parsedFromCanonical, parsedToCanonical } from "@celadon/cel/canonical";
import { compileRegex } from "@celadon/cel/regex";
import { decodeCsrDer } from "@celadon/certpolicy/csr";
import { readDocuments } from "@celadon/kube/read";

import { type Reader, type WorstInput, worstInput } from "./mutate.ts";

const env: Env = createEnv({ variables: { x: DYN, y: DYN } });
const SUBJECT = "ab".repeat(2000);

// One byte of DER is a character.
const CSR = atob(
  "MIHLMIG2AgEAMBgxCjAIBgNVBAMMAWExCjAIBgNVBAoMAWIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARrF9Hy4SxCR/i85uVjpEDydwN9gS3rM6D0oTlF2JjClk/jQuL+Gn+bjufrSnwPnhYrzjNXazFezsu2QGg3v1H1oDwwOgYJKoZIhvcNAQkOMS0wKzApBgNVHREEIjAgggFhgQNiQGOHBAECAwSGEHNwaWZmZTovL3RkL25zL2EwCgYIKoZIzj0EAwIDBAABAgM=",
);

const READERS: readonly Reader[] = [
  {
    name: "YAML",
    seeds: [
      "a: &a [1, 2]\nb: *a\nc:\n  - {x: 'y', z: \"\\u00e9\"}\n  - |\n    text\n---\nd: 0x1f\n",
      Array.from({ length: 300 }, (_, i) => `k${i}: &a${i} v`).join("\n"),
      ["a0: &a0 [x, x]", ...Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`)].join("\n"),
      `n: ${"9".repeat(3000)}\nm: 1.${"0".repeat(3000)}1\n`,
      "? - a\n  - b\n: !!str 1\n<<: {a: b}\n",
    ],
    words: [
      "&a ",
      "*a ",
      "<<: ",
      "? ",
      "- ",
      ": ",
      "|\n  ",
      ">-\n",
      "{",
      "}",
      "[",
      "]",
      "\n---\n",
      "#",
      "!!binary ",
      "%YAML 1.2\n",
      "'",
      '"',
      "\t",
      "9".repeat(500),
    ],
    read: (text) => readDocuments(text),
  },
  {
    name: "JSON",
    seeds: [
      '{"a": [1, 2.5e300, "x\\u00e9", null], "b": {"c": true}}',
      `{"n": ${"9".repeat(3000)}, "m": 1e${"9".repeat(300)}}`,
      "[".repeat(300) + "]".repeat(300),
    ],
    words: ["{", "}", "[", "]", ",", ":", '"', "\\u0000", "1e", "-", "null", '"a":', "9".repeat(500), "\\"],
    read: (text) => readDocuments(text),
  },
  {
    name: "DER",
    seeds: [CSR],
    words: [
      "\u0030\u0080",
      "\u0030\u0084\u00ff\u00ff\u00ff\u00ff",
      "\u0006\u0003",
      "\u00a0\u0000",
      "\u0002\u0001",
      "\u0031\u0010",
      "\u0000",
      "\u00ff",
    ],
    read: (text) => decodeCsrDer(Uint8Array.from(text, (char) => char.charCodeAt(0) & 255)),
  },
  {
    name: "regular expression",
    seeds: [
      "((a)|(b)|(ab)){100}c",
      "(a*)*b",
      "[ab]{1,500}c|a[^b]{200}",
      "(?i)\\pL+\\b.*x|^y$",
      "c.*d|c",
      "(?:(?:a|[ab]){30}){30}!",
    ],
    words: [
      "(",
      ")",
      "*",
      "+?",
      "{1,1000}",
      "{30}",
      "|",
      "[^a]",
      "\\pL",
      "\\b",
      "(?i)",
      ".*",
      "a",
      "b",
      "(?P<x>a)",
      "\\Q",
      "\\E",
      "$",
      "^",
    ],
    read(text) {
      const regex = compileRegex(text);
      if (isError(regex)) return regex;
      return [regex.test(SUBJECT), regex.find(SUBJECT), regex.findAll(SUBJECT).length];
    },
  },
  {
    name: "canonical tree",
    seeds: [
      "x.a[1] + y",
      "[1, 2u, 3.0].all(i, has(x.b) && i in y)",
      "{'a': x, b'b': null}.map(k, k == 'a' ? 1 : -2)",
    ].map((text) => {
      const { ast } = env.parse(text);
      return JSON.stringify(ast === undefined ? {} : parsedToCanonical(ast));
    }),
    words: [
      '"id":',
      '"callExpr":',
      '"args":[',
      '"constExpr":{',
      '"int64Value":',
      "null",
      "[]",
      "{}",
      "-1",
      '"1"',
      "1e999",
      '"name":""',
      '"__proto__":',
    ],
    read(text) {
      let json: unknown;
      try {
        json = JSON.parse(text);
      } catch {
        return undefined; // no JSON is no tree
      }
      try {
        const ast = parsedFromCanonical(json as CanonicalParsed);
        return env.plan(ast);
      } catch (thrown) {
        if (thrown instanceof Error && thrown.constructor === Error) return thrown; // an answer: what is wrong with it
        throw thrown;
      }
    },
  },
];

/** Changes and reads for so many milliseconds of CPU, the same ones for the same seed. */
export async function worstInputs(milliseconds: number, seed: number, only: RegExp): Promise<WorstInput[]> {
  const rows: WorstInput[] = [];
  for (const reader of READERS) if (only.test(reader.name)) rows.push(await worstInput(reader, milliseconds, seed));
  return rows;
}
