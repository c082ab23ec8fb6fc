import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { Store } from '../../kubernetes/kubernetes.ts'
import { runningCode } from '../process/running-code.ts'
import type { Problems } from './invariant.ts'

/** Names of what other controllers write begin with this: finalizers, annotations, labels, and types of conditions. */
export const ofOthers = 'neighbour.example.com/'
/** An annotation of objects that others have created: only they may delete them. */
export const ownedByOthers = `${ofOthers}owner`

/** Returns true if gardenlet writes a token to a Secret, and renews it later. */
export const needsToken = ({ metadata: { labels = {} } }: KubernetesObject): boolean =>
  labels['security.gardener.cloud/purpose'] === 'workload-identity-token-requestor'

const conditionsOf = ({ status }: KubernetesObject): readonly unknown[] =>
  [Object(status).conditions ?? []].flat()

/** Returns the parts of an object that other controllers have written. */
const partsOf = (object: KubernetesObject): readonly string[] => {
  const { finalizers = [], annotations = {}, labels = {} } = object.metadata
  const fields = (of: string, map: Readonly<Record<string, string>>) =>
    Object.entries(map).map(([name, value]) => `${name} of ${of} ${value}`)
  return [
    ...finalizers.map(name => `${name} of the finalizers`),
    ...(needsToken(object) && Object(object.data).token !== undefined
      ? [`${ofOthers}token of the data`]
      : []),
    ...fields('the annotations', annotations),
    ...fields('the labels', labels),
    ...conditionsOf(object).map(one => `${Object(one).type} of the conditions ${Object(one).message}`),
  ].filter(part => part.startsWith(ofOthers))
}

/** A migration of most kinds removes all finalizers (docs/contract/lifecycle.md#migrate). */
const releasesAll = (resource: string, { status }: KubernetesObject): boolean =>
  Object(status).lastOperation?.type === 'Migrate' && !/^(?:infrastructures|workers)\./.test(resource)

/** Watches that steps remove nothing that other controllers have written to objects. */
export const watchOthers = (store: Store, problems: Problems): void => {
  store.subscribe((resource, { type, key, entry, previous }) => {
    const step = runningCode.getStore()?.step
    if (step === undefined || previous === undefined) return
    const [before, after] = [previous.object, entry.object]
    const touch = (what: string): void =>
      problems.add(
        'nothing of others is touched',
        `${step.kind} ${step.namespace ?? ''}/${step.name} removed ${what} from ${resource} ${key}`,
      )
    const isGone = type === 'DELETED'
    const left = new Set(isGone ? [] : partsOf(after))
    const mayRelease = releasesAll(resource, before)
    for (const part of partsOf(before)) {
      // An object goes with everything but finalizers, which retain it.
      const isFinalizer = part.endsWith(' of the finalizers')
      if (!left.has(part) && (isFinalizer ? !mayRelease : !isGone)) touch(part)
    }
    const isDeletion =
      before.metadata.deletionTimestamp === undefined &&
      (isGone || after.metadata.deletionTimestamp !== undefined)
    if (isDeletion && before.metadata.annotations?.[ownedByOthers] !== undefined) touch('an object of others')
  })
}
