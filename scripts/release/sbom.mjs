// The software bill of materials, in CycloneDX: the packages inside the artifacts, with their versions, licences and digests from the lockfile.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** `contained` are the names of packages by the artifacts that contain them. */
export function sbomOf({ root, version, contained }) {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const components = new Map();
  for (const [artifact, names] of contained) {
    for (const [name, found] of names) {
      const component = componentOf(name, found, packages);
      const known = components.get(component.purl) ?? { ...component, artifacts: [] };
      known.artifacts.push(artifact);
      components.set(component.purl, known);
    }
  }
  const sorted = [...components.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1));
  const bom = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": `pkg:npm/%40celadon/cli@${version}`,
        name: "celadon",
        version,
        purl: `pkg:npm/%40celadon/cli@${version}`,
        licenses: [{ license: { id: "Apache-2.0" } }],
      },
    },
    components: [
      ...sorted.map(({ artifacts, ...component }) => ({
        ...component,
        properties: [...new Set(artifacts)].sort().map((value) => ({ name: "celadon:artifact", value })),
      })),
      {
        type: "platform",
        "bom-ref": `pkg:generic/node@${process.versions.node}`,
        name: "node",
        version: process.versions.node,
        purl: `pkg:generic/node@${process.versions.node}`,
        properties: [{ name: "celadon:artifact", value: "executable" }],
      },
    ],
    dependencies: [{ ref: `pkg:npm/%40celadon/cli@${version}`, dependsOn: sorted.map(({ purl }) => purl) }],
  };
  // The identity of a document follows from its content.
  const digest = createHash("sha256").update(JSON.stringify(bom)).digest("hex");
  const uuid = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `5${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ];
  return `${JSON.stringify({ ...bom, serialNumber: `urn:uuid:${uuid.join("-")}` }, null, 2)}\n`;
}

function componentOf(name, version, packages) {
  const entry = Object.entries(packages).find(
    ([path, locked]) => path.endsWith(`node_modules/${name}`) && locked.version === version,
  );
  if (entry === undefined) throw new Error(`${name} ${version} is not in the lockfile`);
  const [, { integrity, license }] = entry;
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const hash = /^sha512-(.*)$/.exec(integrity ?? "")?.[1];
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    purl,
    ...(license !== undefined && { licenses: [licenseOf(license)] }),
    ...(hash !== undefined && { hashes: [{ alg: "SHA-512", content: Buffer.from(hash, "base64").toString("hex") }] }),
  };
}

const licenseOf = (license) =>
  / (?:OR|AND|WITH) /.test(license) ? { expression: license } : { license: { id: license } };

/** The packages that a file of notices names: a line with name and version begins each. */
export function packagesIn(notices) {
  return notices
    .split(/\n-{80}\n\n/)
    .map((part, i) => (i === 0 ? part.split("\n\n").slice(1).join("\n\n") : part))
    .flatMap((part) => {
      const found = /^(\S+) (\d\S*)\n/.exec(part);
      return found === null ? [] : [[found[1], found[2]]];
    });
}
