import { readFile } from 'node:fs/promises';
import type { ListContactsQuery } from '../client/src/index.ts';
import { clientOf, startService, type RunningService } from './service.ts';

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
  const { organizationId } = service.demo;
  const sms = clientOf(service);
  const failures: string[] = [];
  const report = (what: string, value: number, unit: string, limit?: number): void => {
    const isBeyond = limit !== undefined && value > limit;
    if (isBeyond) failures.push(what);
    process.stdout.write(
      `${what.padEnd(52)} ${value.toFixed(unit === 's' ? 1 : 0).padStart(7)} ${unit}${isBeyond ? '  (!)' : ''}\n`,
    );
  };

  const importFile = async (csv: Blob): Promise<{ answeredMs: number; taken: number }> => {
    const startedAt = performance.now();
    const { id } = await sms.contacts.import({ organizationId, file: csv });
    const answeredMs = performance.now() - startedAt;
    for (;;) {
      const { status, imported, updated } = await sms.contacts.getImport(id);
      if (status === 'completed') return { answeredMs, taken: imported + updated };
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

  const queries: ListContactsQuery[] = [
    {},
    { search: 'nobody at all' },
    { search: '0911' },
    { search: '11000000' },
    { search: 'አበበ 7' },
    { search: 'vip' },
    { tag: 'none' },
    { from: '2001-01-01', to: '2001-01-02' },
  ];
  for (const query of queries) {
    const took: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const startedAt = performance.now();
      await sms.contacts.list({ limit: 200, ...query }).page();
      took.push(performance.now() - startedAt);
    }
    const filters = Object.entries(query).map((filter) => filter.join('='));
    report(
      `list ${filters.join('&')}, median of 10`,
      took.toSorted((a, b) => a - b)[5]!,
      'ms',
      limits.searchMs,
    );
  }

  const memoryBefore = await memories(service);
  let startedAt = performance.now();
  const exported = await (await sms.contacts.export()).text();
  report('export', (performance.now() - startedAt) / 1000, 's');
  report(
    '  the api process grew at most by',
    (await memories(service)).api - memoryBefore.api,
    'MB',
    limits.processMegabytes,
  );
  if (exported.split('\r\n').length !== count + 2) throw new Error('The export is incomplete.');

  const ids: string[] = [];
  for await (const { id } of sms.contacts.list({ limit: 200 })) ids.push(id);
  const { id: listId } = await sms.contactLists.create({ organizationId, name: 'All' });
  for (const contactIds of [ids, ids.slice(count / 2), ids]) {
    startedAt = performance.now();
    const replaced = await sms.contactLists.replaceMembers(listId, { organizationId, contactIds });
    const seconds = (performance.now() - startedAt) / 1000;
    report(`members ${JSON.stringify(replaced)}`, seconds, 's', limits.membersSeconds);
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

/** The peak memory of each process so far, in MB. */
async function memories(service: RunningService): Promise<Record<'api' | 'worker', number>> {
  const most = async (part: 'api' | 'worker'): Promise<number> => {
    const status = await readFile(`/proc/${service.processId(part)}/status`, 'utf8').catch(() => '');
    return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
  };
  return { api: await most('api'), worker: await most('worker') };
}
