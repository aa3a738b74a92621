/** Reads a stream chunk by chunk, and cancels it when the reader stops early. Not all browsers can iterate streams. */
export async function* readChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let isEnded = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      isEnded = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!isEnded) await reader.cancel().catch(() => undefined);
  }
}

/** Turns a generator of bytes into a stream, which reads no further than its consumer. */
export function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await chunks.return(undefined)),
  });
}
