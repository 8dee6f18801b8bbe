import { required } from '#core/assert.ts'
import type { Belongings, Life, Lives } from './life.ts'
import type { Owner } from './owner.ts'
import { ask } from './thief.ts'
import type { Scene } from './scene.ts'

/** The belongings of each account. */
export async function belongingsOf(
  { world }: Scene,
  ids: readonly string[],
): Promise<Map<string, Belongings>> {
  const rows = await world.context.sql<(Belongings & { id: string })[]>`
    select u.id, coalesce((select jsonb_agg(f.key) from (
             select id::text as key from passkeys where user_id = u.id
             union all select secret_sealed from authenticators where user_id = u.id
             union all select id::text from program_keys where user_id = u.id
             union all select id::text from webhooks where user_id = u.id
             union all select code_hash::text from recovery_codes where user_id = u.id
               and replaced_at is null) f), '[]') as factors,
           coalesce((select jsonb_agg(b.id) from bank_accounts b where b.user_id = u.id
           and b.removed_at is null), '[]') as accounts,
           coalesce((select jsonb_agg(s.id) from sessions s where s.user_id = u.id), '[]')
           as sessions,
           case when u.email_verified_at is not null then u.email end as email,
           u.pending_email as pending,
           (select count(*)::integer from push_subscriptions s where s.user_id = u.id
           and s.ended_at is null) as browsers,
           coalesce((select case when p.next_from is null then p.delay_hours
           else p.next_delay_hours end from withdrawal_protections p where p.user_id = u.id), 0)
           as delay_hours,
           coalesce((select case when p.next_from is null then p.allowed_only
           else p.next_allowed_only end from withdrawal_protections p where p.user_id = u.id),
           false) as allowed_only
      from users u where u.id = any(${[...ids]}::uuid[])`
  return new Map(rows.map(({ id, ...belongings }) => [id, belongings]))
}

type Ended = { life: Life; isIn: boolean }

/**
 * Counts the ways in which lives ended badly. `isIn`: the owner set a new password and signed in
 * with it. Returns the owners who are out.
 */
export async function weighAll(
  scene: Scene,
  ended: readonly Ended[],
  tally: Lives,
): Promise<Owner[]> {
  const belongings = await belongingsOf(
    scene,
    ended.map(({ life }) => life.owner.victim.id),
  )
  const sent = await sentToAccounts(
    scene,
    ended.flatMap(({ life }) => life.thieves.flatMap(({ accounts }) => accounts)),
  )
  const areOut = await Promise.all(
    ended.map(({ life, isIn }) => {
      const left = required(belongings.get(life.owner.victim.id), 'an owner has an account')
      return weigh(scene, life, { isIn, left, sent, tally })
    }),
  )
  return ended.filter((_, index) => areOut[index] === true).map(({ life }) => life.owner)
}

type Weighing = { isIn: boolean; left: Belongings; sent: ReadonlyMap<string, bigint>; tally: Lives }

async function weigh(
  scene: Scene,
  life: Life,
  { isIn, left, sent, tally }: Weighing,
): Promise<boolean> {
  const { owner, before, preview, thieves, number } = life
  const { world } = scene
  const stolenThings = thieves.map(({ loots }) => [...loots].join(' + ')).join(' and ')
  const fault = (text: string) =>
    void (
      tally.faults.length < 10 &&
      tally.faults.push(`life ${number} (${stolenThings}): ${life.story.join(', ')}: ${text}`)
    )
  const { body } = await ask(world, owner, 'getUser')
  tally.lives += 1
  const isOut = !isIn || !owner.emails.includes(String(body['email']))
  if (isOut) {
    tally.lockedOut += 1
    fault(`the owner is out: ${isIn ? String(body['email']) : 'no sign-in'}`)
  }
  const survivors = [...strangers(left, before), ...(await sessionsOf(scene, thieves))]
  tally.surviving += survivors.length
  if (survivors.length > 0) fault(`left by a thief: ${survivors.join(', ')}`)
  const stolen = thieves
    .flatMap(({ accounts }) => accounts)
    .reduce((sum, id) => sum + (sent.get(id) ?? 0n), 0n)
  tally.stolen += stolen
  if (stolen > 0n) fault('money left')
  if (preview) notePress(tally, preview)
  if (preview && !said(preview, left)) {
    tally.misleading += 1
    fault(`the page had named ${preview.address}`)
  }
  return isOut
}

/** Whether the account has the address that the page had named. */
function said({ address }: NonNullable<Life['preview']>, { email }: Belongings): boolean {
  const [start = '', end = ''] = (address ?? '').split('•••')
  return email !== null && email.startsWith(start) && email.endsWith(end)
}

/** Ways in that were not the owner's, and protections that are gone. */
function strangers(left: Belongings, before: Belongings): string[] {
  return [
    ...left.factors
      .filter((factor) => !before.factors.includes(factor))
      .map(() => 'a factor, key or webhook'),
    ...left.accounts
      .filter((account) => !before.accounts.includes(account))
      .map(() => 'a bank account'),
    ...before.accounts
      .filter((account) => !left.accounts.includes(account))
      .map(() => 'the lack of a bank account'),
    ...(left.sessions.length > 1 ? ['a session'] : []),
    ...(left.pending === null ? [] : ['an address that waits']),
    ...(left.browsers > 0 ? ['a browser that gets pushes'] : []),
    ...(left.delayHours < before.delayHours || (before.allowedOnly && !left.allowedOnly)
      ? ['a looser protection']
      : []),
  ]
}

/** Sessions of thieves that still work. */
async function sessionsOf(
  { world }: Scene,
  thieves: readonly Life['thieves'][number][],
): Promise<string[]> {
  const states = await Promise.all(
    thieves.map((thief) =>
      thief.cookie === undefined
        ? 401
        : ask(world, thief, 'listSessions').then(({ status }) => status),
    ),
  )
  return states.filter((status) => status < 300).map(() => 'a signed-in thief')
}

/** The amounts that were sent to bank accounts. */
async function sentToAccounts(
  { world }: Scene,
  ids: readonly string[],
): Promise<Map<string, bigint>> {
  const rows = await world.context.sql<{ id: string; amount: bigint }[]>`
    select bank_account_id as id, sum(amount)::bigint as amount from withdrawal_requests
     where bank_account_id = any(${[...ids]}::uuid[]) and state in ('submitted', 'paid', 'returned')
     group by bank_account_id`
  return new Map(rows.map(({ id, amount }) => [id, amount]))
}

function notePress(
  { undone }: Lives,
  {
    withdrawals,
    removedAccounts,
    returnedAccounts,
    passkeys,
    authenticator,
    recoveryCodes,
    keys,
    otherAddress,
  }: NonNullable<Life['preview']>,
): void {
  undone.withdrawals += withdrawals.length
  undone.accounts += removedAccounts.length + returnedAccounts.length
  undone.factors += passkeys.length + keys.length + Number(authenticator) + Number(recoveryCodes)
  undone.addresses += Number(otherAddress !== null)
}
