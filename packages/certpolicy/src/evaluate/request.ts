// The CSR of a CertificateRequest, decoded at most once for all policies.

import { decodeBase64 } from "@celadon/base";
import { Invalid } from "@celadon/kube/errors";
import { type DecodedCsr, decodeCsr } from "../csr/decode.ts";
import type { CertificateRequest } from "../resource.ts";

interface Known {
  readonly text: string;
  readonly csr: DecodedCsr | Invalid;
}

const decoded = new WeakMap<CertificateRequest, Known>();

/** Kept as long as the object lives, and only for the text it was read from: a host may have changed its object since. */
export function csrOf(request: CertificateRequest): DecodedCsr | Invalid {
  const text = request.spec.request ?? "";
  const known = decoded.get(request);
  if (known?.text === text) return known.csr;
  const bytes = decodeBase64(text);
  const csr = typeof bytes === "number" ? new Invalid("spec.request is not base64") : decodeCsr(bytes);
  decoded.set(request, { text, csr });
  return csr;
}
