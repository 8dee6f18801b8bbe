import { t } from '#words/words.ts'
import { useAnswer } from '#app/api/queries.ts'
import { Loading } from '#app/ui/frame/loading.tsx'
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
  const article = useAnswer(['getHelpArticle', id], { query: { id } })
  return (
    <Sheet loads open={open} onClose={onClose} title={title}>
      <div className="min-h-40 text-16">
        <Loading
          query={article}
          problem={t('Unable to load this article')}
          className="h-40 w-full"
        />
        {article.data && <TextBlocks text={article.data.body} />}
      </div>
    </Sheet>
  )
}
