import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Bot } from '#contract/bots.ts'
import { MINIMUM_INVESTMENT } from '#core/bots/bot.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { tidyName } from '#core/one-line.ts'
import { t } from '#words/words.ts'
import { useAction, type Body, type WithKey } from '#app/api/actions.ts'
import { call } from '#app/api/call.ts'
import { Form, Submit, useForm } from '#app/api/form.tsx'
import { LinkButton } from '#app/ui/buttons/button.tsx'
import { AmountField, focusOn, TextField } from '#app/ui/forms/fields.tsx'
import { ShareChoice } from '#app/ui/forms/share-choice.tsx'
import { measureBar } from '#app/ui/frame/measure-bar.ts'
import { Money } from '#app/ui/money/money.tsx'
import { readAmount } from '#app/ui/money/typed-amount.ts'
import { showToast } from '#app/ui/overlays/toast.ts'
import { Trans } from '#app/ui/words/trans.tsx'
import { keepCreatedBot } from './created-bot.ts'
import { sentChoice, type BotDraft, type EnteredBot } from './bot-draft.ts'
import { botChecks, type BotField } from './bot-checks.ts'
import { BotOutcome } from './bot-outcome.tsx'
import { BotSentence } from './bot-sentence.tsx'
import { sentGuards } from './guard-draft.ts'
import { KindChoice } from './kind-choice.tsx'
import { LevelChoice } from './level-choice.tsx'
import { MoreChoices, type PartProps } from './more-choices.tsx'
import { PairChips } from './pair-chips.tsx'
import { isPlan, sentPlan } from './plan-input.ts'
import { useBotDraft } from './use-bot-draft.ts'

/** `available`: the cash that can be invested. `taken`: the names of the other bots. */
type Props = { available: string; taken: readonly string[]; onCreated: (bot: Bot) => void }

/** A new bot on one page. All of it is suggested, so that one press creates it. */
export function NewBotForm({ available, taken, onCreated }: Props) {
  const { entered, change, clear } = useBotDraft(taken, available)
  const create = useCreateBot()
  const form = useForm({
    action: 'createBot',
    alwaysToasts: true,
    request: create,
    read: () => entered,
    check: (bot) => botChecks(bot, available),
    send: (bot, idempotencyKey) => create.mutateAsync({ body: bodyOf(bot), idempotencyKey }),
    onDone: (bot) => {
      showToast({
        title: t('Bot Created'),
        description: t('{bot} starts trading at the next price.', { bot: bot.name }),
      })
      clear()
      onCreated(bot)
    },
  })
  const edit = (part: Partial<BotDraft>) => {
    change(part)
    form.edited(...(Object.keys(part) as BotField[]))
  }
  const props = { bot: entered, errors: form.errors, onChange: edit }
  return (
    <Form form={form} data-draft autoComplete="off" className="flex flex-col gap-5">
      <BotSentence
        bot={entered}
        onOpen={(part) => {
          const control = form.element.current?.querySelector<HTMLElement>(
            `#bot-${part} :is(input:checked, input[type=text], button, a)`,
          )
          if (control) focusOn(control)
        }}
      />
      <Fields {...props} available={available} />
      <MoreChoices {...props} />
      <SendBar>
        <BotOutcome bot={entered} />
        <Submit form={form} pendingLabel={t('Creating...')}>
          {t('Create Trading Bot')}
        </Submit>
      </SendBar>
    </Form>
  )
}

function bodyOf({ name, tradingPairs, investmentAmount, guards, savings, ...choice }: EnteredBot) {
  return {
    name: tidyName(name),
    ...sentChoice(choice),
    tradingPairs: [...tradingPairs],
    investmentAmount: readAmount(investmentAmount) ?? '',
    ...sentGuards(guards),
    ...(isPlan(savings) && { plan: sentPlan(savings) }),
  }
}

function Fields({ bot, errors, onChange, available }: PartProps & { available: string }) {
  return (
    <>
      <KindChoice value={bot.strategy} onChange={(strategy) => onChange({ strategy })} />
      <div id="bot-risk">
        <LevelChoice value={bot} onChange={(riskLevel) => onChange({ riskLevel })} />
      </div>
      <div id="bot-coins">
        <PairChips
          value={bot.tradingPairs}
          error={errors.tradingPairs}
          onChange={(tradingPairs) => onChange({ tradingPairs })}
        />
      </div>
      <AmountChoice {...{ bot, errors, onChange, available }} />
      <TextField
        label={t('Bot name')}
        name="name"
        autoComplete="off"
        value={bot.name}
        error={errors.name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
    </>
  )
}

function AmountChoice({
  bot: { investmentAmount },
  errors,
  onChange,
  available,
}: PartProps & { available: string }) {
  const change = (typed: string) => onChange({ investmentAmount: typed })
  return (
    <div id="bot-amount" className="flex flex-col gap-3">
      <AmountField
        label={t('Investment amount')}
        name="investmentAmount"
        value={investmentAmount}
        error={errors.investmentAmount}
        onChange={change}
        hint={<Trans message="Available balance: {amount}" amount={<Money amount={available} />} />}
      />
      {decimalToUnits(available) >= MINIMUM_INVESTMENT ? (
        <ShareChoice available={available} typed={investmentAmount} onChoose={change} />
      ) : (
        <LinkButton href="/deposit" look="outline">
          {t('Deposit|verb')}
        </LinkButton>
      )}
    </div>
  )
}

/**
 * A bar fixed at the lower edge, above the tabs if there are any. If large text makes it taller
 * than half of the window, it is placed at the end of the form instead. At the end of the page it
 * takes the place of the screen's padding, which would lift it into a toast.
 */
function SendBar({ children }: { children: ReactNode }) {
  return (
    <div
      ref={measureBar}
      className={
        'sticky bottom-[min(var(--tabs),50dvh_-_var(--bar))] z-20 -mx-5 -mb-8 flex flex-col ' +
        'gap-2 border-t border-hairline bg-paper px-5 pt-2 pb-[calc(var(--foot)+0.75rem)]'
      }
    >
      {children}
    </div>
  )
}

function useCreateBot() {
  const client = useQueryClient()
  return useAction('createBot', async (request: WithKey<Body<'createBot'>>) => {
    const bot = await call('createBot', request)
    keepCreatedBot(client, bot)
    return bot
  })
}
