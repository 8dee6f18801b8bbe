import { required } from '#core/assert.ts'
import { randomFrom, type Random } from '../world/random.ts'
import { resetThrottles } from '../world/reset-throttles.ts'
import { equipAll } from './equip.ts'
import { forgetHistory } from './forget-history.ts'
import type { Life, Lives } from './life.ts'
import {
  askForPasswords,
  askToMove,
  enter,
  lettersOf,
  move,
  newOwner,
  press,
  setNewPassword,
  type Owner,
} from './owner.ts'
import { passTime } from './pass-time.ts'
import { STEPS } from './steps.ts'
import { addressOf, LOOTS, newThief, readsMail, type Loot, type Thief } from './thief.ts'
import { channelsOf, findUnsent, findUntold } from './told.ts'
import type { Scene } from './scene.ts'
import { newVictims } from './victims.ts'
import { belongingsOf, weighAll } from './weigh-life.ts'

export const noLives = (): Lives => ({
  lives: 0,
  pressed: {},
  thievesPressed: 0,
  quiet: 0,
  undone: { withdrawals: 0, accounts: 0, factors: 0, addresses: 0 },
  stolen: 0n,
  lockedOut: 0,
  surviving: 0,
  untold: 0,
  misleading: 0,
  faults: [],
})

/** Accounts whose lives run at the same time. Each lives many lives, a week and more apart. */
const ACCOUNTS = 50
const WEEK_AND_MORE_HOURS = 8 * 24

/**
 * Runs lives of accounts with one or two thieves and an owner. He presses 'This was not me' in any
 * of his messages at a random moment, and then sets a new password. Assumptions: if a thief read
 * his mail, the owner gets his mail account back before he presses, and nobody else reads it from
 * then on; the thief keeps what he read before. The owner still reads the addresses that he had in
 * the last seven days. He has the recovery codes on paper, and a passkey that nobody else can use;
 * a stolen phone with the authenticator app is gone. He presses within 24 hours of the first theft,
 * before anything is sent. Adds lives to `tally` until it has `until`, or no owner is in control
 * any more.
 */
export async function runLives(
  scene: Scene,
  { tally, until, seed }: { tally: Lives; until: number; seed: number },
): Promise<void> {
  let owners: Owner[] = []
  while (owners.length < Math.min(ACCOUNTS, until - tally.lives))
    owners.push(...(await newOwners(scene, owners.length)))
  for (let first = tally.lives; first < until && owners.length > 0; first = tally.lives) {
    const plans = owners.slice(0, until - first).map((owner, index): Plan => ({
      owner,
      number: first + index,
      random: randomFrom(seed + first + index),
    }))
    const areOut = await live(scene, await beginAll(scene, plans), tally)
    owners = owners.filter((owner) => !areOut.includes(owner))
  }
}

/** A few at a time, so that a slow machine answers each sign-up in time. */
async function newOwners(scene: Scene, first: number): Promise<Owner[]> {
  const wanted = Array.from({ length: 10 }, (_, index) => ({
    number: first + index,
    factor: 'none' as const,
  }))
  return (await newVictims(scene, wanted)).map((victim, index) =>
    newOwner(victim, addressOf(1_000_000 + first + index)),
  )
}

type Plan = Pick<Life, 'owner' | 'number' | 'random'>

/**
 * A week and more after the last lives. Some owners have changed something themselves since; then
 * thieves steal something.
 */
async function beginAll(scene: Scene, plans: readonly Plan[]): Promise<Life[]> {
  const { sql } = scene.world.context
  await resetThrottles(sql)
  await equipAll(scene, plans)
  await scene.deliver()
  scene.post.clear()
  const ids = plans.map(({ owner }) => owner.victim.id)
  await passTime(
    scene.world.context,
    ids.map((id) => ({ id, hours: WEEK_AND_MORE_HOURS })),
  )
  await forgetHistory(sql, ids)
  const moving = plans.filter(({ random }) => random.chance(0.3))
  await Promise.all(
    moving.map(({ owner, number }) => askToMove(scene, owner, `owner${number}@example.com`)),
  )
  await scene.deliver()
  await Promise.all(moving.map(({ owner }) => move(scene, owner)))
  await passTime(
    scene.world.context,
    moving.map(({ owner, random }) => ({ id: owner.victim.id, hours: random.below(6 * 24) })),
  )
  const belongings = await belongingsOf(scene, ids)
  const channels = await channelsOf(scene, ids)
  return plans.map((plan) => {
    const { id } = plan.owner.victim
    return begin(scene, plan, {
      before: required(belongings.get(id), 'an owner has an account'),
      channels: required(channels.get(id), 'a user has channels'),
    })
  })
}

function begin(
  scene: Scene,
  { owner, number, random }: Plan,
  { before, channels }: Pick<Life, 'before' | 'channels'>,
): Life {
  const life: Life = {
    number,
    random,
    owner,
    before,
    channels,
    thieves: [],
    readUntil: undefined,
    hours: 0,
    moment: 1 + random.below(STEPS_EACH.before),
    first: channels.last ?? '',
    story: [],
    preview: undefined,
  }
  const phone = random.chance(0.2)
  for (let index = 0; index < (random.chance(0.3) ? 2 : 1); index += 1)
    life.thieves.push(
      newThiefOf(scene, life, { index, loots: lootsFrom(random, phone && index === 0) }),
    )
  if (phone) owner.app = undefined
  return life
}

/** At most one thief has the phone. */
function lootsFrom(random: Random, phone: boolean): ReadonlySet<Loot> {
  const others = LOOTS.filter((loot) => loot !== 'phone')
  // One of these gives access to the account; the others help.
  const way = random.pick(['password', 'session', 'mailbox'] as const)
  return new Set<Loot>([
    way,
    ...others.filter(() => random.chance(0.35)),
    ...(phone ? (['phone'] as const) : []),
  ])
}

