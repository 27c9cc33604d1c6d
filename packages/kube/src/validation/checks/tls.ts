// Whether a secret holds a certificate and a private key, as far as their PEM blocks tell. Checks of Go's tls.X509KeyPair inside
// certificates and keys are not made here.

import { pemBlocks } from "./pem.ts";

/** The problem of the pair, in Go's words. */
export function keyPairProblem(certificate: string, key: string): string | undefined {
  const types = blockTypes(certificate);
  if (!types.includes("CERTIFICATE")) return `tls: ${certificateProblem(types)}`;
  const keyTypes = blockTypes(key);
  if (keyTypes.some((type) => type === "PRIVATE KEY" || type.endsWith(" PRIVATE KEY"))) return undefined;
  return `tls: ${keyProblem(keyTypes)}`;
}

function blockTypes(pem: string): string[] {
  return pemBlocks(pem).map((block) => block.type);
}

function certificateProblem(types: readonly string[]): string {
  if (types.length === 0) return "failed to find any PEM data in certificate input";
  if (types.length === 1 && types[0]!.endsWith("PRIVATE KEY")) {
    return "failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched";
  }
  return `failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${types.join(" ")}]`;
}

function keyProblem(types: readonly string[]): string {
  if (types.length === 0) return "failed to find any PEM data in key input";
  if (types.length === 1 && types[0] === "CERTIFICATE") {
    return "found a certificate rather than a key in the PEM for the private key";
  }
  return `failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${types.join(" ")}]`;
}
