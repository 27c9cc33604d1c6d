// Attacks on the servers that worked once, and the tests that hold them off. Every row is a class of attacks: the test of a class must not go
// unnoticed, wherever it moves.

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, workspaces } from "./tree.ts";

// biome-ignore format: one attack per line
const ATTACKS: readonly (readonly [attack: string, file: string, says: string])[] = [
  ["a field selector beside an old watch path names another object",   "attack.test.ts",                   "/watch/namespaces/default/configmaps/one?fieldSelector=metadata.name%3Dtwo"],
  ["a definition takes the place of a built-in resource",              "definitions-over-builtin.test.ts", "an author of definitions cannot put policies out of force"],
  ["a definition over role bindings, with a conversion webhook",       "definitions-over-builtin.test.ts", "cannot bind rights they do not hold, by any version or conversion"],
  ["aliases of one long text",                                         "yaml-hostile.test.ts",             "what aliases write out is charged"],
  ["collections behind a value, which are read again and again",       "yaml-hostile.test.ts",             "collections behind a value"],
  ["one known field repeated",                                         "repeated.test.ts",                 "eight times as many repetitions take nowhere near sixty-four times as long"],
  ["large answers that nobody reads hold all places",                  "listener.test.ts",                 "what all clients leave unread is bounded: the user who leaves most is cut off, and others are answered"],
  ["lists of a version yet to come hold all places",                   "flow-control.test.ts",             "lists of a version yet to come keep out nobody"],
  ["text behind the signature of a token, every variant kept",         "service-account-tokens.test.ts",   "nothing may follow the signature, or stand in it"],
  ["verified tokens fill the memory",                                  "service-account-tokens.test.ts",   "verified tokens take no more than their bound"],
  ["a deleted account's token goes on",                                "service-account-tokens.test.ts",   "at once when it is gone, or has become another"],
  ["hundreds of variables that name each other, for every resource",   "chained-variables.test.ts",        "eight hundred variables, each naming the one before"],
  ["reviews made of empty objects end the webhook",                    "serving.test.ts",                  "reviews of millions of values are not read, and small ones are answered meanwhile"],
  ["a flood of reviews delays all others",                             "review-gate.test.ts",              "small bodies wait when others took the turn"],
  ["policies with so many resources that no configuration is written", "entries.test.ts",                  "two policies with 55,000 resources each leave room for others"],
  ["a status says in force while the webhook is not asked",            "policy-status.test.ts",            "no place in the configuration"],
  ["headers beyond a count are dropped, impersonation among them",     "attack.test.ts",                   "none is lost behind %i others"],
  ["an expired certificate on an open connection",                     "client-certificates.test.ts",      "ends its user's rights on an open connection"],
  ["a pod with thousands of equal ports",                              "port-clashes.test.ts",             "ports that cannot clash are not looked at"],
  ["a large enumeration, and one error for each value",                "many-problems.test.ts",            "a value that no enumeration has counts once a place, up to a thousand"],
  ["branches in branches of a schema",                                 "many-problems.test.ts",            "branches of branches are looked at once a level"],
  ["defaults of thousands of empty items",                             "objects.test.ts",                  "an object with too many defaults is too large"],
  ["a Connection header of commas, before anybody is known",           "web-socket.test.ts",               "64 kB of %j take no time"],
  ["signs of life that are sent and never read",                       "web-socket.test.ts",               "signs of life that are never read are not answered without end"],
  ["requests for upgrades without end on one connection",              "web-socket.test.ts",               "a connection may ask for upgrades again and again"],
  ["a body that ends the thread for large ones",                       "thread.test.ts",                   "a thread that needs too much memory"],
  ["a signing request for the masters in another string type",         "certificates.test.ts",             "one of several organizations"],
  ["the first of several common names counts",                         "certificate-user.test.ts",         "the last common name counts"],
  ["integers beyond doubles change in a patch of something else",      "kept-bytes.test.ts",               "custom resources, through every verb and type of patch"],
];

const tests = new Map<string, string[]>();
for (const workspace of workspaces()) {
  for (const file of readdirSync(join(ROOT, workspace, "src"), { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".test.ts")) continue;
    const name = basename(file);
    tests.set(name, [...(tests.get(name) ?? []), join(ROOT, workspace, "src", file)]);
  }
}

test.each(ATTACKS)("%s", (_, file, says) => {
  const texts = (tests.get(file) ?? []).map((path) => readFileSync(path, "utf8"));
  expect(texts.filter((text) => text.includes(says))).toHaveLength(1);
});
