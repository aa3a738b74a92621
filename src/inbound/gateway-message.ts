/** A message from a phone as the gateway gives it; Kannel leaves what it does not know empty. */
export interface GatewayMessage {
  from: string;
  to: string;
  text: string;
  smscId?: string | undefined;
  providerMessageId?: string | undefined;
  timestamp?: string | undefined;
}
