import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '#contract/routes.ts'
import type { OperatorRole } from '#core/operators/role.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { required } from '#core/assert.ts'
import { Refusal } from '#core/refusal.ts'
import type { Config } from '#server/settings/config.ts'
import { disableOperator } from '#server/operators/add-operator.ts'
import { bankFileCommand } from '#server/ops/bank-file-command.ts'
import { withdrawalsCommand } from '#server/ops/withdrawals-command.ts'
import type { Operator } from '#server/operators/operator.ts'
import { randomFrom, type Random } from '../world/random.ts'
import type { TestOperator } from '../world/operators.ts'
import { enter, openOffice, type Insider, type Office } from './insider.ts'
import { ANY, TO_MONEY, type InsiderStep } from './insider-steps.ts'
import { HARMLESS, HOURS_EACH, pass, TAKEOVER_CONFIG } from './takeovers.ts'
import { addressOf, newThief, type Thief, type Victim } from './thief.ts'
import type { Scene } from './scene.ts'
import { newVictims } from './victims.ts'

/** Roles of the operator whose machine the insider uses. */
export const INSIDER_ROLES = [
  ['support'],
  ['payouts'],
  ['auditor'],
  ['support', 'payouts', 'auditor'],
] as const satisfies OperatorRole[][]

/** Payouts by bank file: every step of a payout is an operator's. */
export const INSIDER_CONFIG: Partial<Config> = {
  ...TAKEOVER_CONFIG,
  PAYOUTS: 'bank-file',
  PAYOUT_SECOND_PERSON_ABOVE: 1_000,
}

/** The outcome. Amounts are in units. */
export type InsiderTally = {
  insiders: number
  by: Record<string, number>
  /** Calls as an operator, and those that left nothing in the audit trail. */
  calls: number
  unaudited: number
  /** Changes of victims' accounts, and those without a message of their own to the owner. */
  changes: number
  unnoticed: number
  /** `stolen`: money sent to him beyond his own. `sent`: all money sent to him. */
  stolen: bigint
  sent: bigint
  /** The first steps that were not noticed or not audited, to look into. */
  faults: string[]
}

const STEPS_EACH = 24
const OWN_MONEY = decimalToUnits('1000')
/**
 * Accounts are set up together. Their insiders then act one after the other, so that no person acts
 * as two operators at once.
 */
const AT_ONCE = 10

type Options = {
  tally?: InsiderTally
  from?: number
  count: number
  seed: number
  persons?: number
}

export const noInsiders = (): InsiderTally => ({
  insiders: 0,
  by: {},
  calls: 0,
  unaudited: 0,
  changes: 0,
  unnoticed: 0,
  stolen: 0n,
  sent: 0n,
  faults: [],
})

/**
 * The `count` insiders from number `from` on, added to `tally`. `persons`: how many operators act
 * as one.
 */
export async function runInsiders(
  scene: Scene,
  { tally = noInsiders(), from = 0, count, seed, persons = 1 }: Options,
): Promise<InsiderTally> {
  const office = await openOffice(scene.world)
  const folder = await mkdtemp(join(tmpdir(), 'insiders-'))
  const { operator: colleague } = await enter(office, { name: 'Colleague', roles: ['payouts'] })
  for (let first = from; first < from + count; first += AT_ONCE) {
    const plans = Array.from(
      { length: Math.min(AT_ONCE, from + count - first) },
      (_, index): Plan => ({
        number: first + index,
        random: randomFrom(seed + first + index),
        persons,
        folder,
      }),
    )
    const wanted = plans.flatMap(({ number, random }) => [
      {
        number: number * 2,
        factor: random.pick(['none', 'none', 'passkey', 'authenticator'] as const),
      },
      { number: number * 2 + 1, factor: 'none' as const },
    ])
    const people = await newVictims(scene, wanted)
    for (const [index, plan] of plans.entries()) {
      const insider = await sitDown(scene, office, {
        plan,
        victim: required(people[index * 2], 'a victim'),
        self: required(people[index * 2 + 1], 'his own account'),
      })
      await attack(scene, office, { insider, random: plan.random, colleague, tally })
      for (const {
        operator: { name },
      } of insider.entered)
        await disableOperator({ ...scene.world.context, operator: ADMIN }, name)
    }
  }
  await office.pages.close()
  await rm(folder, { recursive: true })
  return tally
}

const ADMIN: Operator = { id: 'admin', name: 'Root', roles: ['admin'] }

type Plan = { number: number; random: Random; persons: number; folder: string }

async function sitDown(
  { post }: Scene,
  office: Office,
  { plan: { number, persons, folder }, victim, self }: { plan: Plan; victim: Victim; self: Victim },
): Promise<Insider> {
  const roles = required(INSIDER_ROLES[number % INSIDER_ROLES.length], 'roles')
  const shown: Insider['shown'] = []
  const address = addressOf(number)
  const entered = [await enter(office, { name: `insider${number}`, roles })]
  while (entered.length < persons)
    entered.push(await enter(office, { name: `insider${number}and${entered.length}`, roles }))
  return {
    entered,
    roles,
    shown,
    folder,
    calls: 0,
    last: '',
    thief: newThief(victim, new Set(), {
      email: `insider${number}@example.net`,
      address,
      mails: () => shown,
    }),
    own: newThief(self, new Set(['password', 'session']), {
      email: self.email,
      address,
      mails: () => post.to(self.email),
    }),
  }
}

