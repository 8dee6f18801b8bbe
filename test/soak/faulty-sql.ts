import type { Sql } from '#server/db/open.ts'
import type { Queries } from '#server/db/statement.ts'
import { queriesOver, type Rows } from '#server/db/statement.ts'

/** The process was killed: its statements get no response. */
export class Killed extends Error {
  override readonly name = 'Killed'
}

/**
 * The fault of the next call. `at` counts statements or, for faults at a transaction's borders,
 * transactions. kill: the process dies between two statements · kill after commit: before it
 * receives the result · cut, cut in the middle: the connection is lost before a statement, or while
 * it runs · cut at commit: before the commit arrives · lose answer: after it arrived · between:
 * `act` runs before a transaction begins.
 */
export type Fault = {
  kind:
    | 'kill'
    | 'kill after commit'
    | 'cut'
    | 'cut in the middle'
    | 'cut at commit'
    | 'lose answer'
    | 'between'
  at: number
  act?: () => Promise<void>
}

/** A process's access to the database, with faults at counted statements or transactions. */
export type Life = {
  sql: Sql
  arm: (fault: Fault) => void
  /** Cancels the armed fault; returns the kind of the one that has happened, if any. */
  disarm: () => Fault['kind'] | undefined
  readonly isDead: boolean
}

export type SqlFigures = {
  statements: number
  transactions: number
  faults: Record<string, number>
  repeated: number
}

type Parts = { base: Sql; terminate: (pid: number) => Promise<void>; figures: SqlFigures }
type State = Parts & {
  armed: Fault | undefined
  happened: Fault['kind'] | undefined
  isDead: boolean
  statements: number
  transactions: number
}
type Run = { tx: Queries; statements: number }

export function openLife(parts: Parts): Life {
  const state: State = {
    ...parts,
    armed: undefined,
    happened: undefined,
    isDead: false,
    statements: 0,
    transactions: 0,
  }
  return {
    sql: Object.assign(faulty(parts.base, state), {
      url: parts.base.url,
      end: parts.base.end,
      begin: <Result>(mode: string, work: (tx: Queries) => Promise<Result>) =>
        begin(state, mode, work),
    }),
    arm: (fault) =>
      Object.assign(state, { armed: fault, happened: undefined, statements: 0, transactions: 0 }),
    disarm: () => {
      state.armed = undefined
      return state.happened
    },
    get isDead() {
      return state.isDead
    },
  }
}

function faulty(target: Queries, state: State, run?: Run): Queries {
  return queriesOver((sent) => sendOrFail(state, { run, send: () => target.send(sent) }))
}

type Sending = { run: Run | undefined; send: () => Promise<Rows> }

async function sendOrFail(state: State, { run, send }: Sending): Promise<Rows> {
  if (state.isDead) throw new Killed('the process is dead')
  state.figures.statements += 1
  state.statements += 1
  if (run) run.statements += 1
  const { armed } = state
  const isDue = armed !== undefined && state.statements >= armed.at
  if (isDue && armed.kind === 'kill') {
    happen(state, 'kill')
    state.isDead = true
    throw new Killed('the process died between two statements')
  }
  if (isDue && run && (armed.kind === 'cut' || armed.kind === 'cut in the middle')) {
    happen(state, armed.kind)
    return cut(state, { run, send }, armed.kind)
  }
  return send()
}

/**
 * Cuts a statement in the middle: the server executes it, and its response is lost with the
 * connection.
 */
async function cut(
  state: State,
  { run, send }: Sending & { run: Run },
  kind: 'cut' | 'cut in the middle',
): Promise<Rows> {
  state.figures.repeated += run.statements
  const pid = await pidOf(run.tx)
  if (kind === 'cut in the middle') await send().catch(() => undefined)
  await state.terminate(pid)
  return send()
}

function happen(state: State, kind: Fault['kind']): void {
  state.armed = undefined
  state.happened = kind
  state.figures.faults[kind] = (state.figures.faults[kind] ?? 0) + 1
}

/** The fault that is due before or after a transaction, if it is one of `kinds`. */
function take(state: State, kinds: readonly Fault['kind'][]): Fault | undefined {
  const { armed } = state
  if (armed === undefined || !kinds.includes(armed.kind) || state.transactions < armed.at)
    return undefined
  happen(state, armed.kind)
  return armed
}

async function begin<Result>(
  state: State,
  mode: string,
  work: (tx: Queries) => Promise<Result>,
): Promise<Result> {
  if (state.isDead) throw new Killed('the process is dead')
  state.transactions += 1
  state.figures.transactions += 1
  await take(state, ['between'])?.act?.()
  const answer = await state.base.begin(mode, async (tx) => {
    const made = await work(faulty(tx, state, { tx, statements: 0 }))
    if (take(state, ['cut at commit'])) throw connectionLost()
    return made
  })
  if (take(state, ['kill after commit'])) {
    state.isDead = true
    throw new Killed('the process died before it received the result of its commit')
  }
  if (take(state, ['lose answer'])) throw connectionLost()
  return answer
}

const connectionLost = () =>
  Object.assign(new Error('the connection was lost'), { code: 'CONNECTION_CLOSED' })

async function pidOf(tx: Queries): Promise<number> {
  const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
  return row?.pid ?? 0
}
