import { plainRoutes } from '#contract/routes.ts'
import { t } from '#words/words.ts'
import { useSignOut } from '#app/api/actions.ts'
import { useAnswer } from '#app/api/queries.ts'
import { useSendOnce } from '#app/api/send-once.ts'
import { callWithProof } from '#app/proofs/call-with-proof.ts'

/** Refetched on every visit: what stands in the way is settled on other screens. */
export function useClosing() {
  return useAnswer(['getClosing'], {}, { refetchOnMount: 'always' })
}

/** The browser saves the file; the screen stays. */
export function useExport() {
  return useSendOnce({
    mutationFn: () => callWithProof('exportData', {}, t('A copy of your data')),
    onSuccess: ({ path }) => {
      if (path.startsWith(plainRoutes.myData)) location.assign(path)
    },
  })
}

export function useCloseAccount({ leave }: { leave: () => void }) {
  return useSignOut({
    end: () => callWithProof('closeAccount', {}, t('Close the account for good')),
    leave,
  })
}
