import { useRef, useState } from 'react'
import type { NoticeSettings } from '#contract/notices.ts'
import { PROBLEMS } from '#contract/problem.ts'
import { say, t } from '#words/words.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { useDates } from '#app/ui/device/dates.ts'
import { useDeviceFact } from '#app/ui/device/device-facts.ts'
import { Section } from '#app/ui/frame/section.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { useAddPushDevice, useRemovePushDevice, useUpdateNoticeSettings } from './notice-queries.ts'

/** Push messages. Turned on only by a press: the app never prompts by itself. */
export function PushDevices({
  settings: { devices, pushAmounts, pushKey },
}: {
  settings: NoticeSettings
}) {
  const list = useRef<HTMLDivElement>(null)
  return (
    <Section title={t('Push messages')}>
      {pushKey === null ? (
        <p className="text-14 text-ink2">
          {t('This installation sends no push messages: its operator has set no contact.')}
        </p>
      ) : (
        <SwitchOn pushKey={pushKey} />
      )}
      <div
        ref={list}
        tabIndex={-1}
        role="group"
        aria-label={t('Browsers with push messages')}
        className="outline-none"
      >
        {devices.length > 0 && (
          <ul className="mt-3 divide-y divide-hairline border-y border-hairline">
            {devices.map((device) => (
              <DeviceRow key={device.id} device={device} onRemoved={() => list.current?.focus()} />
            ))}
          </ul>
        )}
      </div>
      {devices.length > 0 && <Amounts isOn={pushAmounts} />}
    </Section>
  )
}

function SwitchOn({ pushKey }: { pushKey: string }) {
  const add = useAddPushDevice()
  const isAble = useDeviceFact({ onDevice: canPush, onPage: () => false })
  const [asking, setAsking] = useState(false)
  if (!isAble)
    return (
      <p className="text-14 text-ink2">
        {t("This browser can't show push messages. On an iPhone, install the app first.")}
      </p>
    )
  const refuse = () =>
    showToast({
      title: t('Push not switched on'),
      description: say(PROBLEMS['push-invalid'].message),
      tone: 'destructive',
    })
  const press = async () => {
    setAsking(true)
    try {
      const subscription = await subscribe(pushKey)
      if (!subscription)
        return showToast({
          title: t('Push not switched on'),
          description: t('Your browser does not allow it. You can change that in its settings.'),
        })
      add.mutate(subscription, {
        onSuccess: () =>
          showToast({
            title: t('Push switched on'),
            description: t('This browser shows your notifications from now on.'),
          }),
        onError: (error) => showFailure(error, 'addPushDevice'),
      })
    } catch {
      refuse()
    } finally {
      setAsking(false)
    }
  }
  return (
    <>
      <p className="pb-3 text-14 text-ink2">
        {t(
          'Notifications on this device, even while the app is closed. They contain no ' +
            'amounts unless you choose so.',
        )}
      </p>
      <div className="grid">
        <Button
          look="outline"
          pending={asking || add.isPending}
          pendingLabel={t('Turning on…')}
          onClick={() => void press()}
        >
          {t('Switch on in this browser')}
        </Button>
      </div>
    </>
  )
}

function DeviceRow({
  device: { id, device, createdAt },
  onRemoved,
}: {
  device: NoticeSettings['devices'][number]
  onRemoved: () => void
}) {
  const remove = useRemovePushDevice()
  const { dayText } = useDates()
  return (
    <li className="flex min-h-19 flex-wrap items-center justify-between gap-x-3 py-3">
      <div className="min-w-0 flex-[1_1_10rem]">
        <p className="text-16 font-semibold wrap-anywhere">{device}</p>
        <p className="text-14 text-ink2">{t('Since {day}', { day: dayText(createdAt) })}</p>
      </div>
      <Button
        look="quiet-danger"
        className="-mr-2"
        aria-label={t('Remove {device}', { device })}
        pending={remove.isPending}
        onClick={() =>
          remove.mutate(id, {
            onSuccess: onRemoved,
            onError: (error) => showFailure(error, 'removePushDevice'),
          })
        }
      >
        {t('Remove')}
      </Button>
    </li>
  )
}

function Amounts({ isOn }: { isOn: boolean }) {
  const update = useUpdateNoticeSettings()
  const [chosen, setChosen] = useState(isOn)
  const choose = (next: boolean) => {
    setChosen(next)
    update.mutate(
      { pushAmounts: next },
      {
        onError: (error) => {
          setChosen(!next)
          showFailure(error, 'updateNoticeSettings')
        },
      },
    )
  }
  return (
    <label className="mt-3 flex min-h-12 items-center gap-3 text-16">
      <input
        type="checkbox"
        checked={chosen}
        onChange={({ target }) => choose(target.checked)}
        className="size-[48px] shrink-0 p-3 accent-accent"
      />
      <span>{t('Show amounts in push messages. Anyone can read them on a locked screen.')}</span>
    </label>
  )
}

/** Whether this browser can show push messages. On an iPhone only the installed app can. */
function canPush(): boolean {
  return (
    'serviceWorker' in navigator &&
    typeof PushManager === 'function' &&
    typeof Notification === 'function'
  )
}

type BrowserSubscription = { endpoint: string; p256dh: string; auth: string }

/**
 * Requests the permission and subscribes. Undefined if the user denies it; throws if the browser
 * cannot reach its push service.
 */
async function subscribe(publicKey: string): Promise<BrowserSubscription | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined
  const registration = await navigator.serviceWorker.ready
  const earlier = await registration.pushManager.getSubscription()
  // Ends the earlier subscription, because the browser refuses a second one with another key.
  if (earlier && !isOf(earlier, publicKey)) await earlier.unsubscribe()
  const made = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  })
  return { endpoint: made.endpoint, p256dh: keyOf(made, 'p256dh'), auth: keyOf(made, 'auth') }
}

function isOf({ options }: PushSubscription, publicKey: string): boolean {
  return (
    options.applicationServerKey !== null && base64Url(options.applicationServerKey) === publicKey
  )
}

function keyOf(subscription: PushSubscription, name: PushEncryptionKeyName): string {
  const key = subscription.getKey(name)
  return key === null ? '' : base64Url(key)
}

function base64Url(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
