import { msg } from '#words/words.ts'

/** The four prices of a candle, as they are named where they are listed. */
export const PRICE_NAMES = {
  open: msg('open'),
  low: msg('low'),
  high: msg('high'),
  close: msg('close'),
}
