import { t } from '#words/words.ts'
import { showToast } from '#app/ui/overlays/toast.ts'

export function showPaymentFailure(description = t('Your card was not charged.')): void {
  showToast({ title: t('Payment Failed'), description, tone: 'destructive' })
}
