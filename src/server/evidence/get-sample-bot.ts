import type { Handler } from '#server/http/handler.ts'

export const getSampleBot: Handler<'getSampleBot'> = async ({ sampleBot }) => sampleBot()
