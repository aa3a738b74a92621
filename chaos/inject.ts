import { setTimeout as sleep } from 'node:timers/promises';
import type { MadeFault } from './evidence.ts';
import type { Fault } from './plan.ts';
import { withDescendants } from './world/servers.ts';
import type { World } from './world/world.ts';

/** The faults of a run. */
export interface Injection {
  made: MadeFault[];
  /** Faults that this machine cannot make. */
  leftOut: Fault[];
  /** Resolves when every fault of the plan was made and has ended. */
  done: Promise<void>;
}

/** How the end of a fault is brought about. */
type End = () => void | Promise<void>;

/**
 * Makes the faults of a plan, each at its time, and ends each after its duration.
 *
 * @param onFault is called when a fault begins
 */
export function injectFaults(world: World, plan: Fault[], onFault: (fault: Fault) => void): Injection {
  const [made, leftOut]: [MadeFault[], Fault[]] = [[], []];
  const startedAtMs = Date.now();
  const inject = async (fault: Fault): Promise<void> => {
    await sleep(Math.max(0, startedAtMs + fault.atMs - Date.now()));
    const end = beginFault(world, fault);
    if (end === undefined) {
      leftOut.push(fault);
      return;
    }
    onFault(fault);
    const one = { fault, startedAtMs: Date.now(), endedAtMs: Infinity };
    made.push(one);
    await sleep(fault.durationMs);
    await end();
    one.endedAtMs = Date.now();
  };
  return { made, leftOut, done: Promise.all(plan.map(inject)).then(() => undefined) };
}

const nothing = (): void => undefined;

/** @returns undefined if this machine cannot make the fault */
function beginFault(world: World, fault: Fault): End | undefined {
  const { links, gateway, receivers, disk, clocks, temporal } = world;
  switch (fault.kind) {
    case 'kill':
      signal(world.processId(fault.target), 'SIGKILL');
      return nothing;
    case 'pause':
      return pause(world.processId(fault.target));
    case 'restart-postgres':
      signal(world.processId('postgres'), fault.mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
      return nothing;
    case 'wipe-temporal':
      temporal.wipeAtNextStart();
      signal(world.processId('temporal'), 'SIGKILL');
      return nothing;
    case 'fill-disk':
      disk?.fill();
      return disk?.empty;
    case 'step-clock':
      clocks[fault.target]?.step(fault.seconds);
      return clocks[fault.target] && (() => clocks[fault.target]?.step(0));
    case 'cut':
      links[fault.link].cut();
      return links[fault.link].heal;
    case 'freeze':
      links[fault.link].freeze();
      return links[fault.link].heal;
    case 'delay':
      links[fault.link].delay(fault.delayMs);
      return links[fault.link].heal;
    case 'reports':
      gateway.relay.setFault(fault.fault, true);
      return () => gateway.relay.setFault(fault.fault, false);
    case 'receivers':
      receivers.setFault(fault.fault, true);
      return () => receivers.setFault(fault.fault, false);
  }
}

/** A process that an earlier fault has killed may not be back yet. */
function signal(processId: number | undefined, name: NodeJS.Signals): void {
  if (processId === undefined) return;
  try {
    process.kill(processId, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function pause(processId: number | undefined): End {
  if (processId === undefined) return nothing;
  // The parent first, so that it starts no more children.
  signal(processId, 'SIGSTOP');
  const paused = withDescendants(processId);
  paused.forEach((id) => signal(id, 'SIGSTOP'));
  return () => paused.toReversed().forEach((id) => signal(id, 'SIGCONT'));
}
