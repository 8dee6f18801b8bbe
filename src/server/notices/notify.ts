import { isFixed, isOnByDefault, NOTICE_KINDS, type NoticeDetails, type NoticeKind } from '#core/notices/notice.ts'
import { publish } from '#server/events/bus.ts'
import { newId } from '#server/ids.ts'
import type { Queries } from '#server/db/statement.ts'

export type NewNotice = {
  userId: string
  kind: NoticeKind
  /** Names the event among those of its user: the same event twice is one notice. */
  event: string
  details?: NoticeDetails
  /** An address that gets this message too, whichever one the user has by now. */
  alsoTo?: string
}

/**
 * Writes notices in the transaction of what they tell of, with a row of the outbox for each address and browser that gets them: if the
 * transaction rolls back, nobody hears of it, and if it commits, everybody does. Two statements, however many notices.
 */
export async function notify(tx: Queries, ...notices: readonly NewNotice[]): Promise<void> {
  if (notices.length === 0) return
  const rows = notices.map(({ userId, kind, event, details = {}, alsoTo }) => {
    const topic = NOTICE_KINDS[kind]
    const [inbox, mail, push] = [isOnByDefault(topic, 'inbox'), isOnByDefault(topic, 'mail'), isOnByDefault(topic, 'push')]
    return { user_id: userId, id: newId(), kind, topic, event, details, also_to: alsoTo ?? null, is_fixed: isFixed(topic), inbox, mail, push }
  })
  await tx`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as given (user_id uuid, id uuid, kind text, topic text, event text,
        details jsonb, also_to text, is_fixed boolean, inbox boolean, mail boolean, push boolean)),
    wanted as (
      select g.*, g.is_fixed or coalesce(i.is_on, g.inbox) as in_inbox, g.is_fixed or coalesce(m.is_on, g.mail) as by_mail,
             g.is_fixed or coalesce(p.is_on, g.push) as by_push
        from given g
        left join notice_preferences i on i.user_id = g.user_id and i.topic = g.topic and i.channel = 'inbox'
        left join notice_preferences m on m.user_id = g.user_id and m.topic = g.topic and m.channel = 'mail'
        left join notice_preferences p on p.user_id = g.user_id and p.topic = g.topic and p.channel = 'push'),
    made as (
      insert into notices (user_id, id, kind, event_key, details, in_inbox)
      select user_id, id, kind, event, details, in_inbox from wanted
      on conflict on constraint notices_event do nothing
      returning user_id, id)
    insert into deliveries (user_id, channel, notice_id, kind, details, is_urgent, address, subscription_id)
    select w.user_id, to_.channel, w.id, w.kind, w.details, w.is_fixed, to_.address, to_.subscription_id
      from wanted w join made on made.user_id = w.user_id and made.id = w.id
      cross join lateral (
        select 'mail' as channel, null::text as address, null::uuid as subscription_id
          from users u where w.by_mail and u.id = w.user_id and u.email_verified_at is not null and u.email is distinct from w.also_to
        union all select 'mail', w.also_to, null where w.also_to is not null
        union all select 'push', null, s.id from push_subscriptions s where w.by_push and s.user_id = w.user_id) to_`
  await publish(tx, { name: 'notices', userIds: [...new Set(notices.map(({ userId }) => userId))] })
}
