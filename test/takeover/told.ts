import { isFixed, NOTICE_KINDS, type NoticeKind } from '#core/notices/notice.ts'
import type { Channels, Life, Lives } from './life.ts'
import type { Scene } from './scene.ts'

const SECURITY = (Object.keys(NOTICE_KINDS) as NoticeKind[]).filter((kind) =>
  isFixed(NOTICE_KINDS[kind]),
)

/** The channels of each user. */
export async function channelsOf(
  { world }: Scene,
  userIds: readonly string[],
): Promise<Map<string, Channels>> {
  const rows = await world.context.sql<Channels[]>`
    select u.id as user_id, (select max(n.id::text) from notices n where n.user_id = u.id) as last,
           to_jsonb(array_remove(array[case when u.email_verified_at is not null
           then u.email end], null)) as addresses,
           coalesce((select jsonb_agg(s.id) from push_subscriptions s where s.user_id = u.id
           and s.ended_at is null), '[]') as browsers
      from users u where u.id = any(${[...userIds]}::uuid[])`
  return new Map(rows.map((channels) => [channels.userId, channels]))
}

type Notice = {
  userId: string
  id: string
  kind: string
  addresses: string[]
  browsers: string[]
  givenUp: number
}

/**
 * Counts security events since the last look that were not sent to every channel known at that
 * look.
 */
export async function findUntold(
  scene: Scene,
  lives: readonly Life[],
  tally: Lives,
): Promise<void> {
  const { sql } = scene.world.context
  const rows = JSON.stringify(
    lives.map(({ channels: { userId, last } }) => ({ id: userId, last: last ?? '' })),
  )
  const notices = await sql<Notice[]>`
    select n.user_id, n.id, n.kind, coalesce(jsonb_agg(d.address) filter (where d.channel = 'mail'),
           '[]') as addresses,
           coalesce(jsonb_agg(d.subscription_id) filter (where d.channel = 'push'), '[]')
           as browsers, count(*) filter (where d.state = 'given-up'
           and d.channel <> 'webhook')::integer as given_up
      from jsonb_to_recordset(${rows}::text::jsonb) as p (id uuid, last text) join notices n
           on n.user_id = p.id and n.id::text > p.last
      left join deliveries d on d.user_id = n.user_id and d.notice_id = n.id
     where n.kind = any(${SECURITY}::text[]) group by n.user_id, n.id, n.kind`
  const present = await channelsOf(
    scene,
    lives.map(({ channels }) => channels.userId),
  )
  for (const life of lives) {
    const { addresses, browsers } = life.channels
    const own = notices.filter(({ userId }) => userId === life.channels.userId)
    const isReset = ({ kind }: Notice) => kind === 'password-reset'
    for (const notice of own) {
      // Setting a new password is reported and ends the push messages; either may have come first.
      const ended = isReset(notice) ? [] : own.filter(isReset).flatMap((one) => one.browsers)
      const missed = [
        ...addresses.filter((address) => !notice.addresses.includes(address)),
        ...browsers.filter((id) => !notice.browsers.includes(id) && !ended.includes(id)),
      ]
      if (missed.length === 0 && notice.givenUp === 0) continue
      tally.untold += 1
      if (tally.faults.length < 10)
        tally.faults.push(`life ${life.number}: ${notice.kind} did not reach ${missed.join(', ')}`)
    }
    life.channels = present.get(life.channels.userId) ?? life.channels
  }
}

/** Counts messages of security of these lives that were written and did not arrive. */
export async function findUnsent(
  scene: Scene,
  lives: readonly Life[],
  tally: Lives,
): Promise<void> {
  const rows = JSON.stringify(
    lives.map(({ number, first, channels: { userId } }) => ({ id: userId, number, first })),
  )
  const unsent = await scene.world.context.sql<
    { number: number; kind: string; channel: string; state: string }[]
  >`
    select p.number, n.kind, d.channel, d.state
      from jsonb_to_recordset(${rows}::text::jsonb) as p (id uuid, number integer, first text)
      join notices n on n.user_id = p.id and n.id::text > p.first join deliveries d
           on d.user_id = n.user_id and d.notice_id = n.id
     where n.kind = any(${SECURITY}::text[]) and d.channel <> 'webhook' and d.state <> 'sent'`
  tally.untold += unsent.length
  for (const { number, kind, channel, state } of unsent)
    if (tally.faults.length < 10)
      tally.faults.push(`life ${number}: ${kind} by ${channel} is ${state}`)
}
