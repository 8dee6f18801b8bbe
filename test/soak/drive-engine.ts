import { AssertionFailed } from '#core/assert.ts'
import { CommitAnswerLost, isConnectionLoss } from '#server/db/atomically.ts'
import { openEngine, type Engine } from '#server/trading/engine.ts'
import type { Random } from '../world/random.ts'
import { Killed, type Fault } from './faulty-sql.ts'
import { VenueAway } from './venue.ts'
import type { World } from './world.ts'

/** Runs the engine under random faults of its process, its connections and the venue. */

type Work = (engine: Engine) => Promise<void>

/** Actions of users while an engine is between two transactions or its order is at the venue. */
export type Meanwhile = () => Promise<void>

const STATEMENT_FAULTS = ['kill', 'cut', 'cut in the middle'] as const
const BORDER_FAULTS = [
  'kill after commit',
  'cut at commit',
  'lose answer',
  'between',
  'between',
] as const

/** Share of calls without a fault. */
const CALM = 0.4

/** Serves bots until nothing is left to do. */
export async function serve(world: World, meanwhile: Meanwhile): Promise<void> {
  await faultily(world, {
    work: (engine) => engine.serve(),
    meanwhile,
    isDone: () => true,
    most: 80,
  })
}

/** Advances to market time `ms`. */
export async function advanceTo(
  world: World,
  { ms, meanwhile }: { ms: number; meanwhile: Meanwhile },
): Promise<void> {
  await faultily(world, {
    work: (engine) => engine.advanceTo(ms),
    meanwhile,
    isDone: (engine) => engine.nowMs() >= ms,
    most: 200,
  })
  await world.context.market.refresh()
}

/** Serves bots without faults. */
export async function serveCalmly(world: World): Promise<void> {
  await untilDone(world, { work: (engine) => engine.serve(), isDone: () => true })
}

type Call = { work: Work; isDone: (engine: Engine) => boolean }

async function faultily(
  world: World,
  { meanwhile, most, ...call }: Call & { meanwhile: Meanwhile; most: number },
): Promise<void> {
  const { random, venue, engine } = world
  if (random.chance(CALM)) return untilDone(world, call)
  const caught = async (act: () => Promise<void>) => {
    await world.catchUp()
    await act()
  }
  const act = random.chance(0.5) ? meanwhile : () => depose(world)
  const fault = faultOf(random, { most, act: () => caught(act) })
  if (fault.kind === 'between' && random.chance(0.3)) venue.interrupt(() => caught(act))
  else engine.process.life.arm(fault)
  await untilDone(world, call)
  engine.process.life.disarm()
  venue.interrupt(undefined)
}

function faultOf(random: Random, { most, act }: { most: number; act: () => Promise<void> }): Fault {
  const at = 1 + random.below(1 + random.below(most))
  if (random.chance(0.5)) return { kind: random.pick(STATEMENT_FAULTS), at }
  return { kind: random.pick(BORDER_FAULTS), at: 1 + Math.floor(at / 5), act }
}

/** Another process takes the lead while the first one still believes that it leads. */
async function depose(world: World): Promise<void> {
  world.figures.faults['deposed'] = (world.figures.faults['deposed'] ?? 0) + 1
  await openAnother(world)
}

const MOST_TRIES = 40

async function untilDone(world: World, { work, isDone }: Call): Promise<void> {
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const { engine } = world
    try {
      await work(engine.engine)
      await world.catchUp()
      if (world.engine === engine && isDone(engine.engine)) return
    } catch (error) {
      await world.catchUp()
      if (!isExpected(world, { error, wasDeposed: world.engine !== engine })) throw error
      if (engine.process.life.isDead && world.engine === engine) await openAnother(world)
    }
  }
  throw new Error('the engine does not finish')
}

function isExpected(
  { engine }: World,
  { error, wasDeposed }: { error: unknown; wasDeposed: boolean },
): boolean {
  if (wasDeposed && error instanceof AssertionFailed)
    return error.message === 'another engine has taken the lead'
  return (
    error instanceof CommitAnswerLost ||
    error instanceof VenueAway ||
    (error instanceof Killed && engine.process.life.isDead) ||
    isConnectionLoss(error)
  )
}

/** A new engine takes over; sometimes it too is killed while doing so. */
async function openAnother(world: World): Promise<void> {
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const process = world.open()
    if (world.random.chance(0.15))
      process.life.arm({ kind: 'kill', at: 1 + world.random.below(30) })
    try {
      const engine = await openEngine(process.context)
      process.life.disarm()
      await world.catchUp()
      world.engine = { process, engine }
      return
    } catch (error) {
      await world.catchUp()
      if (
        !(
          error instanceof Killed ||
          error instanceof VenueAway ||
          error instanceof CommitAnswerLost ||
          isConnectionLoss(error)
        )
      )
        throw error
    }
  }
  throw new Error('no engine takes the lead')
}
