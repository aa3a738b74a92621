import { SmsClient, type ClientOptions } from 'sms-service-client';
import { UsageError } from './errors.ts';

/**
 * Creates a client for what a person has given.
 *
 * @throws UsageError if the URL or the credential cannot be used
 */
export function createClient(options: ClientOptions): SmsClient {
  const { baseUrl } = options;
  if (!/^https?:/.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new UsageError(`The URL of the service is invalid: ${baseUrl}. Example: https://sms.example.com`);
  }
  try {
    return new SmsClient(options);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(error.message);
  }
}
