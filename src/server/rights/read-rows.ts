import { part, type Fragment, type Queries, type Value } from '#server/db/statement.ts'
import type { ExportedTable } from './exported-tables.ts'

const PORTION = 500

export type ExportedRow = Record<string, unknown>

/**
 * The user's rows of one table in portions, so that no export holds a whole history in memory or a
 * connection for long.
 */
export async function* rowsOf(
  sql: Queries,
  { table, owner, key, columns }: ExportedTable,
  userId: string,
): AsyncGenerator<ExportedRow[]> {
  const read = sql([...new Set([...columns, ...key])])
  const hidden = key.filter((column) => !columns.includes(column)).map(inCamelCase)
  for (let after: Fragment = part`true`; ;) {
    const rows: ExportedRow[] = await sql`
      select ${read} from ${sql(table)} t where ${sql(owner)} = ${userId} and ${after}
       order by ${sql(key)} limit ${PORTION}`
    const last = rows.at(-1)
    if (last === undefined) return
    after = part`(${sql(key)}) > (${listed(key.map((column) => last[inCamelCase(column)] as Value))})`
    yield rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.includes(name))),
    )
    if (rows.length < PORTION) return
  }
}

/** As the driver names columns. */
const inCamelCase = (column: string): string =>
  column.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())

function listed([first = null, ...rest]: readonly Value[]): Fragment {
  return rest.reduce<Fragment>((list, value) => part`${list}, ${value}`, part`${first}`)
}

type AuditRow = {
  id: string
  actor: string
  action: string
  subject: string
  details: Record<string, string>
  createdAt: Date
}

/** The part of the audit trail about the user: their own actions, and those on what is theirs. */
export async function* auditRowsOf(sql: Queries, userId: string): AsyncGenerator<ExportedRow[]> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const rows: AuditRow[] = await sql<AuditRow[]>`
      select id, actor, action, subject, details, created_at from audit_events
       where actor = ${`user:${userId}`} and id > ${after}
      union select id, actor, action, subject, details, created_at from audit_events
       where id > ${after} and subject in (select ${userId}::text union all select id::text
             from withdrawal_requests where user_id = ${userId})
       order by id limit ${PORTION}`
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
    // Which of the operator's people acted is theirs to know.
    yield rows.map(({ actor, ...row }) => ({
      ...row,
      actor: actor.startsWith('operator:') ? 'operator' : actor,
    }))
    if (rows.length < PORTION) return
  }
}
