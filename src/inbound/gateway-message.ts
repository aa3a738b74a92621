import type { Inputs } from '../http/contract/contract-types.ts';

/** A mobile-originated message as the gateway sends it. Kannel leaves unknown values empty. */
export type GatewayMessage = Omit<Inputs['receiveInboundMessage']['query'], 'token'>;
