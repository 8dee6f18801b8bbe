import { BALANCED_DRIFT_POINTS } from '#core/strategy/balance.ts'
import { STRATEGIES, type StrategyKind } from '#core/strategy/strategy-key.ts'
import { kindTitle } from '#words/kind-names.ts'
import { msg, say, t } from '#words/words.ts'
import { ChoiceRow } from '#app/ui/forms/choice-row.tsx'

const SENTENCES: Record<Exclude<StrategyKind, 'balanced'>, string> = {
  trend: msg(
    'Buys when the price of a coin starts to rise, sells when the rise ends, and is in cash until then.',
  ),
  hold: msg(
    'Buys your coins once and keeps them. It never sells by itself, however far they fall.',
  ),
}

/** The kinds of bots, and one sentence on the chosen one. */
export function KindChoice({
  value,
  onChange,
}: {
  value: StrategyKind
  onChange: (strategy: StrategyKind) => void
}) {
  return (
    <div className="flex flex-col gap-2">
      <p aria-hidden="true" className="text-14 font-medium">
        {t('Kind of bot')}
      </p>
      <ChoiceRow
        label={t('Kind of bot')}
        choices={STRATEGIES.map((strategy) => ({ text: kindTitle(strategy), value: strategy }))}
        chosen={value}
        onChoose={onChange}
        hasWords
      />
      <p className="text-14 text-ink2">{sentenceOf(value)}</p>
    </div>
  )
}

function sentenceOf(kind: StrategyKind): string {
  if (kind !== 'balanced') return say(SENTENCES[kind])
  return t(
    'Keeps a fixed part of the money in your coins and the rest in cash. When prices move that part by {points} points, it trades back.',
    { points: BALANCED_DRIFT_POINTS },
  )
}
