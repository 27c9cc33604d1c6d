// Certificates in projected volumes: trust anchors of a signer, and certificates that are issued for the pod.

import { compareStrings } from "@celadon/base";
import type { ClusterTrustBundleProjection, PodCertificateProjection } from "../../../api/generated/core-v1.ts";
import { checkDns1123Subdomain, checkQualifiedName } from "../../../names.ts";
import type { LabelSelectorObject } from "../../../selector/label-selector.ts";
import { validateLabelSelector } from "../../../selector/label-selector.ts";
import { localFile } from "../../checks/paths.ts";
import { signerName } from "../../checks/signer-name.ts";
import type { ValidatedField } from "../../field.ts";

const KEY_TYPES: readonly string[] = ["RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"];
const PATHS = ["credentialBundlePath", "keyPath", "certificateChainPath"] as const;
const HOUR = 3600;
const LONGEST = 91 * 24 * HOUR;
/** Signers of Kubernetes itself issue for a day at most. */
const LONGEST_OF_KUBERNETES = 24 * HOUR;

/** `once` reports a path that the volume has already. */
export function trustBundle(
  given: ClusterTrustBundleProjection,
  once: (path: string | undefined, shown: string) => void,
  at: ValidatedField,
): void {
  const { name, signerName: signer, labelSelector, path = "" } = given;
  if (name !== undefined && signer !== undefined) at.invalid(given, "only one of name and signerName may be used");
  else if (name !== undefined) {
    const place = at.child("name");
    if (name === "") place.required("must be a valid object name");
    for (const problem of checkBundleName(name)) place.invalid(name, `not a valid clustertrustbundlename: ${problem}`);
    if (labelSelector !== undefined) {
      at.child("labelSelector").invalid(labelSelector, "labelSelector must be unset if name is specified");
    }
  } else if (signer !== undefined) {
    if (signer === "") at.child("signerName").required("must be a valid signer name");
    signerName(signer, at.child("signerName"));
    const place = at.child("labelSelector");
    at.errors.push(...validateLabelSelector(labelSelector as LabelSelectorObject | undefined, place.path, at.by));
  } else at.required("either name or signerName must be specified");
  at.child("path").mustExist(path);
  localFile(path, at.child("path"));
  once(path, path);
}

/** The name of a bundle of a signer begins with the signer's. */
function checkBundleName(name: string): string[] {
  const parts = name.split(":");
  if (parts.length === 1) return checkDns1123Subdomain(name);
  return checkDns1123Subdomain(parts.slice(2).join(":"));
}

export function podCertificate(
  given: PodCertificateProjection,
  once: (path: string | undefined, shown: string) => void,
  at: ValidatedField,
): void {
  signerName(given.signerName, at.child("signerName"));
  for (const key of Object.keys(given.userAnnotations ?? {}).sort(compareStrings)) {
    annotationKey(key.toLowerCase(), at.child("userAnnotations"));
  }
  at.child("keyType").oneOf(given.keyType, KEY_TYPES);
  const seconds = given.maxExpirationSeconds;
  if (seconds !== undefined) {
    const isKubernetes = given.signerName?.split("/")[0]?.endsWith("kubernetes.io") === true;
    const longest = isKubernetes ? LONGEST_OF_KUBERNETES : LONGEST;
    const place = at.child("maxExpirationSeconds");
    if (seconds < HOUR) place.invalid(seconds, `if provided, maxExpirationSeconds must be >= ${HOUR}`);
    if (seconds > longest) place.invalid(seconds, `if provided, maxExpirationSeconds must be <= ${longest}`);
  }
  for (const field of PATHS) {
    if (!given[field]) continue;
    localFile(given[field], at.child(field));
    once(given[field], given[field]);
  }
  if (PATHS.every((field) => !given[field])) {
    at.required("specify at least one of credentialBundlePath, keyPath, and certificateChainPath");
  }
}

/** Annotations for signers need a domain. */
function annotationKey(key: string, at: ValidatedField): void {
  const problems = checkQualifiedName(key, at.by);
  if (key === "") at.required();
  else if (problems.length > 0) for (const problem of problems) at.invalid(key, problem);
  else if (!key.includes("/")) at.invalid(key, 'must be a domain-prefixed key (such as "acme.io/foo")');
}
