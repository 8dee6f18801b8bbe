import { LEDGER } from './reconcile-ledger.ts'
import { POOLS } from './reconcile-pools.ts'
import { RAILS } from './reconcile-rails.ts'

/** One recomputation: what must hold, and the statement that lists every row that breaks it as (subject, finding). */
export type Check = { name: string; statement: string }

/** Everything that must hold between the tables, recomputed from the entries and rows themselves. */
export const CHECKS: readonly Check[] = [...LEDGER, ...RAILS, ...POOLS]
