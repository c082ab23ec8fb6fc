import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import type { Overview } from './model/history.ts'
import { type ConsolePage, type EmbeddedChunks, pageHtml } from './server/page-html.ts'
import type { ConsoleStore } from './store/create-store.ts'

const compress = promisify(gzip)

/** A browser opens a file of this size without trouble, and a mail server takes it, in bytes. */
const mostExported = 25 * 1024 * 1024

interface ExportOptions {
  /** Only this shoot. Default: all. */
  readonly shoot?: string
  /** In bytes. */
  readonly most?: number
}

/** Returns the console of a journal as one HTML file that needs no server. Throws a `UsageError` if it is too large. */
export const exportPage = async (
  store: ConsoleStore,
  page: ConsolePage,
  { shoot, most = mostExported }: ExportOptions = {},
): Promise<string> => {
  const all = store.overview()
  const shoots = all.shoots.filter(({ id }) => shoot === undefined || id === shoot)
  if (shoots.length === 0)
    throw new UsageError(
      shoot === undefined ? 'the journal has no objects' : `the journal has no shoot ${shoot}`,
    )
  const overview: Overview & { readonly era: number } = {
    ...all,
    shoots,
    era: 0,
    live: false,
    noPlans: 'this file has no connection to a seed. Use trellis plan',
    noEvents: 'this file has no connection to a seed',
  }
  const chunks: Record<string, string> = { overview: await packed(overview) }
  let size = 0
  for (const [index, { id }] of shoots.entries()) {
    const chunk = await packed(store.history(id))
    chunks[`shoot-${index}`] = chunk
    size += chunk.length
    if (size > most)
      throw new UsageError(
        `the export would be larger than ${Math.round(most / 1024 / 1024)} MiB after ${index + 1} of ${shoots.length} shoots. Choose one with --shoot, or record a shorter time`,
      )
  }
  return pageHtml(page, chunks satisfies EmbeddedChunks)
}

const packed = async (value: unknown): Promise<string> =>
  (await compress(JSON.stringify(value), { level: 9 })).toString('base64')
