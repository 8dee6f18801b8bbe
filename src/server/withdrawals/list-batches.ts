import type { Context } from '#server/context.ts'
import { findBatches } from './batch-store.ts'

/** The newest batches with what became of their payouts: an operator's view. */
export const listBatches = ({ sql }: Context) => findBatches(sql)
