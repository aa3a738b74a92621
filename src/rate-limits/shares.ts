/** The work of a process, as organizations share it. */
export interface Shares {
  /**
   * Calls `begin` once: at once, or when enough of the organization's earlier work has left. `begin` returns whether
   * there still is work. If so, its end must be reported with `leave`.
   */
  enter: (organizationId: string, begin: () => boolean) => void;
  leave: (organizationId: string) => void;
}

/**
 * Creates the shares of a process. Work of one organization never waits for that of another, but for its own, in the
 * order of arrival.
 *
 * @param options.perOrganization how much work of an organization is in hand at a time, unless it is alone
 * @param options.aloneAfterMs an organization is alone if no other one has entered for this time
 */
export function createShares(options: {
  perOrganization: number;
  aloneAfterMs: number;
  nowMs?: () => number;
}): Shares {
  const { perOrganization, aloneAfterMs, nowMs = () => performance.now() } = options;
  const organizations = new Map<string, { inWork: number; waiting: (() => boolean)[] }>();
  // Who entered last, and when anyone else did last: enough to know who is alone.
  let last = { organizationId: '', atMs: Number.NEGATIVE_INFINITY };
  let othersAtMs = Number.NEGATIVE_INFINITY;

  function isAlone(organizationId: string): boolean {
    const seenAtMs = last.organizationId === organizationId ? othersAtMs : last.atMs;
    return seenAtMs < nowMs() - aloneAfterMs;
  }

  /** Begins what waits and may begin. */
  function begin(organizationId: string): void {
    const organization = organizations.get(organizationId)!;
    const { waiting } = organization;
    while (waiting.length > 0 && (organization.inWork < perOrganization || isAlone(organizationId))) {
      organization.inWork += 1;
      if (!waiting.shift()!()) organization.inWork -= 1;
    }
    if (organization.inWork === 0) organizations.delete(organizationId);
  }

  return {
    enter: (organizationId, work) => {
      if (last.organizationId !== organizationId) othersAtMs = last.atMs;
      last = { organizationId, atMs: nowMs() };
      const organization = organizations.get(organizationId);
      if (organization) organization.waiting.push(work);
      else organizations.set(organizationId, { inWork: 0, waiting: [work] });
      begin(organizationId);
    },
    leave: (organizationId) => {
      organizations.get(organizationId)!.inWork -= 1;
      begin(organizationId);
    },
  };
}
