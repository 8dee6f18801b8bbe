import { useId, useState } from 'react'
import { choiceOf, STRATEGY_KEYS, type StrategyKey } from '#core/strategy/strategy-key.ts'
import { strategyTitle } from '#words/strategy-names.ts'
import { t } from '#words/words.ts'
import { WholeSelect } from '#app/ui/forms/whole-select.tsx'
import { ChevronDown } from '#app/ui/frame/icons.ts'
import { Section } from '#app/ui/frame/section.tsx'
import { GuardTable } from './guard-table.tsx'

const nameOf = (strategy: StrategyKey): string => strategyTitle(choiceOf(strategy))

/**
 * Guards of each strategy in the past, whether they saved or cost. Closed at first: the server
 * computes them when somebody looks first, for seconds.
 */
export function GuardResults() {
  const [strategy, setStrategy] = useState<StrategyKey>('trend-moderate')
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <Section title={t('With a guard')}>
      <p className="text-14 text-pretty text-ink2">
        {t(
          'A guard sells a bot to cash after a loss, a gain or a bad day. It also misses the rises that follow.',
        )}
      </p>
      <details
        onToggle={(event) => setOpen(event.currentTarget.open)}
        className="group mt-2 border-b border-hairline"
      >
        <summary
          className={
            'flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 py-3 ' +
            'text-16 font-semibold'
          }
        >
          {t('What each guard would have changed')}
          <ChevronDown
            size={20}
            strokeWidth={1.75}
            aria-hidden="true"
            className="shrink-0 text-ink2 group-open:rotate-180"
          />
        </summary>
        <label htmlFor={id} className="mb-1.5 block text-14 font-medium">
          {t('Kind and risk level')}
        </label>
        <WholeSelect
          id={id}
          shown={nameOf(strategy)}
          value={strategy}
          onChange={(event) =>
            setStrategy(STRATEGY_KEYS.find((key) => key === event.target.value) ?? strategy)
          }
        >
          {STRATEGY_KEYS.map((key) => (
            <option key={key} value={key}>
              {nameOf(key)}
            </option>
          ))}
        </WholeSelect>
        {isOpen && <GuardTable strategy={strategy} />}
      </details>
    </Section>
  )
}
