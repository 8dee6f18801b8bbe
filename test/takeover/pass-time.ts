import { HOUR_MS } from '#core/market/candle.ts'
import { sealAccount } from '#server/security/account-seal.ts'
import type { AuditEvent } from '#server/security/audit.ts'
import type { Book, OpenBook } from '#server/db/book.ts'
import { contentOfEvent } from '#server/kernel/seal.ts'
import { pastRules } from '../world/past-rules.ts'
import { STEPS_PER_HOUR } from './authenticator.ts'

/**
 * Every time on which the rules of an account depend. Sessions and throttles are left out, because
 * they only end earlier.
 */
const MOMENTS: Readonly<Record<string, readonly string[]>> = {
  emails: ['released_at'],
  verified_emails: ['verified_at', 'released_at'],
  deliveries: ['created_at', 'due_at', 'sent_at', 'link_used_at'],
  notices: ['created_at'],
  push_subscriptions: ['created_at', 'ended_at'],
  passkeys: ['created_at'],
  authenticators: ['started_at', 'confirmed_at'],
  recovery_codes: ['created_at', 'used_at', 'replaced_at'],
  bank_accounts: ['created_at', 'removed_at', 'allowed_from'],
  bank_account_defaults: ['since'],
  withdrawal_requests: ['created_at', 'updated_at', 'send_after'],
  withdrawal_holds: ['created_at', 'until', 'lifted_at'],
  withdrawal_protections: ['next_from'],
  withdrawal_protection_changes: ['changed_at'],
}

type Passing = { id: string; hours: number }

/**
 * Lets hours pass for each of these accounts. Codes of authenticator apps that were shown become
 * older too.
 */
export async function passTime(book: OpenBook, passing: readonly Passing[]): Promise<void> {
  const passed = passing.filter(({ hours }) => hours > 0)
  if (passed.length === 0) return
  const rows = JSON.stringify(passed)
  await pastRules(book.sql, async (tx) => {
    for (const [table, columns] of Object.entries(MOMENTS)) {
      const changes = columns
        .map((column) => `${column} = t.${column} - p.hours * interval '1 hour'`)
        .join(', ')
      await tx.unsafe(
        `update ${table} t set ${changes} from jsonb_to_recordset('${rows}') as p (id uuid, ` +
          'hours integer) where t.user_id = p.id',
      )
    }
    await tx`
      update authenticators a set last_step = a.last_step - p.hours * ${STEPS_PER_HOUR}::integer
        from jsonb_to_recordset(${rows}::text::jsonb) as p (id uuid, hours integer)
       where a.user_id = p.id`
    await endHoldsEarlier({ ...book, sql: tx }, new Map(passed.map(({ id, hours }) => [id, hours])))
  })
  for (const { id } of passed) await sealAccount(book, id)
}

/**
 * Moves the end of a hold. Payouts wait for the later of the hold and the end in its sealed event,
 * so the event is sealed again with an earlier time.
 */
export async function endHoldsEarlier(
  { sql: tx, seals }: Book,
  hoursOf: ReadonlyMap<string, number>,
): Promise<void> {
  const events = await tx<AuditEvent[]>`
    select id, actor, action, subject, details from audit_events
     where action = 'withdrawals.hold' and subject = any(${[...hoursOf.keys()]})
       and (details ->> 'until')::timestamptz > now()`
  const earlier = events.map((event) => {
    const endMs =
      Date.parse(event.details['until'] ?? '') - (hoursOf.get(event.subject) ?? 0) * HOUR_MS
    return { ...event, details: { ...event.details, until: new Date(endMs).toISOString() } }
  })
  const sealed = earlier.map((event) => seals.sealOf('audit event', contentOfEvent(event)))
  await tx`
    update audit_events e set details = made.details::jsonb, seal = made.seal
      from unnest(${earlier.map(({ id }) => id)}::uuid[],
           ${earlier.map(({ details }) => JSON.stringify(details))}::text[],
           ${sealed}::text[]) as made (id, details, seal)
     where e.id = made.id`
}
