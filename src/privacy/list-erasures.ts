import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { notFound } from '../errors.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../http/cursor.ts';
import { acrossOrganizations, asTenant } from '../organizations/organization-scope.ts';
import {
  toErasureRecord,
  toPlatformErasureRecord,
  type ErasureRecord,
  type PlatformErasureRecord,
} from './erasure-record.ts';
import { Erasure } from './erasure.entity.ts';

/** Lists the erasures of the caller's organization, newest first. */
export async function listErasures(
  database: Database,
  principal: Principal,
  page: CursorQuery,
): Promise<CursorPage<ErasureRecord>> {
  const found = await asTenant(database, principal, (em) =>
    em.find(Erasure, page.before ? { id: { $lt: page.before } } : {}, {
      orderBy: { id: 'desc' },
      limit: page.limit + 1,
    }),
  );
  return toCursorPage(found, page, toErasureRecord);
}

/** Returns one erasure of the caller's organization. Errors: not_found. */
export async function getErasure(
  database: Database,
  principal: Principal,
  id: string,
): Promise<ErasureRecord> {
  const erasure = await asTenant(database, principal, (em) => em.findOne(Erasure, { id }));
  if (!erasure) throw notFound();
  return toErasureRecord(erasure);
}

/** Lists the erasures that administrators have requested, newest first. */
export async function listPlatformErasures(
  database: Database,
  page: CursorQuery,
): Promise<CursorPage<PlatformErasureRecord>> {
  const ofPage = page.before ? { id: { $lt: page.before } } : {};
  const found = await database.em
    .fork()
    .find(
      Erasure,
      { organization: null, ...ofPage },
      { filters: acrossOrganizations, orderBy: { id: 'desc' }, limit: page.limit + 1 },
    );
  return toCursorPage(found, page, toPlatformErasureRecord);
}

/** Returns one erasure that an administrator has requested. Errors: not_found. */
export async function getPlatformErasure(database: Database, id: string): Promise<PlatformErasureRecord> {
  const erasure = await database.em
    .fork()
    .findOne(Erasure, { id, organization: null }, { filters: acrossOrganizations });
  if (!erasure) throw notFound();
  return toPlatformErasureRecord(erasure);
}
