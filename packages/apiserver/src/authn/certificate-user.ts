// Finds the user of a client certificate: the last common name, the organizations as groups, as Go reads them. Upstream: apiserver
// pkg/authentication/request/x509.

import { createHash } from "node:crypto";
import { certificateSubject, OID, textsOf } from "@celadon/certpolicy/subject";
import { Invalid } from "@celadon/kube/errors";
import type { Peer } from "../wire/call.ts";

const UID = "1.3.6.1.4.1.57683.2";
const CREDENTIAL_ID = "authentication.kubernetes.io/credential-id";

/** Reads a verified certificate in DER; undefined if it names nobody, or not clearly. */
export function certificateUser(der: Uint8Array): Peer | undefined {
  const subject = certificateSubject(der);
  if (subject instanceof Invalid) return undefined;
  const username = textsOf(subject, OID.commonName).at(-1) ?? "";
  const uids = textsOf(subject, UID);
  if (username === "" || uids.length > 1 || uids[0] === "") return undefined;
  const fingerprint = createHash("sha256").update(der).digest("hex");
  return {
    username,
    groups: textsOf(subject, OID.organization),
    ...(uids[0] !== undefined && { uid: uids[0] }),
    extra: { [CREDENTIAL_ID]: [`X509SHA256=${fingerprint}`] },
  };
}
