// Every expression of a file, with the way between its text and the file's.

import type { JsonPath } from "@celadon/base";
import { expressionsIn, type ManifestExpression } from "@celadon/simulator/manifests";
import type { File, PlacedResource } from "../document/file.ts";
import { type ScalarText, scalarText } from "../document/scalar-text.ts";

export interface FileExpression {
  readonly placed: PlacedResource;
  readonly path: JsonPath;
  readonly kind: ManifestExpression["kind"];
  readonly scalar: ScalarText;
}

export function expressionsOf(file: File): FileExpression[] {
  return file.resources().flatMap(expressionsOfResource);
}

export function expressionsOfResource(placed: PlacedResource): FileExpression[] {
  const { resource, start } = placed;
  return expressionsIn(resource.object).flatMap(({ path, text, kind }) => {
    const scalar = scalarText(resource.document, [...resource.prefix, ...path], text, start);
    return scalar === undefined ? [] : [{ placed, path, kind, scalar }];
  });
}
