// The `constraints` approver: how long a certificate may live and what key it may have. Upstream: approver-policy
// pkg/internal/approver/constraints/evaluator.go.

import type { Duration } from "@celadon/cel";
import { type FieldError, type FieldPath, fieldPath, Invalid, invalidValue } from "@celadon/kube/errors";
import type { DecodedCsr } from "../csr/decode.ts";
import { compareDurations, durationText, parseDuration } from "../duration.ts";
import type { CertificateRequest, CertificateRequestPolicy, PrivateKeyConstraints } from "../resource.ts";
import { csrOf } from "./request.ts";
import { type CertificateEvaluation, evaluationOf, NOT_DENIED } from "./result.ts";

/** The result of the `constraints` approver: duration and key must be within limits. */
export function evaluateConstraints(
  policy: CertificateRequestPolicy,
  request: CertificateRequest,
): CertificateEvaluation {
  const constraints = policy.spec.constraints;
  if (constraints === null || constraints === undefined) return NOT_DENIED;
  const path = fieldPath("spec", "constraints");
  const [max, min, given] = [constraints.maxDuration, constraints.minDuration, request.spec.duration].map(
    optionalDuration,
  );
  if (max instanceof Invalid) return { result: "Error", error: max.message };
  if (min instanceof Invalid) return { result: "Error", error: min.message };
  if (given instanceof Invalid) return { result: "Error", error: given.message };
  const errors = [
    ...checkBound(given, max, 1, path.child("maxDuration")),
    ...checkBound(given, min, -1, path.child("minDuration")),
  ];
  const wanted = constraints.privateKey;
  // Only a constraint on the key, even an empty one, has the CSR read.
  if (wanted === null || wanted === undefined) return evaluationOf(errors);
  const csr = csrOf(request);
  if (csr instanceof Invalid) return { result: "Error", error: csr.message };
  const keyErrors = checkKey(csr, wanted, path.child("privateKey"));
  return keyErrors instanceof Invalid
    ? { result: "Error", error: keyErrors.message }
    : evaluationOf([...errors, ...keyErrors]);
}

function optionalDuration(text: string | null | undefined): Duration | undefined | Invalid {
  return text === null || text === undefined ? undefined : parseDuration(text);
}

/** `sign` is the comparison that breaks the bound. A bound makes the duration mandatory. */
function checkBound(
  given: Duration | undefined,
  bound: Duration | undefined,
  sign: 1 | -1,
  path: FieldPath,
): FieldError[] {
  if (bound === undefined) return [];
  if (given === undefined) return [invalidValue(path, "nil", durationText(bound))];
  return compareDurations(given, bound) === sign ? [invalidValue(path, durationText(given), durationText(bound))] : [];
}

function checkKey({ publicKey }: DecodedCsr, wanted: PrivateKeyConstraints, path: FieldPath): FieldError[] | Invalid {
  const { algorithm, size } = publicKey;
  if (algorithm === null || size === null) {
    return new Invalid(`unrecognised public key type ${publicKey.unrecognised ?? "<nil>"}`);
  }
  const errors: FieldError[] = [];
  const { maxSize, minSize } = wanted;
  if (typeof wanted.algorithm === "string" && wanted.algorithm !== algorithm) {
    errors.push(invalidValue(path.child("algorithm"), algorithm, wanted.algorithm));
  }
  if (typeof maxSize === "number" && size > maxSize) {
    errors.push(invalidValue(path.child("maxSize"), String(size), String(maxSize)));
  }
  if (typeof minSize === "number" && size < minSize) {
    errors.push(invalidValue(path.child("minSize"), String(size), String(minSize)));
  }
  return errors;
}
