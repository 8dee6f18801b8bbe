import { t } from '#words/words.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { CopyButton } from '#app/ui/buttons/copy-button.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'

/** Shows recovery codes once, right after they were made. */
export function RecoveryCodesSheet({
  codes,
  open,
  onClose,
}: {
  codes: readonly string[]
  open: boolean
  onClose: () => void
}) {
  const text = codes.join('\n')
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('Your recovery codes')}
      description={t(
        'Keep them where you can find them without this device. They are shown only now.',
      )}
    >
      <ul
        className={
          'grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-x-4 gap-y-2 rounded-control ' +
          'bg-raised p-4 text-16 tabular-nums'
        }
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="-mx-2 my-3 flex flex-wrap gap-x-3">
        <CopyButton name="codes" text={text} className="" />
        <Button look="quiet" onClick={() => download(text)}>
          {t('Download codes')}
        </Button>
      </div>
      <div className="grid">
        <Button onClick={onClose}>{t('I have saved them')}</Button>
      </div>
    </Sheet>
  )
}

function download(text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }))
  link.download = 'recovery-codes.txt'
  link.click()
  URL.revokeObjectURL(link.href)
}
