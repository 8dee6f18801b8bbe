import { useState } from 'react'
import type { LevelEvidence } from '#contract/evidence.ts'
import { moneyText } from '#words/figures.ts'
import { msg, say, t } from '#words/words.ts'
import { ChoiceRow } from '#app/ui/forms/choice-row.tsx'
import { Money, Percent } from '#app/ui/money/money.tsx'
import { OutcomeBar } from './outcome-bar.tsx'
import { worthAfter } from './worth-after.ts'

const AMOUNTS = ['100', '500', '1000', '5000'] as const

const ENDS = [
  ['worst', msg('worst'), 'items-start text-left text-loss'],
  ['median', msg('median'), 'items-center text-center'],
  ['best', msg('best'), 'items-end text-right'],
] as const

/** The outcomes of a level as money that the reader chooses. */
export function PutIn({ level }: { level: LevelEvidence }) {
  const [amount, setAmount] = useState<string>('500')
  return (
    <section
      aria-label={t('If you had invested for 12 months')}
      className="mx-5 mt-5 rounded-sheet border border-hairline bg-surface px-4 py-4"
    >
      <ChoiceRow
        label={t('If you had invested for 12 months')}
        isLabelShown
        choices={AMOUNTS.map((value) => ({
          value,
          text: moneyText({ amount: value, precision: 'whole' }),
        }))}
        chosen={amount}
        onChoose={setAmount}
      />
      <OutcomeBar
        marks={{
          worst: level.worst.percent,
          median: level.median.percent,
          best: level.best.percent,
        }}
        className="my-3 h-4"
      />
      <dl className="flex flex-wrap justify-between gap-x-1 gap-y-2">
        {ENDS.map(([end, name, look]) => (
          <div key={end} className={`flex min-w-0 flex-col-reverse ${look}`}>
            <dt className="text-14 text-ink2">
              {say(name)}, <Percent value={level[end].percent} sign="always" />
            </dt>
            <dd className="text-20 font-semibold">
              <Money own={false} amount={worthAfter(amount, level[end].percent)} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
