import { useState } from 'react'
import type { Bot, SavingsPlan, SetPlanRequest } from '#contract/bots.ts'
import { t } from '#words/words.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { Form, Submit, useForm } from '#app/api/form.tsx'
import { useUser } from '#app/api/queries.ts'
import { useMarketTime } from '#app/market/market-time.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { OfflineButton } from '#app/ui/buttons/offline-button.tsx'
import { ChoiceRow } from '#app/ui/forms/choice-row.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt } from '#app/ui/money/receipt.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { Trans } from '#app/ui/words/trans.tsx'
import { useEndPlan, useSetPlan } from './bot-queries.ts'
import { periodTitle, PlanFields } from './plan-fields.tsx'
import { planChecks, sentPlan, typedPlan, type TypedPlan } from './plan-input.ts'

export function BotPlan({ bot }: { bot: Bot }) {
  const [open, setOpen] = useState(false)
  if (bot.status === 'closing') return null
  const { plan } = bot
  return (
    <Section
      title={t('Plan')}
      aside={
        <OfflineButton look="quiet" className="-mr-2" onClick={() => setOpen(true)}>
          {plan === null ? t('Add regularly') : t('Edit plan')}
        </OfflineButton>
      }
    >
      {plan && <Lines plan={plan} bot={bot} />}
      <PlanSheet bot={bot} open={open} onClose={() => setOpen(false)} />
    </Section>
  )
}

function Lines({ plan, bot }: { plan: SavingsPlan; bot: Bot }) {
  const { momentText } = useMarketTime()
  const note = noteOf(plan, bot)
  return (
    <>
      <Receipt
        lines={[
          { label: periodTitle(plan.every), value: <Money amount={plan.amount} /> },
          { label: t('Next time'), value: momentText(plan.nextAt) },
          plan.takeAbove !== null && {
            label: t('Returns everything above'),
            value: <Money amount={plan.takeAbove} />,
          },
        ]}
      />
      {note !== undefined && (
        <p role="status" className="pt-1 text-14 text-ink">
          {note}
        </p>
      )}
    </>
  )
}

function noteOf({ isShort }: SavingsPlan, { status }: Bot): string | undefined {
  if (status === 'paused') return t('The bot is paused: its plan waits until you resume it.')
  return isShort ? t('Last time, your balance was too low and nothing was added.') : undefined
}

type Props = { bot: Bot; open: boolean; onClose: () => void }

function PlanSheet({ bot, open, onClose }: Props) {
  // Used outside of the sheet, because the result may arrive after the sheet was closed.
  const set = useSetPlan()
  const end = useEndPlan()
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={bot.plan === null ? t('Add regularly') : t('Edit plan')}
      description={bot.name}
    >
      <PlanForm {...{ bot, set, end, onClose }} />
    </Sheet>
  )
}
type Starts = NonNullable<SetPlanRequest['starts']>

type EndProps = Omit<Props, 'open'> & { end: ReturnType<typeof useEndPlan> }

function PlanForm({ bot, set, end, onClose }: EndProps & { set: ReturnType<typeof useSetPlan> }) {
  const { plan } = bot
  const [typed, setTyped] = useState(() => typedPlan(plan))
  const [starts, setStarts] = useState<Starts>('next')
  const form = useForm({
    action: 'setPlan',
    request: set,
    read: () => ({ ...typed, starts }),
    check: planChecks,
    send: (valid, idempotencyKey) =>
      set.mutateAsync({
        id: bot.id,
        body: { ...sentPlan(valid), starts: valid.starts },
        idempotencyKey,
      }),
    onDone: () => {
      showToast({ title: plan === null ? t('Plan Started') : t('Plan Saved') })
      onClose()
    },
  })
  return (
    <Form form={form} className="flex flex-col gap-5">
      <PlanFields
        value={typed}
        onChange={(part) => setTyped({ ...typed, ...part })}
        errors={form.errors}
      />
      {plan === null && <FirstTime every={typed.every} value={starts} onChange={setStarts} />}
      <Terms />
      <div className="flex flex-col gap-3">
        <Submit form={form} pendingLabel={t('Saving…')}>
          {plan === null ? t('Start plan') : t('Save plan')}
        </Submit>
        {plan !== null && <EndButton {...{ bot, end, onClose }} />}
      </div>
    </Form>
  )
}

function EndButton({ bot, end, onClose }: EndProps) {
  const stop = () =>
    end.mutate(bot.id, {
      onSuccess: () => {
        showToast({
          title: t('Plan Ended'),
          description: t('Money already added stays in the bot.'),
        })
        onClose()
      },
      onError: (failure) => showFailure(failure, 'endPlan'),
    })
  return (
    <Button look="danger" pending={end.isPending} onClick={stop}>
      {t('End plan')}
    </Button>
  )
}

function FirstTime({
  every,
  value,
  onChange,
}: {
  every: TypedPlan['every']
  value: Starts
  onChange: (starts: Starts) => void
}) {
  const choices = [
    { text: every === 'week' ? t('In a week') : t('In a month'), value: 'next' },
    { text: t('Now'), value: 'now' },
  ] as const
  return (
    <ChoiceRow
      label={t('First time')}
      choices={choices}
      chosen={value}
      onChoose={onChange}
      hasWords
      isLabelShown
    />
  )
}

function Terms() {
  const available = useUser().data?.availableBalance ?? '0.00'
  return (
    <p className="text-14 text-ink2">
      <Trans
        message="The money comes from your balance, now {amount}. When that is too low, nothing is added and we notify you."
        amount={<Money amount={available} />}
      />
    </p>
  )
}
