/** What one error code tells the one who receives it. Texts are Markdown without links. */
export interface ErrorDescription {
  /** The HTTP status of every response with this code. */
  status: number;
  /** What the code means, in one or two sentences; also the `detail` where the request adds nothing to it. */
  meaning: string;
  /** When it happens: the causes. */
  happens: string;
  /** What the one who receives it does. */
  cure: string;
  /** Which operations return it, for a code that openapi.yaml does not name at single operations. */
  anywhere?: string;
}
