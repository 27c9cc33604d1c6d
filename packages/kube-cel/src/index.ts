// The public names. Function libraries by themselves are in `@celadon/kube-cel/library`.

export {};
