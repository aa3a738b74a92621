// These check the shape instead of `instanceof`, because in a test run Node's own errors come from another realm.

/** The code of a system error, for example `ENOENT`; undefined for any other thrown value. */
export function codeOf(error: unknown): string | undefined {
  const isCoded = typeof error === 'object' && error !== null && 'code' in error;
  return isCoded ? String(error.code) : undefined;
}

export function messageOf(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error;
  return hasMessage ? String(error.message) : String(error);
}
