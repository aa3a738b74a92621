/** An idempotency key of 128 random bits. `crypto.randomUUID` exists only in pages that were loaded over https. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join('-');
}
