import { useState } from 'react'
import type { Bot } from '#contract/bots.ts'
import { LEAST_PERCENT, MOST_PERCENT, partInBps } from '#core/bots/take-out.ts'
import { signOf } from '#core/money/text.ts'
import { t } from '#words/words.ts'
import { useTakeOutOfBot } from './bot-queries.ts'
import { useForm } from '#app/api/form.tsx'
import { useConfig } from '#app/api/queries.ts'
import { ChoiceRow } from '#app/ui/forms/choice-row.tsx'
import { FigureField } from '#app/ui/forms/fields.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt } from '#app/ui/money/receipt.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { Trans } from '#app/ui/words/trans.tsx'
import { ReviewedForm } from './sheet-step.tsx'
import { forecastOf, readPercent, type Forecast } from './take-out-forecast.ts'

const SHARES = ['25', '50', '75'] as const

type Props = { bot: Bot; open: boolean; onClose: () => void }

export function TakeOutSheet({ bot, open, onClose }: Props) {
  // Used outside of the sheet, because the result may arrive after the sheet was closed.
  const takeOut = useTakeOutOfBot()
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('Take money out')}
      description={t('From {bot}', { bot: bot.name })}
    >
      <Steps bot={bot} takeOut={takeOut} onClose={onClose} />
    </Sheet>
  )
}

type StepsProps = Omit<Props, 'open'> & { takeOut: ReturnType<typeof useTakeOutOfBot> }

function Steps({ bot, takeOut, onClose }: StepsProps) {
  const [typed, setTyped] = useState('25')
  const forecast = useForecast(bot)
  const form = useForm({
    action: 'takeOutOfBot',
    request: takeOut,
    isReviewed: true,
    read: () => ({ percent: readPercent(typed) ?? 0 }),
    check: ({ percent }) => ({ percent: () => partInBps(percent) }),
    send: (body, idempotencyKey) => takeOut.mutateAsync({ id: bot.id, body, idempotencyKey }),
    onDone: (_bot, { percent }) => {
      showTaken(bot, percent)
      onClose()
    },
  })
  const { percent = 0 } = form.reviewed ?? {}
  const reviewed = forecast(form.reviewed?.percent)
  const change = (next: string) => {
    setTyped(next)
    form.edited('percent')
  }
  return (
    <ReviewedForm
      form={form}
      name={t('Share')}
      review={reviewed && <Review percent={percent} forecast={reviewed} />}
      confirm={t('Confirm and take out {percent}%', { percent })}
      pending={t('Requesting…')}
    >
      <ChoiceRow
        label={t('Share of the bot')}
        choices={SHARES.map((value) => ({ value, text: t('{percent}%', { percent: value }) }))}
        chosen={typed.trim()}
        onChoose={change}
      />
      <FigureField
        label={t('Share to take out')}
        unit="%"
        inputMode="numeric"
        placeholder={t('{least} to {most}', { least: LEAST_PERCENT, most: MOST_PERCENT })}
        value={typed}
        onChange={setTyped}
        {...form.field('percent')}
      />
      <ForecastLines forecast={forecast(readPercent(typed))} />
    </ReviewedForm>
  )
}

function useForecast(bot: Bot): (percent: number | undefined) => Forecast | undefined {
  const costBps = useConfig().data?.tradingCostBps
  return (percent) =>
    percent === undefined || costBps === undefined
      ? undefined
      : forecastOf(bot, { percent, costBps })
}

function showTaken(bot: Bot, percent: number): void {
  showToast({
    title: t('Taking Money Out'),
    description: t('{percent}% of {bot} is being sold; the money goes to your balance.', {
      percent,
      bot: bot.name,
    }),
  })
}

const asCost = (fee: string): string => (signOf(fee) === 0 ? fee : `-${fee}`)

const shown = (amount: string | undefined) =>
  amount === undefined ? '–' : <Money amount={amount} />

const returnLines = (forecast: Forecast | undefined) => [
  { label: t('Selling costs (approx.)'), value: shown(forecast && asCost(forecast.cost)) },
  { label: t('Our fee on its profit'), value: shown(forecast && asCost(forecast.fee)) },
  { label: t('To your balance (approx.)'), value: shown(forecast?.returned), isTotal: true },
]

function ForecastLines({ forecast }: { forecast: Forecast | undefined }) {
  const out = { label: t('You take out (approx.)'), value: shown(forecast?.out) }
  return <Receipt lines={[out, ...returnLines(forecast)]} />
}

function Review({ percent, forecast }: { percent: number; forecast: Forecast }) {
  return (
    <>
      <div>
        <h3 className="text-16 text-ink2">{t('You take out {percent}% (approx.)', { percent })}</h3>
        <Money size="hero" amount={forecast.out} />
      </div>
      <Receipt lines={returnLines(forecast)} />
      <p className="text-14 text-ink2">
        {t('Computed at the last price. It can change until the sale.')}{' '}
        <Trans
          message="{amount} stays invested."
          amount={<Money amount={forecast.staysInvested} />}
        />
      </p>
    </>
  )
}
