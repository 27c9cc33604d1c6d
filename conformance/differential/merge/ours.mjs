// The same questions, answered by this project.

import { Double, formatGoJson } from "@celadon/base";
import { readDocument } from "@celadon/kube/read";
import { readSchema } from "@celadon/kube/schemas";
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicPatch,
  builtinMergeType,
  createFieldManager,
  customMergeType,
  readJsonPatch,
} from "@celadon/merge";

export function applyQuestion(question) {
  switch (question.op) {
    case "manage":
      return manage(question);
    case "json": {
      const { value } = readDocument(question.text, { format: "json", double: (n) => new Double(n) });
      const operations = readJsonPatch(value, question.text);
      const patched = operations.message === undefined ? applyJsonPatch(question.object, operations) : operations;
      const answer = result(patched);
      return answer.error === undefined ? { object: JSON.parse(formatGoJson(answer.object)) } : answer;
    }
    case "merge":
      return result(applyMergePatch(question.object, question.patch));
    case "strategic": {
      const { Group: group, Version: version, Kind: kind } = question.kind;
      return result(applyStrategicPatch(question.object, question.patch, { group, version, kind }));
    }
  }
}

function result(value) {
  const failed =
    typeof value === "object" &&
    value !== null &&
    ((value.constructor.name !== "Object" && !Array.isArray(value)) || value.kind === "Status");
  return failed ? { error: value.message } : { object: value };
}

function manage({ schema, kind: { Group: group, Version: version, Kind: kind }, steps }) {
  const type = schema === undefined ? builtinMergeType({ group, version, kind }) : customMergeType(readSchema(schema));
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const manager = createFieldManager({
    kind: { group, version, kind },
    type: (wanted) => (wanted === apiVersion ? type : undefined),
    now: () => "2020-01-01T00:00:00Z",
  });
  let live;
  const objects = [];
  const errors = [];
  for (const { apply, update, manager: name, force } of steps) {
    const next = apply !== undefined ? manager.apply(live, apply, name, force) : manager.tryUpdate(live, update, name);
    const error = next.kind === "Status" || next.constructor.name === "Invalid" ? next.message : "";
    errors.push(error);
    if (error !== "") {
      objects.push(null);
      continue;
    }
    live = { ...next, metadata: { ...next.metadata, uid: "1" } };
    objects.push(live);
  }
  return { objects, errors };
}
