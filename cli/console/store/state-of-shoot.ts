import { isKindName } from '../../../shared/contract/kinds.ts'
import type { StepEntry } from '../../../shared/journal/journal.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { causeOf } from '../../../shared/text/cause-of.ts'
import {
  type IsServed,
  isObserved,
  type NodeState,
  nodeStates,
  outlookOf,
  type SeedView,
  shootFactsOf,
  shootOfObject,
  shootTree,
  stateAfter,
  type TreeNode,
  worstOf,
} from '../../observe/observe.ts'
import type { ListedProblem, ListedState } from '../model/history.ts'
import { isOverdue } from '../view/is-overdue.ts'
import { type Evaluation, nextEvaluation } from './next-evaluation.ts'

type StateNow = Omit<ListedState, 'n' | 'at'>

/** Derives the state of a shoot as `trellis status` does: the worst of the outlooks of its extension objects counts. */
export interface StateOfShoot {
  /** An object has a new version, or none any more. */
  readonly change: (id: string, object: unknown, at: number) => void
  /** A step has ended, before objects are known. */
  readonly step: (step: StepEntry, at: number) => void
  /** From now on, objects are known. */
  readonly endPast: (at: number) => void
  /** Time has passed without a write: work may be late. */
  readonly advance: (until: number) => void
  /** Namespace and name in the garden, if a Cluster has been seen. */
  readonly garden: () => string | undefined
}

export interface StateOptions {
  /** The namespace of the shoot; empty for objects that belong to none. */
  readonly shoot: string
  /** False as long as no Cluster of any shoot has been seen: a missing one says nothing. */
  readonly clustersRead: () => boolean
  readonly isServed: IsServed
  /** Receives each new state of the shoot. */
  readonly add: (at: number, state: StateNow) => void
}

interface EvaluatedObject {
  readonly object: KubernetesObject
  readonly state: NodeState
  readonly why: string | undefined
  /** Undefined: it does not fail. */
  readonly problem: ListedProblem | undefined
  readonly isOverdue: boolean
  readonly later: Evaluation | undefined
}

/** In characters: the list of shoots shows one line. */
const longestWhy = 200
const mostProblems = 5

