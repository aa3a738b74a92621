import { startEmbeddedTemporal, type Run } from './servers.ts';

/** Which processes and servers a run consists of. */
export interface Shape {
  apis: number;
  workers: number;
  /** Whether all API processes listen on PORT. Otherwise each further one has a port of its own, in ports.json. */
  isPortShared: boolean;
  /** Further ports to choose: the name of each, and the port to prefer. */
  ports: Record<string, number>;
  /** Settings of the embedded PostgreSQL that replace its defaults. */
  databaseSettings: Record<string, string>;
  startTemporal: (run: Run) => Promise<{ address: string; uiUrl?: string }>;
  /** Puts a server between the processes and PostgreSQL. Returns the URL that the processes use. */
  startPooler?: (run: Run, databaseUrl: string) => Promise<string>;
}

/** The shape of `npm start`. */
export const oneOfEach: Shape = {
  apis: 1,
  workers: 1,
  isPortShared: false,
  ports: {},
  databaseSettings: {},
  startTemporal: startEmbeddedTemporal,
};

/** The name of one process of several: `api`, `api-2`, `api-3`, … */
export function namesOf(kind: 'api' | 'worker', count: number): string[] {
  return Array.from({ length: count }, (_one, index) => (index === 0 ? kind : `${kind}-${index + 1}`));
}
