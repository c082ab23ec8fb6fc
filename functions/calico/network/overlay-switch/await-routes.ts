import { readManifests } from '../../../../build/library/resources.ts'
import { minorVersionOf } from '../../../../build/library/shoot.ts'
import {
  type Cluster,
  type KubernetesObject,
  listPages,
  type ManagedResource,
  messageOf,
  type Network,
  nodes,
  type StepContext,
  type StepResult,
  secrets,
  startDeadline,
} from '../../../../build/library/trellis.ts'
import { hasOverlay } from './has-overlay.ts'
import type { OpenNodes } from './open-nodes.ts'

export interface AwaitRoutesInput {
  readonly step: StepContext<Network>
  readonly cluster: Cluster
  /** The ManagedResource as read in this step. */
  readonly observed: ManagedResource
  readonly openNodes: OpenNodes
}

/** Timeout for reads from a shoot's API server, in ms. It leaves the step time to report a failure. */
const longestReadMs = 20_000
/** Poll interval for the nodes, in ms. Nothing in the seed changes when they have their routes. */
const nextReadMs = 10_000
/** The longest time that nodes may lack routes before that is an error, in ms. */
const longestWaitMs = 10 * 60_000

/** Nodes per page. A response of a shoot may have 8 MiB, and a node has up to 30 KB. */
const pageSize = 100

const missing = 'waiting for routes to be created on all nodes before disabling overlay'

/**
 * Before an existing overlay is disabled, every node needs routes to the others' pods, or pods lose each other
 * (docs/contract/small-kinds.md#overlay-switch). Returns undefined if the overlay is not switched or all nodes have
 * routes.
 */
export const awaitRoutes = async ({
  step,
  cluster,
  observed,
  openNodes,
}: AwaitRoutesInput): Promise<StepResult | undefined> => {
  if (!hasAdmissionPolicies(cluster) || !(await isOverlayOn(step, observed))) return undefined
  if (await haveRoutes(step, openNodes)) return undefined
  const waitsFor = 'node routes'
  const { waited, clock } = step
  if (waited?.for === waitsFor && clock.now() - waited.since >= longestWaitMs) throw new Error(missing)
  return { kind: 'continue', afterMs: nextReadMs, progress: 30, description: missing, waitsFor }
}

/** With such a policy the provider prevents Calico from overwriting the condition of the routes. */
const hasAdmissionPolicies = ({ spec: { shoot } }: Cluster): boolean => {
  const { version = '', kubeAPIServer } = shoot.spec?.kubernetes ?? {}
  const { major, minor } = minorVersionOf(version ?? '')
  if (major > 1 || minor >= 36) return true
  const isServed = ['v1alpha1', 'v1beta1'].some(
    offered => kubeAPIServer?.runtimeConfig?.[`admissionregistration.k8s.io/${offered}`] === true,
  )
  return isServed && kubeAPIServer?.featureGates?.MutatingAdmissionPolicy === true
}

/** Reads the current state of the shoot. If its manifests are unreadable, there is nothing to switch. */
const isOverlayOn = async (
  { kubernetes, object }: StepContext<Network>,
  { spec }: ManagedResource,
): Promise<boolean> => {
  const { namespace = '' } = object.metadata
  for (const { name } of spec?.secretRefs ?? []) {
    const secret = name ? await kubernetes.get(secrets, { namespace, name }) : undefined
    const documents = await readManifests(secret?.data).catch(() => [])
    if (documents.some(hasOverlay)) return true
  }
  return false
}

const haveRoutes = async (
  { kubernetes, object, clock, signal: stepSignal }: StepContext<Network>,
  openNodes: OpenNodes,
): Promise<boolean> => {
  const { namespace = '' } = object.metadata
  const deadline = startDeadline(clock, longestReadMs, 'reading routes of the nodes', stepSignal)
  const { signal } = deadline
  try {
    const shoot = await openNodes({ kubernetes, namespace, clock, signal })
    try {
      for await (const { items } of listPages(shoot.kubernetes, nodes, { limit: pageSize, signal }))
        if (!items.every(hasRoute)) return false
      return true
    } finally {
      shoot.close()
    }
  } catch (error) {
    throw new Error(`cannot verify node routes before overlay switch: ${messageOf(error)}`, {
      cause: error,
    })
  } finally {
    deadline.release()
  }
}

const hasRoute = ({ status }: KubernetesObject): boolean => {
  const { conditions } = Object(status)
  return (
    Array.isArray(conditions) &&
    conditions.some(
      condition =>
        condition?.type === 'NetworkUnavailable' &&
        condition.status === 'False' &&
        condition.reason === 'RouteCreated',
    )
  )
}
