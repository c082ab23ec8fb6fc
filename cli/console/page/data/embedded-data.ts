import type { ShootHistory } from '../../model/history.ts'
import { type FoundCall, searchHistory } from '../../view/search-history.ts'
import type { ConsoleData, LoadedOverview } from './console-data.ts'

const mostFound = 200

/** Reads from chunks in the file itself. Each is unpacked on demand. */
export const embeddedData = (): ConsoleData => {
  const overview = () => unpack<LoadedOverview>('overview')
  const history = async (shoot: string): Promise<ShootHistory> => {
    const { shoots } = await overview()
    return unpack(`shoot-${shoots.findIndex(({ id }) => id === shoot)}`)
  }
  const readOnly = () => Promise.reject(new Error('a file has no connection to a seed'))
  return {
    overview,
    history,
    search: async text => {
      const found: FoundCall[] = []
      for (const { id } of (await overview()).shoots) {
        if (found.length >= mostFound) break
        found.push(...searchHistory(await history(id), text, mostFound - found.length))
      }
      return found
    },
    events: readOnly,
    plan: readOnly,
    canAct: false,
    allowed: readOnly,
    prepare: readOnly,
    write: readOnly,
    follow: () => () => {},
  }
}

const chunkOf = (name: string): Element | null => document.querySelector(`script[data-chunk="${name}"]`)

export const isEmbedded = (): boolean => chunkOf('overview') !== null

const unpack = async <T>(name: string): Promise<T> => {
  const text = chunkOf(name)?.textContent
  if (!text) throw new Error('the file is incomplete: export it again')
  const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0))
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Response(plain).json()
}
