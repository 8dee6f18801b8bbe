import { BALANCED_DRIFT_POINTS } from '#core/strategy/balanced-share.ts'
import { STRATEGIES, type StrategyKind } from '#core/strategy/strategy-key.ts'
import { kindTitle } from '#words/kind-names.ts'
import { msg, say, t } from '#words/words.ts'
import { RadioCard } from '#app/ui/forms/radio-card.tsx'
import { Disclosure } from '#app/ui/frame/disclosure.tsx'

/** Closed at first, because most people keep the suggested kind. */
export function KindChoice({
  value,
  onChange,
}: {
  value: StrategyKind
  onChange: (strategy: StrategyKind) => void
}) {
  return (
    <Disclosure summary={t('Kind: {kind}', { kind: kindTitle(value) })}>
      <div role="radiogroup" aria-label={t('Kind of bot')} className="flex flex-col gap-2 pb-4">
        {STRATEGIES.map((strategy) => (
          <RadioCard
            key={strategy}
            name="strategy"
            value={strategy}
            checked={strategy === value}
            onChoose={() => onChange(strategy)}
            title={kindTitle(strategy)}
            note={sentenceOf(strategy)}
          />
        ))}
      </div>
    </Disclosure>
  )
}

const SENTENCES: Record<Exclude<StrategyKind, 'balanced'>, string> = {
  trend: msg(
    "Buys when a coin's price starts to rise and sells when the rise ends. Holds " +
      'cash the rest of the time.',
  ),
  hold: msg(
    'Buys your coins once and keeps them. It never sells by itself, however far they fall.',
  ),
}

function sentenceOf(kind: StrategyKind): string {
  if (kind !== 'balanced') return say(SENTENCES[kind])
  return t(
    'Keeps a fixed share of the money in your coins and the rest in cash. When prices move that share by {points} points, the bot restores it.',
    { points: BALANCED_DRIFT_POINTS },
  )
}
