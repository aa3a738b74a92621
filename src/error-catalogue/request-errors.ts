import type { ErrorDescription } from './error-description.ts';

/** The codes for requests that cannot be read, that break a rule of the interface, or that come too often. */
export const requestErrors = {
  invalid_request: {
    status: 400,
    meaning: 'The request breaks a rule of the interface; `errors` names each field.',
    happens:
      'A required field is missing, a field is unknown, or a value has the wrong type, length or format. ' +
      'Some rules compare fields, for example `from` must not be later than `to`.',
    cure:
      'Read `errors`: `path` says where the field is, `code` what is wrong with it, and `message` what it must be. ' +
      'Correct these fields and send the request again. A repetition of the same request fails again.',
    anywhere: 'Every operation with parameters or a body.',
  },
  malformed_request: {
    status: 400,
    meaning: 'The data received is not a valid HTTP request.',
    happens:
      'The bytes on the connection are not HTTP, for example because a client speaks TLS to a port without TLS, or the ' +
      'request has no `Host` header.',
    cure:
      'Check the scheme (`http` or `https`) and the port of the URL, and any proxy between the client and the service. ' +
      'An HTTP library does not send such a request.',
    anywhere: 'Every address, before an operation is chosen.',
  },
  request_timeout: {
    status: 408,
    meaning: 'The request did not arrive within its time. Nothing was done.',
    happens:
      'The header takes longer than 20 seconds, or header and body longer than 300 seconds, for example because the client ' +
      'stopped, or announced more bytes in `Content-Length` than it sent.',
    cure: 'Send the request again, on a new connection. Compare `Content-Length` with the body.',
    anywhere: 'Every address, before an operation is carried out.',
  },
  expectation_failed: {
    status: 417,
    meaning: 'The only supported expectation is 100-continue. Leave the Expect header out.',
    happens: 'The request has an `Expect` header with another value than `100-continue`.',
    cure: 'Remove the `Expect` header, or let the HTTP library set it.',
    anywhere: 'Every address, before an operation is chosen.',
  },
  malformed_body: {
    status: 400,
    meaning: 'The body cannot be read in the encoding that Content-Type names.',
    happens:
      'The body is not valid JSON, not a valid form, not UTF-8, or not compressed as `Content-Encoding` says; or the ' +
      'connection closed before the body was complete.',
    cure:
      'Let a library write the body, for example `JSON.stringify`, and send the `Content-Type` that belongs to it. ' +
      'In a shell, put single quotes around JSON.',
    anywhere: 'Every operation with a body.',
  },
  payload_too_large: {
    status: 413,
    meaning: 'The body is larger than this endpoint accepts.',
    happens:
      'The body has more than 1 MiB, or more than the limit that the operation names; or the header of the request has ' +
      'more than 32 KiB.',
    cure: 'Send less at a time: split a list into several requests, or a file into several imports.',
    anywhere: 'Every operation with a body.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'Send application/json, application/x-www-form-urlencoded or multipart/form-data.',
    happens:
      'The `Content-Type` is missing or another one, its charset is not UTF-8, or the `Content-Encoding` is none of ' +
      'gzip, deflate and br.',
    cure: 'Set `Content-Type: application/json` and send JSON in UTF-8.',
    anywhere: 'Every operation with a body.',
  },
  not_found: {
    status: 404,
    meaning: 'The resource does not exist, or it belongs to another organization or user.',
    happens:
      'The path is not one of the API, the id is wrong or was deleted, or the resource belongs to somebody else. The ' +
      'response is the same in all cases, so that nobody learns which ids exist.',
    cure:
      'Compare the path with the API reference, and the id with the response that returned it. Check that the key or ' +
      'the session belongs to the organization of the resource. A test key sees only test messages, and a live key ' +
      'only live ones.',
    anywhere: 'Every operation with an id in its path, and every unknown path.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path does not support this method; see the Allow header.',
    happens: 'The path exists, but not with this method: for example `PUT` where a change is `PATCH`.',
    cure: 'Use a method of the `Allow` header.',
    anywhere: 'Every path.',
  },
  invalid_state: {
    status: 409,
    meaning: 'The current state of the resource does not allow this action.',
    happens:
      'The action is possible only in some states: only a processing batch can be paused, only a dead webhook delivery ' +
      'redriven, only a rejected sender ID resubmitted.',
    cure: 'Read the resource again. `detail` names its state and what is possible in it.',
  },
  already_exists: {
    status: 409,
    meaning: 'A resource with these values already exists.',
    happens:
      'A value that must be unique is taken: the number of a contact, the name of a template, a sender ID, a keyword, ' +
      'the slug of an organization, the address of an account, or an open invitation.',
    cure:
      'Use the existing resource, or choose another value. If the first response of a repeated request was lost, this ' +
      'response means that the first request succeeded.',
  },
  idempotency_in_progress: {
    status: 409,
    meaning: 'The first request with this Idempotency-Key is still in progress; see Retry-After.',
    happens: 'Two requests with the same `Idempotency-Key` arrive at nearly the same time.',
    cure: 'Wait for the seconds in `Retry-After` and repeat the request: it returns the response of the first one.',
  },
  idempotency_key_reused: {
    status: 422,
    meaning: 'This Idempotency-Key was used with another body in the last 24 hours.',
    happens: 'A key is used for two different requests, for example because it is made of too few values.',
    cure:
      'Make a new key for each new request, for example a random UUID or the id of the order, and use it again only to ' +
      'repeat the same request.',
  },
  rate_limited: {
    status: 429,
    meaning: 'Too many requests. Wait for the time in Retry-After.',
    happens:
      'The key, the session, the organization or the address has made more requests in a minute than it may; or a ' +
      'limit of its own is reached: codes to one recipient, mails to one address, wrong passwords, invitations, ' +
      'uploads, or open streams.',
    cure:
      'Wait for the seconds in `Retry-After`, then repeat the request. To stay below the limit, read `RateLimit-Remaining` ' +
      'and `RateLimit-Reset` of every response. Use a bulk batch to send one text to many recipients.',
    anywhere: 'Every operation except the callbacks of the gateway and the health endpoints.',
  },
} as const satisfies Record<string, ErrorDescription>;
