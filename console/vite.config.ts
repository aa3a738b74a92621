import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compressTexts } from '../scripts/compress-texts.ts';

/** Where `npm run dev` finds a running API. */
const apiUrl = process.env['API_URL'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  base: '/console/',
  plugins: [react(), tailwindcss(), compressAssets()],
  // The client is read as source; it needs no build.
  resolve: { conditions: ['sms-service-source', 'module', 'browser', 'development|production'] },
  build: {
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // A file in the bundle as a data: address would break the strict policy of the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    emptyOutDir: true,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // A file for each icon, and for each hook of these libraries, would cost more in headers than its contents.
        codeSplitting: {
          groups: [
            { name: 'icons', test: /lucide-react/ },
            {
              name: 'libraries',
              test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(query-core|react-query|history|router-core|react-router|store|react-store))\//,
            },
          ],
        },
      },
    },
  },
  // The API refuses writes from another origin, so it sees its own.
  server: {
    proxy: {
      '/api': { target: apiUrl, changeOrigin: true, headers: { Origin: new URL(apiUrl).origin } },
    },
  },
});

function compressAssets(): Plugin {
  return { name: 'compress-assets', apply: 'build', writeBundle: ({ dir }) => compressTexts(dir!) };
}
