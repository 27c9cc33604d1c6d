// Layout of the expressions in a file: `@celadon/language/format`.

export {
  type FormatIssue,
  type FormatManifestOptions,
  type FormattedManifest,
  formatManifestText,
} from "./format-manifest.ts";
export type { FormatEdit } from "./scalar-edit.ts";
