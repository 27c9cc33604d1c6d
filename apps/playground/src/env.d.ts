// What the build puts in.

interface ImportMeta {
  readonly env?: { readonly PROD: boolean };
}
