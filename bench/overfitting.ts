import { assert } from '#core/assert.ts'
import { DAYS_A_YEAR } from '#core/luck/returns.ts'

/**
 * Number of blocks into which the history is cut. Must be even; 16 give 12,870 ways to split it
 * into halves.
 */
export const CSCV_BLOCKS = 16

export type Overfitting = {
  /**
   * Share of splits in which the best setting of one half is at or below the median of all settings
   * in the other.
   */
  probability: number
  /**
   * Mean yearly Sharpe ratio of the best setting in the half that chose it, and afterwards in the
   * other half.
   */
  chosen: number
  afterwards: number
}

/** Sums over the days of a block, for each setting. */
type Block = { days: number; sums: Float64Array; squares: Float64Array }

/**
 * Probability of backtest overfitting by combinatorially symmetric cross-validation: Bailey,
 * Borwein, López de Prado and Zhu, "The Probability of Backtest Overfitting", Journal of
 * Computational Finance 2017 (2015 online). `trials`: the daily returns of each setting, on the
 * same days. The first days are left out if they fill no block. Throws `AssertionFailed` with fewer
 * than two settings or two days a block.
 */
export function overfittingOf(
  trials: readonly (readonly number[])[],
  blocks = CSCV_BLOCKS,
): Overfitting {
  const perBlock = Math.floor((trials[0]?.length ?? 0) / blocks)
  assert(
    trials.length >= 2 && perBlock >= 2 && blocks % 2 === 0,
    'cross-validation needs settings, days, and an even number of blocks',
  )
  const all = Array.from({ length: blocks }, (_, index) =>
    blockOf(trials, { index, perBlock, blocks }),
  )
  let splits = 0
  let fallen = 0
  let chosen = 0
  let afterwards = 0
  for (const inside of halvesOf(blocks)) {
    const here = sharpesOf(all.filter((_block, index) => (inside >> index) & 1))
    const there = sharpesOf(all.filter((_block, index) => !((inside >> index) & 1)))
    const best = here.reduce(
      (leader, sharpe, which) => (sharpe > (here[leader] ?? 0) ? which : leader),
      0,
    )
    const result = there[best] ?? 0
    if (rankOf(result, there) <= (trials.length + 1) / 2) fallen += 1
    chosen += here[best] ?? 0
    afterwards += result
    splits += 1
  }
  const yearly = Math.sqrt(DAYS_A_YEAR) / splits
  return { probability: fallen / splits, chosen: chosen * yearly, afterwards: afterwards * yearly }
}

/** Every choice of half of the blocks, as a bit set. */
function halvesOf(blocks: number): number[] {
  return Array.from({ length: 2 ** blocks }, (_, bits) => bits).filter(
    (bits) => bitsIn(bits) === blocks / 2,
  )
}

function bitsIn(bits: number): number {
  let count = 0
  for (let left = bits; left > 0; left >>= 1) count += left & 1
  return count
}

function blockOf(
  trials: readonly (readonly number[])[],
  { index, perBlock, blocks }: { index: number; perBlock: number; blocks: number },
): Block {
  const from = (trials[0]?.length ?? 0) - (blocks - index) * perBlock
  const days = trials.map((returns) => returns.slice(from, from + perBlock))
  return {
    days: perBlock,
    sums: Float64Array.from(days, (returns) => returns.reduce((sum, each) => sum + each, 0)),
    squares: Float64Array.from(days, (returns) =>
      returns.reduce((sum, each) => sum + each * each, 0),
    ),
  }
}

/** The daily Sharpe ratio of each setting over some blocks; 0 if its returns are all equal. */
function sharpesOf(blocks: readonly Block[]): Float64Array {
  const days = blocks.reduce((sum, block) => sum + block.days, 0)
  const sharpes = new Float64Array(blocks[0]?.sums.length ?? 0)
  for (let which = 0; which < sharpes.length; which += 1) {
    let sum = 0
    let squares = 0
    for (const block of blocks) {
      sum += block.sums[which] ?? 0
      squares += block.squares[which] ?? 0
    }
    const mean = sum / days
    const variance = (squares - days * mean * mean) / (days - 1)
    sharpes[which] = variance > 0 ? mean / Math.sqrt(variance) : 0
  }
  return sharpes
}

/** Rank of `value` in `all`, 1 for the lowest; equal values share the mean of their ranks. */
function rankOf(value: number, all: Float64Array): number {
  let below = 0
  let equal = 0
  for (const each of all) {
    if (each < value) below += 1
    else if (each === value) equal += 1
  }
  return below + (equal + 1) / 2
}
