import { parseTimestamp, type Timestamp } from '../../shared/clock/clock.ts'
import { recordOf, stringOf } from '../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { type CheckedSeed, objectsOf } from './checked-seed.ts'
import { listOf } from './conditions.ts'

/** The labels with which Knative names the Service and the revision of a pod. */
const serviceLabel = 'serving.knative.dev/service'
const revisionLabel = 'serving.knative.dev/revision'

/** Longer than a container takes until its first readiness probe succeeds, in ms. */
const startMs = 60_000

/**
 * Returns the reasons that pods report for not running, on one line: `ImagePullBackOff: Back-off pulling image …`.
 * Returns '' if they report none. A controller often knows less: Knative's Ready is Unknown while an image cannot be
 * pulled.
 */
export const podReasons = (pods: readonly KubernetesObject[], now: Timestamp): string => {
  const reasons = pods.flatMap(pod => {
    // It ends as it should.
    if (pod.metadata.deletionTimestamp !== undefined) return []
    const own = [...unscheduled(pod), ...containerReasons(pod)].filter(reason => reason !== '')
    return own.length === 0 && !isStarting(pod, now) ? unready(pod) : own
  })
  return [...new Set(reasons)].join('; ')
}

const isStarting = ({ metadata }: KubernetesObject, now: Timestamp): boolean =>
  now - (parseTimestamp(metadata.creationTimestamp) ?? 0) < startMs

/** Names the containers that run and are not ready. Knative's queue-proxy probes the container of the function. */
const unready = ({ status }: KubernetesObject): readonly string[] =>
  listOf(recordOf(status).containerStatuses)
    .map(recordOf)
    .filter(({ ready, state }) => ready === false && recordOf(state).running !== undefined)
    .map(({ name }) => `the readiness probe of the container ${stringOf(name)} fails`)

export const podsOf = (seed: Pick<CheckedSeed, 'reads'>, deployment: string): readonly KubernetesObject[] =>
  objectsOf(seed, 'pods').filter(
    ({ metadata }) =>
      metadata.name.startsWith(`${deployment}-`) && metadata.labels?.[serviceLabel] === undefined,
  )

export const podsOfService = (
  seed: Pick<CheckedSeed, 'reads'>,
  service: string,
): readonly KubernetesObject[] =>
  objectsOf(seed, 'pods').filter(({ metadata }) => metadata.labels?.[serviceLabel] === service)

/** Returns the pods of the newest revision; those of former ones have no events any more. */
export const podsOfNewestRevision = (
  seed: Pick<CheckedSeed, 'reads'>,
  { metadata, status }: KubernetesObject,
): readonly KubernetesObject[] => {
  const { latestCreatedRevisionName: newest } = recordOf(status)
  const pods = podsOfService(seed, metadata.name)
  return typeof newest === 'string' && newest !== ''
    ? pods.filter(pod => (pod.metadata.labels?.[revisionLabel] ?? newest) === newest)
    : pods
}

const containerReasons = ({ status }: KubernetesObject): readonly string[] => {
  const { initContainerStatuses, containerStatuses } = recordOf(status)
  return [...listOf(initContainerStatuses), ...listOf(containerStatuses)].map(recordOf).map(container => {
    const waiting = recordOf(recordOf(container.state).waiting)
    const ended = recordOf(recordOf(container.lastState).terminated)
    // Every container starts with these reasons.
    if (waiting.reason === 'ContainerCreating' || waiting.reason === 'PodInitializing') return ''
    const reason = reasonText(waiting)
    const code = typeof ended.exitCode === 'number' && reason !== '' ? ` (exit code ${ended.exitCode})` : ''
    return `${reason}${code}`
  })
}

const unscheduled = ({ status }: KubernetesObject): readonly string[] =>
  listOf(recordOf(status).conditions)
    .map(recordOf)
    .filter(({ type, status: state }) => type === 'PodScheduled' && state === 'False')
    .map(reasonText)

const reasonText = ({ reason, message }: Readonly<Record<string, unknown>>): string =>
  [stringOf(reason), stringOf(message).split('\n')[0] ?? ''].filter(text => text !== '').join(': ')
