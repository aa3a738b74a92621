import type { RequestHandler } from 'express';
import { gatewayTokenCheck } from '../auth/access/authenticate.ts';
import type { Contract } from '../http/contract/contract.ts';
import type { GatewayReport } from './receive-report.ts';

const path = '/api/v1/gateway/dlr';
const names = new Set(['messageId', 'token', 'status', 'smscId', 'providerMessageId', 'to']);

/**
 * Responds to delivery reports of the usual form. It runs after the request id, the headers of all responses and the
 * checks of the request headers, but before authentication, limits and validation. A message causes two reports, and
 * those cost several times as much CPU as the report itself.
 *
 * A report is usual if each parameter is one that openapi.yaml names, occurs once and is valid UTF-8, if none that is
 * required is empty, and if the token is right. Any other request is passed to the normal handlers, which alone decide
 * how it is read and refused. For a usual report both ways give the same response.
 */
export function receiveUsualReports(
  dependencies: {
    receiveReport: (report: GatewayReport) => Promise<void>;
    gatewayTokens: readonly string[];
  },
  contract: Contract,
): RequestHandler {
  const { receiveReport, gatewayTokens } = dependencies;
  const isGatewayToken = gatewayTokenCheck(gatewayTokens);
  const operation = contract.operations.find(({ operationId }) => operationId === 'receiveDeliveryReport')!;
  return async (request, response, next) => {
    const report = request.method === 'GET' ? readUsualReport(request.url) : null;
    if (!report || !isGatewayToken(report.token)) return next();
    request.operation = operation;
    response.set('Cache-Control', 'no-store');
    await receiveReport(report);
    // As `type` and `send` would, which take several times as long.
    response.setHeader('Content-Type', 'text/plain; charset=utf-8');
    response.setHeader('Content-Length', 0);
    response.end();
  };
}

/** Returns the parameters of a report, or null if the target is not that of a usual report. */
function readUsualReport(target: string): (GatewayReport & { token: string }) | null {
  if (!target.startsWith(path) || target[path.length] !== '?') return null;
  const found = new Map<string, string>();
  for (const pair of target.slice(path.length + 1).split('&')) {
    const [name = '', encoded, ...rest] = pair.split('=');
    if (!names.has(name) || found.has(name) || encoded === undefined || rest.length > 0) return null;
    const value = decode(encoded);
    if (value === null) return null;
    found.set(name, value);
  }
  const [token, messageId, status] = [found.get('token'), found.get('messageId'), found.get('status')];
  if (!token || !messageId || !status) return null;
  const [smscId, providerMessageId] = [found.get('smscId'), found.get('providerMessageId')];
  return {
    token,
    messageId,
    status,
    ...(smscId && { smscId }),
    ...(providerMessageId && { providerMessageId }),
  };
}

/** Decodes a value of a form; null if it is not valid, or contains a fragment or a character that cannot be stored. */
function decode(encoded: string): string | null {
  if (encoded.includes('#')) return null;
  try {
    const value = decodeURIComponent(encoded.replaceAll('+', ' '));
    return value.includes('\0') ? null : value;
  } catch {
    return null;
  }
}
