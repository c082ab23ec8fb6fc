import { messageOf } from '../../../../shared/contract/message-of.ts'
import { minorVersionOf } from '../../../../shared/contract/minor-version-of.ts'
import type { Cluster, ManagedResource, Network } from '../../../../shared/contract/objects.ts'
import { type KubernetesObject, startDeadline } from '../../../../shared/kubernetes/kubernetes.ts'
import { type StepContext, type StepResult, secrets } from '../../../../shared/lifecycle/lifecycle.ts'
import { readManifests } from '../../../../shared/resources/resources.ts'
import { hasOverlay } from './has-overlay.ts'
import type { OpenNodes } from './open-nodes.ts'

export interface AwaitRoutesInput {
  readonly step: StepContext<Network>
  readonly cluster: Cluster
  /** As it was read in this step. */
  readonly observed: ManagedResource
  readonly openNodes: OpenNodes
}

/** Longest look at a shoot's API server, in ms: one that does not answer leaves the step time to say so. */
const longestReadMs = 20_000
/** When the nodes are looked at again, in ms. Nothing in the seed changes when they have their routes. */
const nextReadMs = 10_000
/** How long nodes may be without routes before that is an error, in ms. */
const longestWaitMs = 10 * 60_000

/** Nodes in one page of a list. A shoot's response may have 8 MiB, and a node has up to 30 KB. */
const pageSize = 100

const missing = 'waiting for routes to be created on all nodes before disabling overlay'

/**
 * Before an overlay that is there is switched off every node needs routes to the others' pods, or these lose each other
 * (docs/contract/small-kinds.md#overlay-switch). Undefined: nothing is switched, or all nodes have them.
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

/** The provider keeps Calico by such a policy from taking the condition of the routes for its own. */
const hasAdmissionPolicies = ({ spec: { shoot } }: Cluster): boolean => {
  const { version = '', kubeAPIServer } = shoot.spec?.kubernetes ?? {}
  const { major, minor } = minorVersionOf(version ?? '')
  if (major > 1 || minor >= 36) return true
  const isServed = ['v1alpha1', 'v1beta1'].some(
    offered => kubeAPIServer?.runtimeConfig?.[`admissionregistration.k8s.io/${offered}`] === true,
  )
  return isServed && kubeAPIServer?.featureGates?.MutatingAdmissionPolicy === true
}

/** Of what the shoot has now; one whose manifests cannot be read has nothing that could be switched. */
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
  const deadline = startDeadline(clock, longestReadMs, 'looking for routes of the nodes', stepSignal)
  const { signal } = deadline
  try {
    const shoot = await openNodes({ kubernetes, namespace, clock, signal })
    try {
      let next: string | undefined
      do {
        const page = await shoot.kubernetes.list(nodes, {
          limit: pageSize,
          signal,
          ...(next !== undefined && { continue: next }),
        })
        if (!page.items.every(hasRoute)) return false
        next = page.continue
      } while (next !== undefined)
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

const nodes = { group: '', version: 'v1', plural: 'nodes', namespaced: false }

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
