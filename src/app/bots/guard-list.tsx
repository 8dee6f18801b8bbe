import type { Bot } from '#contract/bots.ts'
import type { Guards } from '#contract/guards.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { percentOf } from '#core/money/percent.ts'
import { t, tCount } from '#words/words.ts'
import { Money, Percent } from '#app/ui/money/money.tsx'
import { Trans } from '#app/ui/words/trans.tsx'

type Watched = Pick<Bot, 'guardLevels' | 'equity'>

/** A bot's guards, each with how far the bot is from it now. */
export function GuardList({ guards, bot }: { guards: Guards; bot: Watched }) {
  const { stopLossPercent, stopLossFrom, takeProfitPercent, dailyLossPercent } = guards
  const levels = bot.guardLevels
  const lines = [
    {
      percent: stopLossPercent,
      text: stopLossFrom === 'best' ? trailingText : stopText,
      level: levels?.stopLoss,
    },
    { percent: takeProfitPercent, text: profitText, level: levels?.takeProfit, isAbove: true },
    { percent: dailyLossPercent, text: dailyText, level: levels?.dailyLoss },
  ]
  return (
    <ul className="flex flex-col gap-2 text-16">
      {lines.map(
        ({ percent, text, level, isAbove = false }) =>
          percent !== null && (
            <li key={text(percent)}>
              {text(percent)}
              {level != null && <Distance {...{ level, isAbove, equity: bot.equity }} />}
            </li>
          ),
      )}
      <CoolDown guards={guards} />
    </ul>
  )
}

const stopText = (percent: number) => t('Stops at a loss of {percent}%', { percent })
const trailingText = (percent: number) => t('Stops at {percent}% below its high', { percent })
const profitText = (percent: number) => t('Takes profit at a gain of {percent}%', { percent })
const dailyText = (percent: number) => t('Pauses after a daily loss of {percent}%', { percent })

function CoolDown({ guards: { coolDownDays, ...guards } }: { guards: Guards }) {
  if (coolDownDays === null) return null
  if (guards.stopLossPercent === null && guards.takeProfitPercent === null) return null
  return (
    <li>
      {tCount(coolDownDays, {
        one: 'Restarts after {count} day',
        other: 'Restarts after {count} days',
      })}
    </li>
  )
}

/** `level`: the worth at which the guard is reached. */
function Distance({ level, isAbove, equity }: { level: string; isAbove: boolean; equity: string }) {
  const [at, now] = [decimalToUnits(level), decimalToUnits(equity)]
  const away = isAbove ? at - now : now - at
  const values = {
    level: <Money amount={level} />,
    amount: <Money amount={unitsToDecimal(away, 2)} />,
    percent: <Percent value={percentOf({ part: away, whole: now })} />,
  }
  return (
    <p className="text-14 text-ink2">
      {away <= 0n ? (
        <Trans
          message="At {level}: reached. The guard acts at the end of the hour."
          level={values.level}
        />
      ) : isAbove ? (
        <Trans message="At {level}: {amount} ({percent}) above its worth now." {...values} />
      ) : (
        <Trans message="At {level}: {amount} ({percent}) below its worth now." {...values} />
      )}
    </p>
  )
}
