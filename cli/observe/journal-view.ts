import { recordOf } from '../../shared/decode/record-of.ts'
import type { History } from '../../shared/journal/journal.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { SeedView } from './seed-view.ts'
import { servedBy } from './served.ts'

/**
 * Returns the view of a journal at a time in ms since the epoch.
 *
 * @param problems of the reader of the journal, such as an incomplete line
 */
export const journalView = (history: History, at: number, problems: readonly string[] = []): SeedView => {
  const moment = history.at(at)
  const objects = moment
    .ids()
    .map(id => moment.get(id))
    .filter(object => isObserved(object))
  const gaps = history.gaps.filter(gap => Date.parse(gap.at) <= at)
  const open = gaps.filter(({ until }) => until === undefined || Date.parse(until) > at)
  return {
    at,
    objects,
    // A journal has no Deployments of bridges.
    isServed: servedBy(undefined, objects),
    // A journal of some shoots has their Clusters, unless a gap says otherwise.
    clustersRead: objects.some(({ kind }) => kind === 'Cluster'),
    steps: history.steps.filter(step => Date.parse(step.began) + step.ms <= at),
    events: history.events.filter(event => Date.parse(event.at) <= at),
    recorded: { from: history.span()?.from ?? at, gaps },
    missing: [...problems, ...open.map(({ why }) => why)],
    ...(problems.length > 0 && { unread: ['lines of the journal'] }),
  }
}

/** Returns true if a value has the fields of every object: anybody may have written the journal. */
export const isObserved = (value: unknown): value is KubernetesObject => {
  const { kind, metadata } = recordOf(value)
  return typeof kind === 'string' && typeof recordOf(metadata).name === 'string'
}
