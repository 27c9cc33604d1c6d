// The address of an API server, and the identity of its client. A kubeconfig, a pod's service account or a test makes one; the transport
// uses it.

/** The address of an API server, and the way to it. */
export interface Connection {
  /** `https://host:port`, perhaps with a path before the API's own. */
  readonly server: string;
  /** PEM; the system's own authorities without it. */
  readonly ca?: string;
  /** Another name to check the server's certificate by. */
  readonly serverName?: string;
  readonly insecureSkipVerify?: boolean;
  readonly credentials: Credentials;
  readonly impersonate?: Impersonation;
  /** The namespace of the context; "default" where it names none. */
  readonly namespace: string;
}

/** Called before each connection or request, because tokens and certificates are replaced while programs run. */
export interface Credentials {
  current(): Promise<Credential>;
  /** The server returned 401: the cached credentials are no longer valid. */
  rejected(): void;
}

/** The identity of the client. */
export interface Credential {
  /** PEM of a client certificate and its key. */
  readonly certificate?: { readonly cert: string; readonly key: string };
  /** The value of the Authorization header. */
  readonly authorization?: string;
}

/** The user that the client impersonates. */
export interface Impersonation {
  readonly user: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
}

/** Credentials that do not change. */
export function fixedCredentials(credential: Credential): Credentials {
  return { current: async () => credential, rejected: () => {} };
}
