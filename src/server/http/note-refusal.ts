import type { FastifyRequest } from 'fastify'
import { PROBLEMS } from '#contract/problem.ts'
import { routes } from '#contract/routes.ts'
import type { RefusalCode } from '#core/refusal.ts'
import { writeAudit } from '#server/security/audit.ts'
import { readUserId } from '#server/auth/get-user.ts'
import { admittedKey } from '#server/auth/program-key.ts'
import { sessionOf, traceOf } from '#server/auth/session.ts'
import type { Context } from '#server/context.ts'
import type { Queries } from '#server/db/statement.ts'
import { noteLockedAccount } from '#server/ledger/guard-seals.ts'
import { toRefusal } from './problems.ts'
import { takingTurns } from '#server/db/connection.ts'
import { countAttempts } from '#server/security/throttle.ts'

type Refused = { error: Error; request: FastifyRequest }

const NOBODY = 'nobody'

/**
 * Writes a refusal into the audit trail if it may be an attack: of a sign-in; of a sign-up with a
 * taken name or a used-up limit; or of a signed-in user's call that guessed a password, used up a
 * limit, was not allowed (403) or would have moved money against a protection. Other refusals of
 * strangers leave no row, because a flood could cause writes. Known and unknown names run the same
 * statements, so that timing reveals no names. Typed text is never stored, because people type
 * passwords in the wrong field.
 */
export async function noteRefusal(context: Context, { error, request }: Refused): Promise<void> {
  const { code } = toRefusal(error)
  const call = request.routeOptions.url ?? ''
  await noteLockedAccount(context, error)
  const kind = kindOf(code, call)
  if (kind === undefined) return
  try {
    const userId = await userOf(context, { kind, request })
    if (kind === 'call' && userId === undefined) return
    const trace = traceOf(request, context.config.SESSION_SECRET)
    const subject = userId ?? NOBODY
    // Counted separately, so that attempts to sign up never use up the rows of attempts to sign in.
    const number = await isTrailed(context.sql, {
      subject: kind === 'sign-up' ? kind : subject,
      address: trace.address,
    })
    if (number === undefined) return
    const actor = kind === 'call' ? `user:${subject}` : 'stranger'
    await writeAudit(context, {
      id: context.newId(),
      actor,
      action: `${kind}.refused`,
      subject,
      details: { code, call, ...trace, number: String(number) },
    })
  } catch (failure) {
    context.log.error({ err: failure }, 'a refusal is missing in the audit trail')
  }
}

type Kind = 'sign-in' | 'sign-up' | 'call'

/** The paths of all sign-in routes. */
const SIGN_IN = /\/login$/

/** Refusals that protect money, whatever their status. */
const PROTECTIVE: ReadonlySet<RefusalCode> = new Set([
  'withdrawals-frozen',
  'withdrawal-on-hold',
  'withdrawals-waiting',
  'withdrawals-locked',
])

/** Not real refusals: the same call follows with the requested proof. */
const QUESTIONS: ReadonlySet<RefusalCode> = new Set(['proof-required', 'second-factor-required'])

/** The kind of refusal for the trail; undefined if no attack explains the refusal. */
function kindOf(code: RefusalCode, call: string): Kind | undefined {
  if (QUESTIONS.has(code)) return undefined
  const { status } = PROBLEMS[code]
  const isGuess = code.startsWith('wrong-')
  if (SIGN_IN.test(call) && (isGuess || status === 429)) return 'sign-in'
  if (call === routes.signup.path)
    return code === 'username-taken' || status === 429 ? 'sign-up' : undefined
  return isGuess || status === 403 || status === 429 || PROTECTIVE.has(code) ? 'call' : undefined
}

/** The user of a refusal. A refused sign-up belongs to nobody, whatever its name. */
async function userOf(
  context: Context,
  { kind, request }: { kind: Kind; request: FastifyRequest },
): Promise<string | undefined> {
  if (kind === 'sign-up') return undefined
  return kind === 'sign-in'
    ? namedUser(context, request)
    : (admittedKey(request) ?? (await sessionOf(context, request)))?.userId
}

async function namedUser({ sql }: Context, { body }: FastifyRequest): Promise<string | undefined> {
  const name =
    typeof body === 'object' && body !== null && 'username' in body ? body.username : undefined
  return readUserId(sql, typeof name === 'string' ? name : '')
}

/** Rows per hour: from one address, about one user, and about nobody in particular. */
const FIRST = { ofAddress: 10, ofUser: 100, ofNobody: 1_000 }

/**
 * The number of a refusal in its hour if it gets a row, else undefined. Threat: attempts that cost
 * a row each would fill the disk. After the first ones only the 100th, the 1,000th and so on get a
 * row, and attempts at one account never use up the rows of another.
 */
export async function isTrailed(
  sql: Queries,
  { subject, address }: { subject: string; address: string },
): Promise<number | undefined> {
  const number = await numberInTrail(sql, {
    key: `trail:${subject}:${address}`,
    first: FIRST.ofAddress,
  })
  if (number === undefined) return undefined
  const all = await numberInTrail(sql, {
    key: `trail:${subject}`,
    first: subject === NOBODY ? FIRST.ofNobody : FIRST.ofUser,
  })
  return all === undefined ? undefined : number
}

/** `first`: how many of the first refusals in a window get a row each. */
type Counted = { key: string; first: number }

const HOUR_SECONDS = 3_600

/**
 * Maximum counts in memory. Threat: refusals under ever new keys fill the memory. Dropped counts
 * are those of refusals without rows.
 */
const MOST_REMEMBERED = 10_000

/**
 * `number`: of the last refusal that is stored or being stored in the database. `held`: number of
 * later ones, not stored yet. `inTurn`: keeps the order of statements.
 */
type Tally = {
  number: number
  held: number
  endsMs: number
  inTurn: ReturnType<typeof takingTurns>
}

const tallies = new Map<string, Tally>()

/**
 * Threat: a flood in which each refusal costs a write. Refusals that get no row are counted in
 * memory, and added to the database's count with the next one that gets a row. Each process counts
 * separately, so such a row may be late, but its number is right.
 */
async function numberInTrail(sql: Queries, { key, first }: Counted): Promise<number | undefined> {
  const tally = tallyOf(key)
  tally.held += 1
  if (tally.number + tally.held < nextWithRow(tally.number, first)) return undefined
  const by = tally.held
  // Refusals during the query are counted from here.
  tally.number += by
  tally.held = 0
  const { attempts, wait } = await tally.inTurn(() =>
    countAttempts(sql, { key, windowSeconds: HOUR_SECONDS, by }),
  )
  tally.number = Math.max(tally.number, attempts)
  tally.endsMs = performance.now() + wait * 1_000
  return nextWithRow(attempts - by, first) <= attempts ? attempts : undefined
}

function tallyOf(key: string): Tally {
  const known = tallies.get(key)
  if (known && performance.now() < known.endsMs) return known
  if (tallies.size >= MOST_REMEMBERED) tallies.clear()
  const tally = {
    number: 0,
    held: 0,
    endsMs: performance.now() + HOUR_SECONDS * 1_000,
    inTurn: takingTurns(),
  }
  tallies.set(key, tally)
  return tally
}

function nextWithRow(number: number, first: number): number {
  return number < first ? number + 1 : 10 ** (Math.floor(Math.log10(number)) + 1)
}
