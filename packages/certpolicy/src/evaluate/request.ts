// The CSR inside a CertificateRequest, decoded at most once however many policies ask for it.

import { Invalid } from "@celadon/kube";
import { type DecodedCsr, decodeCsr } from "../csr/decode.ts";
import { decodeBase64 } from "../csr/pem.ts";
import type { CertificateRequest } from "../resource.ts";

const decoded = new WeakMap<CertificateRequest, DecodedCsr | Invalid>();

/** Requests are not expected to change: the answer is kept as long as the object lives. */
export function csrOf(request: CertificateRequest): DecodedCsr | Invalid {
  const known = decoded.get(request);
  if (known !== undefined) return known;
  const bytes = decodeBase64(request.spec.request ?? "");
  const csr = bytes === undefined ? new Invalid("spec.request is not base64") : decodeCsr(bytes);
  decoded.set(request, csr);
  return csr;
}
