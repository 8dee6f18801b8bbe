import {
  noop,
  useMutation,
  type UseMutationOptions,
  type UseMutationResult,
} from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'

/**
 * A mutation that returns the request under way if the same input is sent again before the answer.
 * Needed because a busy device may deliver a second press before the button is disabled.
 */
export function useSendOnce<Output, Input = void, Kept = unknown>(
  options: UseMutationOptions<Output, Error, Input, Kept>,
): UseMutationResult<Output, Error, Input, Kept> {
  const mutation = useMutation(options)
  const { isPending, mutateAsync } = mutation
  const underWay = useRef<{ content: string; answer: Promise<Output> }>(undefined)
  useEffect(() => {
    if (!isPending) underWay.current = undefined
  })
  const send = useCallback<typeof mutateAsync>(
    (...given) => {
      const content = contentOf(given[0])
      if (underWay.current?.content !== content)
        underWay.current = { content, answer: mutateAsync(...given) }
      return underWay.current.answer
    },
    [mutateAsync],
  )
  const mutate = useCallback<typeof mutation.mutate>(
    (...given) => void send(...given).catch(noop),
    [send],
  )
  return { ...mutation, mutate, mutateAsync: send }
}

function contentOf(input: unknown): string {
  return JSON.stringify([input], (name, value: unknown) =>
    name === 'idempotencyKey' ? undefined : value,
  )
}
