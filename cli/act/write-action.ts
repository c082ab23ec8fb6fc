import { type Clock, formatSeconds } from '../../shared/clock/clock.ts'
import { clusterKind, type KindName, kinds } from '../../shared/contract/kinds.ts'
import { recordOf, stringOf } from '../../shared/decode/record-of.ts'
import {
  eventResource,
  type GroupVersionResource,
  hasStatus,
  type Kubernetes,
  type KubernetesObject,
  type ObjectKey,
  objectEvent,
  permissionName,
} from '../../shared/kubernetes/kubernetes.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import type { DecidedAction } from './decide-action.ts'

/** The part of an API server that an action uses. */
export type ActionKubernetes = Pick<Kubernetes, 'get' | 'list' | 'patch' | 'create'>

const reviews: GroupVersionResource = {
  group: 'authentication.k8s.io',
  version: 'v1',
  plural: 'selfsubjectreviews',
  namespaced: false,
}

/**
 * Returns the name of the user as the API server knows it. If it refuses to say, the name in the kubeconfig: Events
 * must not be without one.
 */
export const userOf = async (
  kubernetes: Pick<Kubernetes, 'create'>,
  inKubeconfig: string | undefined,
  signal: AbortSignal,
): Promise<string> => {
  try {
    const review = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'SelfSubjectReview',
      metadata: { name: '' },
    }
    const { status } = await kubernetes.create(reviews, review, { signal })
    const name = stringOf(recordOf(recordOf(status).userInfo).username)
    if (name !== '') return name
  } catch (error) {
    if (!hasStatus(error, 403, 404, 405)) throw error
  }
  return inKubeconfig ?? 'unknown user'
}

/** The result for one object. `failed` and `warning` are for readers. */
export interface WrittenAction {
  readonly failed?: string
  readonly warning?: string
}

export interface ActionWriteOptions {
  readonly kubernetes: ActionKubernetes
  readonly clock: Pick<Clock, 'now'>
  readonly signal: AbortSignal
  /** Decides again on an object that has changed since the user agreed. */
  readonly decideAgain: (object: KubernetesObject) => DecidedAction
  /** The Event about it. `message` contains the name of the user. */
  readonly event: { readonly reason: string; readonly message: string }
}

/** A running operation changes its object every few seconds. */
const tries = 5

const resourceOf = (kind: string): GroupVersionResource =>
  kind === 'Cluster' ? clusterKind.resource : kinds[kind as KindName].resource

const keyOf = ({ metadata: { name, namespace } }: KubernetesObject): ObjectKey => ({
  name,
  ...(namespace !== undefined && { namespace }),
})

/**
 * Writes the annotations of an action to exactly the object that the user saw, and an Event about it. If the object has
 * changed meanwhile, decides again, and writes only if the result is the same. Never throws: other objects may have
 * been written, which the caller still has to report.
 */
export const writeAction = async (
  action: DecidedAction,
  { kubernetes, clock, signal, decideAgain, event }: ActionWriteOptions,
): Promise<WrittenAction> => {
  const resource = resourceOf(action.object.kind)
  let { object } = action
  try {
    for (let tried = 1; ; tried++) {
      const { uid, resourceVersion } = object.metadata
      const metadata = { uid, resourceVersion, annotations: action.annotations }
      try {
        await kubernetes.patch(resource, keyOf(object), { metadata }, { signal })
        break
      } catch (error) {
        if (!hasStatus(error, 409, 404)) throw error
      }
      const live = await kubernetes.get(resource, keyOf(object), { signal })
      if (live?.metadata.uid !== uid || live === undefined)
        return { failed: 'it was deleted or replaced meanwhile. Nothing was written' }
      object = { ...live, kind: object.kind }
      const again = decideAgain(object)
      if (
        again.replaces !== action.replaces ||
        JSON.stringify(again.annotations) !== JSON.stringify(action.annotations)
      )
        return { failed: `it has changed meanwhile (${again.text}). Nothing was written` }
      if (tried === tries)
        return { failed: 'it changes all the time. Nothing was written: run the command again' }
    }
  } catch (error) {
    if (signal.aborted)
      return { failed: 'no answer in time: it may be written. Run the command again, which says so' }
    return { failed: refusalText(error, permissionName('patch', resource), object) }
  }
  return writeEvent(object, { kubernetes, clock, signal, event })
}

const writeEvent = async (
  { apiVersion, kind, metadata: { name, namespace, uid = '' } }: KubernetesObject,
  { kubernetes, clock, signal, event }: Pick<ActionWriteOptions, 'kubernetes' | 'clock' | 'signal' | 'event'>,
): Promise<WrittenAction> => {
  const now = clock.now()
  const { reason, message } = event
  const about = { apiVersion, kind, name, namespace, uid }
  const written = objectEvent({
    ...{ about, reason, message },
    type: 'Normal',
    // Each call is an Event of its own.
    topic: String(now),
    component: 'trellis',
    at: formatSeconds(now),
  })
  try {
    await kubernetes.create(eventResource, written, { signal })
    return {}
  } catch (error) {
    return {
      warning: `it has no Event: ${refusalText(error, permissionName('create', eventResource), written)}`,
    }
  }
}

/** Names the missing right of the user, if that is the reason. */
const refusalText = (error: unknown, right: string, { metadata: { namespace } }: KubernetesObject): string =>
  hasStatus(error, 403)
    ? `you may not ${right}${namespace === undefined ? '' : ` in the namespace ${namespace}`}, or an admission refuses it: ${messageOf(error)}`
    : messageOf(error)
