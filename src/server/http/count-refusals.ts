import { takingTurns } from '#server/db/connection.ts'
import type { Queries } from '#server/db/statement.ts'
import { countAttempts } from '#server/throttle.ts'

/** `first`: how many of the first refusals in a window get a row in the trail each. */
type Counted = { key: string; first: number }

const HOUR_SECONDS = 3_600

/**
 * Threat: refusals under ever new keys would fill the memory. What is forgotten was to get no row.
 */
const MOST_REMEMBERED = 10_000

/**
 * `number`: of the last refusal that the database knows or is about to. `held`: those since, which
 * it does not know. `inTurn` keeps their order.
 */
type Tally = {
  number: number
  held: number
  endsMs: number
  inTurn: ReturnType<typeof takingTurns>
}

const tallies = new Map<string, Tally>()

/**
 * The number of a refusal in its hour if it gets a row, else undefined: the first ones do, and then
 * the 100th, the 1,000th and so on. Threat: a write for each refusal of a flood. So refusals that
 * can get no row are counted here, and added to the database's count with the next one that may get
 * one. Of several processes each waits for that number by itself, so such a row may come late, and
 * then has the true number.
 */
export async function numberInTrail(
  sql: Queries,
  { key, first }: Counted,
): Promise<number | undefined> {
  const tally = tallyOf(key)
  tally.held += 1
  if (tally.number + tally.held < nextWithRow(tally.number, first)) return undefined
  const by = tally.held
  // Others at the same moment count on from here while the database is asked.
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

/** The next number after `number` that gets a row. */
function nextWithRow(number: number, first: number): number {
  return number < first ? number + 1 : 10 ** (Math.floor(Math.log10(number)) + 1)
}
