import { prepareResets } from '#server/auth/request-reset.ts'
import { deliverNotices } from '#server/notices/deliver.ts'
import type { World } from '../world/world.ts'
import type { Post } from './post.ts'

/** A place for attacks. `deliver`: all messages written so far arrive, or only those by 'mail'. */
export type Scene = {
  world: Pick<World, 'app' | 'context' | 'user' | 'payOut'>
  post: Pick<Post, 'to' | 'clear'> & Partial<Post>
  deliver: (only?: 'mail') => Promise<void>
}

/** A scene in this process. */
export const sceneIn = (world: World, post: Post): Scene => ({
  world,
  post,
  deliver: async (only) => {
    await prepareResets(world.context)
    await deliverNotices(world.context, 'mail')
    if (only === undefined) await deliverNotices(world.context, 'push')
  },
})
