// The state that modules of libraries hold beside constants. No answer depends on module state: state belongs to a policy set, a simulated
// cluster, a server. Exceptions are listed here with the reason.
//
// - table: read from a constant when it is first asked for
// - memo: follows from its key alone, and is bounded; what is kept weakly beside an object is not listed
// - register: used within one synchronous call, and empty between two
// - process: what the process has only one of

import { expect, test } from "vitest";
import { packages, read, sources } from "./tree.ts";

type Why = "table" | "memo" | "register" | "process";

// biome-ignore format: one binding per line
const LISTED: Readonly<Record<string, Why>> = {
  "admission/memory/resources.ts builtins":                 "table",
  "admission/compile/parsing-environment.ts made":                  "table",
  "apiserver/admission/pod-security/evaluate.ts checksOf":  "memo",
  "apiserver/codec/protobuf/messages.ts lines":             "table",
  "apiserver/codec/protobuf/messages.ts messages":          "table",
  "apiserver/http/response-sink.ts last":                  "memo",
  "apiserver/http/web-socket.ts last":                     "memo",
  "apiserver/openapi/builtin-schemas.ts unpacked":         "table",
  "apiserver/registry/names.ts used":                      "process",
  "apiserver/wire/accept.ts known":                         "memo",
  "crd/rules/compile-rules.ts isOneMeaning":               "table",
  "kube-cel/message-types.ts made":                         "memo",
  "cel/check/type-vars.ts pool":                            "table",
  "cel/lib/format/format-clauses.ts cache":                        "memo",
  "cel/proto/strong-enums.ts types":                        "memo",
  "cel/regex/compile.ts cache":                             "memo",
  "cel/regex/fold.ts known":                                "table",
  "cel/regex/unicode.ts properties":                        "table",
  "cel/run/compile.ts allowed":                             "table",
  "cel/types/well-known.ts before20":                       "table",
  "cel/types/well-known.ts before26":                       "table",
  "cel/types/well-known.ts before29":                       "table",
  "cel/value/equal.ts compared":                            "register",
  "cel/value/equal.ts pairs":                               "register",
  "cel/value/size/measure.ts texts":                             "register",
  "cel/value/size/measure.ts keys":                              "register",
  "cel/value/size/measure.ts oldest":                            "register",
  "cel/value/size/measure.ts any":                               "register",
  "cel/value/size/measure.ts evaluations":                       "register",
  "cel/value/size/work.ts watched":                              "register",
  "cel/value/size/work.ts counters":                             "register",
  "cel/value/size/work.ts over":                                 "register",
  "cel/value/time/zone.ts zones":                                "memo",
  "crd/rules/environment.ts bases":                         "table",
  "crd/value/string-formats.ts hostname":                   "table",
  "kube/builtin/builtin.ts loaded":                         "table",
  "kube/builtin/table.ts fields":                           "table",
  "kube/builtin/table.ts types":                            "table",
  "kube/builtin/table.ts schemas":                          "table",
  "kube/emulation.ts emulations":                           "memo",
  "kube/quantity/quantity.ts read":                         "memo",
  "kube/shape/go-type.ts named":                            "table",
  "kube/types/api-history.ts versions":                     "table",
  "kube/types/api-history.ts groups":                       "table",
  "kube/types/decode.ts slots":                             "register",
  "kube/types/kind-served.ts answers":                      "memo",
  "kube/types/served.ts served":                            "table",
  "kube/types/table.ts loaded":                             "table",
  "kube/types/table.ts structsOf":                          "table",
  "kube/validation/gated-fields.ts drops":                "memo",
  "prove/evaluate/evaluation.ts numbered":                 "memo",
  "prove/evaluate/value-key.ts count":                    "memo",
  "prove/path/texts.ts searched":                          "memo",
  "prove/text/pattern.ts languages":                       "memo",
  "kube/validation/index.ts loaded":                        "table",
  "kube/validation/show/internal-table.ts goNames": "table",
  "kube/validation/show/internal-table.ts lines":               "table",
  "kube/validation/show/internal-table.ts places":                "table",
  "kube/validation/show/internal-table.ts fieldsOf":              "table",
  "kube-cel/authentication/expressions.ts environments":   "table",
  "kube-cel/authorization/match-conditions.ts environments": "table",
  "kube-cel/device-selector.ts environments":               "table",
  "kube-cel/environment.ts shared":                        "table",
  "kube-cel/schema/adapt.ts scalars":                       "table",
  "language/describe/resource-schema.ts certificates":      "table",
  "merge/fieldpath/fields-v1.ts lately":                   "memo",
  "merge/fieldpath/path-element.ts fieldElements":         "memo",
  "merge/fieldpath/path-element.ts keyNames":               "memo",
  "merge/schema/builtin-types.ts lines":                    "table",
  "merge/schema/builtin-types.ts facts":                    "table",
  "merge/schema/builtin-types.ts types":                    "table",
  "storage/lmdb/open.ts owned":                             "process",
  "storage/lmdb/presence.ts marks":                         "process",
  "storage/testing/child.ts running":                       "process",
  "testing/ast-of.ts environment":                          "table",
  "write/timestamp.ts second":                              "memo",
  "write/timestamp.ts text":                                "memo",
};

const STATE = [
  /^(?:export )?let (\w+)/,
  /^(?:export )?const (\w+)(?:: [^=]+)? = new (?:Map|Set|BoundedMap|Counters)(?:<.*>)?\([A-Z_0-9]*\);/,
  /^const ([a-z]\w*): \w+\[\] = \[\];/,
];

/** An empty map that is only read is a constant. */
const isReadOnly = (line: string): boolean =>
  /: (?:Readonly\w+<.*>|VariableTypes|VariableTrees|Scope|Bounds) = /.test(line);

function stateOf(path: string): string[] {
  return sources(path).flatMap((file) =>
    read(`${path}/src/${file}`)
      .split("\n")
      .flatMap((line) => {
        const name = STATE.map((pattern) => pattern.exec(line)?.[1]).find((found) => found !== undefined);
        return name === undefined || isReadOnly(line) ? [] : [`${path.replace("packages/", "")}/${file} ${name}`];
      }),
  );
}

test("modules of libraries hold no state but this", () => {
  const libraries = packages().filter((path) => path.startsWith("packages/"));
  expect(libraries.flatMap(stateOf).sort()).toEqual(Object.keys(LISTED).sort());
});
