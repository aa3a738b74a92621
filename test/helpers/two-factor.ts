import { stepOf, totpOf } from '../../src/auth/two-factor/totp.ts';
import { password, type Person } from './people.ts';

/** A person's authenticator app, whose codes are never the same: each one is of a later step than the last. */
export interface App {
  recoveryCodes: string[];
  /** The code of the current step, or of a step some steps away. */
  code: (stepsAway?: number) => string;
}

/** Turns two-factor sign-in on, with the code of the step before the current one: later ones are unused. */
export async function turnOnTwoFactor(person: Person): Promise<App> {
  const app = await prepareApp(person);
  const { status, body } = await person.post('/two-factor/confirm', { code: app.code(-1) });
  if (status !== 200) throw new Error(`The app was not confirmed: ${JSON.stringify(body)}`);
  return { ...app, recoveryCodes: body.recoveryCodes as string[] };
}

/** Gives a person an app that is not confirmed yet. */
export async function prepareApp(person: Person): Promise<App> {
  const { body } = await person.post('/two-factor/enable', { password });
  const secret = new URL(body.totpURI as string).searchParams.get('secret')!;
  return { recoveryCodes: [], code: (stepsAway = 0) => totpOf(secret, stepOf(new Date()) + stepsAway) };
}
