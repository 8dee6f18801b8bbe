import { ASSET_NAMES } from '#core/money/asset.ts'
import { baseOf, type Pair } from '#core/market/pair.ts'
import type { Side } from '#core/trading/fill.ts'
import { inEnglish, sentence, type Sentence } from '#core/sentences.ts'
import { sentenceText } from '#words/sentence-text.ts'
import type { Period, SleeveKey } from '#server/holdings/stays.ts'
import { isId } from '#server/kernel/ids.ts'

export type NamedSleeve = SleeveKey & { pair: Pair; botName: string }

/**
 * The words of a search, all of which a row must contain. In lower case here, because the
 * database's lower case depends on its locale.
 */
export const wordsOf = (q: string): readonly string[] =>
  q.toLowerCase().split(/\s+/).filter(Boolean)

export function isFound(words: readonly string[], texts: readonly (string | null)[]): boolean {
  const text = texts.join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}

/** The only text of a trade in the history. */
export function tradeText(trade: { pair: Pair; side: Side; botName: string }): Sentence {
  const { pair, side, botName } = trade
  return sentence(side === 'buy' ? 'bought' : 'sold', { coin: baseOf(pair), name: botName })
}

type FoundTrades = {
  among: SleeveKey[]
  isWanted: (trade: SleeveKey & { side: Side }) => boolean
  ids?: Period['ids']
}

/** Finds trades by words. A word that no trade's text can contain is read as a reference. */
export function tradesFound(q: string, sleeves: readonly NamedSleeve[]): FoundTrades {
  const words = wordsOf(q)
  const found = new Set(
    sleeves.flatMap((sleeve) =>
      SIDES.filter((side) => isFound(words, textsOf(sleeve, side))).map((side) =>
        keyOf({ ...sleeve, side }),
      ),
    ),
  )
  const isWanted: FoundTrades['isWanted'] = (trade) => found.has(keyOf(trade))
  if (found.size > 0)
    return {
      among: sleeves.filter((sleeve) => SIDES.some((side) => isWanted({ ...sleeve, side }))),
      isWanted,
    }
  const reference = readReference(q)
  if (!reference) return { among: [], isWanted }
  return {
    among: sleeves.filter(({ botId }) => botId.startsWith(reference.bot)),
    isWanted: () => true,
    ids: reference.ids,
  }
}

const SIDES: readonly Side[] = ['buy', 'sell']

const keyOf = ({ botId, pool, side }: SleeveKey & { side: Side }): string =>
  `${botId} ${pool} ${side}`

function textsOf({ pair, botName }: NamedSleeve, side: Side): string[] {
  const text = tradeText({ pair, side, botName })
  return ['trade', inEnglish(text), sentenceText(text), pair, ASSET_NAMES[baseOf(pair)]]
}

const LOWEST = '00000000-0000-0000-0000-000000000000'

/**
 * Parses a trade's reference, or its first 8 or more characters. Returns the range of ids that
 * begin with it, and the beginning of the bot's id, which follows the point.
 */
function readReference(
  q: string,
): { ids: { first: string; last: string }; bot: string } | undefined {
  const [, change = '', bot = ''] =
    /^([0-9a-f]{8}[0-9a-f-]{0,28})(?:\.([0-9a-f-]{0,36}))?$/.exec(q.toLowerCase()) ?? []
  const first = change + LOWEST.slice(change.length)
  return change !== '' && isId(first)
    ? { ids: { first, last: change + LOWEST.replaceAll('0', 'f').slice(change.length) }, bot }
    : undefined
}
