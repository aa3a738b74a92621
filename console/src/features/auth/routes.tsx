import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { rootRoute } from '../../shell/parents.tsx';
import { sessionQuery } from './session.ts';

/** Where to go after signing in: an address of the console, as `sign-in` got it. */
function readNext(search: Record<string, unknown>): { next?: string } {
  const { next } = search;
  return typeof next === 'string' && next.startsWith('/console/') ? { next } : {};
}

function readText(search: Record<string, unknown>, name: string): string | undefined {
  const value = search[name];
  return typeof value === 'string' ? value : undefined;
}

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-in',
  // A provider that refused the sign-in leads back with `error`.
  validateSearch: (search): { next?: string; error?: string } => {
    const error = readText(search, 'error');
    return { ...readNext(search), ...(error !== undefined && { error }) };
  },
  beforeLoad: async ({ context }) => {
    if ((await context.queryClient.ensureQueryData(sessionQuery)) !== null) throw redirect({ to: '/' });
  },
  component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'SignInPage'),
});

const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-up',
  validateSearch: readNext,
  component: lazyRouteComponent(() => import('./sign-up-page.tsx'), 'SignUpPage'),
});

const forgottenPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'forgotten-password',
  component: lazyRouteComponent(() => import('./forgotten-password-page.tsx'), 'ForgottenPasswordPage'),
});

/** The link of the mail leads here, with `token`, or with `error` if the link is not valid. */
const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'reset-password',
  validateSearch: (search): { token?: string; error?: string } => {
    const [token, error] = [readText(search, 'token'), readText(search, 'error')];
    return { ...(token !== undefined && { token }), ...(error !== undefined && { error }) };
  },
  component: lazyRouteComponent(() => import('./reset-password-page.tsx'), 'ResetPasswordPage'),
});

/** The page that confirms an address leads here, with `error` if the link is not valid. */
const confirmAddressRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'confirm-address',
  validateSearch: (search): { error?: string } => {
    const error = readText(search, 'error');
    return error === undefined ? {} : { error };
  },
  component: lazyRouteComponent(() => import('./confirm-address-page.tsx'), 'ConfirmAddressPage'),
});

export const authRoutes = [
  signInRoute,
  signUpRoute,
  forgottenPasswordRoute,
  resetPasswordRoute,
  confirmAddressRoute,
] as const;
