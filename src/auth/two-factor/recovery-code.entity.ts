import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { User } from '../user.entity.ts';

/** A code with which a user signs in without their app, once: using it deletes the row. */
export const RecoveryCode = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_codes',
  properties: {
    id: p.uuid().primary(),
    user: () => p.manyToOne(User).deleteRule('cascade'),
    codeHash: p.blob(),
  },
  indexes: [{ name: 'recovery_codes_user_id_idx', properties: ['user'] }],
});

export type RecoveryCode = InferEntity<typeof RecoveryCode>;
