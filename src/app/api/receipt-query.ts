import { useAnswer } from './queries.ts'

/** A file of its own, because every screen loads `queries.ts`. */
export function useTransactionReceipt(id: string) {
  return useAnswer(['getTransaction', id], { params: { id } })
}
