import { useId, useState } from 'react'
import { choiceOf, STRATEGY_KEYS, type StrategyKey } from '#core/strategy/strategy-key.ts'
import { strategyTitle } from '#words/strategy-names.ts'
import { t } from '#words/words.ts'
import { WholeSelect } from '#app/ui/forms/whole-select.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { GuardTable } from './guard-table.tsx'

const nameOf = (strategy: StrategyKey): string => strategyTitle(choiceOf(strategy))

/** Guards of each strategy in the past, whether they saved or cost. */
export function GuardResults() {
  const [strategy, setStrategy] = useState<StrategyKey>('trend-moderate')
  const id = useId()
  return (
    <Section title={t('With a guard')}>
      <p className="text-14 text-pretty text-ink2">
        {t('A guard sells a bot to cash after a loss, a gain or a bad day. It also misses the rises that follow: the table shows what each would have changed.')}
      </p>
      <label htmlFor={id} className="mt-3 mb-1.5 block text-14 font-medium">
        {t('Kind and risk level')}
      </label>
      <WholeSelect id={id} shown={nameOf(strategy)} value={strategy} onChange={(event) => setStrategy(STRATEGY_KEYS.find((key) => key === event.target.value) ?? strategy)}>
        {STRATEGY_KEYS.map((key) => (
          <option key={key} value={key}>
            {nameOf(key)}
          </option>
        ))}
      </WholeSelect>
      <GuardTable strategy={strategy} />
    </Section>
  )
}
