/** The exit codes, with their meaning. They are part of the interface: scripts rely on them. */
export const exitCodes = {
  ok: { code: 0, meaning: 'The command succeeded.' },
  failed: {
    code: 1,
    meaning: 'It failed: the message was not delivered, a check failed, or the service had an error.',
  },
  usage: { code: 2, meaning: 'The command, an argument or an option is wrong. Nothing was requested.' },
  refused: { code: 3, meaning: 'Not signed in, or the service refused the caller (401 or 403).' },
  notFound: { code: 4, meaning: 'What the command names does not exist (404).' },
  unreachable: {
    code: 5,
    meaning: 'The service cannot be reached, is unavailable (503), or did not answer in time.',
  },
  invalid: { code: 6, meaning: 'The service refused the request (400, 409, 422 or 429).' },
  interrupted: { code: 130, meaning: 'Ctrl-C ended the command (other signals: 128 plus their number).' },
} as const;

export type Outcome = keyof typeof exitCodes;
