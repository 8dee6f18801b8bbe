import type pg from 'pg'
import { send, takingTurns, withCode } from './connection.ts'
import { queriesOver, type Queries } from './statement.ts'

/**
 * `opening` is sent with each BEGIN. Through a pooler, statements have no names, because the next
 * connection may not know them.
 */
export type Transactions = { pool: pg.Pool; opening: string; isPooled: boolean }

/**
 * Rejects as soon as the connection is lost. Work that outlives its transaction gets only
 * rejections, so that it cannot run in the next transaction.
 */
export async function runTransaction<Result>(
  { pool, opening, isPooled }: Transactions,
  mode: string,
  work: (tx: Queries) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect().catch(refuse)
  const loss = watchForLoss(client)
  const inTurn = takingTurns()
  let isOver = false
  const tx = queriesOver((sent) =>
    isOver || loss.happened
      ? Promise.reject(overError())
      : inTurn(() => send(client, isPooled ? { ...sent, simple: true } : sent)),
  )
  try {
    await client.query(`begin ${mode}${opening}`).catch(refuse)
    const result = await Promise.race([work(tx), loss.rejection])
    isOver = true
    const { command } = await inTurn(() => client.query('commit')).catch(refuse)
    // PostgreSQL answers the commit of a failed transaction with a rollback, not with an error.
    if (command !== 'COMMIT')
      throw new Error('a statement of this transaction failed, and its work went on')
    return result
  } catch (error) {
    isOver = true
    if (!loss.happened) await inTurn(() => client.query('rollback')).catch(() => loss.note())
    throw error
  } finally {
    client.release(loss.happened)
    loss.unwatch()
  }
}

type Loss = {
  readonly happened: boolean
  rejection: Promise<never>
  note: () => void
  unwatch: () => void
}

function watchForLoss(client: pg.PoolClient): Loss {
  let happened = false
  let reject: (error: unknown) => void = () => undefined
  const rejection = new Promise<never>((_resolve, fail) => (reject = fail))
  // Avoids an unhandled rejection, because perhaps no caller awaits it yet.
  rejection.catch(() => undefined)
  const note = () => {
    happened = true
  }
  const onError = (error: unknown) => {
    note()
    reject(withCode(error))
  }
  client.on('error', onError)
  return {
    get happened() {
      return happened
    },
    rejection,
    note,
    unwatch: () => client.off('error', onError),
  }
}

function refuse(error: unknown): never {
  throw withCode(error)
}

const overError = () =>
  Object.assign(
    new Error('this transaction is over: its work has ended or its connection is lost'),
    { code: 'CONNECTION_CLOSED' },
  )
