// The result of one approver for one request and one policy.

import { type FieldError, fieldErrorText } from "@celadon/kube/errors";

/** The result of an approver for a request. */
export type CertificateEvaluation =
  | { readonly result: "NotDenied"; readonly message: string; readonly errors: readonly FieldError[] }
  | { readonly result: "Denied"; readonly message: string; readonly errors: readonly FieldError[] }
  /** The request could not be evaluated; it is neither approved nor denied, and is retried. */
  | { readonly result: "Error"; readonly error: string };

export const NOT_DENIED: CertificateEvaluation = { result: "NotDenied", message: "", errors: [] };

export function evaluationOf(errors: readonly FieldError[]): CertificateEvaluation {
  return errors.length === 0
    ? NOT_DENIED
    : { result: "Denied", message: aggregate(errors.map(fieldErrorText)), errors };
}

/** One text alone, several in brackets, each once. */
export function aggregate(texts: readonly string[]): string {
  const distinct = [...new Set(texts)];
  return distinct.length === 1 ? distinct[0]! : `[${distinct.join(", ")}]`;
}
