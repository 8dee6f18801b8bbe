import { useState } from 'react'
import { t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { useHiddenBalance } from '#app/ui/device/hidden-balance.ts'
import { Disclosure } from '#app/ui/frame/disclosure.tsx'
import { CheckboxChip } from '#app/ui/forms/checkbox-chip.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { shareLines, type Shared } from './share-lines.ts'

/** Loaded when the door opens, because a device shares only within seconds after a press. */
const loadCode = () => import('./share-picture.ts')

/** Shares a result as a picture. Dollars are in it only if the user chooses so. */
export function ShareDoor({ shared }: { shared: Shared }) {
  const config = useConfig().data
  const { hidden } = useHiddenBalance()
  const [wantsAmounts, setWantsAmounts] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  if (!config) return null
  const share = async () => {
    setIsBusy(true)
    try {
      const { sharePicture } = await loadCode()
      await sharePicture(
        shareLines(shared, {
          market: config.feed.label,
          isPaper: config.book === 'paper',
          amounts: wantsAmounts && !hidden,
        }),
      )
    } catch {
      showToast({
        title: t('Not shared'),
        description: t('The picture could not be made. Please try again.'),
        tone: 'destructive',
      })
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Disclosure
      summary={t('Share as a picture')}
      onToggle={() => void loadCode().catch(() => undefined)}
    >
      <div className="grid gap-3 pb-4">
        {!hidden && (
          <CheckboxChip
            name="amounts"
            value="amounts"
            checked={wantsAmounts}
            onToggle={() => setWantsAmounts(!wantsAmounts)}
            text={t('Show amounts')}
          />
        )}
        <Button look="outline" pending={isBusy} onClick={() => void share()}>
          {t('Share picture')}
        </Button>
      </div>
    </Disclosure>
  )
}
