import type { Attempt } from './attempt.ts';
import { readChunks, streamOf } from './byte-streams.ts';

/**
 * A file while it is received: iterate over its bytes, or take them as a stream or a text. It can be read once.
 * Reading throws SmsConnectionError if the connection breaks before the end of the file.
 */
export class Download implements AsyncIterable<Uint8Array> {
  readonly #response: Response;
  readonly #attempt: Attempt;

  constructor(response: Response, attempt: Attempt) {
    this.#response = response;
    this.#attempt = attempt;
  }

  /** The bytes, chunk by chunk. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    const chunks = this.#response.body === null ? undefined : readChunks(this.#response.body);
    try {
      for (;;) {
        const next = await this.#attempt.guard(async () => chunks?.next());
        if (next === undefined || next.done) return;
        yield next.value;
      }
    } finally {
      // Without this, the rest of a file that nobody reads would keep the connection busy.
      this.#attempt.abort();
      this.#attempt.end();
    }
  }

  /** The bytes as a stream, for example to pipe them into a file. */
  stream(): ReadableStream<Uint8Array> {
    return streamOf(this[Symbol.asyncIterator]());
  }

  /** The whole file as text, in memory. */
  async text(): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of this) text += decoder.decode(chunk, { stream: true });
    return text + decoder.decode();
  }

  /** Gives the file up. */
  cancel(): void {
    this.#attempt.abort();
    this.#attempt.end();
  }
}
