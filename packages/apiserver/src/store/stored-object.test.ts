// Whether an update changes anything, decided by its bytes.

import { expect, test } from "vitest";
import { StoredObject } from "./stored-object.ts";

const UID = "0b4b0d26-1f2a-4f0e-9d3c-2f8a8f3b6a11";
const place = { key: "/registry/core/configmaps/a/b", namespace: "a", name: "b" };
const bytes = (data: string): Buffer =>
  Buffer.from(`{"kind":"ConfigMap","metadata":{"name":"b","uid":"${UID}"},"data":${data}}`);

test.each([
  ["the same bytes", '{"a":"12","b":"x"}', true],
  ["members in another order", '{"b":"x","a":"12"}', true],
  ["another length", '{"a":"123","b":"x"}', false],
  ["another text of the same length", '{"a":"13","b":"x"}', false],
  ["the same letters in another order", '{"a":"21","b":"x"}', false],
])("%s", (_, data, isSame) => {
  const stored = new StoredObject(place, bytes('{"a":"12","b":"x"}'), 7, false);
  expect(stored.isSameAs(bytes(data))).toBe(isSame);
});
