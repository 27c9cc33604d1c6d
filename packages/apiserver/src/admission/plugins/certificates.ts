// Restricts the approval and signing of certificate signing requests, and those for the administrators' group. Upstream:
// plugin/pkg/admission/certificates.

import type { AdmissionRequest } from "@celadon/admission";
import { quoteGo, semanticEqual } from "@celadon/base";
import { OID, textsOf } from "@celadon/certpolicy/subject";
import type { CertificateSigningRequest } from "@celadon/kube/api/certificates-v1";
import { Invalid } from "@celadon/kube/errors";
import type { AdmissionPlugin } from "@celadon/write";
import { userOf } from "../../authz/access.ts";
import { type PluginHosts, refusal } from "../plugin-hosts.ts";

const GROUP = "certificates.k8s.io";
const CLIENT_SIGNER = "kubernetes.io/kube-apiserver-client";
const MASTERS = "system:masters";

function isAboutRequests({ resource, subresource = "" }: AdmissionRequest, asked: string): boolean {
  return resource.group === GROUP && resource.resource === "certificatesigningrequests" && subresource === asked;
}

/** Allowed for the signer by name, or for all signers of its domain. */
async function require(hosts: PluginHosts, request: AdmissionRequest, verb: string, signer: string): Promise<void> {
  const { userInfo = {} } = request;
  const domain = `${signer.split("/", 1)[0]}/*`;
  for (const name of [signer, domain]) {
    const { decision } = await hosts.authorizer.authorize({
      user: userOf(userInfo),
      verb,
      resourceRequest: true,
      apiGroup: GROUP,
      apiVersion: "*",
      resource: "signers",
      name,
    });
    if (decision === "allow") return;
  }
  throw refusal(request, `user not permitted to ${verb} requests with signerName ${quoteGo(signer)}`);
}

export function certificateApproval(hosts: PluginHosts): AdmissionPlugin {
  return {
    name: "CertificateApproval",
    validate(request) {
      if (request.operation !== "UPDATE" || !isAboutRequests(request, "approval")) return undefined;
      const { signerName = "" } = (request.oldObject as CertificateSigningRequest).spec ?? {};
      return require(hosts, request, "approve", signerName);
    },
  };
}

export function certificateSigning(hosts: PluginHosts): AdmissionPlugin {
  return {
    name: "CertificateSigning",
    validate(request) {
      if (request.operation !== "UPDATE" || !isAboutRequests(request, "status")) return undefined;
      const { status: now = {} } = request.object as CertificateSigningRequest;
      const { status: before = {}, spec } = request.oldObject as CertificateSigningRequest;
      const isSame =
        now.certificate === before.certificate && semanticEqual(now.conditions ?? [], before.conditions ?? []);
      const { signerName = "" } = spec ?? {};
      return isSame ? undefined : require(hosts, request, "sign", signerName);
    },
  };
}

/** An unreadable request is refused too: its signer might be able to read it. */
export const certificateSubject: AdmissionPlugin = {
  name: "CertificateSubjectRestriction",
  async validate(request) {
    if (request.operation !== "CREATE" || !isAboutRequests(request, "")) return;
    const { signerName, request: pem } = (request.object as CertificateSigningRequest).spec ?? {};
    if (signerName !== CLIENT_SIGNER) return;
    const organizations = await organizationsOf(Buffer.from(pem ?? "", "base64"));
    if (organizations instanceof Invalid) throw refusal(request, `failed to parse CSR: ${organizations.message}`);
    if (!organizations.includes(MASTERS)) return;
    throw refusal(request, `use of ${CLIENT_SIGNER} signer with ${MASTERS} group is not allowed`);
  },
};

async function organizationsOf(pem: Uint8Array): Promise<readonly string[] | Invalid> {
  const { decodeCsrDer, firstPemBlock, latin1 } = await import("@celadon/certpolicy/csr");
  const block = firstPemBlock(latin1(pem));
  if (block?.label !== "CERTIFICATE REQUEST") return new Invalid("PEM block type must be CERTIFICATE REQUEST");
  const csr = decodeCsrDer(block.content);
  return csr instanceof Invalid ? csr : textsOf(csr.subject, OID.organization);
}
