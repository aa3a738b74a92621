import { Router } from 'express';
import type { Database } from '../database.ts';
import { readPage } from '../http/page.ts';
import type { CampaignInput } from './campaign-input.ts';
import { createCampaign } from './create-campaign.ts';
import { deleteCampaign } from './delete-campaign.ts';
import { listCampaigns, type CampaignFilter } from './list-campaigns.ts';
import { updateCampaign } from './update-campaign.ts';

export function campaignRoutes({ database }: { database: Database }): Router {
  const router = Router();

  router.get('/api/v1/campaigns', async (request, response) => {
    const { principal, query } = request;
    response.json(await listCampaigns(database, principal, query as CampaignFilter, readPage(query)));
  });

  router.post('/api/v1/campaigns', async (request, response) => {
    const input = request.body as CampaignInput;
    response.status(201).json(await createCampaign(database, request.principal, input));
  });

  router.patch('/api/v1/campaigns/:campaignId', async (request, response) => {
    const { principal, params } = request;
    response.json(
      await updateCampaign(database, principal, params.campaignId, request.body as CampaignInput),
    );
  });

  router.delete('/api/v1/campaigns/:campaignId', async (request, response) => {
    await deleteCampaign(database, request.principal, request.params.campaignId);
    response.status(204).end();
  });

  return router;
}
