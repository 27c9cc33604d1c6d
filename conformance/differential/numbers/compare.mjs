// Numbers of custom resources beside kube-apiserver: the same objects and writes are sent to both, and the answers are compared, number by
// number as written. Members are compared in any order, because Go sorts them. Not part of the tests.
//
//   node compare.mjs https://127.0.0.1:6443 TOKEN [OBJECTS] [SEED]

import { request } from "node:https";
import { startServer } from "@celadon/apiserver/testing";

const [server, token, objects = "200", seed = "1"] = process.argv.slice(2);
const THINGS = "/apis/numbers.example.com/v1/namespaces/default/things";
const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.numbers.example.com" },
  spec: {
    group: "numbers.example.com",
    scope: "Namespaced",
    names: { plural: "things", kind: "Thing" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", properties: { spec: anything, status: anything } } },
      },
    ],
  },
};

const ours = await startServer();
const sides = {
  theirs: (method, path, type, body) =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, "content-type": type };
      const sent = request(new URL(path, server), { method, headers, rejectUnauthorized: false }, (response) => {
        const chunks = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("end", () => resolve({ code: response.statusCode, text: Buffer.concat(chunks).toString("utf8") }));
      });
      sent.on("error", reject).end(body);
    }),
  ours: (method, path, type, body) => ours.client.call(method, path, { type, ...(body !== undefined && { body }) }),
};

/** A small generator of random numbers, so that a seed repeats a run. */
let state = Number(seed);
function random(below) {
  state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
  return state % below;
}
const digits = (count) => String(random(9) + 1) + Array.from({ length: count - 1 }, () => random(10)).join("");
const sign = () => (random(3) === 0 ? "-" : "");

// biome-ignore format: one form of number per line
const NUMBERS = [
  () => `${sign()}${digits(1 + random(22))}`,
  () => `${sign()}${9007199254740990n + BigInt(random(8))}`,
  () => `${sign()}${9223372036854775800n + BigInt(random(16))}`,
  () => `${sign()}${digits(1 + random(4))}.0`,
  () => `${sign()}${digits(1 + random(10))}.${digits(1 + random(10))}`,
  () => `${sign()}${random(10)}e${random(2) === 0 ? "-" : "+"}${random(30)}`,
  () => `${sign()}0.${"0".repeat(random(9))}${digits(2)}`,
];

function value(depth) {
  const choice = random(depth > 2 ? 4 : 7);
  if (choice < 4) return NUMBERS[random(NUMBERS.length)]();
  if (choice === 4) return `[${Array.from({ length: random(4) }, () => value(depth + 1)).join(",")}]`;
  return `{${Array.from({ length: random(4) }, (_, i) => `"m${i}":${value(depth + 1)}`).join(",")}}`;
}

/** The text with the members of every object in the order of their names; numbers stay as they are written. */
function inOrder(text) {
  const tokens = Array.from(text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g), ([part]) => part);
  let at = 0;
  const read = () => {
    const first = tokens[at++];
    if (first === "[") {
      const items = [];
      while (tokens[at] !== "]") {
        items.push(read());
        if (tokens[at] === ",") at++;
      }
      at++;
      return `[${items.join(",")}]`;
    }
    if (first !== "{") return first;
    const members = new Map();
    while (tokens[at] !== "}") {
      const key = tokens[at];
      at += 2;
      members.set(key, read());
      if (tokens[at] === ",") at++;
    }
    at++;
    return {
      members,
      toString: () =>
        `{${[...members]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([k, v]) => `${k}:${v}`)
          .join(",")}}`,
    };
  };
  return read();
}

/** The compared parts of an answer: its code, spec and status. */
function shown({ code, text }) {
  const { members } = inOrder(text);
  if (code >= 300) return `${code} ${members.get('"message"')}`;
  return `${code} ${members.get('"spec"')} ${members.get('"status"') ?? ""}`;
}

const JSON_TYPE = "application/json";
const MERGE = "application/merge-patch+json";
// biome-ignore format: one write per line
const writes = (n) => [
  ["label",         "PATCH", "",                             MERGE,                              () => '{"metadata":{"labels":{"a":"b"}}}'],
  ["merge",         "PATCH", "",                             MERGE,                              () => `{"spec":{"added":${n()},"data":{"m0":${n()}}}}`],
  ["add",           "PATCH", "",                             "application/json-patch+json",      () => `[{"op":"add","path":"/spec/more","value":${n()}}]`],
  ["test and copy", "PATCH", "",                             "application/json-patch+json",      (before) => `[{"op":"test","path":"/spec/data","value":${before}},{"op":"copy","from":"/spec/data","path":"/spec/copy"}]`],
  ["apply",         "PATCH", "?fieldManager=a&force=true",   "application/apply-patch+yaml",     () => `{"apiVersion":"numbers.example.com/v1","kind":"Thing","spec":{"applied":${n()}}}`],
  ["apply again",   "PATCH", "?fieldManager=a&force=true",   "application/apply-patch+yaml",     () => `{"apiVersion":"numbers.example.com/v1","kind":"Thing","spec":{"applied":${n()}}}`],
  ["status",        "PATCH", "/status",                      MERGE,                              () => `{"status":{"n":${n()}}}`],
  ["read",          "GET",   "",                             JSON_TYPE,                          () => undefined],
];

const tally = { same: 0, different: 0 };
function compare(title, sent, answers) {
  const [theirs, own] = [shown(answers.theirs), shown(answers.ours)];
  tally[theirs === own ? "same" : "different"]++;
  if (theirs !== own && tally.different <= 20) console.log(`${title}: ${sent}\n  theirs ${theirs}\n  ours   ${own}`);
}

async function both(method, path, type, bodyOf) {
  const answers = {};
  for (const [side, call] of Object.entries(sides)) answers[side] = await call(method, path, type, bodyOf(side));
  return answers;
}

await both("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", JSON_TYPE, () =>
  JSON.stringify(definition),
);
for (let wait = 0; wait < 50 && (await sides.theirs("GET", THINGS, JSON_TYPE)).code !== 200; wait++) {
  await new Promise((resolve) => setTimeout(resolve, 200));
}
await both("DELETE", THINGS, JSON_TYPE, () => undefined);
for (let i = 0; i < Number(objects); i++) {
  const path = `${THINGS}/t${i}`;
  const data = value(0);
  const body = `{"apiVersion":"numbers.example.com/v1","kind":"Thing","metadata":{"name":"t${i}"},"spec":{"data":${data}}}`;
  const made = await both("POST", THINGS, JSON_TYPE, () => body);
  compare("create", body, made);
  if (made.ours.code !== 201 || made.theirs.code !== 201) continue;
  const specs = Object.fromEntries(
    Object.entries(made).map(([side, { text }]) => [side, inOrder(text).members.get('"spec"').members.get('"data"')]),
  );
  for (const [title, method, more, type, bodyOf] of writes(() => value(2))) {
    const sent = bodyOf(specs.theirs);
    compare(title, sent, await both(method, `${path}${more}`, type, () => sent));
  }
}
console.log(tally);
await ours.close();
