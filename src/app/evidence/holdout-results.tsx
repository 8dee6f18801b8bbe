import type { EvidenceFigures, HoldoutResult } from '#contract/evidence.ts'
import { RISK_LEVELS } from '#core/strategy/risk-level.ts'
import { utcDayText } from '#app/ui/device/dates.ts'
import { figureText, percentText } from '#app/ui/money/money.tsx'
import { withPercent } from '#words/figures.ts'
import { riskTitle } from '#words/strategy-names.ts'
import { t, tCount } from '#words/words.ts'
import { Door } from '#app/ui/frame/door.tsx'

export function HoldoutResults({
  figures: { chosenOn, holdout, costs },
}: {
  figures: EvidenceFigures
}) {
  return (
    <Door title={t('On data not used to choose the rules')}>
      <p className="text-14 text-pretty text-ink2">
        {t(
          'The rules were chosen on {count} coins until {day}. These are the results on other coins, and on later days. They stay here, whatever they show.',
          {
            count: chosenOn.pairs.length,
            day: utcDayText(chosenOn.until),
          },
        )}
      </p>
      {holdout.map((result) => (
        <HoldoutTable key={result.kind} result={result} here={costs.aSide} />
      ))}
      <p className="pt-3 text-14 text-pretty text-ink2">
        {t(
          'Hold and balanced bots have no rule that was chosen on past prices. So all ' +
            'their start days count as out of sample, and no lucky choice was possible. ' +
            'The audit also held its coins in equal amounts, as shown. It computed no ' +
            'balanced bots.',
        )}
      </p>
      <p className="pt-3 text-14 text-pretty text-ink2">
        {t(
          'Computed by an independent audit on hourly Binance candles, after all trading ' +
            'costs and our fee. Hypothetical.',
        )}
      </p>
    </Door>
  )
}

function HoldoutTable({
  result: { kind, pairs, from, to, costs, levels, held },
  here,
}: {
  result: HoldoutResult
  here: string
}) {
  const days = `${utcDayText(from)} – ${utcDayText(to)}`
  return (
    // At very large text, only the table scrolls, not the page.
    <div className="mt-4 overflow-x-auto">
      <table className="w-full text-right text-14">
        <caption className="pb-1 text-left">
          <span className="block font-semibold">
            {kind === 'pairs'
              ? tCount(pairs, { one: '{count} other coin', other: '{count} other coins' })
              : tCount(pairs, {
                  one: 'After that choice: {count} coin',
                  other: 'After that choice: {count} coins',
                })}
          </span>
          <span className="block text-ink2">{days}</span>
          <span className="block text-pretty text-ink2">{costsText({ costs, here })}</span>
        </caption>
        <thead>
          <tr className="border-b border-ink text-ink2">
            <th scope="col" className="w-[34%] py-2 text-left font-normal">
              {t('Level')}
            </th>
            <th scope="col" className="w-[22%] py-2 pl-2 font-normal">
              {kind === 'pairs' ? t('Per year') : t('Total')}
            </th>
            <th scope="col" className="w-[22%] py-2 pl-2 font-normal">
              {t('Largest drop')}
            </th>
            <th scope="col" className="w-[22%] py-2 pl-2 font-normal">
              {t('Sharpe ratio, cash at 0')}
            </th>
          </tr>
        </thead>
        <tbody>
          {RISK_LEVELS.map((level) => (
            <Row key={level} name={riskTitle(level)} figures={levels[level]} />
          ))}
          <Row name={t('Held, equally weighted')} figures={held} />
        </tbody>
      </table>
    </div>
  )
}

function Row({
  name,
  figures: { percent, fall, sharpe },
}: {
  name: string
  figures: HoldoutResult['held']
}) {
  return (
    <tr className="border-b border-hairline">
      <th scope="row" className="text-left font-semibold">
        {name}
      </th>
      <td className="py-3 pl-2">{gainText(percent)}</td>
      <td className="pl-2">{withPercent(figureText(fall))}</td>
      <td className="pl-2">{sharpe === null ? t('not stated') : figureText(sharpe)}</td>
    </tr>
  )
}

function costsText({ costs, here }: { costs: string; here: string }): string {
  const values = {
    costs: percentText(costs, { sign: 'never' }),
    here: percentText(here, { sign: 'never' }),
  }
  return costs === here
    ? t('At costs of {costs} per trade, as here.', values)
    : t('At costs of {costs} per trade. Here they are {here}.', values)
}

function gainText(percent: string): string {
  return withPercent(figureText(percent.startsWith('-') ? percent : `+${percent}`))
}
