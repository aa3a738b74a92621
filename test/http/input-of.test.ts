import type { Request } from 'express';
import { inputOf } from '../../src/http/contract/input-of.ts';

const request = {
  operation: { operationId: 'listCampaigns' },
  query: { status: 'active' },
  body: undefined,
} as unknown as Request;

test('a handler gets the query and the body of its operation', () => {
  expect(inputOf(request, 'listCampaigns').query.status).toBe('active');
});

test('a handler that names another operation fails, because the types would be wrong', () => {
  expect(() => inputOf(request, 'listMessages')).toThrow(
    'The handler of listCampaigns reads the input of listMessages.',
  );
});
