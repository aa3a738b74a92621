import type { Response } from 'express';
import type { IdempotentResult } from './find-answer.ts';

/** Responds with the created resource, or with the same bytes as the earlier response. */
export function answerOnce(response: Response, status: number, result: IdempotentResult<object>): void {
  if (result.kind === 'made') {
    response.status(status).json(result.record);
    return;
  }
  response.status(result.status).set('Idempotency-Replayed', 'true').type('json').send(result.body);
}
