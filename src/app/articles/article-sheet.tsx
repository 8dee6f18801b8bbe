import { t } from '#words/words.ts'
import { useHelpArticle } from '#app/api/queries.ts'
import { LoadProblem, Skeleton } from '#app/ui/frame/section.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { TextBlocks } from './text-blocks.tsx'

export function ArticleSheet({
  id,
  title,
  open,
  onClose,
}: {
  id: string
  title: string
  open: boolean
  onClose: () => void
}) {
  const article = useHelpArticle(id)
  return (
    <Sheet open={open} onClose={onClose} title={title}>
      <div className="min-h-40 text-16">
        {article.isPending && <Skeleton className="h-40 w-full" />}
        {article.isError && (
          <LoadProblem
            message={t('Unable to load this article')}
            onRetry={() => void article.refetch()}
          />
        )}
        {article.data && <TextBlocks text={article.data.body} />}
      </div>
    </Sheet>
  )
}
