import { Resources } from './generated/resources.ts';
import { Transport, type ClientOptions } from './transport.ts';
import { Messages } from './wait-for-message.ts';

/**
 * The client of one caller: `new SmsClient({ baseUrl, apiKey })`. Its fields are the resources of the API. Without a
 * key and a token, a browser sends the cookie of its session, if baseUrl is the page's own origin.
 */
export class SmsClient extends Resources {
  override readonly messages: Messages;

  /** @throws TypeError for an invalid baseUrl or credential, and for a key together with a token */
  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    super(transport);
    this.messages = new Messages(transport);
  }
}
