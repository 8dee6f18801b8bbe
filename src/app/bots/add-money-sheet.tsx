import { useState } from 'react'
import type { Bot } from '#contract/bots.ts'
import { refusalOf } from '#contract/problem.ts'
import { checkInvestment } from '#core/bots/bot.ts'
import { decimalToUnits, parseDecimal } from '#core/money/decimal.ts'
import { moneyText } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { ApiError, newAttemptKey } from '#app/api/call.ts'
import { useTopUpBot } from '#app/api/actions.ts'
import { useUser } from '#app/api/queries.ts'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { AmountField, Form } from '#app/ui/forms/form.tsx'
import { differenceOf, sumOf } from '#app/ui/money/amount-text.ts'
import { readAmount } from '#app/ui/money/typed-amount.ts'
import { ConfirmButtons } from '#app/api/confirm-buttons.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt } from '#app/ui/money/receipt.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { Trans } from '#app/ui/words/trans.tsx'
import { ReviewStep, SheetStep, useReview } from './sheet-step.tsx'

type Props = { bot: Bot; open: boolean; onClose: () => void }

export function AddMoneySheet({ bot, open, onClose }: Props) {
  // Outside of the sheet: the result may arrive after it was closed.
  const topUp = useTopUpBot()
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('Add money')}
      description={t('To {bot}', { bot: bot.name })}
    >
      <Steps bot={bot} topUp={topUp} onClose={onClose} />
    </Sheet>
  )
}

type StepsProps = Omit<Props, 'open'> & { topUp: ReturnType<typeof useTopUpBot> }

function Steps({ bot, topUp, onClose }: StepsProps) {
  const available = useUser().data?.availableBalance ?? '0.00'
  const { isReview, hasReturned, review, back } = useReview()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const [key] = useState(newAttemptKey)
  const amount = readAmount(typed)
  if (isReview && amount !== undefined) {
    const refuse = (message: string) => {
      setError(message)
      back()
    }
    return (
      <Review
        {...{ bot, topUp, onClose, amount, available }}
        attempt={key}
        onRefused={refuse}
        onBack={back}
      />
    )
  }
  const submit = () => {
    const refusal = refusalOf(() =>
      checkInvestment({
        amount: parseDecimal(amount ?? ''),
        available: decimalToUnits(available),
        field: 'amount',
      }),
    )
    setError(refusal?.description)
    if (!refusal) review()
  }
  return (
    <SheetStep name={t('Amount')} arrives={hasReturned}>
      <Form onSubmit={submit} className="flex flex-col gap-5">
        <AmountField
          label={t('Amount to add')}
          value={typed}
          error={error}
          onChange={(next) => {
            setTyped(next)
            setError(undefined)
          }}
          hint={
            <Trans message="Available balance: {amount}" amount={<Money amount={available} />} />
          }
        />
        <ActionButton type="submit">{t('Review')}</ActionButton>
      </Form>
    </SheetStep>
  )
}

type ReviewProps = StepsProps & {
  amount: string
  available: string
  attempt: string
  onRefused: (message: string) => void
  onBack: () => void
}

function Review({
  bot,
  topUp,
  onClose,
  amount,
  available,
  attempt,
  onRefused,
  onBack,
}: ReviewProps) {
  const confirm = () =>
    topUp.mutate(
      // One key per amount: pressing again after a lost response adds nothing twice.
      { id: bot.id, body: { amount }, idempotencyKey: `${attempt}-${amount}` },
      {
        onSuccess: () => {
          showToast({
            title: t('Money Added'),
            description: t('{amount} went to {bot}.', {
              amount: moneyText({ amount }),
              bot: bot.name,
            }),
          })
          onClose()
        },
        onError: (failure) => {
          showFailure(failure, 'topUpBot')
          if (failure instanceof ApiError && failure.field === 'amount') onRefused(failure.message)
        },
      },
    )
  return (
    <ReviewStep>
      <div>
        <h3 className="text-16 text-ink2">{t('You add')}</h3>
        <Money own={false} size="hero" amount={amount} />
      </div>
      <Receipt lines={investedLines(bot, amount)} />
      <p className="text-14 text-ink2">
        <Trans
          message="It leaves your balance right away; {amount} stays available."
          amount={<Money amount={differenceOf(available, amount)} />}
        />{' '}
        {whenItTrades(bot)}
      </p>
      <ConfirmButtons
        action="topUpBot"
        request={topUp}
        pendingLabel={t('Adding…')}
        onConfirm={confirm}
        onBack={onBack}
      >
        {t('Confirm and add')}
      </ConfirmButtons>
    </ReviewStep>
  )
}

const investedLines = ({ investmentAmount }: Bot, added: string) => [
  { label: t('Invested so far'), value: <Money amount={investmentAmount} /> },
  {
    label: t('Invested afterwards'),
    value: <Money amount={sumOf(investmentAmount, added)} />,
    isTotal: true,
  },
]

const whenItTrades = ({ status }: Bot): string =>
  status === 'stopped'
    ? t('The bot is stopped: the money waits in cash until it restarts.')
    : status === 'paused'
      ? t('The bot is paused: the money waits in cash until you resume it.')
      : t('It starts trading at the next price.')
