/** The options of the mock. */
export interface MockOptions {
  /** Default: 0, a free port. */
  port?: number | undefined;
  /** Default: 127.0.0.1. */
  host?: string | undefined;
  /** The least and the most milliseconds before a response. Default: none. */
  delay?: [number, number] | undefined;
  /** The share of requests that return 429, 500 or 503, from 0 to 1. Default: 0. */
  errors?: number | undefined;
  /** Seconds after which a stream of events ends. Default: 300. */
  streamSeconds?: number | undefined;
  /** Receives a line for each request. Default: none. */
  log?: ((line: string) => void) | undefined;
}

/** A running mock. */
export interface Mock {
  /** The base URL with the major version, for the `baseUrl` of a client. */
  url: string;
  /** Closes all connections and frees the port. */
  close(): Promise<void>;
}
