import { useState } from 'react'
import type { Bot } from '#contract/bots.ts'
import { LEAST_PERCENT, MOST_PERCENT, PERCENT_SENTENCE } from '#core/bots/take-out.ts'
import { signOf } from '#core/money/text.ts'
import { say, t } from '#words/words.ts'
import { useTakeOutOfBot } from '#app/api/actions.ts'
import { newAttemptKey } from '#app/api/call.ts'
import { ConfirmButtons } from '#app/api/confirm-buttons.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { useConfig } from '#app/api/queries.ts'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { ChoiceRow } from '#app/ui/forms/choice-row.tsx'
import { Field, Form } from '#app/ui/forms/form.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt } from '#app/ui/money/receipt.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { Trans } from '#app/ui/words/trans.tsx'
import { ReviewStep, SheetStep, useReview } from './sheet-step.tsx'
import { forecastOf, readPercent, type Forecast } from './take-out-forecast.ts'

const SHARES = ['25', '50', '75'] as const

type Props = { bot: Bot; open: boolean; onClose: () => void }

export function TakeOutSheet({ bot, open, onClose }: Props) {
  // Outside of the sheet: the result may arrive after it was closed.
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
  const { isReview, hasReturned, review, back } = useReview()
  const [typed, setTyped] = useState('25')
  const [error, setError] = useState<string>()
  const percent = readPercent(typed)
  const costBps = useConfig().data?.tradingCostBps
  if (isReview && percent !== undefined && costBps !== undefined)
    return <Review {...{ bot, percent, costBps, takeOut, onClose }} onBack={back} />
  const change = (next: string) => {
    setTyped(next)
    setError(undefined)
  }
  const submit = () => {
    if (percent === undefined) return setError(say(PERCENT_SENTENCE))
    review()
  }
  return (
    <SheetStep name={t('Share')} arrives={hasReturned}>
      <Form onSubmit={submit} className="flex flex-col gap-5">
        <ChoiceRow
          label={t('Share of the bot')}
          choices={SHARES.map((value) => ({ value, text: t('{percent}%', { percent: value }) }))}
          chosen={typed.trim()}
          onChoose={change}
        />
        <PercentField
          label={t('Share to take out')}
          value={typed}
          error={error}
          onChange={change}
        />
        <ForecastLines
          forecast={
            percent === undefined || costBps === undefined
              ? undefined
              : forecastOf(bot, { percent, costBps })
          }
        />
        <ActionButton type="submit">{t('Review')}</ActionButton>
      </Form>
    </SheetStep>
  )
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

function Review({
  bot,
  percent,
  costBps,
  takeOut,
  onClose,
  onBack,
}: StepsProps & { percent: number; costBps: number; onBack: () => void }) {
  const [idempotencyKey] = useState(newAttemptKey)
  const forecast = forecastOf(bot, { percent, costBps })
  const confirm = () =>
    takeOut.mutate(
      { id: bot.id, body: { percent }, idempotencyKey },
      {
        onSuccess: () => {
          showToast({
            title: t('Taking Money Out'),
            description: t('{percent}% of {bot} is being sold; the money goes to your balance.', {
              percent,
              bot: bot.name,
            }),
          })
          onClose()
        },
        onError: (error) => showFailure(error, 'takeOutOfBot'),
      },
    )
  return (
    <ReviewStep>
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
      <ConfirmButtons
        action="takeOutOfBot"
        request={takeOut}
        pendingLabel={t('Requesting…')}
        onConfirm={confirm}
        onBack={onBack}
      >
        {t('Confirm and take out {percent}%', { percent })}
      </ConfirmButtons>
    </ReviewStep>
  )
}

/**
 * A whole percent as text, styled like an amount. A number input would accept '1e1' and change when
 * scrolled over.
 */
function PercentField({
  label,
  value,
  onChange,
  error,
}: {
  label: string
  value: string
  onChange: (typed: string) => void
  error?: string | undefined
}) {
  return (
    <Field label={label} error={error}>
      {(wiring) => (
        <div
          className={
            'flex min-h-16 items-center rounded-control border border-control bg-surface ' +
            'px-4 has-focus-visible:outline-2 has-focus-visible:outline-accent ' +
            'has-aria-invalid:border-loss'
          }
        >
          <input
            {...wiring}
            type="text"
            name="percent"
            inputMode="numeric"
            autoComplete="off"
            placeholder={t('{least} to {most}', { least: LEAST_PERCENT, most: MOST_PERCENT })}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            className={
              'min-h-16 w-full min-w-0 bg-transparent text-28 font-semibold text-ink ' +
              'outline-none placeholder:text-ink3'
            }
          />
          <span aria-hidden="true" className="text-28 font-semibold text-ink2">
            %
          </span>
        </div>
      )}
    </Field>
  )
}
