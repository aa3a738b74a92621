import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { User } from '../user.entity.ts';

/** The authenticator app of a user. It counts once it is confirmed by a code. */
export const TwoFactor = defineEntity({
  name: 'TwoFactor',
  tableName: 'two_factors',
  properties: {
    user: () => p.oneToOne(User).primary().deleteRule('cascade'),
    /** The secret of the app, sealed for its user (sealer.ts). */
    sealedSecret: p.blob(),
    confirmedAt: p.datetime(3).strictNullable(),
    /** The step of the last code that was used: no code is used twice (RFC 6238, 5.2). */
    lastUsedStep: p.integer().strictNullable(),
    createdAt: p.datetime(3),
  },
});

export type TwoFactor = InferEntity<typeof TwoFactor>;
