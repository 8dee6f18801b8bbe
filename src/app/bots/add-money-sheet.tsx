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
import { Button } from '#app/ui/buttons/button.tsx'
import { FailureNote } from '#app/api/failure-note.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt, ReceiptLine } from '#app/ui/money/receipt.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { Trans } from '#app/ui/words/trans.tsx'
import { SheetStep } from './sheet-step.tsx'

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

type Step = { name: 'amount' | 'review'; isFirst: boolean }

function Steps({
  bot,
  topUp,
  onClose,
}: Omit<Props, 'open'> & { topUp: ReturnType<typeof useTopUpBot> }) {
  const available = useUser().data?.availableBalance ?? '0.00'
  const [step, setStep] = useState<Step>({ name: 'amount', isFirst: true })
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const [key] = useState(newAttemptKey)
  const amount = readAmount(typed) ?? '0.00'
  const confirm = () =>
    topUp.mutate(
      // One key per amount: pressing again after a lost response adds nothing twice.
      { id: bot.id, body: { amount }, idempotencyKey: `${key}-${amount}` },
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
          if (!(failure instanceof ApiError) || failure.field !== 'amount') return
          setError(failure.message)
          setStep({ name: 'amount', isFirst: false })
        },
      },
    )
  if (step.name === 'review') {
    const back = () => setStep({ name: 'amount', isFirst: false })
    return <Review {...{ bot, amount, available, topUp }} onConfirm={confirm} onBack={back} />
  }
  const submit = () => {
    const check = {
      amount: parseDecimal(readAmount(typed) ?? ''),
      available: decimalToUnits(available),
      field: 'amount',
    } as const
    const refusal = refusalOf(() => checkInvestment(check))
    setError(refusal?.description)
    if (!refusal) setStep({ name: 'review', isFirst: false })
  }
  return (
    <SheetStep name={t('Amount')} arrives={!step.isFirst}>
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

function Review({
  bot,
  amount,
  available,
  topUp: { isPending: pending, error },
  onConfirm,
  onBack,
}: {
  bot: Bot
  amount: string
  available: string
  topUp: ReturnType<typeof useTopUpBot>
  onConfirm: () => void
  onBack: () => void
}) {
  return (
    <SheetStep name={t('Review')} arrives unfinished>
      <div>
        <h3 className="text-16 text-ink2">{t('You add')}</h3>
        <Money own={false} size="hero" amount={amount} />
      </div>
      <Receipt>
        <ReceiptLine label={t('Invested so far')}>
          <Money amount={bot.investmentAmount} />
        </ReceiptLine>
        <ReceiptLine kind="total" label={t('Invested afterwards')}>
          <Money amount={sumOf(bot.investmentAmount, amount)} />
        </ReceiptLine>
      </Receipt>
      <p className="text-14 text-ink2">
        <Trans
          message="It leaves your balance right away; {amount} stays available."
          amount={<Money amount={differenceOf(available, amount)} />}
        />{' '}
        {whenItTrades(bot)}
      </p>
      <div className="flex flex-col gap-3">
        <ActionButton pending={pending} pendingLabel={t('Adding...')} onClick={onConfirm}>
          {t('Confirm and add')}
        </ActionButton>
        <FailureNote error={error} action="topUpBot" />
        <Button look="outline" disabled={pending} onClick={onBack}>
          {t('Back')}
        </Button>
      </div>
    </SheetStep>
  )
}

const whenItTrades = ({ status }: Bot): string =>
  status === 'stopped'
    ? t('The bot is stopped: the money waits in cash until it begins again.')
    : status === 'paused'
      ? t('The bot is paused: the money waits in cash until you resume it.')
      : t('It starts trading at the next price.')
