import { ApiError } from '../errors.ts';
import { refuseUnstorable } from '../http/storable-values.ts';
import { findTimezone } from './timezone.ts';

/**
 * Reads the metadata of an organization, which are a string in the API and an object in better-auth.
 *
 * Error: invalid_request, for text that is not a JSON object, for values that would be returned differently from what
 * was sent, and for an unknown `timezone`.
 *
 * @param path the path of the field, such as `/body/metadata`
 */
export function readMetadata(text: string, path: string): object {
  const metadata = parse(text);
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
    throw new ApiError('invalid_request', 'The metadata are not a JSON object.', {
      errors: [{ path, code: 'wrong_format', message: 'must be a JSON object, as text' }],
    });
  }
  refuseUnstorable(metadata, path);
  const { timezone } = metadata as { timezone?: unknown };
  if (timezone !== undefined && (typeof timezone !== 'string' || findTimezone(timezone) === null)) {
    throw new ApiError('invalid_request', 'The time zone in the metadata does not exist.', {
      errors: [
        {
          path,
          code: 'unknown_timezone',
          message: 'timezone must be an IANA name such as Africa/Addis_Ababa',
        },
      ],
    });
  }
  return metadata;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