type Attacking = { insider: Insider; random: Random; colleague: TestOperator; tally: InsiderTally }

async function attack(
  scene: Scene,
  office: Office,
  { insider, random, colleague, tally }: Attacking,
): Promise<void> {
  const passing = [insider.thief, insider.own].map((thief) => ({ thief, hours: 0 }))
  for (let step = 0; step < STEPS_EACH; step += 1) {
    await act(scene, office, {
      insider,
      random,
      tally,
      run: random.pick(step % 2 === 0 ? TO_MONEY : ANY),
    })
    if (random.chance(0.3)) await work(colleague, insider.folder)
    if (!random.chance(0.2)) continue
    const hours = random.below(HOURS_EACH - (passing[0]?.hours ?? 0) + 1)
    await pass(
      scene,
      passing.map((one) => ({ attack: one, hours })),
    )
  }
  await weigh(scene, insider, tally)
}

/**
 * Makes one step. Afterwards each change of the victim's account must have a message, and each call
 * as an operator an audit event.
 */
async function act(
  scene: Scene,
  office: Office,
  { insider, random, tally, run }: Omit<Attacking, 'colleague'> & { run: InsiderStep },
): Promise<void> {
  const { thief } = insider
  const messages = () => scene.post.to(thief.victim.email).length
  const before = {
    state: await stateOf(scene, thief),
    trail: await trailOf(scene, insider),
    messages: messages(),
  }
  const done = await run(office, insider, random)
  const state = await stateOf(scene, thief)
  await scene.deliver()
  if (state !== before.state && !HARMLESS.has(done ?? '')) {
    tally.changes += 1
    if (messages() === before.messages)
      fault(tally, 'unnoticed', `${done ?? insider.last}: ${before.state} became ${state}`)
  }
  tally.calls += insider.calls
  if ((await trailOf(scene, insider)) - before.trail < insider.calls)
    fault(tally, 'unaudited', insider.last)
  insider.calls = 0
}

/** An honest colleague approves what may be sent, exports it, and notes that the bank has paid. */
async function work({ context }: TestOperator, folder: string): Promise<void> {
  const open = await context.sql<
    { id: string }[]
  >`select id from withdrawal_requests where state in ('pending', 'in_review')`
  for (const { id } of open) await withdrawalsCommand(context, ['approve', id]).catch(refusalOnly)
  const made = await bankFileCommand(context, ['export', folder]).catch(refusalOnly)
  const number = /^Batch (\d+)/.exec(made?.lines[0] ?? '')?.[1]
  if (number !== undefined) await bankFileCommand(context, ['mark-paid', number])
}

function refusalOnly(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error
}

function fault(tally: InsiderTally, kind: 'unnoticed' | 'unaudited', text: string): void {
  tally[kind] += 1
  if (tally.faults.length < 5) tally.faults.push(`${kind}: ${text}`)
}

/** Everything of an account that its owner should get a message about. */
async function stateOf({ world }: Scene, { victim: { id, cookie } }: Thief): Promise<string> {
  const { sql } = world.context
  const [row] = await sql<{ state: string }[]>`
    select jsonb_build_array(
      (select jsonb_build_array(frozen_at, password, email, email_verified_at) from users
      where id = ${id}),
      (select jsonb_agg(jsonb_build_array(w.id, w.state) order by w.id) from withdrawal_requests w
      where w.user_id = ${id}),
      (select jsonb_agg(b.id order by b.id) from bank_accounts b where b.user_id = ${id}
      and b.removed_at is null),
      (select count(*) from withdrawal_holds h where h.user_id = ${id} and h.lifted_at is not null),
      (select count(*) from passkeys p where p.user_id = ${id}), (select count(*)
      from authenticators a where a.user_id = ${id} and a.confirmed_at is not null))::text as state`
  const owns = await world.app.inject({
    url: routes.listSessions.path,
    headers: { cookie, host: 'bots.example' },
  })
  return `${row?.state} ${owns.statusCode}`
}

/** The number of audit events of each operator. */
async function trailOf({ world }: Scene, { entered }: Insider): Promise<number> {
  const actors = entered.map(({ operator }) => `operator:${operator.name}`)
  const [row] = await world.context.sql<
    { count: number }[]
  >`select count(*)::integer as count from audit_events where actor = any(${actors})`
  return row?.count ?? 0
}

async function weigh(
  { world }: Scene,
  { thief, own, roles }: Insider,
  tally: InsiderTally,
): Promise<void> {
  const rows = await world.context.sql<{ userId: string; bankAccountId: string; amount: bigint }[]>`
    select w.user_id, w.bank_account_id, w.amount from withdrawal_requests w
     where w.user_id in (${thief.victim.id}, ${own.victim.id})
       and exists (select from ledger_transfers t where t.user_id = w.user_id
           and t.dedup_key = 'withdrawal:' || w.id || ':submit')`
  let ofOwn = 0n
  for (const { userId, bankAccountId, amount } of rows) {
    if (userId === own.victim.id) ofOwn += amount
    else if (thief.accounts.includes(bankAccountId)) tally.stolen += amount
  }
  tally.sent += ofOwn
  tally.stolen += ofOwn > OWN_MONEY ? ofOwn - OWN_MONEY : 0n
  tally.insiders += 1
  const name = roles.join(', ')
  tally.by[name] = (tally.by[name] ?? 0) + 1
}
