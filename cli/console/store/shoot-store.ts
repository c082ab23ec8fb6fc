import type { JournalEntry, StepEntry } from '../../../shared/journal/journal.ts'
import { mergePatch } from '../../../shared/kubernetes/merge-patch.ts'
import type { IsServed, NextStep, TreeNode } from '../../observe/observe.ts'
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
import { type Evaluation, nextEvaluation, tickMs } from './next-evaluation.ts'
import { createStateOfShoot } from './state-of-shoot.ts'
import { createTreeHistory } from './tree-history.ts'

type FoldedObjects = ReadonlyMap<string, unknown>

export interface ShootMoment {
  readonly shoot: string
  readonly objects: FoldedObjects
  /** True before the first object of the journal: only steps are known. */
  readonly isPast: boolean
  readonly at: number
  readonly steps: readonly StepEntry[]
  /** False: no Cluster of any shoot has been seen, so that a missing one says nothing. */
  readonly clustersRead: boolean
  readonly isServed: IsServed
}

/** Returns the tree of a shoot, or undefined if it has no objects. */
export type TreeAt = (moment: ShootMoment) => TreeNode | undefined

export interface ShootStoreOptions {
  readonly shoot: string
  readonly treeAt: TreeAt
  readonly clustersRead: () => boolean
  /** The first entry of an object of any shoot. Undefined: there is none yet. */
  readonly firstObject: () => LastMoment | undefined
  readonly isServed: IsServed
  /** Called with each version of an object, so that a claimed one shows its type as served. */
  readonly seen: (object: unknown) => void
}

/** The entries of one shoot. */
export interface ShootStore {
  readonly add: (entry: JournalEntry, n: number) => void
  /** From now on, a shoot without objects does not exist. */
  readonly endPast: (first: LastMoment) => void
  /** Returns the items after an entry. Computes the trees on demand: most shoots are never opened. */
  readonly history: (after: number, last: LastMoment) => Omit<ShootHistory, 'n'>
  readonly summary: (after: number, last: LastMoment) => ShootSummary
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
/**
 * Trees of one reading, in nodes: a shoot with thousands of objects that all change has trees for some of its changes
 * only, so that it opens within seconds.
 */
const mostNodes = 500_000

/** The end of the journal so far. */
export interface LastMoment {
  readonly at: number
  readonly n: number
}

export const createShootStore = ({
  shoot,
  treeAt,
  clustersRead,
  firstObject,
  isServed,
  seen,
}: ShootStoreOptions): ShootStore => {
  const entries: NumberedEntry[] = []
  const states: ListedState[] = []
  const steps: StepBar[] = []
  const events: EventMark[] = []
  const objects: VersionOfObject[] = []
  const nodes: NodeVersion[] = []
  const latest = new Map<string, unknown>()
  let last = 0
  const stateOf = createStateOfShoot({
    shoot,
    clustersRead,
    isServed,
    add: (at, state) => {
      // The last state of one moment counts.
      if (states.at(-1)?.at === at) states.pop()
      states.push({ n: last, at, ...state })
    },
  })

  const trees = createTreeHistory()
  const folded = new Map<string, unknown>()
  let isPast = true
  const ended = new Map<string, StepEntry[]>()
  let built = 0
  let evaluated = 0
  let planned: Evaluation | undefined

  const evaluate = (at: number, n: number, before?: Evaluation) => {
    const tree = treeAt({
      shoot,
      objects: folded,
      isPast,
      at,
      steps: [...ended.values()].flat(),
      clustersRead: clustersRead(),
      isServed,
    })
    nodes.push(...trees.add(tree, at, n))
    planned = nextEvaluation(nextSteps(tree), at, before)
    evaluated = at
  }

  const leavePast = (n: number) => {
    const first = firstObject()
    if (!isPast || first === undefined || n < first.n) return
    isPast = false
    if (nodes.length > 0) evaluate(first.at, n)
  }

  const buildTrees = ({ at: until, n: last }: LastMoment) => {
    const stride = Math.ceil(((entries.length - built) * latest.size) / mostNodes)
    while (built < entries.length) {
      const { at, n, entry } = entries[built++] as NumberedEntry
      leavePast(n)
      if (entry.type === 'object') fold(folded, entry)
      else if (entry.type === 'step')
        ended.set(entry.object, [...(ended.get(entry.object) ?? []), entry].slice(-mostSteps))
      else continue
      const next = entries[built]?.at
      if (next !== undefined && (next - at < sameMomentMs || (stride > 1 && built % stride > 0))) continue
      evaluate(at, n)
      while (planned !== undefined && planned.at < (next ?? 0)) evaluate(planned.at, n, planned)
    }
    leavePast(last)
    while (planned !== undefined && planned.at <= until) evaluate(planned.at, last, planned)
    // Texts have ages. Each tick has its own number, so that every reader receives its changes.
    if (until - evaluated >= tickMs) evaluate(until, last, planned)
  }

  return {
    add: (entry, n) => {
      const at = Date.parse(entry.at)
      last = n
      entries.push({ n, at, entry })
      switch (entry.type) {
        case 'object': {
          const { id, object, patch } = entry
          objects.push({ n, at, id, ...(object && { object }), ...(patch && { patch }) })
          fold(latest, entry)
          seen(latest.get(id))
          stateOf.change(id, latest.get(id), at)
          break
        }
        case 'step': {
          const { type: _, traceparent: __, began, at: ___, ...step } = entry
          steps.push({ ...step, n, at: Date.parse(began) })
          if (firstObject() === undefined) stateOf.step(entry, at)
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
    endPast: first => {
      last = first.n
      stateOf.endPast(first.at)
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
    summary: (after, { at, n }) => {
      last = n
      stateOf.advance(at)
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

function* nextSteps(tree: TreeNode | undefined): Generator<NextStep | undefined> {
  if (tree === undefined) return
  yield tree.next
  for (const child of tree.children) yield* nextSteps(child)
}
