import { useEffect, useMemo } from 'react'
import { pairOfMarketId, type Pair } from '#core/market/pair.ts'
import { suggestedName } from '#words/bot-name.ts'
import { usePrices, useUser } from '#app/api/queries.ts'
import { forgetText, keepText, keptText, useKeptText } from '#app/ui/device/kept-text.ts'
import { useSteps } from '#app/ui/forms/steps.tsx'
import { useLocation, useSearchParams } from '#app/ui/frame/address.ts'
import { draftText, isTradedAt, readDraft, type BotDraft, type EnteredBot } from './bot-draft.ts'

type DraftForm = {
  entered: EnteredBot
  isAmountOpen: boolean
  change: (part: Partial<BotDraft>) => void
  clear: () => void
}

/**
 * The bot that the user is entering. Survives other screens and a reload, in this tab. `taken`:
 * names of the other bots.
 */
export function useBotDraft(taken: readonly string[]): DraftForm {
  const name = nameOfDraft(useUser().data?.id)
  const kept = useKeptText(name)
  const isTraded = useTradedPairs()
  const draft = useMemo(() => readDraft(kept, isTraded), [kept, isTraded])
  return {
    entered: {
      ...draft,
      name: draft.name ?? suggestedName(draft, taken),
      investmentAmount: draft.investmentAmount ?? '',
    },
    isAmountOpen: draft.investmentAmount === undefined,
    // Starts from the stored draft, which may be newer than the one shown: several inputs may be
    // replayed before the next render.
    change: (part) =>
      keepText(name, draftText({ ...readDraft(keptText(name), isTraded), ...part })),
    clear: () => forgetText(name),
  }
}

export function useStartDraft(): (draft: BotDraft) => void {
  const name = nameOfDraft(useUser().data?.id)
  return (draft) => keepText(name, draftText(draft))
}

/**
 * Takes the coins from the address (`?pairs=BTC-USD`, as a coin's page links), then removes them
 * from it.
 */
export function useCoinsOfAddress(): void {
  const name = nameOfDraft(useUser().data?.id)
  const isTraded = useTradedPairs()
  const [path, navigate] = useLocation()
  const ids = useSearchParams()[0].get('pairs')
  useEffect(() => {
    if (ids === null) return
    const pairs = ids.split(',').map(pairOfMarketId)
    const tradingPairs = pairs.filter((pair) => pair !== undefined).filter(isTraded)
    if (tradingPairs.length > 0)
      keepText(name, draftText({ ...readDraft(keptText(name), isTraded), tradingPairs }))
    navigate(path, { replace: true })
  }, [ids, isTraded, name, navigate, path])
}

export function useTradedPairs(): (pair: Pair) => boolean {
  const prices = usePrices().data
  return useMemo(() => isTradedAt(prices), [prices])
}

const nameOfDraft = (userId: string | undefined): string => `new-bot.${userId}`

export const COINS_STEP = 2
export const LAST_STEP = 3

type Steps = { step: number; next: () => void; back: () => void; open: (step: number) => void }

export function useStep(): Steps {
  const { step: named, go, back } = useSteps()
  const step = Number(named) >= 1 && Number(named) <= LAST_STEP ? Math.floor(Number(named)) : 1
  const open = (target: number) => go(nameOf(target))
  return { step, next: () => open(step + 1), back: () => back(nameOf(step - 1)), open }
}

function nameOf(step: number): string {
  return step === 1 ? '' : String(step)
}
