import { SmsClient } from 'sms-service-client';

/** The API on the origin of the page. The browser adds the cookie of the session. */
export const sms = new SmsClient({ baseUrl: window.location.origin });
