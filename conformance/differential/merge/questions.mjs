// The inputs to compare: sequences of applies and updates by several managers, and patches.

import { builtinKindOf, builtinValue, strategicPatch } from "./builtin.mjs";
import { random, randomStruct, randomValue, similar } from "./random.mjs";

const KIND = { Group: "example.com", Version: "v1", Kind: "Thing" };

export function* questionStream(count, seed, only) {
  for (let i = 0; i < count; i++) {
    const r = random(seed * 1_000_003 + i);
    const op = only ?? r.pick(["manage", "manage", "builtin", "strategic", "strategic", "json", "merge"]);
    yield MAKE[op](r);
  }
}

export const questions = (count, seed, only) => ({
  *entries() {
    let i = 0;
    for (const question of questionStream(count, seed, only)) yield [i++, question];
  },
});

const MAKE = {
  manage(r) {
    const schema = randomStruct(r, 0);
    const wild = r.chance(0.15) ? 0.04 : 0;
    const duplicates = r.chance(0.2) ? 0.5 : 0;
    let last = randomValue(r, schema, { wild, duplicates });
    if (last === null || typeof last !== "object" || Array.isArray(last)) last = {};
    const steps = [];
    for (let i = 0; i < 5; i++) {
      const isApply = i > 0 ? r.chance(0.65) : r.chance(0.4);
      const options = { wild, duplicates: isApply ? (r.chance(0.1) ? duplicates : 0) : duplicates };
      const body = r.chance(0.75) ? similar(r, schema, last, options) : randomValue(r, schema, options);
      const map = body !== null && typeof body === "object" && !Array.isArray(body) ? body : {};
      last = r.chance(0.6) ? map : last;
      const object = {
        ...map,
        apiVersion: "example.com/v1",
        kind: "Thing",
        metadata: { name: "t", labels: r.chance(0.3) ? { l: r.pick(["1", "2"]) } : undefined },
      };
      const manager = r.pick(["one", "two", "three", "kubectl"]);
      if (isApply) steps.push({ apply: object, manager, force: r.chance(0.5) });
      else {
        object.metadata.uid = i === 0 ? undefined : "1";
        steps.push({ update: object, manager });
      }
    }
    return { op: "manage", schema, kind: KIND, steps: JSON.parse(JSON.stringify(steps)) };
  },
  builtin(r) {
    const { kind, schema } = builtinKindOf(r);
    const apiVersion = kind.Group === "" ? kind.Version : `${kind.Group}/${kind.Version}`;
    let last = builtinValue(r, schema);
    const steps = [];
    for (let i = 0; i < 4; i++) {
      const body = r.chance(0.7) ? plainPatch(r, schema, last) : builtinValue(r, schema);
      if (r.chance(0.5)) last = body;
      const { uid: _uid, managedFields: _managed, ...metadata } = body.metadata ?? {};
      const object = { ...body, apiVersion, kind: kind.Kind, metadata: { ...metadata, name: "t" } };
      const manager = r.pick(["one", "two", "kubectl"]);
      if (i > 0 && r.chance(0.65)) steps.push({ apply: object, manager, force: r.chance(0.5) });
      else
        steps.push({ update: i === 0 ? object : { ...object, metadata: { ...object.metadata, uid: "1" } }, manager });
    }
    return { op: "manage", kind, steps: JSON.parse(JSON.stringify(steps)) };
  },
  strategic(r) {
    const { kind, schema } = builtinKindOf(r);
    const object = builtinValue(r, schema);
    return { op: "strategic", kind, object, patch: strategicPatch(r, schema, object) };
  },
  merge(r) {
    const schema = randomStruct(r, 0);
    const object = randomValue(r, schema) ?? {};
    const patch = r.chance(0.1)
      ? r.pick([null, [], ["x", { a: null }], "x", 1])
      : similar(r, schema, object, { wild: 0.1 });
    return { op: "merge", object, patch };
  },
  json(r) {
    const schema = randomStruct(r, 0);
    const object = randomValue(r, schema) ?? {};
    const paths = [["", object], ["/"], ["/x/y"], ...pointers(object)];
    const patch = Array.from({ length: 1 + r.below(4) }, () => operation(r, paths, schema));
    return { op: "json", object, text: written(r, patch) };
  },
};

/** A patch as some client may write it: with spaces, escapes, and integers with a point. */
function written(r, patch) {
  let text = JSON.stringify(patch, undefined, r.chance(0.2) ? 1 : undefined);
  if (r.chance(0.5)) text = text.replaceAll("<", "\\u003c");
  if (r.chance(0.3))
    text = text.replace(/([:[ ])([0-9])([,}\]\n])/g, (all, a, n, b) => (r.chance(0.5) ? `${a}${n}.0${b}` : all));
  return text;
}

/** An object like another, without anything but its fields. */
function plainPatch(r, schema, value) {
  const patch = strategicPatch(r, schema, value);
  return JSON.parse(
    JSON.stringify(patch, (key, item) =>
      key.startsWith("$")
        ? undefined
        : Array.isArray(item)
          ? item.filter((entry) => entry?.$patch === undefined)
          : item,
    ),
  );
}

function operation(r, paths, schema) {
  const op = r.pick(["add", "remove", "replace", "move", "copy", "test", "test", "other"]);
  // Most tests are of existing values, so that later operations are reached.
  if (op === "test" && r.chance(0.7)) {
    const [path, value] = r.pick(paths);
    return { op, path, value };
  }
  const path = () =>
    r.chance(0.03)
      ? r.pick([undefined, 1, null])
      : `${r.pick(paths)[0]}${r.chance(0.3) ? r.pick(["/a", "/-", "/0", "/-1", "/9", "/x~1y", "/+1", "/99999999999999999999"]) : ""}`;
  return JSON.parse(
    JSON.stringify({
      op: r.chance(0.02) ? r.pick([undefined, 3]) : op,
      path: path(),
      from: r.chance(0.5) || op === "move" || op === "copy" ? path() : undefined,
      value: r.chance(0.9) ? randomValue(r, schema, { wild: 0.3 }) : undefined,
    }),
  );
}

/** The places of a document, each with its value. */
function pointers(value, at = "") {
  if (typeof value !== "object" || value === null) return [[at, value]];
  return [
    [at, value],
    ...Object.keys(value).flatMap((key) =>
      pointers(value[key], `${at}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`),
    ),
  ].slice(0, 40);
}
