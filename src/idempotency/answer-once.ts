import type { Response } from 'express';
import type { IdempotentResult } from './find-answer.ts';

/** Answers with what was made, or with the very bytes that were answered before. */
export function answerOnce(response: Response, status: number, result: IdempotentResult<object>): void {
  if (result.kind === 'made') {
    response.status(status).json(result.record);
    return;
  }
  response.status(result.status).set('Idempotency-Replayed', 'true').type('json').send(result.body);
}
