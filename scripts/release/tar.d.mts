export function tar(files: ReadonlyMap<string, Uint8Array>, executables?: ReadonlySet<string>): Buffer;
export function tgz(files: ReadonlyMap<string, Uint8Array>, executables?: ReadonlySet<string>): Buffer;
