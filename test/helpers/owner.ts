import type { TestApi } from './api.ts';
import type { TestDatabase } from './databases.ts';
import { signUp, type Person } from './people.ts';

/** A person with a role in an organization. */
export async function joinAs(
  role: 'owner' | 'admin' | 'member',
  { api, db }: { api: TestApi; db: TestDatabase },
  organizationId: string,
): Promise<Person> {
  const person = await signUp(api);
  await db.query(
    `insert into members (id, organization_id, user_id, role, created_at) values (gen_random_uuid(), ?, ?, ?, now())`,
    [organizationId, person.userId, role],
  );
  return person;
}
