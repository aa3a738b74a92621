import { readFile } from 'node:fs/promises';
import { startService, type RunningService } from './service.ts';

/** The limits for the service with 100,000 contacts. */
const limits = { importSeconds: 20, processMegabytes: 200, searchMs: 150, membersSeconds: 5 };

/**
 * Imports contacts from one CSV file, then searches and exports them and creates a phonebook from them, over HTTP, in
 * its own service. Prints the time of each step and the memory growth. Options: the number of contacts (100000).
 */
export async function contactsBench([count = '100000']: string[]): Promise<void> {
  const service = await startService();
  try {
    const failures = await measure(service, Number(count));
    if (failures.length > 0) throw new Error(`Above the limit: ${failures.join(', ')}.`);
  } finally {
    await service.stop();
  }
}

async function measure(service: RunningService, count: number): Promise<string[]> {
  const { baseUrl, organizationId, testApiKey } = service.demo;
  const failures: string[] = [];
  const call = (method: string, path: string, body?: string | FormData, type?: string): Promise<Response> =>
    fetch(`${baseUrl}${path}`, {
      method,
      headers: { 'X-API-Key': testApiKey, ...(type !== undefined && { 'Content-Type': type }) },
      body,
    });
  const report = (what: string, value: number, unit: string, limit?: number): void => {
    const isBeyond = limit !== undefined && value > limit;
    if (isBeyond) failures.push(what);
    process.stdout.write(
      `${what.padEnd(52)} ${value.toFixed(unit === 's' ? 1 : 0).padStart(7)} ${unit}${isBeyond ? '  (!)' : ''}\n`,
    );
  };

  const importFile = async (csv: Blob): Promise<{ answeredMs: number; taken: number }> => {
    const startedAt = performance.now();
    const form = new FormData();
    form.append('organizationId', organizationId);
    form.append('file', csv, 'contacts.csv');
    const begun = (await (await call('POST', '/api/v1/contacts/import', form)).json()) as { id: string };
    const answeredMs = performance.now() - startedAt;
    for (;;) {
      const answer = await call('GET', `/api/v1/contacts/imports/${begun.id}`);
      const record = (await answer.json()) as { status: string; imported: number; updated: number };
      if (record.status === 'completed') return { answeredMs, taken: record.imported + record.updated };
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  // A first import, so that the memory of a process's warm-up does not count.
  await importFile(new Blob([csvOf(5000)]));
  const file = new Blob([csvOf(count)]);
  report('the file', file.size / 1e6, 'MB');
  for (const round of ['new', 'known']) {
    const memoryBefore = await memories(service);
    const startedAt = performance.now();
    const { answeredMs, taken } = await importFile(file);
    if (taken !== count) throw new Error(`${taken} of ${count} rows were imported.`);
    report(`import of ${round} contacts: response after`, answeredMs, 'ms');
    report(`import of ${round} contacts`, (performance.now() - startedAt) / 1000, 's', limits.importSeconds);
    const memoryAfter = await memories(service);
    for (const part of ['api', 'worker'] as const) {
      const grownBy = memoryAfter[part] - memoryBefore[part];
      report(`  the ${part} process grew at most by`, grownBy, 'MB', limits.processMegabytes);
    }
  }

  for (const query of [
    '',
    'search=nobody at all',
    'search=0911',
    'search=11000000',
    'search=አበበ 7',
    'search=vip',
    'tag=none',
    'from=2001-01-01&to=2001-01-02',
  ]) {
    const path = `/api/v1/contacts?limit=200&${encodeURI(query)}`;
    const took: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const startedAt = performance.now();
      const answer = await call('GET', path);
      await answer.json();
      if (answer.status !== 200) throw new Error(`${path} responded ${answer.status}.`);
      took.push(performance.now() - startedAt);
    }
    report(`list ${query}, median of 10`, took.toSorted((a, b) => a - b)[5]!, 'ms', limits.searchMs);
  }

  const memoryBefore = await memories(service);
  let startedAt = performance.now();
  const exported = await (await call('GET', '/api/v1/contacts/export')).text();
  report('export', (performance.now() - startedAt) / 1000, 's');
  report(
    '  the api process grew at most by',
    (await memories(service)).api - memoryBefore.api,
    'MB',
    limits.processMegabytes,
  );
  if (exported.split('\r\n').length !== count + 2) throw new Error('The export is incomplete.');

  const ids = await allIds(call);
  const made = await call(
    'POST',
    '/api/v1/contact-lists',
    JSON.stringify({ organizationId, name: 'All' }),
    'application/json',
  );
  const { id: listId } = (await made.json()) as { id: string };
  for (const members of [ids, ids.slice(count / 2), ids]) {
    startedAt = performance.now();
    const body = JSON.stringify({ organizationId, contactIds: members });
    const answer = await call('PUT', `/api/v1/contact-lists/${listId}/members`, body, 'application/json');
    const replaced = JSON.stringify(await answer.json());
    report(`members ${replaced}`, (performance.now() - startedAt) / 1000, 's', limits.membersSeconds);
  }
  return failures;
}

function csvOf(count: number): string {
  const lines = Array.from({ length: count }, (_none, index) => {
    const number = `0${911_000_000 + index}`;
    return `${number},አበበ ${index},Bikila,abebe${index}@example.com,Ethio Telecom,vip;addis,Adama,${index % 90}`;
  });
  return `phone,first name,last name,email,company,tags,city,age\n${lines.join('\n')}\n`;
}

async function allIds(call: (method: string, path: string) => Promise<Response>): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer = await call('GET', `/api/v1/contacts?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`);
    const page = (await answer.json()) as {
      data: { id: string }[];
      pagination: { nextCursor: string | null };
    };
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.pagination.nextCursor;
  }
  return ids;
}

/** The peak memory of each process so far, in MB. */
async function memories(service: RunningService): Promise<Record<'api' | 'worker', number>> {
  const most = async (part: 'api' | 'worker'): Promise<number> => {
    const status = await readFile(`/proc/${service.processId(part)}/status`, 'utf8').catch(() => '');
    return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
  };
  return { api: await most('api'), worker: await most('worker') };
}
