import { Refusal } from '#core/refusal.ts'
import { writeAudit } from '#server/security/audit.ts'
import type { Context } from '#server/context.ts'
import type { Book } from '#server/db/book.ts'
import { readSealedEventsOf } from '#server/ledger/sealed-rows.ts'

const SUBJECT = 'payout-switch'
type Switch = 'payouts.halt' | 'payouts.resume'

/** Undefined if not halted. Only sealed events count, so that an inserted row lifts no halt. */
async function findPayoutHalt(book: Book): Promise<string | undefined> {
  const events = await readSealedEventsOf(book, SUBJECT)
  const last = events.findLast(({ action }) => ['payouts.halt', 'payouts.resume'].includes(action))
  return last?.action === 'payouts.halt' ? (last.details['reason'] ?? '') : undefined
}

export async function refuseHaltedPayouts(book: Book): Promise<void> {
  const reason = await findPayoutHalt(book)
  if (reason === undefined) return
  throw new Refusal('payout-unproven', {
    sentence:
      `Payouts are halted: ${reason}. An operator lets them go on with npm run ops -- payouts ` +
      'resume.',
  })
}

/** Stops submissions and hand-overs. False if halted before. */
export const haltPayouts = (
  context: Pick<Context, 'atomically' | 'newId'>,
  halt: { actor: string; reason: string },
): Promise<boolean> => switchTo(context, 'payouts.halt', halt)

/** False if payouts were not halted. */
export const resumePayouts = (
  context: Pick<Context, 'atomically' | 'newId'>,
  { actor }: { actor: string },
): Promise<boolean> => switchTo(context, 'payouts.resume', { actor })

async function switchTo(
  { atomically, newId }: Pick<Context, 'atomically' | 'newId'>,
  action: Switch,
  { actor, reason }: { actor: string; reason?: string },
): Promise<boolean> {
  return atomically(async (tx) => {
    const isHalted = (await findPayoutHalt(tx)) !== undefined
    await writeAudit(tx, {
      id: newId(),
      actor,
      action,
      subject: SUBJECT,
      details: { ...(reason !== undefined && { reason }) },
    })
    return isHalted === (action === 'payouts.resume')
  })
}
