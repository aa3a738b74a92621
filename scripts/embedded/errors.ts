// By shape and not by `instanceof`: an error of Node's own comes from another realm inside a test run.

/** The code of a system error, `ENOENT` and the like; undefined for anything else that was thrown. */
export function codeOf(error: unknown): string | undefined {
  const isCoded = typeof error === 'object' && error !== null && 'code' in error;
  return isCoded ? String(error.code) : undefined;
}

export function messageOf(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error;
  return hasMessage ? String(error.message) : String(error);
}
