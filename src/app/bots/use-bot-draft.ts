import { useEffect, useMemo, useState } from 'react'
import { pairOfMarketId, type Pair } from '#core/market/pair.ts'
import { TYPED_AMOUNT } from '#core/money/text.ts'
import { STRATEGIES } from '#core/strategy/strategy-key.ts'
import { suggestedName } from '#words/bot-name.ts'
import { typedDecimal } from '#words/typed-figures.ts'
import { usePrices, useUser } from '#app/api/queries.ts'
import { useHiddenBalance } from '#app/ui/device/hidden-balance.ts'
import { forgetText, keepText, keptText, useKeptText } from '#app/ui/device/kept-text.ts'
import { useLocation, useSearchParams } from '#app/ui/frame/address.ts'
import { draftText, isTradedAt, readDraft, type BotDraft, type EnteredBot } from './bot-draft.ts'
import { suggestedAmount } from './clone-bot.ts'

type DraftForm = {
  entered: EnteredBot
  change: (part: Partial<BotDraft>) => void
  clear: () => void
}

/**
 * The bot that the user is entering. Survives other screens and a reload, in this tab. `taken`:
 * names of the other bots.
 */
export function useBotDraft(taken: readonly string[], available: string): DraftForm {
  const name = nameOfDraft(useUser().data?.id)
  const kept = useKeptText(name)
  const isTraded = useTradedPairs()
  const draft = useMemo(() => readDraft(kept, isTraded), [kept, isTraded])
  const suggested = useSuggestedAmount(available)
  return {
    entered: {
      ...draft,
      name: draft.name ?? suggestedName(draft, taken),
      investmentAmount: draft.investmentAmount ?? suggested ?? '',
    },
    // Starts from the stored draft, which may be newer than the one shown: several inputs may be
    // replayed before the next render.
    change: (part) =>
      keepText(name, draftText({ ...readDraft(keptText(name), isTraded), ...part })),
    clear: () => forgetText(name),
  }
}

/**
 * The first suggestion stays when the balance changes. None while amounts are hidden, because it is
 * a quarter of the balance and would reveal it.
 */
function useSuggestedAmount(available: string): string | undefined {
  const { hidden } = useHiddenBalance()
  const [first, setFirst] = useState<string>()
  const now = suggestedAmount(available)
  if (first === undefined && now !== undefined) setFirst(now)
  return hidden ? undefined : (first ?? now)
}

export function useStartDraft(): (draft: BotDraft) => void {
  const name = nameOfDraft(useUser().data?.id)
  return (draft) => keepText(name, draftText(draft))
}

/**
 * Takes coins, kind and amount from the address, as links from other screens give them
 * (`?pairs=BTC-USD&strategy=hold&amount=50.00`), then removes them from it.
 */
export function useBotOfAddress(): void {
  const name = nameOfDraft(useUser().data?.id)
  const isTraded = useTradedPairs()
  const [path, navigate] = useLocation()
  const [fields] = useSearchParams()
  useEffect(() => {
    if (!fields.has('pairs')) return
    keepText(
      name,
      draftText({ ...readDraft(keptText(name), isTraded), ...given(fields, isTraded) }),
    )
    navigate(path, { replace: true })
  }, [fields, isTraded, name, navigate, path])
}

function given(fields: URLSearchParams, isTraded: (pair: Pair) => boolean): Partial<BotDraft> {
  const pairs = (fields.get('pairs') ?? '').split(',').map(pairOfMarketId)
  const tradingPairs = pairs.filter((pair) => pair !== undefined).filter(isTraded)
  const strategy = STRATEGIES.find((kind) => kind === fields.get('strategy'))
  const amount = fields.get('amount') ?? ''
  return {
    ...(tradingPairs.length > 0 && { tradingPairs }),
    ...(strategy && { strategy }),
    ...(TYPED_AMOUNT.test(amount) && { investmentAmount: typedDecimal(amount) }),
  }
}

export function useTradedPairs(): (pair: Pair) => boolean {
  const prices = usePrices().data
  return useMemo(() => isTradedAt(prices), [prices])
}

const nameOfDraft = (userId: string | undefined): string => `new-bot.${userId}`
