import type { Check } from './check.ts'
import { LEDGER } from './reconcile-ledger.ts'
import { POOLS } from './reconcile-pools.ts'
import { RAILS } from './reconcile-rails.ts'

/** Every invariant between the tables, recomputed from the entries and rows. */
export const CHECKS: readonly Check[] = [...LEDGER, ...RAILS, ...POOLS]
