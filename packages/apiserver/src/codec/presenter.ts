// Stored objects in the version and form that a client requests. Presenters are made once per resource and form,
// because watchers that share one share the encoded events.

import { toJson } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import type { Presenter } from "../store/events.ts";
import type { StoredObject } from "../store/stored-object.ts";
import type { Codec } from "./codec.ts";
import { encodeObject } from "./encode.ts";
import type { Form } from "./forms.ts";
import { type ListMeta, partialMetadata, type TableColumns, tableOf } from "./table.ts";

export interface ListPresenter extends Presenter {
  /** For the events of a watch after the first, where they differ. */
  readonly next?: ListPresenter;
  /** The object as an element of a list. */
  item(object: StoredObject): Uint8Array;
  list(items: readonly StoredObject[], metadata: ListMeta): Buffer;
  /** An object that is not stored, such as the outcome of a dry run. */
  object(object: KubeObject): Uint8Array;
  /** An object with a resource version alone, of the kind a watcher expects. */
  bookmark(resourceVersion: string, annotations?: Readonly<Record<string, string>>): Uint8Array;
}

export class Presenters {
  readonly #codec: Codec;
  readonly #columns: () => TableColumns;
  readonly #made = new Map<string, ListPresenter>();
  readonly #now: () => number;

  constructor(codec: Codec, columns: () => TableColumns, now: () => number) {
    this.#codec = codec;
    this.#columns = columns;
    this.#now = now;
  }

  of(form: Form): ListPresenter {
    const key = form.form === "object" ? "object" : JSON.stringify(form);
    let presenter = this.#made.get(key);
    if (presenter === undefined) this.#made.set(key, (presenter = this.#make(form)));
    return presenter;
  }