export const createStateOfShoot = ({ shoot, clustersRead, isServed, add }: StateOptions): StateOfShoot => {
  const present = new Set<string>()
  /** The last step of each object, before objects are known. */
  const stepped = new Map<string, StepEntry>()
  const listed = new Map<string, EvaluatedObject>()
  const byState: Readonly<Record<NodeState, Set<string>>> = {
    ok: new Set(),
    gone: new Set(),
    unknown: new Set(),
    working: new Set(),
    waiting: new Set(),
    failed: new Set(),
  }
  let cluster: KubernetesObject | undefined
  let root: TreeNode | undefined
  let garden: string | undefined
  let soonest = Number.POSITIVE_INFINITY
  let last: StateNow | undefined

  const viewAt = (at: number): SeedView => ({
    at,
    objects: cluster === undefined ? [] : [cluster],
    clustersRead: clustersRead(),
    steps: undefined,
    missing: [],
    isServed,
  })

  const evaluate = (id: string, object: KubernetesObject, at: number, cause?: Evaluation) => {
    const { kind } = object
    if (!isKindName(kind)) return
    const served = isServed(object)
    const { state, why, next, error } = outlookOf(kind, object, shootOfObject(viewAt(at), object), at, served)
    const later = nextEvaluation([next], at, cause)
    soonest = Math.min(soonest, later?.at ?? soonest)
    // The outlook of a step names its end, so that each step would have a text of its own.
    const about = state === 'working' ? 'a step is due or running' : (error?.text ?? why)
    const before = listed.get(id)
    if (before !== undefined && before.state !== state) byState[before.state].delete(id)
    byState[state].add(id)
    listed.set(id, {
      ...{ object, state, why: about, later },
      problem: state === 'failed' ? problemOf(error, why, object.metadata) : undefined,
      isOverdue: isOverdue({ state, ...(next && { next }) }, at),
    })
  }

  /** The worst object explains the state, unless the shoot itself is in a worse one. */
  const stateNow = (): StateNow => {
    const worst = nodeStates.findLast(one => byState[one].size > 0)
    const state = worstOf([root?.state, worst].filter(one => one !== undefined))
    const [id = ''] = byState[state]
    const reason = listed.get(id)?.why
    const about =
      id === '' ? (root?.error?.text ?? root?.why) : reason && `${id.slice(0, id.indexOf(' '))}: ${reason}`
    const [why = ''] = (about ?? '').split('\n')
    const all = [...listed.values()]
    const overdue = all.filter(one => one.isOverdue).length
    const own = all.flatMap(({ problem }) => problem ?? [])
    // The error of the shoot repeats those of its objects.
    const ofShoot =
      own.length > 0 || root?.error === undefined ? [] : [problemOf(root.error, '', { name: shoot })]
    const problems = uniqueProblems([...own, ...ofShoot])
    return {
      state: present.size === 0 ? 'gone' : root === undefined && worst === undefined ? 'unknown' : state,
      failed: byState.failed.size,
      objects: listed.size,
      ...(why !== '' && { why: why.slice(0, longestWhy) }),
      ...(problems.length > 0 && { problems }),
      ...(overdue > 0 && { overdue }),
    }
  }

  /** The state before objects are known, from steps alone. */
  const stateOfSteps = (): StateNow => {
    const all = [...stepped.values()]
    const failed = all.filter(step => stateAfter(step) === 'failed')
    const problems = uniqueProblems(
      failed.map(({ reason = '' }) => ({
        cause: causeOf(reason, { name: '', namespace: shoot }),
        codes: [...new Set(reason.match(/\bERR_[A-Z_]+/g))],
      })),
    )
    const [why = ''] = (failed.at(-1)?.reason ?? '').split('\n')
    return {
      ...{ state: worstOf(all.map(stateAfter)), failed: failed.length, objects: all.length },
      ...(why !== '' && { why: why.slice(0, longestWhy) }),
      ...(problems.length > 0 && { problems }),
    }
  }

  const publish = (at: number) => {
    const state = stepped.size > 0 ? stateOfSteps() : stateNow()
    if (last !== undefined && isSame(last, state)) return
    last = state
    add(at, state)
  }

  const forget = (id: string) => {
    const before = listed.get(id)
    if (before !== undefined) byState[before.state].delete(id)
    listed.delete(id)
  }

  const advance = (until: number) => {
    while (soonest <= until) {
      const at = soonest
      soonest = Number.POSITIVE_INFINITY
      for (const [id, { object, later }] of listed)
        if (later === undefined || later.at > at) soonest = Math.min(soonest, later?.at ?? soonest)
        else evaluate(id, object, at, later)
      publish(at)
    }
  }

  return {
    garden: () => garden,
    advance,
    step: (step, at) => {
      stepped.set(step.object, step)
      publish(at)
    },
    endPast: at => {
      if (stepped.size === 0) return
      stepped.clear()
      publish(at)
    },
    change: (id, object, at) => {
      advance(at)
      if (object === undefined) present.delete(id)
      else present.add(id)
      const observed = isObserved(object) ? object : undefined
      if (observed === undefined) forget(id)
      if (id.startsWith('Cluster ')) {
        cluster = observed
        root = observed && shootTree(viewAt(at), shoot, () => [])
        soonest = Math.min(soonest, root?.next?.at ?? soonest)
        if (observed !== undefined) garden = gardenName(shoot, observed) ?? garden
        for (const [other, { object, later }] of listed) evaluate(other, object, at, later)
      } else if (observed !== undefined) evaluate(id, observed, at)
      publish(at)
    },
  }
}

const isSame = (one: StateNow, other: StateNow): boolean => JSON.stringify(one) === JSON.stringify(other)

const problemOf = (
  error: TreeNode['error'],
  why: string | undefined,
  object: KubernetesObject['metadata'],
): ListedProblem => ({ cause: causeOf(error?.text ?? why ?? '', object), codes: error?.codes ?? [] })

const uniqueProblems = (problems: readonly ListedProblem[]): readonly ListedProblem[] =>
  [...new Map(problems.map(problem => [JSON.stringify(problem), problem])).values()].slice(0, mostProblems)

const gardenName = (shoot: string, cluster: KubernetesObject): string | undefined => {
  const { name } = shootFactsOf(shoot, cluster)
  return name === shoot ? undefined : name
}
