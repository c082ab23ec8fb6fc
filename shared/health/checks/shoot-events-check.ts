import { parseTimestamp, type Timestamp } from '../../clock/clock.ts'
import type { ErrorCode } from '../../contract/constants.ts'
import { deployments } from '../../kubernetes/core-resources.ts'
import {
  ConnectionError,
  eventResource,
  type Kubernetes,
  type KubernetesObject,
} from '../../kubernetes/kubernetes.ts'
import { listPages } from '../../kubernetes/list-all.ts'
import { messageOf } from '../../text/message-of.ts'
import { type HealthCheck, successful, unsuccessful } from '../health-check.ts'
import { deploymentProblem, isOff } from './deployment-check.ts'

/** Events per page of a list, and maximum pages of a check. A repeated event updates the same object. */
const pageSize = 100
const mostPages = 20
/** Longest message of an event, in characters. It becomes part of the object's status. */
const longestText = 1_000

/** A warning is over when it was not repeated for this time, in milliseconds. */
const warningMs = 5 * 60_000

/**
 * Checks the shoot's events for warnings of a control plane component: the Deployment and the shoot's ServiceAccount
 * with its name (docs/contract/health.md#events-of-the-shoot). Skipped while the Deployment is unhealthy or off. The
 * bridge does not watch events of a shoot, so a warning shows in the next round.
 *
 * @example
 * const check = shootEventsCheck('acme-controller', () => ['ERR_INFRA_DEPENDENCIES'])
 */
export const shootEventsCheck = (
  component: string,
  codesOf: (message: string) => readonly ErrorCode[],
): HealthCheck => ({
  name: `events of ${component}`,
  reads: [{ resource: deployments, name: component }],
  run: async ({ deployment: read, shoot, namespace, clock, signal }) => {
    const deployment = await read(component)
    if (deployment === undefined || isOff(deployment) || deploymentProblem(deployment) !== undefined)
      return successful
    const access = await shoot()
    const newestOf = (type: string) =>
      newestEvent(
        access,
        `involvedObject.kind=ServiceAccount,involvedObject.name=${component},${type}`,
        signal,
      )
    try {
      const warning = await newestOf('type=Warning')
      if (warning === undefined || clock.now() - warning.time > warningMs) return successful
      // A newer normal event overrides a warning. Without a warning, no second request is needed.
      const other = await newestOf('type!=Warning')
      if (other !== undefined && other.time > warning.time) return successful
      const { reason, message } = warning
      return unsuccessful(`[${component}] ${reason}: ${message}`, codesOf(message))
    } catch (error) {
      throw new Error(
        `failed to retrieve events for ${component} in namespace ${JSON.stringify(namespace)}: ${reasonOf(error)}`,
        { cause: error },
      )
    }
  },
})

interface SeenEvent {
  readonly time: Timestamp
  readonly reason: string
  readonly message: string
}

/**
 * Returns the newest event. Users of the shoot may write any number of events, so the check reads them one by one, and
 * at most `mostPages` pages.
 */
const newestEvent = async (
  shoot: Pick<Kubernetes, 'list'>,
  fieldSelector: string,
  signal: AbortSignal,
): Promise<SeenEvent | undefined> => {
  let newest: SeenEvent | undefined
  const each = (event: KubernetesObject): void => {
    const time = timeOf(event)
    if (newest !== undefined && time <= newest.time) return
    newest = { time, reason: shownText(event.reason), message: shownText(event.message) }
  }
  const options = { namespace: 'kube-system', fieldSelector, limit: pageSize, each, signal }
  let pages = 0
  for await (const { items, continue: more } of listPages(shoot, eventResource, options)) {
    items.forEach(each)
    pages++
    if (more && pages === mostPages) throw new Error(`found more than ${mostPages * pageSize}`)
  }
  return newest
}

const shownText = (value: unknown): string => (typeof value === 'string' ? value.slice(0, longestText) : '')

/** The reason without the request's path, which means nothing to the condition's readers. */
const reasonOf = (error: unknown): string =>
  messageOf(error instanceof ConnectionError ? (error.cause ?? error) : error)

/** The time when an event was last seen. Events of the newer API lack `lastTimestamp`. */
const timeOf = ({ series, eventTime, lastTimestamp, metadata }: KubernetesObject): Timestamp =>
  timeIn(Object(series).lastObservedTime) ??
  timeIn(eventTime) ??
  timeIn(lastTimestamp) ??
  timeIn(metadata.creationTimestamp) ??
  0

const timeIn = (value: unknown): Timestamp | undefined =>
  typeof value === 'string' ? parseTimestamp(value) : undefined
