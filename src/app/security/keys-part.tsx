import { useRef, useState, useSyncExternalStore, type RefObject } from 'react'
import { plainRoutes } from '#contract/plain-routes.ts'
import type { ProgramKey } from '#contract/program-keys.ts'
import { moneyText } from '#words/figures.ts'
import { t, tCount } from '#words/words.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { CopyButton } from '#app/ui/buttons/copy-button.tsx'
import { useDates } from '#app/ui/device/dates.ts'
import { Loading } from '#app/ui/frame/loading.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { ConfirmedButton } from '#app/ui/overlays/confirmed-button.tsx'
import { NO_SECRET, SecretSheet } from '#app/ui/overlays/secret-sheet.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { MakeKeySheet } from './make-key-sheet.tsx'
import { showSecurityFailure, useKeys, useRevokeKey } from './security-queries.ts'

export function KeysPart() {
  const keys = useKeys()
  const list = useRef<HTMLUListElement>(null)
  const [isMaking, setIsMaking] = useState(false)
  const [made, setMade] = useState(NO_SECRET)
  return (
    <Section title={t('Keys for programs')}>
      <p className="pb-4 text-16 text-ink2">
        {t(
          'With a key, your own programs can see your bots. If you allow it, they can also ' +
            'create, pause and resume bots. No key can withdraw. A new password revokes all keys.',
        )}
      </p>
      <Loading query={keys} problem={t('Unable to load your keys')} className="h-19 w-full" />
      <ul
        ref={list}
        tabIndex={-1}
        aria-label={t('Keys for programs')}
        className={
          'divide-y divide-hairline border-hairline outline-none not-empty:mb-4 ' +
          'not-empty:border-y'
        }
      >
        {keys.data?.map((key) => (
          <KeyRow key={key.id} shown={key} list={list} />
        ))}
      </ul>
      <div className="grid">
        <Button look="outline" onClick={() => setIsMaking(true)}>
          {t('Make a key')}
        </Button>
      </div>
      <AssistantAddress />
      <MakeKeySheet
        open={isMaking}
        onClose={() => setIsMaking(false)}
        onMade={(text) => {
          setIsMaking(false)
          setMade({ text, isShown: true })
        }}
      />
      <SecretSheet
        secret={made}
        name="key"
        title={t('Your new key')}
        description={t('It is shown only now. Whoever has it can use it.')}
        onClose={setMade}
      />
    </Section>
  )
}

const never = () => () => undefined

/** The server, which renders the page first, does not know the address in the browser. */
function AssistantAddress() {
  const { mcp } = plainRoutes
  const site = useSyncExternalStore(
    never,
    () => location.origin,
    () => '',
  )
  return (
    <>
      <p className="pt-4 text-14 text-ink2">
        {t('Your own assistant can read your bots with a key, over MCP, at this address:')}
      </p>
      <p className="text-14 wrap-anywhere select-all">
        {site}
        <wbr />
        {mcp}
      </p>
      <div className="-mx-2">
        <CopyButton name="address" text={site + mcp} className="" />
      </div>
    </>
  )
}

type Row = { shown: ProgramKey; list: RefObject<HTMLUListElement | null> }

function KeyRow({ shown, list }: Row) {
  const { name, scope, mostBots, dailyAmount, networks, expiresAt, lastUsedAt } = shown
  const { dayText, momentText } = useDates()
  const expires = dayText(expiresAt)
  return (
    <li className="py-3">
      <p className="text-16 font-semibold wrap-anywhere">{name}</p>
      <div className="grid text-14 text-ink2 wrap-anywhere">
        <p>{scope === 'read' ? t('Reads only') : t('Reads, creates, pauses and resumes bots')}</p>
        {mostBots !== null && dailyAmount !== null && (
          <p>
            {tCount(
              mostBots,
              {
                one: 'Up to {count} bot, {amount} a day',
                other: 'Up to {count} bots, {amount} a day',
              },
              { amount: moneyText({ amount: dailyAmount }) },
            )}
          </p>
        )}
        {networks.length > 0 && (
          <p>{t('Only from {networks}', { networks: networks.join(', ') })}</p>
        )}
        <p>
          {lastUsedAt === null
            ? t('Never used · expires {day}', { day: expires })
            : t('Last used {moment} · expires {day}', {
                moment: momentText(lastUsedAt),
                day: expires,
              })}
        </p>
      </div>
      <RevokeButton shown={shown} list={list} />
    </li>
  )
}

function RevokeButton({ shown: { id, name }, list }: Row) {
  const revoke = useRevokeKey()
  const confirmed = () =>
    revoke.mutate(id, {
      onSuccess: () => {
        list.current?.focus()
        showToast({ title: t('Key revoked') })
      },
      onError: (error) => showSecurityFailure(error, t('Key not revoked')),
    })
  return (
    <ConfirmedButton
      look="quiet-danger"
      className="-ml-2"
      aria-label={t('Revoke {name}', { name })}
      pending={revoke.isPending}
      pendingLabel={t('Revoking…')}
      question={t('Revoke the key {name}?', { name })}
      why={t('Programs with this key stop working at once. Bots keep running.')}
      confirmLabel={t('Revoke')}
      onConfirm={confirmed}
    >
      {t('Revoke')}
    </ConfirmedButton>
  )
}
