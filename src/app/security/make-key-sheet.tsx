import { useState } from 'react'
import { checkLength } from '#core/auth/credentials.ts'
import {
  KEY_DAYS,
  BOT_COUNT_SENTENCE,
  checkNetworks,
  MOST_KEY_BOTS,
  type KeyScope,
} from '#core/auth/program-key.ts'
import { Refusal } from '#core/refusal.ts'
import { plainDecimal } from '#words/typed-figures.ts'
import { msg, say, t, tCount } from '#words/words.ts'
import { Form, Submit, useForm } from '#app/api/form.tsx'
import { ChoiceRow } from '#app/ui/forms/choice-row.tsx'
import { AmountField, formFields, TextField } from '#app/ui/forms/fields.tsx'
import { RadioCard } from '#app/ui/forms/radio-card.tsx'
import { isTypedPositive, readAmount } from '#app/ui/money/typed-amount.ts'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { showSecurityFailure, useMakeKey } from './security-queries.ts'

type Props = { onMade: (secret: string) => void }

export function MakeKeySheet({
  open,
  onClose,
  onMade,
}: Props & { open: boolean; onClose: () => void }) {
  return (
    <Sheet open={open} onClose={onClose} title={t('New key')}>
      <KeyForm onMade={onMade} />
    </Sheet>
  )
}

const SCOPES = [
  { value: 'read', title: msg('Read only'), detail: msg('Bots, trades and balances') },
  { value: 'bots', title: msg('Bots'), detail: msg('Also create, pause and resume bots') },
] as const satisfies { value: KeyScope; title: string; detail: string }[]

type Chosen = { scope: KeyScope; days: (typeof KEY_DAYS)[number]; amount: string }

function useKeyForm({ scope, days, amount }: Chosen, { onMade }: Props) {
  const make = useMakeKey()
  const isForBots = scope === 'bots'
  return useForm({
    request: make,
    read: (element) => ({
      ...formFields(element, ['name', 'mostBots', 'networks']),
      scope,
      days,
      amount,
    }),
    check: ({ name, mostBots, networks, amount: typed }) => ({
      name: () => checkLength('keyName', name),
      mostBots: () => isForBots && readCount(mostBots),
      dailyAmount: () => isForBots && readLimit(typed),
      networks: () => checkNetworks(readNetworks(networks)),
    }),
    send: ({ name, mostBots, networks, amount: typed }) =>
      make.mutateAsync({
        name,
        scope,
        days,
        networks: readNetworks(networks),
        ...(isForBots && { mostBots: readCount(mostBots), dailyAmount: readLimit(typed) }),
      }),
    onDone: ({ secret }) => onMade(secret),
    fail: (error) => showSecurityFailure(error, t('No key made')),
  })
}

function KeyForm(props: Props) {
  const [chosen, setChosen] = useState<Chosen>({ scope: 'read', days: 90, amount: '' })
  const form = useKeyForm(chosen, props)
  const { scope, days, amount } = chosen
  return (
    <Form form={form} className="flex flex-col gap-5">
      <TextField
        label={t('Name')}
        hint={t('For example the program that uses it.')}
        autoComplete="off"
        {...form.field('name')}
      />
      <ScopeChoice chosen={scope} onChoose={(value) => setChosen({ ...chosen, scope: value })} />
      {scope === 'bots' && (
        <>
          <TextField
            label={t('Open bots at most')}
            inputMode="numeric"
            autoComplete="off"
            defaultValue="3"
            {...form.field('mostBots')}
          />
          <AmountField
            label={t('Amount for new bots a day')}
            value={amount}
            onChange={(typed) => setChosen({ ...chosen, amount: typed })}
            {...form.field('dailyAmount')}
          />
        </>
      )}
      <DaysChoice chosen={days} onChoose={(value) => setChosen({ ...chosen, days: value })} />
      <TextField
        label={t('Works only from')}
        optional
        hint={t('Addresses or networks, such as {example}.', { example: '203.0.113.0/24' })}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.field('networks')}
      />
      <Submit form={form} pendingLabel={t('Making…')}>
        {t('Make the key')}
      </Submit>
    </Form>
  )
}

type Choice<Value> = { chosen: Value; onChoose: (value: Value) => void }

function ScopeChoice({ chosen, onChoose }: Choice<KeyScope>) {
  return (
    <fieldset className="grid gap-2">
      <legend className="pb-1.5 text-14 font-medium">{t('The key may')}</legend>
      {SCOPES.map(({ value, title, detail }) => (
        <RadioCard
          key={value}
          name="scope"
          value={value}
          checked={chosen === value}
          onChoose={() => onChoose(value)}
          title={say(title)}
          detail={say(detail)}
        />
      ))}
    </fieldset>
  )
}

function DaysChoice({ chosen, onChoose }: Choice<Chosen['days']>) {
  return (
    <ChoiceRow
      label={t('Expires after')}
      choices={KEY_DAYS.map((count) => ({
        text: tCount(count, { one: '{count} day', other: '{count} days' }),
        value: String(count),
      }))}
      chosen={String(chosen)}
      onChoose={(value) => onChoose(KEY_DAYS.find((count) => String(count) === value) ?? chosen)}
      hasWords
      isLabelShown
    />
  )
}

const readNetworks = (typed: string): string[] =>
  typed
    .normalize('NFKC')
    .split(/[\s,;]+/)
    .filter(Boolean)

function readCount(typed: string): number {
  const plain = plainDecimal(typed)
  const count = /^\d{1,3}$/.test(plain) ? Number(plain) : 0
  if (count < 1 || count > MOST_KEY_BOTS)
    throw new Refusal('invalid-input', { sentence: BOT_COUNT_SENTENCE })
  return count
}

function readLimit(typed: string): string {
  const amount = readAmount(typed)
  if (amount === undefined || !isTypedPositive(typed)) throw new Refusal('key-limit-invalid')
  return amount
}
