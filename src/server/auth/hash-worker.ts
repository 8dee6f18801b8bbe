import { hashSync, verifySync } from '@node-rs/argon2'
import { answerInThread } from '#server/threads/answer-in-thread.ts'
import { HASH_PARAMETERS, type HashMessage } from './hash-message.ts'

answerInThread(({ password, stored }: HashMessage) =>
  stored === undefined ? hashSync(password, HASH_PARAMETERS) : verifySync(stored, password),
)
