/** A mobile-originated message as the gateway sends it. Kannel leaves unknown values empty. */
export interface GatewayMessage {
  from: string;
  to: string;
  text: string;
  smscId?: string | undefined;
  providerMessageId?: string | undefined;
  timestamp?: string | undefined;
}
