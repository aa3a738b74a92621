import { encodeUpload, type EncodedBody, type Upload } from './encode-upload.ts';

/** What the generated methods say about a request. */
export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: object;
  body?: object | undefined;
  /** Whether the body is sent as a form with a file. */
  isUpload?: boolean;
}

/**
 * Builds the path of a request, with each value as one segment.
 *
 * @throws TypeError if a value is no segment: without this check, an empty id would address the whole collection
 */
export function path(parts: TemplateStringsArray, ...values: string[]): string {
  return parts.reduce((before, part, index) => before + segment(values[index - 1]) + part);
}

function segment(value: unknown): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) {
    throw new TypeError(`An id must be a string that is not empty, not ${JSON.stringify(value)}.`);
  }
  return encodeURIComponent(value);
}

/** The URL of a request. Values that are undefined or null are left out. */
export function urlOf(baseUrl: string, request: ApiRequest): string {
  const search = new URLSearchParams(
    Object.entries(request.query ?? {})
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return `${baseUrl}${request.path}${search === '' ? '' : `?${search}`}`;
}

/** Encodes the body of a request: as JSON, or as a form if it has a file. */
export function encodeBody({ body, isUpload }: ApiRequest): EncodedBody {
  if (body === undefined) return {};
  if (isUpload) return encodeUpload(body as Record<string, Upload>);
  return { body: JSON.stringify(body), contentType: 'application/json' };
}
