/** The response of an operation. The body is a value, and after serialization text or a stream. */
export interface OperationResponse {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}
