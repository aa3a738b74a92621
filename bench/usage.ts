import { readdirSync, readFileSync } from 'node:fs';
import type { Client } from 'pg';
import { parts, type PartName, type RunningService } from './service.ts';

/** What the service has used by a certain moment. */
export interface Usage {
  cpuSeconds: Record<PartName, number>;
  walBytes: number;
}

/** What one operation cost. */
export interface Cost {
  cpuMicroseconds: Record<PartName, number>;
  walBytes: number;
}

/** Linux counts the processor time of a process in hundredths of a second on all common machines. */
const ticksPerSecond = 100;

export async function readUsage(service: RunningService, database: Client): Promise<Usage> {
  const { rows } = await database.query<{ bytes: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes`,
  );
  return {
    cpuSeconds: perPart((part) =>
      service.processIds(part).reduce((sum, processId) => sum + cpuSeconds(processId), 0),
    ),
    walBytes: Number(rows[0]!.bytes),
  };
}

export function costOf(operations: number, before: Usage, after: Usage): Cost {
  return {
    cpuMicroseconds: perPart(
      (part) => ((after.cpuSeconds[part] - before.cpuSeconds[part]) * 1e6) / operations,
    ),
    walBytes: (after.walBytes - before.walBytes) / operations,
  };
}

/** The memory (RSS) of each process that runs a part, in MB. */
export function readMemory(service: RunningService, part: PartName): number[] {
  return service.processIds(part).map((processId) => {
    const status = readFileSync(`/proc/${processId}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024;
  });
}

function perPart(value: (part: PartName) => number): Record<PartName, number> {
  return Object.fromEntries(parts.map((part) => [part, value(part)])) as Record<PartName, number>;
}

/** The processor time of a process, of its living children, and of its children that have ended. */
function cpuSeconds(processId: number): number {
  const children = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && readStat(name)?.parent === processId,
  );
  const ticks = [String(processId), ...children].map((id) => readStat(id)?.ticks ?? 0);
  return ticks.reduce((sum, one) => sum + one, 0) / ticksPerSecond;
}

/** Reads /proc/ID/stat, proc(5). Null: the process has ended. */
function readStat(id: string): { parent: number; ticks: number } | null {
  try {
    // The name of the program, in parentheses, may contain spaces.
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const [userTicks, systemTicks, endedUserTicks, endedSystemTicks] = fields.slice(11, 15).map(Number);
    return {
      parent: Number(fields[1]),
      ticks: userTicks! + systemTicks! + endedUserTicks! + endedSystemTicks!,
    };
  } catch {
    return null;
  }
}
