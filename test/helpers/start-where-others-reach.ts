import { readStartSettings } from '../../scripts/embedded/settings.ts';
import { main } from '../../scripts/start.ts';

// `npm start` as it is where others reach the API, though it listens on loopback.
await main(() => readStartSettings(process.env, () => false));
