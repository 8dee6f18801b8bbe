import type { Check } from './check.ts'
import { LEDGER } from './reconcile-ledger.ts'
import { POOLS } from './reconcile-pools.ts'
import { RAILS } from './reconcile-rails.ts'

/** Everything that must hold between the tables, recomputed from the entries and rows themselves. */
export const CHECKS: readonly Check[] = [...LEDGER, ...RAILS, ...POOLS]
