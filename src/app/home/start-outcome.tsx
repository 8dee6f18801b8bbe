import { msg, say, t } from '#words/words.ts'
import { useAnswer } from '#app/api/queries.ts'
import { OutcomeBar, type Outcomes } from '#app/evidence/outcome-bar.tsx'
import { worthAfter } from '#app/evidence/worth-after.ts'
import { Money } from '#app/ui/money/money.tsx'
import { START_AMOUNT } from './start-now.tsx'

/** The suggested bot, and what became of the amount in any past 12 months. */
export function StartOutcome() {
  const { data } = useAnswer(['getEvidenceSummary'], {})
  return (
    <>
      {t('A Moderate bot on the five largest coins. It can lose money.')}
      {data?.state === 'figures' ? (
        data.firstBot && <Picture outcomes={data.firstBot} prices={data.prices} />
      ) : (
        // Space for figures that are still being computed, so that nothing below moves.
        <span className={`block ${data?.state === 'none' ? '' : 'min-h-30'}`} />
      )}
    </>
  )
}

const ENDS = [
  ['worst', msg('worst'), 'items-start text-left'],
  ['median', msg('median'), 'items-center text-center'],
  ['best', msg('best'), 'items-end text-right'],
] as const

function Picture({
  outcomes,
  prices,
}: {
  outcomes: Required<Outcomes>
  /** The source of the prices, if it is not this market. */
  prices: string | null
}) {
  return (
    <span className="block min-h-30 pt-3 text-14">
      <OutcomeBar marks={outcomes} className="h-4" />
      <span className="flex flex-wrap justify-between gap-x-3 pt-1">
        {ENDS.map(([end, name, look]) => (
          <span key={end} className={`flex flex-col ${look}`}>
            {say(name)}{' '}
            <Money
              own={false}
              amount={worthAfter(START_AMOUNT, outcomes[end])}
              precision="whole"
              className="text-17 font-semibold text-ink"
            />
          </span>
        ))}
      </span>
      <span className="block pt-1 text-pretty">
        {t('Hypothetical, any past 12 months')}
        {prices && `. ${prices}.`}
      </span>
    </span>
  )
}
