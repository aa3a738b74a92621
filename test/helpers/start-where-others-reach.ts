import { readStartSettings } from '../../scripts/embedded/settings.ts';
import { main } from '../../scripts/start.ts';

// Runs `npm start` as if others could reach the API, although it listens on loopback.
await main(() => readStartSettings(process.env, () => false));
