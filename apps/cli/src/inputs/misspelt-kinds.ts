// Policies and definitions whose kind is misspelt. Commands that judge objects report them as a server would; to commands that look for
// policies they are other objects, and would be left out without a word.

import { gvkOf } from "@celadon/kube";
import { kindProblemText, kindServed } from "@celadon/kube/types";
import { isSetUp, type Manifest } from "@celadon/simulator/manifests";
import { placedIssue, type SourceIssue } from "../sources/issue.ts";

/** Groups all of whose kinds decide about others. */
const DECIDING: ReadonlySet<string> = new Set(["admissionregistration.k8s.io", "apiextensions.k8s.io"]);

export function misspeltKinds(manifests: readonly Manifest[]): readonly SourceIssue[] {
  return manifests.flatMap(({ object, origin }): SourceIssue[] => {
    const kind = gvkOf(object);
    if (!DECIDING.has(kind.group) || isSetUp(object)) return [];
    const message = kindProblemText(kind, kindServed(kind));
    if (message === undefined) return [];
    const place = origin?.positionOf(["kind"]);
    if (place === undefined) return [{ code: "not_served", file: origin?.file ?? "", message }];
    return [placedIssue("not_served", place, origin?.lineText(place.line), message)];
  });
}
