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
  const mayAll = async (given: typeof objects): Promise<boolean> => {
    const rights = given.flatMap(({ kind, namespace, name }): readonly OwnRight[] => [
      {
        verb: 'patch',
        resource: isKindName(kind) ? kinds[kind].resource : clusterKind.resource,
        ...{ namespace, name },
      },
      // Events about objects without a namespace are in `default`.
      { verb: 'create', resource: eventResource, namespace: namespace ?? 'default' },
    ])
    return rights.length > 0 && (await Promise.all(rights.map(may))).every(Boolean)
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
  const resourceAttributes = {
    ...{ verb, group, resource: plural },
    ...(namespace !== undefined && { namespace }),
    ...(name !== undefined && { name }),
  }
  const review = {
    ...{ apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', metadata: { name: '' } },
    spec: { resourceAttributes },
  }
  return kubernetes.create(reviews, review, { signal }).then(
    ({ status }) => recordOf(status).allowed === true,
    () => false,
  )
}
