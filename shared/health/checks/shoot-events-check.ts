import { parseTimestamp, type Timestamp } from '../../clock/clock.ts'
import type { ErrorCode } from '../../contract/constants.ts'
import { messageOf } from '../../contract/message-of.ts'
import {
  ConnectionError,
  type GroupVersionResource,
  type KubernetesObject,
} from '../../kubernetes/kubernetes.ts'
import { type HealthCheck, successful, unsuccessful } from '../health-check.ts'
import { deploymentProblem, isOff } from './deployment-check.ts'

const events: GroupVersionResource = { group: '', version: 'v1', plural: 'events', namespaced: true }

/** A warning that nobody has repeated for so long, in ms, is over. */
const warningMs = 5 * 60_000

/**
 * Whether a component of the control plane, which is a Deployment and a ServiceAccount of the shoot of that name, has warned in
 * the shoot's events (docs/contract/health.md#events-of-the-shoot). Not asked while the Deployment is unhealthy, or off.
 */
export const shootEventsCheck = (
  component: string,
  codesOf: (message: string) => readonly ErrorCode[],
): HealthCheck => ({
  name: `events of ${component}`,
  run: async ({ deployment: read, shoot, namespace, clock, signal }) => {
    const deployment = await read(component)
    if (deployment === undefined || isOff(deployment) || deploymentProblem(deployment) !== undefined)
      return successful
    const access = await shoot()
    const { items } = await access
      .list(events, {
        namespace: 'kube-system',
        fieldSelector: `involvedObject.kind=ServiceAccount,involvedObject.name=${component}`,
        signal,
      })
      .catch(error => {
        throw new Error(
          `failed to retrieve events for ${component} in namespace ${JSON.stringify(namespace)}: ${reasonOf(error)}`,
          { cause: error },
        )
      })
    const newest = items.reduce<KubernetesObject | undefined>(
      (best, event) => (best === undefined || timeOf(event) > timeOf(best) ? event : best),
      undefined,
    )
    if (newest?.type !== 'Warning' || clock.now() - timeOf(newest) > warningMs) return successful
    const message = String(newest.message ?? '')
    return unsuccessful(`[${component}] ${String(newest.reason ?? '')}: ${message}`, codesOf(message))
  },
})

/** Why there was no answer, without the path that was asked: it says nothing to whom the condition is for. */
const reasonOf = (error: unknown): string =>
  messageOf(error instanceof ConnectionError ? (error.cause ?? error) : error)

/** When an event was seen last: what is written through the newer API has no `lastTimestamp`. */
const timeOf = ({ series, eventTime, lastTimestamp, metadata }: KubernetesObject): Timestamp =>
  timeIn(Object(series).lastObservedTime) ??
  timeIn(eventTime) ??
  timeIn(lastTimestamp) ??
  timeIn(metadata.creationTimestamp) ??
  0

const timeIn = (value: unknown): Timestamp | undefined =>
  typeof value === 'string' ? parseTimestamp(value) : undefined
