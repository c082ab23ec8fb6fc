import { clusterKind, isKindName, kinds } from '../../shared/contract/kinds.ts'
import { recordOf } from '../../shared/decode/record-of.ts'
import { partsOfObjectId } from '../../shared/journal/journal.ts'
import {
  eventResource,
  type GroupVersionResource,
  type Kubernetes,
} from '../../shared/kubernetes/kubernetes.ts'
import { kindRules } from '../../shared/lifecycle/lifecycle.ts'
import type { ActionName } from './decide-action.ts'

const reviews: GroupVersionResource = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'selfsubjectaccessreviews',
  namespaced: false,
}

interface OwnRight {
  readonly verb: 'patch' | 'create'
  readonly resource: GroupVersionResource
  readonly namespace: string | undefined
  readonly name?: string
}

/**
 * Returns the actions that the user of a client may run: the API server answers for each object, and for the Events
 * about them. An action that may write to some of the objects only is left out.
 *
 * @param ids the object, or the Cluster and the extension objects of a shoot
 */
export const allowedActions = async (
  kubernetes: Pick<Kubernetes, 'create'>,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<readonly ActionName[]> => {
  const objects = ids.flatMap(id => partsOfObjectId(id) ?? [])
  const isShoot = objects.some(({ kind }) => kind === 'Cluster')
  const extensions = objects.filter(({ kind }) => isKindName(kind))
  // A pause of a shoot is on its Cluster, and on objects whose functions read none.
  const paused = isShoot
    ? objects.filter(
        ({ kind }) => kind === 'Cluster' || (isKindName(kind) && kindRules[kind].cluster === 'never'),
      )
    : extensions
  const asked = new Map<string, Promise<boolean>>()
  const may = (right: OwnRight): Promise<boolean> => {
    const key = JSON.stringify(right)
    const answer = asked.get(key) ?? askRight(kubernetes, right, signal)
    asked.set(key, answer)
    return answer
  }
  /** Most users may patch all objects of a kind: one answer for many. */
  const mayPatch = async ({ kind, namespace, name }: (typeof objects)[number]): Promise<boolean> => {
    const resource = isKindName(kind) ? kinds[kind].resource : clusterKind.resource
    const right = { verb: 'patch', resource, namespace } as const
    return (await may(right)) || may({ ...right, name })
  }
  const mayAll = async (given: typeof objects): Promise<boolean> => {
    // Events about objects without a namespace are in `default`.
    const events = given.map(({ namespace = 'default' }) =>
      may({ verb: 'create', resource: eventResource, namespace }),
    )
    return given.length > 0 && (await Promise.all([...given.map(mayPatch), ...events])).every(Boolean)
  }
  const [requests, pauses] = await Promise.all([mayAll(extensions), mayAll(paused)])
  return [
    ...(requests ? (['retry', 'reconcile'] as const) : []),
    ...(pauses ? (['pause', 'resume'] as const) : []),
  ]
}

/** Without an answer, the user may not. */
const askRight = async (
  kubernetes: Pick<Kubernetes, 'create'>,
  { verb, resource: { group, plural }, namespace, name }: OwnRight,
  signal: AbortSignal,
): Promise<boolean> => {
  const resourceAttributes = { verb, group, resource: plural, namespace, name }
  const review = {
    ...{ apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', metadata: { name: '' } },
    spec: { resourceAttributes },
  }
  return kubernetes.create(reviews, review, { signal }).then(
    ({ status }) => recordOf(status).allowed === true,
    () => false,
  )
}
