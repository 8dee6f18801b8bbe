import type { Config } from '#server/settings/config.ts'
import { randomFrom, type Random } from '../world/random.ts'
import { pastRules } from '../world/past-rules.ts'
import { STEPS_PER_HOUR } from './authenticator.ts'
import { endHoldsEarlier } from './pass-time.ts'
import { signIn, STEPS } from './steps.ts'
import { addressOf, LOOTS, newThief, readsMail, SITE, type Loot, type Thief } from './thief.ts'
import type { Scene } from './scene.ts'
import { factorFor, newVictims } from './victims.ts'

/** The outcome of takeovers. Amounts are in units. */
export type Tally = {
  takeovers: number
  /** Takeovers that began with each loot, with others or alone. */
  by: Record<Loot, number>
  /** Calls that a thief tried, and those that succeeded. */
  tried: number
  succeeded: number
  withFactor: number
  /** Accounts in which a thief changed something. */
  changed: number
  /** Money that was sent within 24 hours to a bank account of a thief, and to the owner's own. */
  stolen: bigint
  toOwner: bigint
  /** Withdrawals to thieves that waited at the end. */
  waiting: number
  /** Accounts in which a thief changed something without a message to the owner's address. */
  unnoticed: number
}

/**
 * Only the holds protect in this setting: no operator reviews unusual withdrawals, and a deposit
 * can be withdrawn at once.
 */
export const TAKEOVER_CONFIG: Partial<Config> = {
  PUBLIC_URL: SITE,
  LOGIN_ATTEMPTS: 1_000_000,
  SIGNUPS_PER_HOUR: 1_000_000,
  INTENTS_PER_HOUR: 1_000_000,
  DEPOSIT_HOLD_HOURS: 0,
  WITHDRAWAL_HOLD_HOURS: 24,
  PAYOUT_DELAY_MS: 0,
  WITHDRAWAL_REVIEW_AMOUNT: 1_000_000_000,
  WITHDRAWAL_REVIEW_COUNT: 1_000_000,
  WITHDRAWAL_REVIEW_YOUNG: 1_000_000_000,
}

const ANY = Object.entries(STEPS)
/** Steps that lead directly to the money; every third step is one of these. */
const TO_MONEY = ANY.filter(([name]) =>
  ['addBankAccount', 'withdrawToHimself', 'withdraw', 'makeDefault'].includes(name),
)

const STEPS_EACH = 14
export const HOURS_EACH = 23

/** No more wait for the hash of a password than the server has room for. */
const AT_ONCE = 20

/**
 * `count` takeovers that follow from `seed`, by every combination of loots in turn, 20 at a time on
 * different accounts. `done` is called after each 20.
 */
export async function runTakeovers(
  scene: Scene,
  {
    count,
    seed,
    done = () => undefined,
  }: { count: number; seed: number; done?: (tally: Tally) => void },
): Promise<Tally> {
  const by = Object.fromEntries(LOOTS.map((loot) => [loot, 0])) as Tally['by']
  const tally: Tally = {
    takeovers: 0,
    by,
    tried: 0,
    succeeded: 0,
    withFactor: 0,
    changed: 0,
    stolen: 0n,
    toOwner: 0n,
    waiting: 0,
    unnoticed: 0,
  }
  for (let first = 0; first < count; first += AT_ONCE) {
    const numbers = Array.from(
      { length: Math.min(AT_ONCE, count - first) },
      (_, index) => first + index,
    )
    await takeOver(
      scene,
      numbers.map((number) => ({
        number,
        random: randomFrom(seed + number),
        loots: lootsOf(number),
      })),
      tally,
    )
    done(tally)
  }
  return tally
}

/**
 * Combinations in an order in which 20 that follow each other differ much: 26 and their number, 63,
 * have no common divisor.
 */
function lootsOf(number: number): ReadonlySet<Loot> {
  const combinations = 2 ** LOOTS.length - 1
  const chosen = ((number * 26) % combinations) + 1
  return new Set(LOOTS.filter((_, index) => (chosen >> index) & 1))
}

type Plan = { number: number; random: Random; loots: ReadonlySet<Loot> }
export type Attack = { thief: Thief; random: Random; hours: number; changes: number }

