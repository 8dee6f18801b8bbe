import { useState, type SubmitEvent } from 'react'
import type { Bot } from '#contract/bots.ts'
import { PERCENT_SENTENCE } from '#core/bots/take-out.ts'
import { newAttemptKey } from '#app/api/attempt-key.ts'
import { useTakeOutOfBot } from '#app/api/actions.ts'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { Button } from '#app/ui/buttons/button.tsx'
import { ChoiceRow } from '#app/ui/forms/choice-row.tsx'
import { FailureNote } from '#app/api/failure-note.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { signOf } from '#core/money/text.ts'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt, ReceiptLine } from '#app/ui/money/receipt.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { PercentField } from './percent-field.tsx'
import { SheetStep } from './sheet-step.tsx'
import { forecastOf, readPercent, type Forecast } from './take-out-forecast.ts'

const SHARES = ['25', '50', '75'].map((value) => ({ value, text: `${value}%` }))

type Props = { bot: Bot; open: boolean; onClose: () => void }

/** Takes out a part of a running bot: the part, then the review. Reopened, it starts over. */
export function TakeOutSheet({ bot, open, onClose }: Props) {
  // Outside of the sheet, so that the result is shown even if the sheet was closed before it arrived.
  const takeOut = useTakeOutOfBot()
  return (
    <Sheet open={open} onClose={onClose} title="Take money out" description={`From ${bot.name}`}>
      <Steps bot={bot} takeOut={takeOut} onClose={onClose} />
    </Sheet>
  )
}

type StepsProps = Omit<Props, 'open'> & { takeOut: ReturnType<typeof useTakeOutOfBot> }
type Step = { name: 'part' | 'review'; isFirst: boolean }

function Steps({ bot, takeOut, onClose }: StepsProps) {
  const [step, setStep] = useState<Step>({ name: 'part', isFirst: true })
  const [typed, setTyped] = useState('25')
  const [error, setError] = useState<string>()
  const percent = readPercent(typed)
  if (step.name === 'review' && percent !== undefined) {
    return <Review {...{ bot, percent, takeOut, onClose }} onBack={() => setStep({ name: 'part', isFirst: false })} />
  }
  const change = (next: string) => {
    setTyped(next)
    setError(undefined)
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (percent === undefined) return setError(PERCENT_SENTENCE)
    setStep({ name: 'review', isFirst: false })
  }
  return (
    <SheetStep name="Part" arrives={!step.isFirst}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        <ChoiceRow label="Part of the bot" choices={SHARES} chosen={typed.trim()} onChoose={change} />
        <PercentField label="Part to take out" value={typed} error={error} onChange={change} />
        <ForecastLines forecast={percent === undefined ? undefined : forecastOf(bot, percent)} />
        <ActionButton type="submit">Review</ActionButton>
      </form>
    </SheetStep>
  )
}

/** A fee as a cost. A fee of zero has no sign. */
const asCost = (fee: string): string => (signOf(fee) === 0 ? fee : `-${fee}`)

/** The same lines with and without figures, so that nothing jumps while a part is typed. */
function ForecastLines({ forecast }: { forecast: Forecast | undefined }) {
  return (
    <Receipt>
      <ReceiptLine label="Comes out, about">{forecast ? <Money amount={forecast.out} /> : '–'}</ReceiptLine>
      <ReceiptLine label="Our fee on its profit">{forecast ? <Money amount={asCost(forecast.fee)} /> : '–'}</ReceiptLine>
      <ReceiptLine kind="total" label="Your balance gets about">{forecast ? <Money amount={forecast.returned} /> : '–'}</ReceiptLine>
    </Receipt>
  )
}

function Review({ bot, percent, takeOut, onClose, onBack }: StepsProps & { percent: number; onBack: () => void }) {
  const [idempotencyKey] = useState(newAttemptKey)
  const forecast = forecastOf(bot, percent)
  const confirm = () =>
    takeOut.mutate(
      { id: bot.id, body: { percent }, idempotencyKey },
      {
        onSuccess: () => {
          showToast({ title: 'Taking Money Out', description: `${percent}% of ${bot.name} is being sold; the money goes to your balance.` })
          onClose()
        },
        onError: (error) => showFailure(error, 'takeOutOfBot'),
      },
    )
  return (
    <SheetStep name="Review" arrives unfinished>
      <div>
        <h3 className="text-16 text-ink2">You take out {percent}%, about</h3>
        <Money size="hero" amount={forecast.out} />
      </div>
      <Receipt>
        <ReceiptLine label="Our fee on its profit">
          <Money amount={asCost(forecast.fee)} />
        </ReceiptLine>
        <ReceiptLine kind="total" label="Your balance gets about">
          <Money amount={forecast.returned} />
        </ReceiptLine>
      </Receipt>
      <p className="text-14 text-ink2">
        Reckoned at the last price: the market decides until it is sold, and selling costs a little. <Money amount={forecast.staysInvested} /> stays
        invested.
      </p>
      <div className="flex flex-col gap-3">
        <ActionButton pending={takeOut.isPending} pendingLabel="Asking..." onClick={confirm}>
          Confirm and take out {percent}%
        </ActionButton>
        <FailureNote error={takeOut.error} action="takeOutOfBot" />
        <Button look="outline" disabled={takeOut.isPending} onClick={onBack}>
          Back
        </Button>
      </div>
    </SheetStep>
  )
}
