import { useState } from 'react'
import type { Bot } from '#contract/bots.ts'
import { checkInvestment } from '#core/bots/bot.ts'
import { decimalToUnits, parseDecimal } from '#core/money/decimal.ts'
import { moneyText } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { useTopUpBot } from './bot-queries.ts'
import { useForm } from '#app/api/form.tsx'
import { useUser } from '#app/api/queries.ts'
import { AmountField } from '#app/ui/forms/fields.tsx'
import { differenceOf, sumOf } from '#app/ui/money/amount-text.ts'
import { readAmount } from '#app/ui/money/typed-amount.ts'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt } from '#app/ui/money/receipt.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { Trans } from '#app/ui/words/trans.tsx'
import { ReviewedForm } from './sheet-step.tsx'

type Props = { bot: Bot; open: boolean; onClose: () => void }

export function AddMoneySheet({ bot, open, onClose }: Props) {
  // Used outside of the sheet, because the result may arrive after the sheet was closed.
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
  const [typed, setTyped] = useState('')
  const form = useForm({
    action: 'topUpBot',
    request: topUp,
    isReviewed: true,
    read: () => ({ amount: readAmount(typed) ?? '' }),
    check: ({ amount }) => ({
      amount: () =>
        checkInvestment({ amount: parseDecimal(amount), available: decimalToUnits(available) }),
    }),
    send: (body, idempotencyKey) => topUp.mutateAsync({ id: bot.id, body, idempotencyKey }),
    onDone: (_bot, { amount }) => {
      showToast({
        title: t('Money Added'),
        description: t('{amount} went to {bot}.', {
          amount: moneyText({ amount }),
          bot: bot.name,
        }),
      })
      onClose()
    },
  })
  return (
    <ReviewedForm
      form={form}
      name={t('Amount')}
      review={<Review bot={bot} amount={form.reviewed?.amount ?? ''} available={available} />}
      confirm={t('Confirm and add')}
      pending={t('Adding…')}
    >
      <AmountField
        label={t('Amount to add')}
        value={typed}
        error={form.errors.amount}
        onChange={setTyped}
        hint={<Trans message="Available balance: {amount}" amount={<Money amount={available} />} />}
      />
    </ReviewedForm>
  )
}

function Review({ bot, amount, available }: { bot: Bot; amount: string; available: string }) {
  return (
    <>
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
    </>
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
      : t('The bot trades with it from the next price on.')
