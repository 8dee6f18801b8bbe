import type { Book } from '#server/db/book.ts'
import { readSealedEventsOf } from '#server/ledger/sealed-rows.ts'
import type { OperatorContext } from './operator.ts'

/** Hours for which the first of two operators' requests is valid. */
const HOURS = 24

/** `subject`: the id of the object. `after`: requests before this time do not count. */
type SharedAction = { action: string; subject: string; after?: Date }

/**
 * Whether another operator requested the same within a day. Requests with broken seals and of
 * disabled operators do not count.
 */
export async function isSecondPerson(
  { operator }: Pick<OperatorContext, 'operator'>,
  tx: Book,
  { action, subject, after }: SharedAction,
): Promise<boolean> {
  const others = await tx.sql<{ id: string }[]>`
    select e.id from audit_events e join operators o on e.actor = 'operator:' || o.name
       and o.disabled_at is null
     where e.subject = ${subject} and e.action = ${action}
       and e.actor <> ${`operator:${operator.name}`}
       and e.created_at > greatest(now() - ${HOURS}::integer * interval '1 hour',
           ${after ?? null}::timestamptz)`
  const ids = new Set(others.map(({ id }) => id))
  return ids.size > 0 && (await readSealedEventsOf(tx, subject)).some(({ id }) => ids.has(id))
}
