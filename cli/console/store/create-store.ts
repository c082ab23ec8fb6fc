import { type JournalEntry, type JournalHeader, objectIdOfEvent } from '../../../shared/journal/journal.ts'
import { type IsServed, isClaimed, isObserved, kindAndType } from '../../observe/observe.ts'
import type { GapMark, Overview, ShootHistory, ShootSummary } from '../model/history.ts'
import type { FoundCall } from '../view/search-history.ts'
import { shootOf } from './shoot-of.ts'
import { createShootStore, type LastMoment, type ShootStore, type TreeAt } from './shoot-store.ts'

/** Everything that the page shows, from the entries of a journal. */
export interface ConsoleStore {
  readonly add: (entry: JournalEntry) => void
  /** Time has passed without an entry. */
  readonly tick: (at: number) => void
  /** The number of entries. */
  readonly size: () => number
  /** The latest version of each object that exists. */
  readonly present: () => Iterable<readonly [id: string, object: unknown]>
  readonly overview: (
    after?: number,
  ) => Pick<Overview, 'n' | 'by' | 'seed' | 'from' | 'to' | 'shoots' | 'gaps'>
  readonly history: (shoot: string, after?: number) => ShootHistory | undefined
  /** Returns the calls that contain all words, the newest first. */
  readonly search: (text: string, limit: number) => readonly FoundCall[]
}

export interface ConsoleStoreOptions {
  readonly treeAt: TreeAt
  /** Tells which objects Trellis serves. Default: all. */
  readonly isServed?: IsServed
}

export const createStore = (
  header: JournalHeader,
  { treeAt, isServed }: ConsoleStoreOptions,
): ConsoleStore => {
  const shoots = new Map<string, ShootStore>()
  const gaps: GapMark[] = []
  let n = 0
  let clustersRead = false
  let firstObject: LastMoment | undefined
  /** Kinds and types. */
  const claimed = new Set<string>()
  const from = Date.parse(header.at)
  let to = from

  const storeOf = (id: string): ShootStore => {
    const shoot = shootOf(id)
    const known = shoots.get(shoot)
    if (known !== undefined) return known
    const created = createShootStore({
      shoot,
      treeAt,
      clustersRead: () => clustersRead,
      firstObject: () => firstObject,
      // Otherwise, an object that a step has claimed proves that Trellis serves its type.
      isServed: object => {
        const served = isServed?.(object) ?? true
        return served === 'unknown' ? claimed.has(kindAndType(object)) || 'unknown' : served
      },
      seen: object => {
        if (isObserved(object) && isClaimed(object)) claimed.add(kindAndType(object))
      },
    })
    shoots.set(shoot, created)
    return created
  }

  return {
    add: entry => {
      n++
      const at = Date.parse(entry.at)
      to = Math.max(to, at)
      if (entry.type === 'gap') {
        gaps.push({
          n,
          at,
          why: entry.why,
          ...(entry.until !== undefined && { until: Date.parse(entry.until) }),
        })
        return
      }
      const id = idOf(entry)
      if (entry.type === 'object' && firstObject === undefined) {
        firstObject = { n, at }
        for (const shoot of shoots.values()) shoot.endPast(firstObject)
      }
      clustersRead ||= id.startsWith('Cluster ')
      storeOf(id).add(entry, n)
    },
    tick: at => {
      n++
      to = Math.max(to, at)
    },
    size: () => n,
    present: () => [...shoots.values()].flatMap(shoot => [...shoot.present()]),
    overview: (after = 0) => ({
      n,
      by: header.by,
      ...(header.seed !== undefined && { seed: header.seed }),
      from,
      to,
      shoots: summaries(shoots, after, { at: to, n }),
      gaps: gaps.filter(gap => gap.n > after),
    }),
    history: (shoot, after = 0) => {
      const history = shoots.get(shoot)?.history(after, { at: to, n })
      return history && { n, ...history }
    },
    search: (text, limit) =>
      [...shoots.values()]
        .flatMap(store => store.search(text, limit))
        .toSorted((a, b) => b.at - a.at)
        .slice(0, limit),
  }
}

const summaries = (
  shoots: ReadonlyMap<string, ShootStore>,
  after: number,
  last: LastMoment,
): readonly ShootSummary[] => {
  const all = [...shoots.values()].map(shoot => shoot.summary(after, last))
  return after === 0 ? all : all.filter(({ states }) => states.length > 0)
}

const idOf = (entry: JournalEntry & { type: 'object' | 'event' | 'step' }): string => {
  switch (entry.type) {
    case 'object':
      return entry.id
    case 'step':
      return entry.object
    default:
      return objectIdOfEvent(entry.event)
  }
}
