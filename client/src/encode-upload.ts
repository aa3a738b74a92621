import { readChunks, streamOf } from './byte-streams.ts';

/** A body as fetch sends it, and the content type that fetch does not know by itself. */
export interface EncodedBody {
  body?: NonNullable<RequestInit['body']>;
  contentType?: string;
  /** Whether the body can be sent only once, because it is read from a stream. */
  isSpent?: boolean;
}

/**
 * A file to upload: its text or bytes, a Blob, or a stream of bytes. In Node, `fs.openAsBlob(path)` opens a file as a
 * Blob without reading it into memory, and an upload of a Blob can be repeated. That of a stream cannot.
 */
export type Upload = string | Uint8Array | Blob | ReadableStream<Uint8Array>;

/** Encodes fields, of which at most one is a stream, as multipart/form-data (RFC 7578). */
export function encodeUpload(fields: Record<string, Upload | undefined>): EncodedBody {
  const given = Object.entries(fields).filter((field): field is [string, Upload] => field[1] !== undefined);
  const streamed = given.find(([, value]) => value instanceof ReadableStream);
  if (streamed) return encodeStream(given);
  const form = new FormData();
  for (const [name, value] of given) {
    if (name === 'file') form.append(name, asBlob(value as Exclude<Upload, ReadableStream>), 'file.csv');
    else form.append(name, value as string);
  }
  // fetch adds the content type, with the boundary that it chooses.
  return { body: form };
}

function asBlob(value: Exclude<Upload, ReadableStream>): Blob {
  return value instanceof Blob ? value : new Blob([value as string | Uint8Array<ArrayBuffer>], { type: 'text/csv' });
}

/** FormData holds no streams, so the parts are written here. */
function encodeStream(fields: [name: string, value: Upload][]): EncodedBody {
  const boundary = `sms-${Array.from(crypto.getRandomValues(new Uint8Array(16)), toHex).join('')}`;
  const encoder = new TextEncoder();
  const write = async function* (): AsyncGenerator<Uint8Array> {
    for (const [name, value] of fields) {
      const isFile = value instanceof ReadableStream;
      const kind = isFile ? '; filename="file.csv"\r\nContent-Type: text/csv' : '';
      yield encoder.encode(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${kind}\r\n\r\n`);
      if (isFile) yield* readChunks(value);
      else yield encoder.encode(value as string);
      yield encoder.encode('\r\n');
    }
    yield encoder.encode(`--${boundary}--\r\n`);
  };
  return {
    body: streamOf(write()),
    contentType: `multipart/form-data; boundary=${boundary}`,
    isSpent: true,
  };
}

function toHex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