async function takeOver(scene: Scene, plans: readonly Plan[], tally: Tally): Promise<void> {
  const victims = await newVictims(
    scene,
    plans.map(({ number, random, loots }) => ({ number, factor: factorFor(loots, random) })),
  )
  const attacks = plans.flatMap(({ number, random, loots }, index): Attack[] => {
    const victim = victims[index]
    if (!victim) return []
    const email = `thief${number}@example.net`
    const mails = () => [
      ...(readsMail(loots) ? scene.post.to(victim.email) : []),
      ...scene.post.to(email),
    ]
    return [
      {
        thief: newThief(victim, loots, { email, mails, address: addressOf(number) }),
        random,
        hours: 0,
        changes: 0,
      },
    ]
  })
  for (let step = 0; step < STEPS_EACH; step += 1) {
    await Promise.all(attacks.map((attack) => act(scene.world, attack, step, tally)))
    await pass(
      scene,
      attacks.map((attack) => ({
        attack,
        hours: attack.random.chance(0.3) ? attack.random.below(HOURS_EACH - attack.hours + 1) : 0,
      })),
    )
  }
  await pass(
    scene,
    attacks.map((attack) => ({ attack, hours: HOURS_EACH - attack.hours })),
  )
  for (const attack of attacks) await weigh(scene, attack, tally)
}

/**
 * Steps that change neither who has access nor where money goes: requesting a message, signing
 * others out, or ending messages of other topics.
 */
export const HARMLESS = new Set(['askForReset', 'endOtherSessions', 'silence'])

async function act(
  world: Scene['world'],
  attack: Attack,
  step: number,
  tally: Tally,
): Promise<void> {
  const { thief, random } = attack
  const [name, run] =
    step === 0 ? (['signIn', signIn] as const) : random.pick(step % 3 === 0 ? TO_MONEY : ANY)
  const done = await run(world, thief, random)
  tally.tried += 1
  tally.succeeded += done ? 1 : 0
  // A phone that signed in before does so without a message: whoever holds it was signed in anyway.
  const isOwnPhone = name === 'signIn' && thief.loots.has('phone')
  attack.changes += done && !isOwnPhone && !HARMLESS.has(name) ? 1 : 0
}

/**
 * Hours pass for each of the attacked accounts: messages are delivered, and what may be sent to a
 * bank is sent.
 */
export async function pass(
  { world: { context, payOut }, deliver }: Scene,
  passing: readonly { attack: Pick<Attack, 'thief' | 'hours'>; hours: number }[],
): Promise<void> {
  await deliver()
  const passed = JSON.stringify(
    passing.map(({ attack, hours }) => ({ id: attack.thief.victim.id, hours })),
  )
  await context.sql`
    with passed as (select id, hours, hours * interval '1 hour' as span
         from jsonb_to_recordset(${passed}::text::jsonb) as passed (id uuid, hours integer)
         where hours > 0),
         holds as (update withdrawal_holds h set until = h.until - span,
         created_at = h.created_at - span from passed p where h.user_id = p.id),
         apps as (update authenticators a
         set last_step = a.last_step - hours * ${STEPS_PER_HOUR}::integer from passed p
         where a.user_id = p.id)
    update deliveries d set created_at = d.created_at - span from passed p where d.user_id = p.id`
  await pastRules(context.sql, (tx) =>
    endHoldsEarlier(
      { ...context, sql: tx },
      new Map(passing.map(({ attack, hours }) => [attack.thief.victim.id, hours])),
    ),
  )
  for (const { attack, hours } of passing) {
    attack.hours += hours
    if (attack.thief.app) attack.thief.app.lastStep -= hours * STEPS_PER_HOUR
  }
  await payOut()
}

async function weigh(
  { world, post }: Scene,
  { thief, changes }: Attack,
  tally: Tally,
): Promise<void> {
  const { victim, accounts, loots } = thief
  const rows = await world.context.sql<{ state: string; bankAccountId: string; amount: bigint }[]>`
    select state, bank_account_id, amount from withdrawal_requests where user_id = ${victim.id}`
  for (const { state, bankAccountId, amount } of rows) {
    const isSent = state === 'submitted' || state === 'paid' || state === 'returned'
    const isThiefs = accounts.includes(bankAccountId)
    if (isSent && isThiefs) tally.stolen += amount
    if (isSent && !isThiefs) tally.toOwner += amount
    if (!isSent && isThiefs && state !== 'canceled') tally.waiting += 1
  }
  const isNoticed = post.to(victim.email).some(({ text }) => text.includes('/not-me#'))
  tally.takeovers += 1
  for (const loot of loots) tally.by[loot] += 1
  tally.withFactor += victim.factor === 'none' ? 0 : 1
  tally.changed += changes > 0 ? 1 : 0
  tally.unnoticed += changes > 0 && !isNoticed ? 1 : 0
}
