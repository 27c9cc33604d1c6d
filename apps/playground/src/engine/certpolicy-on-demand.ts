// In place of @celadon/certpolicy for the simulator in the bundle: certificate policies and the decoder of signing requests are loaded
// with the first text that has them. Callers that review call `loadCertificates` first.

import type * as Certificates from "@celadon/certpolicy";

type Package = typeof Certificates;

let loaded: Package | undefined;

/** The definition of CertificateRequestPolicies; set once the package is loaded. */
export let POLICY_DEFINITION: Package["POLICY_DEFINITION"];

/** Loads the package where one of the texts needs it. */
export async function loadCertificates(texts: readonly string[]): Promise<void> {
  if (loaded !== undefined || !texts.some((text) => /cert-manager|CERTIFICATE REQUEST/.test(text))) return;
  loaded = await import("@celadon/certpolicy");
  ({ POLICY_DEFINITION } = loaded);
}

function certificates(): Package {
  if (loaded === undefined) throw new Error("certificate policies were not loaded");
  return loaded;
}

/** Throws until the package is loaded. */
export class Reviewer {
  readonly #options: ConstructorParameters<Package["Reviewer"]>[0];
  #made: Certificates.Reviewer | undefined;

  constructor(options: ConstructorParameters<Package["Reviewer"]>[0] = {}) {
    this.#options = options;
  }

  get rules(): Certificates.RuleCache | undefined {
    return loaded === undefined ? undefined : this.#own().rules;
  }

  review(...given: Parameters<Certificates.Reviewer["review"]>): ReturnType<Certificates.Reviewer["review"]> {
    return this.#own().review(...given);
  }

  #own(): Certificates.Reviewer {
    this.#made ??= new (certificates().Reviewer)(this.#options);
    return this.#made;
  }
}

export const policyRuleFields: Package["policyRuleFields"] = (object) => loaded?.policyRuleFields(object) ?? [];
export const policyErrors: Package["policyErrors"] = (...given) => certificates().policyErrors(...given);
export const policySchemaErrors: Package["policySchemaErrors"] = (policy) => certificates().policySchemaErrors(policy);
export const explainRules: Package["explainRules"] = (...given) => certificates().explainRules(...given);
export const requestPath: Package["requestPath"] = (path) => certificates().requestPath(path);
export const requestOfCertificate: Package["requestOfCertificate"] = (certificate) =>
  certificates().requestOfCertificate(certificate);