  #make(form: Form): ListPresenter {
    switch (form.form) {
      case "object":
        if (!this.#codec.isStorageVersion) return new ConvertedForm(this.#codec);
        return this.#codec.currentSince === undefined ? new StoredForm(this.#codec) : new CustomForm(this.#codec);
      case "partial":
        return new PartialForm(this.#codec, form.version);
      case "table":
        return new TableForm(this.#codec, form, this.#columns, this.#now);
    }
  }
}

const COMMA = Buffer.from(",");
const OPEN = Buffer.from("{");
const LIST_END = Buffer.from("]}\n");

function listOf(kind: string, apiVersion: string, metadata: ListMeta, items: readonly Uint8Array[]): Buffer {
  const head = Buffer.from(
    `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},"metadata":${JSON.stringify(metadata)},"items":[`,
  );
  let length = head.length + LIST_END.length + Math.max(0, items.length - 1);
  for (const item of items) length += item.length;
  const list = Buffer.allocUnsafe(length);
  let at = head.copy(list, 0);
  for (let i = 0; i < items.length; i++) {
    if (i > 0) list[at++] = 44;
    list.set(items[i]!, at);
    at += items[i]!.length;
  }
  LIST_END.copy(list, at);
  return list;
}

abstract class WholeForm implements ListPresenter {
  protected readonly codec: Codec;

  constructor(codec: Codec) {
    this.codec = codec;
  }

  abstract present(object: StoredObject): Uint8Array;

  item(object: StoredObject): Uint8Array {
    return this.present(object);
  }

  object(object: KubeObject): Uint8Array {
    return encodeObject(object);
  }

  list(items: readonly StoredObject[], metadata: ListMeta): Buffer {
    const { listKind, apiVersion, storage } = this.codec.resource;
    return listOf(
      listKind,
      apiVersion,
      // Lists without a type of their own say that they are whole.
      storage.custom ? { continue: "", ...metadata } : metadata,
      items.map((item) => this.item(item)),
    );
  }

  bookmark(resourceVersion: string, annotations?: Readonly<Record<string, string>>): Uint8Array {
    const { kind, apiVersion } = this.codec.resource;
    return Buffer.from(
      JSON.stringify({ kind, apiVersion, metadata: { resourceVersion, ...(annotations && { annotations }) } }),
    );
  }
}

/** The bytes of the store. */
class StoredForm extends WholeForm {
  /** Items of typed lists say their kind once, in the list. */
  readonly #head: number;

  constructor(codec: Codec) {
    super(codec);
    const { storage, kind, apiVersion } = codec.resource;
    this.#head = storage.custom
      ? 0
      : `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`.length;
  }

  present(object: StoredObject): Uint8Array {
    return object.json;
  }

  override list(items: readonly StoredObject[], metadata: ListMeta): Buffer {
    if (this.#head === 0) return super.list(items, metadata);
    const { listKind, apiVersion } = this.codec.resource;
    const skip = this.#head - 1;
    // The byte before `"metadata"` becomes the brace that opens the item.
    const parts = items.map(({ json }) => json.subarray(skip));
    const list = listOf(listKind, apiVersion, metadata, parts);
    let at = list.length - LIST_END.length;
    for (let i = parts.length - 1; i >= 0; i--) {
      at -= parts[i]!.length;
      list[at] = OPEN[0]!;
      at -= COMMA.length;
    }
    return list;
  }
}

/** Custom resources: the bytes of the store where they were written under the schema of now, read through it where they are older. */
class CustomForm extends WholeForm {
  readonly #read = new WeakMap<StoredObject, Uint8Array>();

  present(object: StoredObject): Uint8Array {
    if (object.revision > this.codec.currentSince!()) return object.json;
    let json = this.#read.get(object);
    if (json === undefined) this.#read.set(object, (json = encodeObject(this.codec.fromStorage(object.object))));
    return json;
  }
}

/** A version other than the stored one. */
class ConvertedForm extends WholeForm {
  present(object: StoredObject): Uint8Array {
    return encodeObject(this.codec.fromStorage(object.object));
  }
}

class PartialForm extends WholeForm {
  readonly #version: string;

  constructor(codec: Codec, version: string) {
    super(codec);
    this.#version = version;
  }

  present(object: StoredObject): Uint8Array {
    return encodeObject(partialMetadata(object.object, this.#version));
  }

  override object(object: KubeObject): Uint8Array {
    return encodeObject(partialMetadata(object, this.#version));
  }

  override list(items: readonly StoredObject[], metadata: ListMeta): Buffer {
    const kind = "PartialObjectMetadataList";
    const apiVersion = `meta.k8s.io/${this.#version}`;
    if (items.length === 0) return Buffer.from(JSON.stringify({ kind, apiVersion, metadata, items: null }));
    const parts = items.map((item) => this.present(item));
    return listOf(kind, apiVersion, metadata, parts);
  }

  override bookmark(resourceVersion: string, annotations?: Readonly<Record<string, string>>): Uint8Array {
    const metadata = { resourceVersion, ...(annotations && { annotations }) };
    return encodeObject(partialMetadata({ metadata } as KubeObject, this.#version));
  }
}

class TableForm extends WholeForm {
  readonly #form: Extract<Form, { form: "table" }>;
  readonly #columns: () => TableColumns;
  readonly #now: () => number;
  readonly #withColumns: boolean;
  /** A watcher gets the columns once. */
  readonly next?: ListPresenter;

  constructor(
    codec: Codec,
    form: Extract<Form, { form: "table" }>,
    columns: () => TableColumns,
    now: () => number,
    withColumns = true,
  ) {
    super(codec);
    this.#withColumns = withColumns;
    if (withColumns) this.next = new TableForm(codec, form, columns, now, false);
    this.#form = form;
    this.#columns = columns;
    this.#now = now;
  }

  present(object: StoredObject): Uint8Array {
    return this.object(this.codec.isStorageVersion ? object.object : this.codec.fromStorage(object.object));
  }

  override object(object: KubeObject): Uint8Array {
    const resourceVersion = object.metadata?.resourceVersion;
    return this.#table([object], resourceVersion === undefined ? {} : { resourceVersion });
  }

  override list(items: readonly StoredObject[], metadata: ListMeta): Buffer {
    const { codec } = this;
    const objects = items.map(({ object }) => (codec.isStorageVersion ? object : codec.fromStorage(object)));
    return this.#table(objects, metadata);
  }

  override bookmark(resourceVersion: string, annotations?: Readonly<Record<string, string>>): Uint8Array {
    const { kind, apiVersion } = this.codec.resource;
    const metadata = { resourceVersion, ...(annotations && { annotations }) };
    const { version } = this.#form;
    // Its object is never left out: it has the resource version.
    const include = this.#form.include === "Object" ? "Object" : "Metadata";
    const options = { version, include, withColumns: this.#withColumns } as const;
    const empty: KubeObject = { kind, apiVersion, metadata };
    return Buffer.from(toJson(tableOf([empty], this.#columns(), options, { resourceVersion }, this.#now())));
  }

  #table(objects: readonly KubeObject[], metadata: ListMeta): Buffer {
    const { include, version } = this.#form;
    const options = { version, include, withColumns: this.#withColumns };
    const table = tableOf(objects, this.#columns(), options, metadata, this.#now());
    return Buffer.from(toJson(table));
  }
}
