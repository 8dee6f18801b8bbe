import type { SignIn } from '#contract/auth.ts'
import { msg, say, t } from '#words/words.ts'
import { useDates } from '#app/ui/device/dates.ts'
import { Loading } from '#app/ui/frame/loading.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { useSignIns } from './session-queries.ts'

const OUTCOMES: Record<SignIn['outcome'], string> = {
  'signed-in': msg('Signed in'),
  refused: msg('Wrong password'),
}

export function SignInHistorySheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const description = t(
    "If one of them wasn't you, change your password. Places are unknown: we don't store " +
      'addresses.',
  )
  return (
    <Sheet
      loads
      open={open}
      onClose={onClose}
      title={t('Sign-in history')}
      description={description}
    >
      <SignInList />
    </Sheet>
  )
}

function SignInList() {
  const signIns = useSignIns()
  const { momentText } = useDates()
  if (!signIns.data || signIns.isError)
    return (
      <Loading
        query={signIns}
        problem={t('Unable to load your sign-ins')}
        className="h-19 w-full"
      />
    )
  if (signIns.data.length === 0)
    return <p className="text-16 text-ink2">{t('You have not signed in since you signed up.')}</p>
  return (
    <ul className="divide-y divide-hairline border-y border-hairline">
      {signIns.data.map(({ id, at, device, outcome }) => (
        <li key={id} className="flex min-h-16 flex-wrap items-center justify-between gap-x-3 py-3">
          <div className="min-w-0 flex-[1_1_10rem]">
            <p className="text-16 font-semibold wrap-anywhere">{device}</p>
            <p className="text-14 text-ink2">{momentText(at)}</p>
          </div>
          <span
            className={
              'shrink-0 text-14 font-semibold ' +
              (outcome === 'refused' ? 'text-loss' : 'text-ink2')
            }
          >
            {say(OUTCOMES[outcome])}
          </span>
        </li>
      ))}
    </ul>
  )
}
