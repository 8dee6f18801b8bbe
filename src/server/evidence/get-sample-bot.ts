import type { Handler } from '#server/action.ts'

export const getSampleBot: Handler<'getSampleBot'> = async ({ sampleBot }) => sampleBot()
