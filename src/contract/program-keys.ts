import { z } from 'zod'
import { LENGTHS } from '#core/auth/credentials.ts'
import {
  KEY_DAYS,
  KEY_SCOPES,
  BOT_COUNT_SENTENCE,
  MOST_KEY_BOTS,
  MOST_NETWORKS,
} from '#core/auth/program-key.ts'
import { length } from './auth.ts'
import type { CallRows } from './call-row.ts'
import { PROBLEMS } from './problem.ts'
import { amountInput, Id, Name, Nothing, Timestamp, TypedText, Usd } from './wire.ts'

const MostBots = z
  .int(BOT_COUNT_SENTENCE)
  .min(1, BOT_COUNT_SENTENCE)
  .max(MOST_KEY_BOTS, BOT_COUNT_SENTENCE)

/** `mostBots` and `dailyAmount`: for the scope 'bots' alone, which needs both. */
export const MakeKeyRequest = z.strictObject({
  name: length(LENGTHS.keyName, Name),
  scope: z.enum(KEY_SCOPES),
  days: z.literal([...KEY_DAYS]),
  /** Addresses or networks ('203.0.113.0/24') from which the key works; empty: from everywhere. */
  networks: z
    .array(TypedText.max(50, PROBLEMS['key-network-invalid'].message))
    .max(MOST_NETWORKS)
    .default([]),
  mostBots: MostBots.optional(),
  dailyAmount: amountInput(PROBLEMS['key-limit-invalid'].message).optional(),
})

/** A key without its secret. */
export const ProgramKey = z.strictObject({
  id: Id,
  name: z.string(),
  scope: z.enum(KEY_SCOPES),
  networks: z.array(z.string()),
  mostBots: MostBots.nullable(),
  dailyAmount: Usd.nullable(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  /** Accurate to five minutes. */
  lastUsedAt: Timestamp.nullable(),
})
export type ProgramKey = z.infer<typeof ProgramKey>

/** `secret`: shown once, for the header `Authorization: Bearer`. */
export const MadeKey = z.strictObject({ id: Id, secret: z.string() })

export const programKeyCalls = {
  listKeys: {
    summary: 'Your keys for programs, without their secrets',
    access: 'user',
    response: z.array(ProgramKey),
  },
  makeKey: {
    summary: 'Make a key for a program',
    access: 'user',
    proof: 'always',
    body: MakeKeyRequest,
    response: MadeKey,
    status: 201,
    problems: ['required', 'too-many-keys', 'key-limit-invalid', 'key-network-invalid'],
  },
  revokeKey: {
    summary: 'Revoke a key at once',
    access: 'user',
    whileFrozen: true,
    response: Nothing,
  },
} satisfies CallRows
