// An extension package: a zip with the extension, a manifest for the marketplace's format, and the types of its files.

import { zip } from "./zip.ts";

export interface ExtensionManifest {
  readonly name: string;
  readonly displayName: string;
  readonly version: string;
  readonly publisher: string;
  readonly description: string;
  readonly categories: readonly string[];
  readonly keywords: readonly string[];
  readonly engines: { readonly vscode: string };
}

const TYPES: Readonly<Record<string, string>> = {
  ".json": "application/json",
  ".vsixmanifest": "text/xml",
  ".cjs": "application/javascript",
  ".mjs": "application/javascript",
  ".js": "application/javascript",
  ".md": "text/markdown",
  ".txt": "text/plain",
};

/** `files` by their path inside the extension; package.json is among them. */
export function vsix(manifest: ExtensionManifest, files: ReadonlyMap<string, Uint8Array>): Buffer {
  const all = new Map<string, Uint8Array>();
  for (const [path, bytes] of files) all.set(`extension/${path}`, bytes);
  all.set("extension.vsixmanifest", Buffer.from(manifestXml(manifest)));
  const endings = new Set([...all.keys()].map((path) => /\.\w+$/.exec(path)?.[0] ?? ".txt"));
  all.set("[Content_Types].xml", Buffer.from(contentTypes([...endings].sort())));
  return zip(all);
}

function manifestXml(manifest: ExtensionManifest): string {
  const { name, version, publisher, displayName, description, keywords, categories, engines } = manifest;
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${xml(name)}" Version="${xml(version)}" Publisher="${xml(publisher)}"/>
    <DisplayName>${xml(displayName)}</DisplayName>
    <Description xml:space="preserve">${xml(description)}</Description>
    <Tags>${xml(keywords.join(","))}</Tags>
    <Categories>${xml(categories.join(","))}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${xml(engines.vscode)}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionDependencies" Value=""/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/readme.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
`;
}

function contentTypes(endings: readonly string[]): string {
  const rows = endings.map(
    (ending) => `  <Default Extension="${ending}" ContentType="${TYPES[ending] ?? "application/octet-stream"}"/>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
${rows.join("\n")}
</Types>
`;
}

const xml = (text: string): string => text.replace(/[<>&"]/g, (char) => `&#${char.charCodeAt(0)};`);
