import { z } from 'zod'
import { Password, SecondFactorCode } from './auth.ts'
import { PasskeyAssertion } from './factors.ts'
import { proofRules, type ProvenName } from './access.ts'
import { Id, IdParams, Timestamp } from './wire.ts'

/** A proof is valid only for this action with this id and body, amount and destination included. */
export const MakeProofRequest = z.strictObject({
  action: z.enum(Object.keys(proofRules) as [ProvenName, ...ProvenName[]]),
  /** The id in the path of the proven call. */
  id: IdParams.shape.id.optional(),
  /** The body of the proven call. */
  request: z.unknown().optional(),
  /** Exactly one of the following is given. */
  password: Password.optional(),
  code: SecondFactorCode.optional(),
  passkey: PasskeyAssertion.optional(),
})
export type MakeProofRequest = z.infer<typeof MakeProofRequest>

/** `id` goes into the header `Proof` of the action's call. */
export const MadeProof = z.strictObject({ id: Id, expiresAt: Timestamp })
