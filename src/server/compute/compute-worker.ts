import { answerInThread } from '#server/threads/answer-in-thread.ts'
import { computations } from './computations.ts'

answerInThread(({ name, input }: { name: keyof typeof computations; input: never }) =>
  computations[name](input),
)
