// X.509 certificates for servers of one's own. Node only.

export {
  type CertificateOptions,
  type Issuer,
  issueCertificate,
  type KeyPair,
  keyPem,
  type Subject,
} from "./certificate.ts";
