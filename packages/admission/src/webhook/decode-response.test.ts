// Answers with fields of other types than Go decodes. The texts are those of k8s.io/apimachinery v0.36.4's decoder.

import { expect, test } from "vitest";
import { readJson } from "./call.ts";
import { decodingProblem } from "./decode-response.ts";
import { compiled, podRequest, respond, testHosts, webhook } from "./hosts.testing.ts";
import { dispatchValidating } from "./validating.ts";

const IN = "into Go struct field AdmissionResponse.response";

// biome-ignore format: one case per line
test.each([
  [`"x"`,                          "json: cannot unmarshal string into Go struct field AdmissionReview.response of type v1.AdmissionResponse"],
  [`[]`,                           "json: cannot unmarshal array into Go struct field AdmissionReview.response of type v1.AdmissionResponse"],
  [`{"uid":5}`,                    `json: cannot unmarshal number ${IN}.uid of type types.UID`],
  [`{"allowed":"yes"}`,            `json: cannot unmarshal string ${IN}.allowed of type bool`],
  [`{"status":5,"uid":5}`,         `json: cannot unmarshal number ${IN}.status of type v1.Status`],
  [`{"status":{"code":"x"}}`,      "json: cannot unmarshal string into Go struct field Status.response.status.code of type int32"],
  [`{"status":{"code":1.5}}`,      "json: cannot unmarshal number 1.5 into Go struct field Status.response.status.code of type int32"],
  [`{"status":{"message":7}}`,     "json: cannot unmarshal number into Go struct field Status.response.status.message of type string"],
  [`{"status":{"details":5}}`,     "json: cannot unmarshal number into Go struct field Status.response.status.details of type v1.StatusDetails"],
  [`{"warnings":"x"}`,             `json: cannot unmarshal string ${IN}.warnings of type []string`],
  [`{"warnings":[7]}`,             `json: cannot unmarshal number ${IN}.warnings of type string`],
  [`{"auditAnnotations":[]}`,      `json: cannot unmarshal array ${IN}.auditAnnotations of type map[string]string`],
  [`{"auditAnnotations":{"a":3}}`, `json: cannot unmarshal number ${IN}.auditAnnotations of type string`],
  [`{"patch":5}`,                  `json: cannot unmarshal number ${IN}.patch of type []uint8`],
  [`{"patch":"***"}`,              "illegal base64 data at input byte 0"],
  [`{"patch":"W10"}`,              "illegal base64 data at input byte 0"],
  [`{"patch":"W10=x"}`,            "illegal base64 data at input byte 4"],
  [`{"patch":"W1==="}`,            "illegal base64 data at input byte 4"],
  [`{"patch":"W1="}`,              "illegal base64 data at input byte 3"],
  [`{"patch":"W1=a"}`,             "illegal base64 data at input byte 2"],
  [`{"patch":"W1\\n0"}`,           "illegal base64 data at input byte 1"],
  [`{"patch":"W=10"}`,             "illegal base64 data at input byte 1"],
  [`{"patch":"AAAAW10"}`,          "illegal base64 data at input byte 4"],
  [`{"status":{"code":403.0}}`,    "json: cannot unmarshal number 403.0 into Go struct field Status.response.status.code of type int32"],
  [`{"patchType":5}`,              `json: cannot unmarshal number ${IN}.patchType of type v1.PatchType`],
  [`{"warnings":[null],"allowed":null,"patch":"W1\\n0=","status":{"code":403}}`, undefined],
])("%s", (response, want) => {
  expect(decodingProblem(readJson(`{"response":${response}}`))).toBe(want);
});

test("an answer that cannot be decoded is a failed call, not a denial", async () => {
  const answers = { "a.test.example.com": respond({ allowed: "yes" }) };
  const ask = (failurePolicy: "Fail" | "Ignore") =>
    dispatchValidating(podRequest(), compiled("Validating", webhook("a", { failurePolicy })), testHosts(answers));
  expect((await ask("Ignore")).allowed).toBe(true);
  expect((await ask("Fail")).status?.message).toBe(
    `Internal error occurred: failed calling webhook "a.test.example.com": failed to call webhook: json: cannot unmarshal string ${IN}.allowed of type bool`,
  );
});
