import { join } from 'node:path'
import { PAIRS } from '#core/market/pair.ts'
import type { CandleFile } from '#server/ports/compute.ts'
import { findCandleFile, readOrigin } from './candle-file.ts'

/** The folder in DATA_DIR that `npm run data:fetch` fills. */
export const FETCHED_FOLDER = 'candles'

const SHIPPED = join(import.meta.dirname, '../../../data/candles')

/**
 * One file a pair: the one fetched into `dataDir` or the shipped one, whichever has more candles.
 * Throws `StartupError` if a file holds no candles.
 */
export function recordedFiles(dataDir?: string): CandleFile[] {
  const folders = dataDir === undefined ? [SHIPPED] : [join(dataDir, FETCHED_FOLDER), SHIPPED]
  return PAIRS.flatMap((pair) => {
    const files = folders.flatMap((folder) => findCandleFile(folder, pair) ?? [])
    return files
      .map((file) => ({ file, ...readOrigin(file) }))
      .toSorted((a, b) => b.count - a.count)
      .slice(0, 1)
  })
}
