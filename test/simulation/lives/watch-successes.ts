import type { AwsSide } from '../../../sandbox/providers/aws/simulation/aws-side.ts'
import type { WorldRow } from '../../../sandbox/simulation/oracle/oracle.ts'
import { objectName, type World } from '../../../sandbox/simulation/simulation.ts'
import { annotations } from '../../../shared/contract/constants.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { Part } from './cast.ts'

/** The state of an object and its account at the moment at which it showed a success for its spec. */
export interface Success {
  readonly wanted: Part['desired']
  readonly rows: readonly WorldRow[]
}

/** Buckets have contents of others, and those of the last parts change with other parts. */
const kindsOfOneObject: ReadonlySet<string> = new Set(['DNSRecord', 'Infrastructure', 'Bastion'])

/** The most specs in a life that are compared: each needs a creation of its own. */
const most = 4

/**
 * Remembers the state at each success, not only at rest: a later step may repair what a success has missed. Only until
 * people disturb the account.
 */
export const watchSuccesses = (
  { first: seed }: World<AwsSide>,
  parts: readonly Part[],
  rowsOf: (wanted: Part['desired'], live: KubernetesObject) => readonly WorldRow[],
) => {
  const byName = new Map(
    parts
      .filter(({ desired, isLast }) => kindsOfOneObject.has(desired.kind) && isLast !== true)
      .map(({ desired }) => {
        const { kind, key } = desired
        return [objectName({ kind, name: key.name, namespace: key.namespace }), desired]
      }),
  )
  const successes = new Map<string, readonly Success[]>()
  const end = seed.server.store.subscribe((_, { entry: { object }, previous }) => {
    const { kind, metadata, spec } = object
    const wanted = byName.get(objectName({ kind, name: metadata.name, namespace: metadata.namespace }))
    if (wanted === undefined || !isNewSuccess(object, previous?.object)) return
    if (metadata.deletionTimestamp !== undefined) return
    const live = { ...wanted, spec: Object(spec) as Part['desired']['spec'] }
    const id = JSON.stringify(live)
    const first = successes.get(id)
    if (first === undefined && successes.size === most) return
    // The first and the last success of each spec.
    const success = { wanted: live, rows: rowsOf(live, object) }
    successes.set(id, [...(first ?? []).slice(0, 1), success])
  })
  return { end, all: () => [...successes.values()].flat() }
}

/**
 * Returns true if a write reports another success than the object showed before it. A claim removes the request and so
 * shows the former success once more, after which others may have changed the account.
 */
export const isNewSuccess = (object: KubernetesObject, previous: KubernetesObject | undefined): boolean =>
  isDone(object) && (previous === undefined || reportOf(previous) !== reportOf(object))

const reportOf = ({ status }: KubernetesObject): string => JSON.stringify(Object(status).lastOperation)

/** Returns true if an object shows a success for its spec, and nothing else is requested. */
const isDone = ({ metadata: { annotations: noted, generation }, status }: KubernetesObject): boolean => {
  const { lastOperation, lastError, observedGeneration } = Object(status)
  return (
    noted?.[annotations.operation] === undefined &&
    lastOperation?.state === 'Succeeded' &&
    lastOperation.type !== 'Migrate' &&
    !lastError &&
    observedGeneration === generation
  )
}
