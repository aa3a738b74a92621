import type { MessageInput } from 'sms-service-client';

/** The command that sends a message, without `from` by the default sender. The key is read from a variable. */
export function curlOf({ to, from, text }: Pick<MessageInput, 'to' | 'from' | 'text'>): string {
  const body = JSON.stringify({ to, from, text });
  return [
    `curl -sS ${window.location.origin}/api/v1/messages`,
    `-H "X-API-Key: $SMS_API_KEY"`,
    `-H 'Content-Type: application/json'`,
    // In a shell, a quote within single quotes is the end of them, an escaped quote, and their beginning.
    `-d '${body.replaceAll("'", String.raw`'\''`)}'`,
  ].join(' \\\n  ');
}
