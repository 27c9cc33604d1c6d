// The manifest of the kubectl plugin for Krew. `archives` are digests by platform.

export function krewManifest({ version, archives }) {
  const platforms = archives.map(
    ({ os, arch, file, sha256 }) => `  - selector:
      matchLabels:
        os: ${os}
        arch: ${arch}
    uri: https://github.com/celadon-dev/celadon/releases/download/v${version}/${file}
    sha256: "${sha256}"
    bin: ${os === "windows" ? "celadon.exe" : "celadon"}
    files:
    - from: "*"
      to: "."
`,
  );
  return `apiVersion: krew.googlecontainertools.github.com/v1alpha2
kind: Plugin
metadata:
  name: celadon
spec:
  version: v${version}
  homepage: https://github.com/celadon-dev/celadon
  shortDescription: Explain, test and audit admission policies
  description: |
    Answers as an API server would, and shows why: which part of which
    ValidatingAdmissionPolicy, CRD rule or match condition decides about an object.

      kubectl celadon why deny pod/web     why policies deny an object
      kubectl celadon audit                objects that policies would deny
      kubectl celadon check -f manifests/  manifests, before they are applied
  caveats: |
    For completion, kubectl looks for a second name of the executable:
      ln -s kubectl-celadon "\${KREW_ROOT:-$HOME/.krew}/bin/kubectl_complete-celadon"
  platforms:
${platforms.join("")}`;
}
