// Examples of a page as links into the playground: a policy or definition with the nearest object and the suite of the page.

import { deflateRawSync } from "node:zlib";

const MODES = [
  [/^kind: MutatingAdmissionPolicy$/m, "mutating"],
  [/^kind: ValidatingAdmissionPolicy$/m, "validating"],
  [/^kind: CustomResourceDefinition$/m, "crd"],
  [/^kind: CertificateRequestPolicy$/m, "certificates"],
];
/** Files that configure tools and clusters, and no objects to check. */
const NO_OBJECT =
  /^kind: (?:\w+Policy|\w+PolicyBinding|\w*List|CustomResourceDefinition|TestSuite|Test|ConfigManagementPlugin|ClusterRole|Configuration|\w+WebhookConfiguration)$/m;
/** The playground does not offer longer ones either. */
const LONGEST_LINK = 32_000;

/** Fragments of links, by the tokens of policies and definitions. */
export function playgroundLinks(tokens) {
  const blocks = tokens.filter((token) => token.type === "code" && /^yaml\b/.test(token.lang ?? ""));
  const links = new Map();
  for (const [i, block] of blocks.entries()) {
    const mode = MODES.find(([pattern]) => pattern.test(block.text))?.[1];
    if (mode === undefined || !/^apiVersion: /m.test(block.text)) continue;
    const others = [...blocks.slice(i + 1), ...blocks.slice(0, i).reverse()].map(({ text }) => text);
    const object = others.find((text) => /^apiVersion: /m.test(text) && /^kind: /m.test(text) && !NO_OBJECT.test(text));
    const tests = blocks.slice(i + 1).find(({ text }) => /^kind: TestSuite$/m.test(text));
    const work = {
      mode,
      policy: block.text,
      ...(object && { object }),
      ...(tests && { tests: tests.text }),
      request: {},
    };
    const fragment = `1.${deflateRawSync(JSON.stringify(work), { level: 9 }).toString("base64url")}`;
    if (fragment.length <= LONGEST_LINK) links.set(block, fragment);
  }
  return links;
}
