import { assert } from '#core/assert.ts'
import { blockAllocated, blockFilled, blockRounded, platformFeesPaid } from '#core/ledger/movements.ts'
import { baseOf } from '#core/market/pair.ts'
import { cashMoved } from '#core/trading/fill.ts'
import { paperFill } from '#core/trading/paper-fill.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/fee.ts'
import type { Context } from '#server/context.ts'
import type { Transaction } from '#server/db/open.ts'
import { publish } from '#server/events/bus.ts'
import { post } from '#server/ledger/post.ts'
import {
  allocateBuys,
  allocateSells,
  expectLookUps,
  findStretches,
  finishBlock,
  leftInClearing,
  NAMED_BOTS,
  recordFill,
  type Block,
  type FilledBlock,
  type Stretch,
} from './store.ts'
import { underLead } from './under-lead.ts'
import type { VenueFill } from './venue.ts'

/** Slices allocated at the same time: one for each core of a small machine. */
const PARALLEL_SLICES = 2

/** `isResumed`: left behind by a crash or a fault, not just planned. */
type Lead = { epoch: bigint; isResumed?: boolean }

/**
 * Takes a block from wherever it stands to 'allocated': filled by the venue, shared among its bots, each step journalled in the
 * transaction that does it, so that a crash between any two resumes and never repeats.
 */
export async function runBlock(context: Context, block: Block, lead: Lead): Promise<{ isWhole: boolean }> {
  const fill = block.state === 'planned' ? await executeOrder(context, block, lead) : fillOf(block)
  if (fill.quantity === 0n) await underLead(context, lead.epoch, (tx) => finishBlock(tx, block.id))
  else await share(context, { block, filled: withFill(block, fill) }, lead)
  return fill
}

async function share(context: Context, { block, filled }: { block: Block; filled: FilledBlock }, { epoch }: Lead): Promise<void> {
  const stretches = await findStretches(context.sql, block.slices)
  const [everything] = stretches
  if (everything && stretches.length === 1) {
    await underLead(context, epoch, async (tx) => {
      if (block.state === 'planned') await bookFill(context, tx, filled)
      const userIds = await shareSlice(context, tx, { block: filled, stretch: everything })
      await finish(context, tx, { block: filled, userIds })
    })
    return
  }
  if (block.state === 'planned') await underLead(context, epoch, (tx) => bookFill(context, tx, filled))
  await shareInParallel(context, { block: filled, stretches }, epoch)
  await underLead(context, epoch, (tx) => finish(context, tx, { block: filled, userIds: [] }))
}

async function executeOrder({ venue, costs }: Context, { id, pair, side, wished, price, filledBy }: Block, lead: Lead): Promise<VenueFill> {
  if (filledBy === 'house') return { ...paperFill({ side, quantity: wished, price, costs }), isWhole: true }
  const fill = await venue.execute({ clientOrderId: id, pair, side, quantity: wished, price }, lead)
  assert(fill.side === side && fill.quantity <= wished, 'a venue fills what was ordered and no more')
  return fill
}

function withFill(block: Block, { quantity, price, notional, fee, isWhole }: VenueFill): FilledBlock {
  return { ...block, fillQuantity: quantity, fillPrice: price, fillNotional: notional, fillFee: fee, fillWhole: isWhole }
}

function fillOf({ side, fillQuantity, fillPrice, fillNotional, fillFee, fillWhole }: Block): VenueFill {
  assert(fillQuantity !== null && fillPrice !== null && fillNotional !== null && fillFee !== null, 'a filled block has its fill')
  return { side, quantity: fillQuantity, price: fillPrice, notional: fillNotional, fee: fillFee, isWhole: fillWhole === true }
}

async function bookFill(context: Context, tx: Transaction, block: FilledBlock): Promise<void> {
  await recordFill(tx, block)
  const { side, fillQuantity: quantity, pair, marketTime: eventTime } = block
  const movement = blockFilled({ side, base: baseOf(pair), quantity, total: cashMoved(fillOf(block)), by: block.filledBy })
  await post(tx, { id: context.newId(), dedupKey: `block:${block.id}:fill`, movement, eventTime })
}

/** What a crash left half shared is gone through again from the beginning: a sleeve that has its share wants no other of this plan. */
async function shareInParallel(context: Context, { block, stretches }: { block: FilledBlock; stretches: Stretch[] }, epoch: bigint): Promise<void> {
  const worker = async () => {
    for (let stretch = stretches.shift(); stretch !== undefined; stretch = stretches.shift()) {
      const mine = stretch
      await underLead(context, epoch, (tx) => shareSlice(context, tx, { block, stretch: mine }))
    }
  }
  await Promise.all(Array.from({ length: PARALLEL_SLICES }, worker))
}

/** Answers the users of the slice's first bots. */
async function shareSlice(context: Context, tx: Transaction, { block, stretch }: { block: FilledBlock; stretch: Stretch }): Promise<string[]> {
  await expectLookUps(tx)
  const charge = { stretch, feeBps: PERFORMANCE_FEE_BPS }
  const totals = block.side === 'buy' ? await allocateBuys(tx, block, stretch) : await allocateSells(tx, block, charge)
  if (totals.bots === 0) return []
  const { side, pair, marketTime: eventTime } = block
  const id = context.newId()
  const movement = blockAllocated({ side, base: baseOf(pair), quantity: totals.quantity, total: totals.total })
  await post(tx, { id, dedupKey: `block:${block.id}:slice:${id}`, movement, eventTime })
  if (totals.fees > 0n) {
    await post(tx, { id: context.newId(), dedupKey: `block:${block.id}:fees:${id}`, movement: platformFeesPaid({ amount: totals.fees }), eventTime })
  }
  return totals.userIds
}

async function finish(context: Context, tx: Transaction, { block, userIds }: { block: FilledBlock; userIds: string[] }): Promise<void> {
  const left = await leftInClearing(tx, block.id)
  const most = BigInt(block.bots)
  assert([left.base, left.quote].every((units) => -most < units && units < most), 'rounding leaves less than a unit for each bot')
  const movement = blockRounded({ base: baseOf(block.pair), baseLeft: left.base, quoteLeft: left.quote })
  if (movement.entries.length > 0) {
    await post(tx, { id: context.newId(), dedupKey: `block:${block.id}:rounding`, movement, eventTime: block.marketTime })
  }
  await finishBlock(tx, block.id)
  // A block of many bots tells everybody to look again instead of naming its users.
  const named = block.bots <= NAMED_BOTS ? { userIds } : {}
  const names = ['bots', 'balance', 'transactions'] as const
  await publish(tx, ...names.map((name) => ({ name, ...named })))
}
