/** The fields of an error that may be logged or appear in a workflow's history. */
export interface SafeError {
  name: string;
  code?: string;
  message: string;
  stack: string;
  cause?: SafeError;
}

/**
 * Returns the parts of an error that show a developer where and why it happened, and no text that a person wrote.
 * PostgreSQL and parsers quote the values they reject, so their messages are replaced by their codes: no
 * phone number, text, security code or secret is in logs and histories.
 */
export function toSafeError(error: unknown): SafeError {
  if (typeof error !== 'object' || error === null)
    return { name: typeof error, message: 'the thrown value is not an Error', stack: '' };
  const { name, code, message, stack, severity, cause } = error as Record<string, unknown>;
  const quotesValues = severity !== undefined || name === 'SyntaxError' || name === 'ValidationError';
  return {
    name: String(name),
    ...(typeof code === 'string' && { code }),
    message: quotesValues
      ? `${String(name)} ${typeof code === 'string' ? code : ''}`.trim()
      : String(message),
    stack: (typeof stack === 'string' ? stack : '')
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
    ...(cause !== undefined && { cause: toSafeError(cause) }),
  };
}
