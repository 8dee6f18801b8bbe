import { assert } from '#core/assert.ts'
import { blockAllocated, blockFilled, blockRounded, platformFeesPaid } from '#core/ledger/movements.ts'
import { baseOf } from '#core/market/pair.ts'
import { cashMoved } from '#core/trading/fill.ts'
import { paperFill } from '#core/trading/paper-fill.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/fee.ts'
import type { Context } from '#server/context.ts'
import { atomically } from '#server/db/atomically.ts'
import type { Transaction } from '#server/db/open.ts'
import { publish } from '#server/events/bus.ts'
import { post } from '#server/ledger/post.ts'
import { holdLead } from '#server/market/clock.ts'
import {
  allocateBuys,
  allocateSells,
  expectFew,
  expectMany,
  findBlockUsers,
  findDoneSlices,
  finishBlock,
  recordFill,
  leftInClearing,
  type Block,
  type FilledBlock,
} from './store.ts'
import type { VenueFill } from './venue.ts'

/** Slices allocated at the same time: one for each core of a small machine. */
const PARALLEL_SLICES = 2

/** A block with more bots than this tells everybody to look again instead of naming its users. */
const NAMED_USERS = 100

/** `isResumed`: left behind by a crash or a fault, not just planned. */
type Lead = { epoch: bigint; isResumed?: boolean }

/**
 * Takes a block from wherever it stands to 'allocated': filled by the venue, shared among its bots, each step journalled in the
 * transaction that does it, so that a crash between any two resumes and never repeats.
 */
export async function runBlock(context: Context, block: Block, lead: Lead): Promise<{ isWhole: boolean }> {
  const fill = block.state === 'planned' ? await executeOrder(context, block, lead) : fillOf(block)
  if (fill.quantity === 0n) await underLead(context, lead, (tx) => finishBlock(tx, block.id))
  else await share(context, { block, filled: withFill(block, fill) }, lead)
  return fill
}

async function share(context: Context, { block, filled }: { block: Block; filled: FilledBlock }, lead: Lead): Promise<void> {
  if (block.slices === 1) {
    await atomically(context.sql, async (tx) => {
      await holdLead(tx, lead.epoch)
      if (block.state === 'planned') await bookFill(context, tx, filled)
      await allocateSlice(context, tx, { block: filled, slice: 0 })
      await finish(context, tx, filled)
    })
    return
  }
  if (block.state === 'planned') await underLead(context, lead, (tx) => bookFill(context, tx, filled))
  await allocateInParallel(context, filled, lead)
  await underLead(context, lead, (tx) => finish(context, tx, filled))
}

async function underLead(context: Context, { epoch }: Lead, work: (tx: Transaction) => Promise<void>): Promise<void> {
  await atomically(context.sql, async (tx) => {
    await holdLead(tx, epoch)
    await work(tx)
  })
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

async function allocateInParallel(context: Context, block: FilledBlock, lead: Lead): Promise<void> {
  const done = await findDoneSlices(context.sql, block.id)
  const open = Array.from({ length: block.slices }, (_, slice) => slice).filter((slice) => !done.has(slice))
  const worker = async () => {
    for (let slice = open.shift(); slice !== undefined; slice = open.shift()) {
      const mine = slice
      await underLead(context, lead, (tx) => allocateSlice(context, tx, { block, slice: mine }))
    }
  }
  await Promise.all(Array.from({ length: PARALLEL_SLICES }, worker))
}

async function allocateSlice(context: Context, tx: Transaction, { block, slice }: { block: FilledBlock; slice: number }): Promise<void> {
  await expectMany(tx, block)
  const charge = { slice, feeBps: PERFORMANCE_FEE_BPS }
  const totals = block.side === 'buy' ? await allocateBuys(tx, block, slice) : await allocateSells(tx, block, charge)
  if (totals.bots === 0) return
  await expectFew(tx)
  const { side, pair, marketTime: eventTime } = block
  const movement = blockAllocated({ side, base: baseOf(pair), quantity: totals.quantity, total: totals.total })
  const key = `block:${block.id}:slice:${slice}`
  const posted = await post(tx, { id: context.newId(), dedupKey: key, movement, eventTime })
  assert(posted === 'posted', 'a slice is allocated once')
  if (totals.fees > 0n) {
    await post(tx, { id: context.newId(), dedupKey: `block:${block.id}:fees:${slice}`, movement: platformFeesPaid({ amount: totals.fees }), eventTime })
  }
}

async function finish(context: Context, tx: Transaction, block: FilledBlock): Promise<void> {
  const left = await leftInClearing(tx, block.id)
  const movement = blockRounded({ base: baseOf(block.pair), baseLeft: left.base, quoteLeft: left.quote })
  if (movement.entries.length > 0) {
    await post(tx, { id: context.newId(), dedupKey: `block:${block.id}:rounding`, movement, eventTime: block.marketTime })
  }
  const userIds = block.bots <= NAMED_USERS ? { userIds: await findBlockUsers(tx, block.id, NAMED_USERS) } : {}
  await finishBlock(tx, block.id)
  for (const name of ['bots', 'balance', 'transactions'] as const) await publish(tx, { name, ...userIds })
}
