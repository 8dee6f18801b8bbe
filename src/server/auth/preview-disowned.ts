import type { Call } from '#server/action.ts'
import type { Context } from '#server/context.ts'
import { openLinkOf } from './disown.ts'
import { findVerified } from './email-store.ts'
import { findFactorsSince, type FactorChanges } from './factor-store.ts'
import { findSessions } from './store.ts'
import { findUnconfirmed, type Unconfirmed } from './unconfirmed.ts'

type Preview = FactorChanges & {
  of: Unconfirmed
  address: string | null
  otherAddress: string | null
  devices: number
}

/** The ways in that a press of 'This was not me' would remove or give back. */
export async function previewDisowned(
  context: Context,
  { body: { token }, client }: Pick<Call<'previewDisown'>, 'body' | 'client'>,
): Promise<Preview> {
  const { sql, config } = context
  const { userId } = await openLinkOf(context, { token, client })
  const of = await findUnconfirmed(sql, userId)
  const [present, factors, sessions] = [
    await findVerified(sql, userId),
    await findFactorsSince(sql, of),
    await findSessions(sql, userId, config),
  ]
  const otherAddress = present === undefined || present === of.address ? null : shortened(present)
  return {
    ...factors,
    of,
    address: of.address === undefined ? null : shortened(of.address),
    otherAddress,
    devices: sessions.length,
  }
}

/** 'ad•••@example.com'. Its reader knows it, and nobody else learns it. */
function shortened(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, Math.min(2, at - 1))}•••${email.slice(at)}`
}
