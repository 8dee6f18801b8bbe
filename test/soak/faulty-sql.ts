import type { Queries, Sql } from '#server/db/open.ts'

/** The process was killed: its statements get no response. */
export class Killed extends Error {
  override readonly name = 'Killed'
}

/**
 * The fault of the next call. `at` counts statements or, for faults at a transaction's borders, transactions.
 * kill: the process dies between two statements · kill after commit: before it receives the result · cut, cut in the middle: the connection
 * is lost before a statement, or while it runs · cut at commit: before the commit arrives · lose answer: after it arrived · between: `act`
 * runs before a transaction begins.
 */
export type Fault = { kind: 'kill' | 'kill after commit' | 'cut' | 'cut in the middle' | 'cut at commit' | 'lose answer' | 'between'; at: number; act?: () => Promise<void> }

/** A process's access to the database, with faults at counted statements or transactions. */
export type Life = {
  sql: Sql
  arm: (fault: Fault) => void
  /** Cancels a fault that has not happened; returns the one that has. */
  disarm: () => Fault['kind'] | undefined
  readonly isDead: boolean
}

export type SqlFigures = { statements: number; transactions: number; faults: Record<string, number>; repeated: number }

type Parts = { base: Sql; terminate: (pid: number) => Promise<void>; figures: SqlFigures }
type State = Parts & { armed: Fault | undefined; happened: Fault['kind'] | undefined; isDead: boolean; statements: number; transactions: number }
/** `lost`: undefined until the connection is cut; resolves when the driver has noticed. */
type Run = { tx: Queries; statements: number; lost: Promise<void> | undefined; isLost: Promise<void> }

export function openLife(parts: Parts): Life {
  const state: State = { ...parts, armed: undefined, happened: undefined, isDead: false, statements: 0, transactions: 0 }
  return {
    sql: faulty(parts.base, state, undefined) as Sql,
    arm: (fault) => Object.assign(state, { armed: fault, happened: undefined, statements: 0, transactions: 0 }),
    disarm: () => {
      state.armed = undefined
      return state.happened
    },
    get isDead() {
      return state.isDead
    },
  }
}

/** The part of the driver's query that its types omit: the driver calls `handler` to send the query. */
type Statement = Promise<unknown> & { handler: (statement: Statement) => void; resolve: () => void; reject: (error: Error) => void }

const isStatement = (made: unknown): made is Statement => made instanceof Promise && 'handler' in made && 'reject' in made

function faulty(target: Queries, state: State, run: Run | undefined): Queries {
  const watch = (made: unknown): unknown => {
    if (!isStatement(made)) return made
    const send = made.handler
    made.handler = (statement) => {
      void sendOrFail(state, { run, statement, send: () => send(statement) })
    }
    return made
  }
  return new Proxy(target, {
    apply: (_target, _this, args) => watch(Reflect.apply(target as never, undefined, args)),
    get: (_target, name) => {
      if (name === 'begin') return (mode: string, work: (tx: Queries) => Promise<unknown>) => begin(state, mode, work)
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (...args: unknown[]) => watch(Reflect.apply(value, target, args)) : value
    },
  })
}

type Sending = { run: Run | undefined; statement: Statement; send: () => void }

async function sendOrFail(state: State, { run, statement, send }: Sending): Promise<void> {
  if (state.isDead) return statement.reject(new Killed('the process is dead'))
  state.figures.statements += 1
  state.statements += 1
  if (run) run.statements += 1
  const { armed } = state
  const isDue = armed !== undefined && state.statements >= armed.at
  if (isDue && armed.kind === 'kill') {
    happen(state, 'kill')
    state.isDead = true
    return statement.reject(new Killed('the process died between two statements'))
  }
  if (isDue && run && (armed.kind === 'cut' || armed.kind === 'cut in the middle')) {
    happen(state, armed.kind)
    return cut(state, { run, statement, send }, armed.kind)
  }
  if (run?.lost) return failLost(run, statement)
  send()
}

async function cut(state: State, { run, statement, send }: Sending & { run: Run }, kind: 'cut' | 'cut in the middle'): Promise<void> {
  state.figures.repeated += run.statements
  const pid = await pidOf(run.tx)
  if (kind === 'cut in the middle') await withoutAnswer(statement, send)
  run.lost = state.terminate(pid).then(() => run.isLost)
  await failLost(run, statement)
}

/**
 * The server executes the statement, and its response is withheld. If a connection really ended in the middle of a response, the driver
 * (postgres 3.4.9, issues 1119 and 1181) would keep its rows and put them before those of another statement.
 */
async function withoutAnswer(statement: Statement, send: () => void): Promise<void> {
  const { reject } = statement
  await new Promise<void>((resolve) => {
    statement.resolve = () => resolve()
    statement.reject = () => resolve()
    send()
  })
  statement.reject = reject
}

/** Sends nothing: the driver ends the process if it gets a statement for a socket that it knows is closed. */
async function failLost(run: Run, statement: Statement): Promise<void> {
  await run.lost
  statement.reject(connectionLost())
}

function happen(state: State, kind: Fault['kind']): void {
  state.armed = undefined
  state.happened = kind
  state.figures.faults[kind] = (state.figures.faults[kind] ?? 0) + 1
}

/** The fault that is due at a transaction's border, if it is one of `kinds`. */
function take(state: State, kinds: readonly Fault['kind'][]): Fault | undefined {
  const { armed } = state
  if (armed === undefined || !kinds.includes(armed.kind) || state.transactions < armed.at) return undefined
  happen(state, armed.kind)
  return armed
}

async function begin(state: State, mode: string, work: (tx: Queries) => Promise<unknown>): Promise<unknown> {
  if (state.isDead) throw new Killed('the process is dead')
  state.transactions += 1
  state.figures.transactions += 1
  await take(state, ['between'])?.act?.()
  let tellLost: () => void = () => undefined
  const isLost = new Promise<void>((resolve) => (tellLost = resolve))
  const answer = await state.base
    .begin(mode, async (tx) => {
      const run: Run = { tx, statements: 0, lost: undefined, isLost }
      const made = await work(faulty(tx, state, run))
      // `begin` has already failed, so work that outlives its connection never resolves.
      if (run.lost) await new Promise<never>(() => undefined)
      if (take(state, ['cut at commit'])) throw connectionLost()
      return made
    })
    .catch((error: unknown) => {
      tellLost()
      throw error
    })
  if (take(state, ['kill after commit'])) {
    state.isDead = true
    throw new Killed('the process died before it received the result of its commit')
  }
  if (take(state, ['lose answer'])) throw connectionLost()
  return answer
}

const connectionLost = () => Object.assign(new Error('the connection was lost'), { code: 'CONNECTION_CLOSED' })

async function pidOf(tx: Queries): Promise<number> {
  const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
  return row?.pid ?? 0
}
