// Texts and bytes that are read from people one does not trust, changed again and again: the most time for a kilobyte that a reader
// can be made to take, and whatever it throws instead of answering. What is worst so far is what is changed next.

import { createEnv, DYN, type Env, isError } from "@celadon/cel";
import { type CanonicalParsed, parsedFromCanonical, parsedToCanonical } from "@celadon/cel/canonical";
import { compileRegex } from "@celadon/cel/regex";
import { decodeCsrDer } from "@celadon/certpolicy/csr";
import { readDocuments } from "@celadon/kube/read";

export interface WorstInput {
  readonly reader: string;
  readonly inputs: number;
  /** CPU microseconds of the worst input, and for a kilobyte of it; short inputs count as one. */
  readonly microseconds: number;
  readonly perKilobyte: number;
  readonly bytes: number;
  /** The beginning of the worst input. */
  readonly input: string;
  /** Errors that are no answer, each once. */
  readonly thrown: readonly string[];
}

interface Reader {
  readonly name: string;
  readonly seeds: readonly string[];
  /** Answers whatever it makes of the text; throws only what is wrong with the reader. */
  read(text: string): unknown;
  readonly words: readonly string[];
}

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

const LONGEST = 20_000;

/** Changes and reads for so many milliseconds of CPU, the same ones for the same seed. */
export function worstInputs(milliseconds: number, seed: number, only: RegExp): WorstInput[] {
  return READERS.filter(({ name }) => only.test(name)).map((reader) =>
    worstInput(reader, milliseconds, randomOf(seed)),
  );
}

function worstInput(reader: Reader, milliseconds: number, random: (n: number) => number): WorstInput {
  const { name, read, seeds } = reader;
  const ends = cpu() + milliseconds * 1000;
  const thrown = new Set<string>();
  let worst = { microseconds: 0, perKilobyte: 0, input: "" };
  let inputs = 0;
  const pool = [...seeds];
  while (cpu() < ends) {
    const base = random(3) === 0 && worst.input !== "" ? worst.input : (pool[random(pool.length)] as string);
    const input = inputs < seeds.length ? (seeds[inputs] as string) : changed(base, reader, random);
    inputs++;
    let microseconds = Number.POSITIVE_INFINITY;
    // An input that is slow once may meet a busy machine; one that is slow twice is slow.
    for (let run = 0; run < 2; run++) {
      const start = cpu();
      try {
        read(input);
      } catch (failure) {
        thrown.add(`${failure} on ${JSON.stringify(input.slice(0, 200))}`);
      }
      microseconds = Math.min(microseconds, cpu() - start);
      if (microseconds < 2 * worst.microseconds || run === 1) break;
    }
    const perKilobyte = microseconds / Math.max(input.length / 1024, 1);
    if (perKilobyte > worst.perKilobyte) {
      worst = { microseconds, perKilobyte, input };
      pool.push(input);
    }
  }
  const { input, ...times } = worst;
  return {
    reader: name,
    inputs,
    ...times,
    bytes: input.length,
    input: input.slice(0, 120),
    thrown: [...thrown].slice(0, 5),
  };
}

/** Some parts repeated, exchanged, left out, or put in from the words of the language. */
function changed(text: string, { words }: Reader, random: (n: number) => number): string {
  let result = text;
  for (let times = 1 + random(6); times > 0; times--) {
    const at = random(result.length + 1);
    const end = Math.min(result.length, at + random(60));
    const part = result.slice(at, end);
    const word = words[random(words.length)] as string;
    const put = [
      word,
      word.repeat(1 + random(200)),
      part + part,
      part.repeat(random(100)),
      "",
      String.fromCharCode(random(256)),
    ][random(6)] as string;
    result = result.slice(0, at) + put + result.slice(random(2) === 0 ? at : end);
  }
  return result.slice(0, LONGEST);
}

/** Numbers below n, the same sequence for the same seed (mulberry32). */
function randomOf(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
  };
}

function cpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
