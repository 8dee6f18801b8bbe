import { useAnswer } from './queries.ts'

/** Apart from `queries.ts`, which every screen loads. */
export function useTransactionReceipt(id: string) {
  return useAnswer(['getTransaction', id], { params: { id } })
}
