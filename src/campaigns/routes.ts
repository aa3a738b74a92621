import { Router } from 'express';
import type { Database } from '../database.ts';
import { inputOf } from '../http/contract/input-of.ts';
import { readPage } from '../http/page.ts';
import { createCampaign } from './create-campaign.ts';
import { deleteCampaign } from './delete-campaign.ts';
import { listCampaigns } from './list-campaigns.ts';
import { updateCampaign } from './update-campaign.ts';

export function campaignRoutes({ database }: { database: Database }): Router {
  const router = Router();

  router.get('/api/v1/campaigns', async (request, response) => {
    const { query } = inputOf(request, 'listCampaigns');
    response.json(await listCampaigns(database, request.principal, query, readPage(query)));
  });

  router.post('/api/v1/campaigns', async (request, response) => {
    const { body } = inputOf(request, 'createCampaign');
    response.status(201).json(await createCampaign(database, request.principal, body));
  });

  router.patch('/api/v1/campaigns/:campaignId', async (request, response) => {
    const { principal, params } = request;
    const { body } = inputOf(request, 'updateCampaign');
    response.json(await updateCampaign(database, principal, params.campaignId, body));
  });

  router.delete('/api/v1/campaigns/:campaignId', async (request, response) => {
    await deleteCampaign(database, request.principal, request.params.campaignId);
    response.status(204).end();
  });

  return router;
}
