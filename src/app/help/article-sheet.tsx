import { useHelpArticle } from '#app/api/queries.ts'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { Skeleton } from '#app/ui/frame/skeleton.tsx'
import type { Citation } from './conversation.ts'
import { TextBlocks } from './text-blocks.tsx'

/** An article that an answer cites. */
export function ArticleSheet({ citation, open, onClose }: { citation: Citation; open: boolean; onClose: () => void }) {
  const article = useHelpArticle(citation.id)
  return (
    <Sheet open={open} onClose={onClose} title={citation.title}>
      <div className="min-h-40 text-16">
        {article.isPending && <Skeleton className="h-40 w-full" />}
        {article.isError && <LoadProblem message="Unable to load this article" onRetry={() => void article.refetch()} />}
        {article.data && <TextBlocks text={article.data.body} />}
      </div>
    </Sheet>
  )
}
