// Documents that expressions are evaluated on, as JSON text: 1 and 1.0 are different there.

/** Keys that expressions read, some of which exist nowhere. */
export const KEYS: readonly string[] = ["a", "b", "name", "items", "missing", "s", "l"];

const OBJECT = `{
  "i": 7, "zero": 0, "neg": -3, "big": 9007199254740993, "max": 9223372036854775807, "d": 2.0, "f": 2.5, "huge": 1e300, "negzero": -0.0,
  "b": true, "no": false, "n": null, "s": "abc", "e": "", "t": "2024-02-29T12:30:00Z", "q": "1Gi", "ip": "10.0.0.1", "cidr": "10.0.0.0/8",
  "url": "https://example.com/a?b=c", "v": "1.2.3", "re": "[a-c]+", "num": "12", "uni": "héllo 😀",
  "l": [1, 2, 2, 3], "lf": [1.5, 2.0, 2.0], "mixed": [1, 1.0, "1", null, true, [1], {"a": 1}], "ls": ["b", "a", "b"], "ll": [[1, 2], [3], []],
  "lb": [9007199254740993, 9007199254740992], "empty": [], "lm": [{"name": "x", "a": 1, "b": [1]}, {"name": "y", "a": 2.0}, {"name": "x"}],
  "m": {"name": 1.5, "a": 1, "b": {"a": "deep"}}, "o": {}, "deep": {"a": {"b": {"items": [{"s": "t", "l": [1]}]}}}
}`;
const SMALL = `{"i": "seven", "l": {"a": 1}, "s": 5, "m": [1], "lm": "none", "n": {"a": null}, "ll": [1, 2], "b": 1, "d": 3, "q": 5, "ls": [1, "a"]}`;

/** The variables of a case. Absent members are null. */
export const DOCUMENTS: readonly string[] = [
  `{"object": ${OBJECT}}`,
  `{"object": ${OBJECT}, "oldObject": ${SMALL}, "params": {"max": 5, "list": ["a", "b"], "f": 0.5}}`,
  `{"object": ${SMALL}, "params": ${OBJECT}}`,
  `{"object": ${OBJECT}, "oldObject": ${OBJECT}, "request": {"operation": "CREATE", "name": "n", "dryRun": true, "userInfo": {"username": "u", "groups": ["g", "h"]}}, "namespaceObject": {"metadata": {"name": "ns", "labels": {"a": "b"}, "creationTimestamp": "2024-01-01T00:00:00Z"}}}`,
];

// biome-ignore format: by variable
export const DATA_PATHS: readonly string[] = [
  "object", ...[
    "i", "zero", "neg", "big", "max", "d", "f", "huge", "negzero", "b", "no", "n", "s", "e", "t", "q", "ip", "cidr", "url", "v", "re", "num", "uni", "l", "l", "lf",
    "mixed", "ls", "ll", "lb", "empty", "lm", "m", "o", "deep", "lm[0]", "lm[1].a", "ll[0]", "m.b", "deep.a.b.items", "l[0]", "lf[1]", "mixed[1]", "missing",
    "m['name']", "lm[?5]", "?m.?a", "?missing",
  ].map((path) => `object.${path}`),
  "oldObject", "oldObject.l", "oldObject.s", "params", "params.max", "params.list", "params.f", "params.l", "request", "request.operation", "request.userInfo.groups",
  "request.dryRun", "namespaceObject.metadata.labels", "namespaceObject.metadata.creationTimestamp", "namespaceObject",
];
