// The bounds of a server: bytes, requests and watches at once, and the time of each.

/** Bounds on simultaneous work of a server. */
export interface ServerLimits {
  readonly maxBodyBytes: number;
  /** Bytes of the bodies of all requests at once. */
  readonly maxBodiesBytes: number;
  /** Bytes of large answers that clients have not read, of all requests at once. */
  readonly maxUnreadBytes: number;
  /** Bytes that watchers have not read, of all watches at once. */
  readonly maxUnreadWatchBytes: number;
  /** Seats of the requests at once that are not exempt, shared by the priority levels; watches have none while they stream. */
  readonly maxInFlight: number;
  /** Watches at once. */
  readonly maxWatches: number;
  /** Milliseconds until a request is answered, watches excepted; a client may ask for less by `timeout`. */
  readonly requestTimeout: number;
  /** Milliseconds a client may take to send a request. */
  readonly sendTimeout: number;
  /** Milliseconds a client may take to read a large answer. */
  readonly readTimeout: number;
  /** Bytes of a request line and its headers. */
  readonly maxHeaderBytes: number;
}

export const DEFAULT_LIMITS: ServerLimits = {
  maxBodyBytes: 3 * 1024 * 1024,
  maxBodiesBytes: 256 * 1024 * 1024,
  maxUnreadBytes: 512 * 1024 * 1024,
  maxUnreadWatchBytes: 512 * 1024 * 1024,
  maxInFlight: 600,
  maxWatches: 10_000,
  requestTimeout: 60_000,
  sendTimeout: 60_000,
  readTimeout: 60_000,
  maxHeaderBytes: 64 * 1024,
};
