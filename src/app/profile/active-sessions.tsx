import { lazy, Suspense, useRef, useState } from 'react'
import type { Session } from '#contract/auth.ts'
import { t, tCount } from '#words/words.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { useDates } from '#app/ui/device/dates.ts'
import { Loading } from '#app/ui/frame/loading.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { ConfirmedButton } from '#app/ui/overlays/confirmed-button.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { useEndOtherSessions, useEndSession, useSessions } from './session-queries.ts'

const SignInHistorySheet = lazy(async () => ({
  default: (await import('./sign-in-history-sheet.tsx')).SignInHistorySheet,
}))

export function ActiveSessions() {
  return (
    <Section title={t('Active sessions')}>
      <p className="pb-3 text-14 text-ink2">{t('Device names come from the browser.')}</p>
      <SessionList />
      <HistoryButton />
    </Section>
  )
}

function HistoryButton() {
  const sheet = useSheet()
  return (
    <>
      <Button look="quiet" className="mt-2 -ml-2" onClick={sheet.open}>
        {t('Sign-in history')}
      </Button>
      <Suspense>
        {sheet.isLoaded && <SignInHistorySheet open={sheet.isOpen} onClose={sheet.close} />}
      </Suspense>
    </>
  )
}

function SessionList() {
  const sessions = useSessions()
  const list = useRef<HTMLUListElement>(null)
  if (!sessions.data || sessions.isError)
    return (
      <Loading
        query={sessions}
        problem={t('Unable to load your sessions')}
        className="h-19 w-full"
      />
    )
  const others = sessions.data.filter(({ isCurrent }) => !isCurrent)
  return (
    <>
      <ul
        ref={list}
        tabIndex={-1}
        aria-label={t('Devices')}
        className="divide-y divide-hairline border-y border-hairline outline-none"
      >
        {sessions.data.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {others.length > 1 && (
        <EndOtherSessions count={others.length} onEnded={() => list.current?.focus()} />
      )}
    </>
  )
}

function SessionRow({ session }: { session: Session }) {
  const { device, createdAt, lastSeenAt, isCurrent } = session
  const { dayText, momentText } = useDates()
  const day = dayText(createdAt)
  return (
    <li className="flex min-h-19 flex-wrap items-center justify-between gap-x-3 py-3">
      <div className="min-w-0 flex-[1_1_10rem]">
        <p className="text-16 font-semibold wrap-anywhere">{device}</p>
        <p className="text-14 text-ink2">
          {isCurrent
            ? t('In use now · since {day}', { day })
            : t('Last seen {moment} · since {day}', { moment: momentText(lastSeenAt), day })}
        </p>
      </div>
      {isCurrent ? (
        <span className="shrink-0 text-14 font-semibold text-gain">{t('This device')}</span>
      ) : (
        <EndButton session={session} />
      )}
    </li>
  )
}

/**
 * Ending a session cannot be undone, so it needs a confirmation. Afterwards the focus moves to the
 * list, because the row is gone.
 */
function EndButton({ session: { id, device } }: { session: Session }) {
  const end = useEndSession()
  const row = useRef<HTMLButtonElement>(null)
  const confirmed = () =>
    end.mutate(
      { id, device },
      {
        onSuccess: () => {
          row.current?.closest('ul')?.focus()
          showToast({
            title: t('Session ended'),
            description: t('{device} is signed out.', { device }),
          })
        },
        onError: (error) => showFailure(error, 'endSession'),
      },
    )
  return (
    <ConfirmedButton
      ref={row}
      look="quiet-danger"
      className="-mr-2"
      aria-label={t('End {device}', { device })}
      pending={end.isPending}
      pendingLabel={t('Ending…')}
      question={t('Sign out {device}?', { device })}
      why={t('That device is signed out at once. Bots keep running.')}
      confirmLabel={t('Sign out')}
      onConfirm={confirmed}
    >
      {t('End')}
    </ConfirmedButton>
  )
}

/**
 * Signs out all other devices, after a confirmation. The button then disappears, so `onEnded` must
 * move the focus.
 */
function EndOtherSessions({ count, onEnded }: { count: number; onEnded: () => void }) {
  const end = useEndOtherSessions()
  const confirmed = () =>
    end.mutate(undefined, {
      onSuccess: () => {
        onEnded()
        showToast({
          title: t('Sessions ended'),
          description: t('You are signed in on this device alone.'),
        })
      },
      onError: (error) => showFailure(error, 'endOtherSessions'),
    })
  return (
    <div className="grid pt-3">
      <ConfirmedButton
        look="quiet-danger"
        pending={end.isPending}
        pendingLabel={t('Ending…')}
        question={tCount(count, {
          one: 'Sign out {count} other device?',
          other: 'Sign out {count} other devices?',
        })}
        why={t('Each of these devices is signed out at once. Bots keep running.')}
        confirmLabel={t('Sign out')}
        onConfirm={confirmed}
      >
        {t('End all other sessions')}
      </ConfirmedButton>
    </div>
  )
}

/** A sheet is loaded when it is first opened, and stays mounted for its closing animation. */
export function useSheet() {
  const [sheet, setSheet] = useState<'never' | 'open' | 'closed'>('never')
  return {
    isLoaded: sheet !== 'never',
    isOpen: sheet === 'open',
    open: () => setSheet('open'),
    close: () => setSheet('closed'),
  }
}
