import type { JournalEntry, StepEntry } from '../../../shared/journal/journal.ts'
import { mergePatch } from '../../../shared/kubernetes/merge-patch.ts'
import type { TreeNode } from '../../observe/observe.ts'
import type {
  EventMark,
  ListedState,
  NodeVersion,
  ShootHistory,
  ShootSummary,
  StepBar,
  VersionOfObject,
} from '../model/history.ts'
import { type FoundCall, searchHistory } from '../view/search-history.ts'
import { createStateOfShoot } from './state-of-shoot.ts'
import { createTreeHistory } from './tree-history.ts'

type FoldedObjects = ReadonlyMap<string, unknown>

/** Returns the tree of a shoot from its objects at a moment, or undefined if none of them exists. */
export type TreeAt = (
  shoot: string,
  objects: FoldedObjects,
  at: number,
  steps: readonly StepEntry[],
) => TreeNode | undefined

/** The entries of one shoot. */
export interface ShootStore {
  readonly add: (entry: JournalEntry, n: number) => void
  /** Returns the items after an entry. Computes the trees on demand: most shoots are never opened. */
  readonly history: (after: number, last: LastMoment) => Omit<ShootHistory, 'n'>
  readonly summary: (after: number) => ShootSummary
  readonly present: () => FoldedObjects
  readonly search: (text: string, limit: number) => readonly FoundCall[]
}

interface NumberedEntry {
  readonly n: number
  readonly at: number
  readonly entry: JournalEntry
}

/** The time between two moments of one tree, in ms: entries of one moment arrive one by one. */
const sameMomentMs = 5
/** The steps of an object that its tree can show. */
const mostSteps = 5
/** The time between two trees of a live shoot without entries, in ms. */
export const tickMs = 10_000

/** The moments after a change at which a tree may differ although nothing was written: work is due, late, stuck. */
const momentsAfter = (at: number): readonly number[] =>
  [10_000, 30_000, 60_000, 300_000, 1_200_000].map(later => at + later)

/** The end of the journal so far. */
interface LastMoment {
  readonly at: number
  readonly n: number
}

export const createShootStore = (shoot: string, treeAt: TreeAt): ShootStore => {
  const stateOf = createStateOfShoot()
  const entries: NumberedEntry[] = []
  const states: ListedState[] = []
  const steps: StepBar[] = []
  const events: EventMark[] = []
  const objects: VersionOfObject[] = []
  const nodes: NodeVersion[] = []
  const latest = new Map<string, unknown>()

  const trees = createTreeHistory()
  const folded = new Map<string, unknown>()
  const ended = new Map<string, StepEntry[]>()
  let built = 0
  let evaluated = 0

  const evaluate = (at: number, n: number) => {
    nodes.push(...trees.add(treeAt(shoot, folded, at, [...ended.values()].flat()), at, n))
    evaluated = at
  }

  const buildTrees = ({ at: until, n: last }: LastMoment) => {
    while (built < entries.length) {
      const { at, n, entry } = entries[built++] as NumberedEntry
      if (entry.type === 'object') fold(folded, entry)
      else if (entry.type === 'step')
        ended.set(entry.object, [...(ended.get(entry.object) ?? []), entry].slice(-mostSteps))
      else continue
      const next = entries[built]?.at
      if (next !== undefined && next - at < sameMomentMs) continue
      evaluate(at, n)
      for (const later of momentsAfter(at)) if (next !== undefined && later < next) evaluate(later, n)
    }
    // Nothing happened, and time has passed. Each tick has its own number, so that every reader receives its changes.
    if (until - evaluated >= tickMs) evaluate(until, last)
  }

  return {
    add: (entry, n) => {
      const at = Date.parse(entry.at)
      entries.push({ n, at, entry })
      switch (entry.type) {
        case 'object': {
          const { id, object, patch } = entry
          objects.push({ n, at, id, ...(object && { object }), ...(patch && { patch }) })
          fold(latest, entry)
          const state = stateOf.change(id, latest.get(id))
          if (state !== undefined) states.push({ n, at, ...state })
          break
        }
        case 'step': {
          const { type: _, traceparent: __, began, at: ___, ...step } = entry
          steps.push({ ...step, n, at: Date.parse(began) })
          break
        }
        case 'event':
          events.push(eventMark(entry.event, n, at))
          break
        case 'gap':
          break
        default:
          entry satisfies never
      }
    },
    history: (after, last) => {
      buildTrees(last)
      return {
        shoot,
        nodes: later(nodes, after),
        steps: later(steps, after),
        events: later(events, after),
        objects: later(objects, after),
      }
    },
    present: () => latest,
    search: (text, limit) => searchHistory({ shoot, steps }, text, limit),
    summary: after => {
      const garden = stateOf.garden()
      return { id: shoot, ...(garden !== undefined && { garden }), states: later(states, after) }
    },
  }
}

const fold = (objects: Map<string, unknown>, { id, object, patch }: JournalEntry & { type: 'object' }) => {
  if (object !== undefined) objects.set(id, object)
  else if (patch !== undefined) objects.set(id, mergePatch(objects.get(id), patch))
  else objects.delete(id)
}

const eventMark = (event: Readonly<Record<string, unknown>>, n: number, at: number): EventMark => ({
  n,
  at,
  id: String(event.id),
  object: `${event.kind ?? ''} ${event.subject}`,
  operation: String(event.type).split('.').at(-1) ?? '',
  ...(typeof event.reason === 'string' && { reason: event.reason }),
})

/** Returns the items after an entry. All lists are in the order of the journal. */
const later = <T extends { readonly n: number }>(items: readonly T[], after: number): readonly T[] => {
  if (after <= 0) return items
  let index = items.length
  while (index > 0 && (items[index - 1]?.n ?? 0) > after) index--
  return items.slice(index)
}
