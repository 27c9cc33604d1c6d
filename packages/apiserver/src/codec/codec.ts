// Between bodies, objects and the store, for the kinds of one resource: each served version has one. Built-in kinds go through their Go types,
// custom resources through their schema; both are behind this interface.

import type { KubeObject } from "@celadon/kube";
import type { Draft } from "@celadon/write";
import type { ServedResource } from "../kinds/resource.ts";
import type { FieldValidation } from "./write-options.ts";

export interface Decoding {
  readonly fieldValidation: FieldValidation;
  warn(text: string): void;
  /** Keys that a YAML document has twice. */
  readonly repeated?: readonly string[];
  /** The value was merged from an applied configuration. */
  readonly isMerged?: boolean;
}

/** All throw a StatusError for an unreadable object. Drafts belong to the caller. */
export interface Codec {
  readonly resource: ServedResource;
  /** Whether objects are stored in this very version: then stored bytes are served as they are. */
  readonly isStorageVersion: boolean;
  /** For custom resources: objects stored after this revision were written under the present schema. */
  readonly currentSince?: () => number;
  /** A JSON body as an object of the kind: checked and defaulted. */
  decodeJson(text: string, decoding: Decoding): Draft;
  /** The same for a value: of a YAML or protobuf body, or made by a patch. */
  decode(value: unknown, decoding: Decoding): Draft;
  /** A stored object in this version. */
  fromStorage(object: KubeObject): KubeObject;
  /** An object of this version as it is stored; a promise where a webhook converts it. */
  toStorage(object: KubeObject): KubeObject | Promise<KubeObject>;
  /** An object as a read after the write would return it: the answer of a dry run. */
  stored(object: KubeObject): KubeObject;
}