function newThiefOf(
  { post }: Scene,
  life: Life,
  { index, loots }: { index: number; loots: ReadonlySet<Loot> },
): Thief {
  const { owner } = life
  const email = `thief${life.number}and${index}@example.net`
  const readable = () =>
    owner.emails.flatMap((address) =>
      post.to(address).slice(0, life.readUntil?.get(address) ?? (life.readUntil ? 0 : undefined)),
    )
  const mails = () => (readsMail(loots) ? [...readable(), ...post.to(email)] : [...post.to(email)])
  const victim = { ...owner.victim, cookie: owner.cookie ?? '', codes: owner.paper }
  return {
    ...newThief(victim, loots, { email, mails, address: addressOf(life.number * 2 + index) }),
    password: loots.has('password') ? owner.password : undefined,
  }
}

/**
 * Steps of thieves before the owner presses; between the press and the new password; and
 * afterwards.
 */
const STEPS_EACH = { before: 8, between: 2, after: 2 }
const NAMES = Object.keys(STEPS)
/**
 * Steps beside the press: all but the one after which a browser gets no push messages, because
 * nobody can say which came first.
 */
const AT_ONCE = NAMES.filter((name) => name !== 'silence')
/** Steps that end in access or money, more often than chance has them. */
const OFTEN = [
  'addBankAccount',
  'withdrawToHimself',
  'changeEmail',
  'verifyEmail',
  'addPasskey',
  'addAuthenticator',
  'askForReset',
  'reset',
  'withdraw',
]

/** Returns the owners who are out at the end. */
async function live(scene: Scene, lives: readonly Life[], tally: Lives): Promise<Owner[]> {
  for (let step = 0; step < STEPS_EACH.before; step += 1) {
    await attackAll(
      scene,
      lives.filter((life) => step < life.moment || lettersOf(scene, life.owner).length === 0),
      { step, tally },
    )
    await passAll(scene, lives, ({ random, hours }) =>
      random.chance(0.3) ? random.below(24 - hours) : 0,
    )
  }
  await Promise.all(lives.map((life) => answer(scene, life, tally)))
  await findUntold(scene, lives, tally)
  for (let step = 0; step < STEPS_EACH.between; step += 1) await attackAll(scene, lives, { tally })
  await askForPasswords(
    scene,
    lives.map(({ owner }) => owner),
  )
  await scene.deliver('mail')
  const isSet = await Promise.all(lives.map((life) => setNewPassword(scene, life.owner)))
  for (const [index, { story }] of lives.entries())
    story.push(isSet[index] === true ? 'new password' : 'no new password')
  await findUntold(scene, lives, tally)
  const isIn = await Promise.all(
    lives.map(async (life, index) => isSet[index] === true && enter(scene, life.owner)),
  )
  await findUntold(scene, lives, tally)
  for (let step = 0; step < STEPS_EACH.after; step += 1) {
    await attackAll(scene, lives, { tally })
    await passAll(scene, lives, () => 20)
  }
  await scene.deliver()
  await findUnsent(scene, lives, tally)
  return weighAll(
    scene,
    lives.map((life, index) => ({ life, isIn: isIn[index] === true })),
    tally,
  )
}

async function attackAll(
  scene: Scene,
  lives: readonly Life[],
  { step, tally }: { step?: number; tally: Lives },
): Promise<void> {
  const { world } = scene
  await Promise.all(
    lives.map(async ({ thieves, random, story }) => {
      if (thieves.length === 0) return
      const thief = random.pick(thieves)
      const name = random.pick(random.chance(0.5) ? OFTEN : NAMES)
      const chosen = step === 0 ? 'signIn' : name
      if (await required(STEPS[chosen], chosen)(world, thief, random))
        story.push(`${thieves.indexOf(thief)} ${chosen}`)
    }),
  )
  await findUntold(scene, lives, tally)
}

/** Mail arrives, hours pass, and what may be sent is sent. */
async function passAll(
  scene: Scene,
  lives: readonly Life[],
  hoursOf: (life: Life) => number,
): Promise<void> {
  await scene.deliver('mail')
  const passing = lives.map((life) => ({ id: life.owner.victim.id, hours: hoursOf(life) }))
  await passTime(scene.world.context, passing)
  for (const [index, life] of lives.entries()) life.hours += passing[index]?.hours ?? 0
  await scene.world.payOut()
}

/**
 * The owner takes the mail account back, and presses the button of one message, perhaps while a
 * thief does something.
 */
async function answer(scene: Scene, life: Life, tally: Lives): Promise<void> {
  const { owner, random, thieves } = life
  life.readUntil = new Map(owner.emails.map((email) => [email, scene.post.to(email).length]))
  const letters = lettersOf(scene, owner)
  if (letters.length === 0) {
    tally.quiet += 1
    life.thieves = []
    return
  }
  const name = random.pick(AT_ONCE)
  const atOnce = random.chance(0.3)
    ? required(STEPS[name], name)(scene.world, random.pick(thieves), random)
    : undefined
  while (letters.length > 0 && !life.preview) {
    const [letter] = letters.splice(random.below(letters.length), 1)
    if (!letter) break
    life.preview = await press(scene, owner, letter)
    life.story.push(
      life.preview ? `pressed "${letter.subject}"` : `"${letter.subject}" works no more`,
    )
    if (life.preview) tally.pressed[letter.subject] = (tally.pressed[letter.subject] ?? 0) + 1
  }
  if (!life.preview) tally.thievesPressed += 1
  if (await atOnce) life.story.push(`${name} at the same time`)
}
