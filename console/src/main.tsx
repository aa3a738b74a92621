import './design/theme.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import * as z from 'zod/mini';
import { ThemeProvider } from './design/theme.tsx';
import { ToastArea } from './design/toast.tsx';
import { LanguageProvider } from './i18n/language.tsx';
import { createQueryClient } from './queries.ts';
import { createConsoleRouter } from './routes.tsx';

// Compiled schemas would need `new Function`, which the policy of the page forbids.
z.config({ jitless: true });

const queryClient = createQueryClient();
const router = createConsoleRouter(queryClient);
const container = document.getElementById('console');
if (container === null) throw new Error('The page has no element with the id "console".');

createRoot(container).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <LanguageProvider>
        <ThemeProvider>
          <QueryClientProvider client={queryClient}>
            <ToastArea>
              <RouterProvider router={router} />
            </ToastArea>
          </QueryClientProvider>
        </ThemeProvider>
      </LanguageProvider>
    </CSPProvider>
  </StrictMode>,
);
