import type { Cluster } from '../../../shared/contract/objects.ts'
import {
  type GroupVersionResource,
  hasStatus,
  KubernetesError,
  type KubernetesObject,
} from '../../../shared/kubernetes/kubernetes.ts'
import type { StepContext } from '../../../shared/lifecycle/lifecycle.ts'
import type { FunctionPermission } from '../../../shared/runtime/runtime.ts'
import { name, nameLabels } from './names.ts'

const networkPolicies: GroupVersionResource = {
  group: 'networking.k8s.io',
  version: 'v1',
  plural: 'networkpolicies',
  namespaced: true,
}

export const testPolicyPermissions: readonly FunctionPermission[] = [
  {
    resource: networkPolicies,
    verbs: ['list', 'create', 'patch', 'delete'],
    why: 'NetworkPolicies that request a test of forced deletions, and that the test deletes.',
  },
]

/** Annotation of a Shoot. Creates objects that only a finalizer retains, so that a forced deletion has work to do. */
const testAnnotation = 'test-force-delete'

const finalizer = `extensions.gardener.cloud/${name}`
const namePrefix = 'test-netpol-'

/**
 * Fixed names, so that the next reconcile finds them. The Go extension generates names and creates two more each time.
 */
const policyNames = [`${namePrefix}1`, `${namePrefix}2`]

type PolicyStep = Pick<StepContext, 'object' | 'kubernetes' | 'log'>

/** Only true in the namespace of a shoot; others have no Cluster. */
export const isForceDeletionTested = (cluster: Cluster | undefined): boolean =>
  cluster?.spec.shoot.metadata?.annotations?.[testAnnotation] === 'true'

/** Creates the missing policies. */
export const ensureTestPolicies = async ({ object, kubernetes }: PolicyStep): Promise<void> => {
  const namespace = object.metadata.namespace ?? ''
  const present = new Set((await ownPolicies({ object, kubernetes })).map(({ metadata }) => metadata.name))
  for (const missing of policyNames.filter(one => !present.has(one))) {
    try {
      await kubernetes.create(networkPolicies, {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'NetworkPolicy',
        metadata: { name: missing, namespace, labels: nameLabels, finalizers: [finalizer] },
        spec: { podSelector: {} },
      })
    } catch (error) {
      // A policy with that name but without the label is foreign.
      if (!(error instanceof KubernetesError && error.reason === 'AlreadyExists')) throw error
    }
  }
}

/**
 * Deletes the policies, including those of the Go extension, and removes only the finalizer of this extension. If
 * another client changes one in the meantime, the step fails and the next one reads it again.
 */
export const removeTestPolicies = async ({ object, kubernetes, log }: PolicyStep): Promise<void> => {
  for (const { metadata } of await ownPolicies({ object, kubernetes })) {
    const { uid, resourceVersion, deletionTimestamp, finalizers = [] } = metadata
    const key = { name: metadata.name, namespace: metadata.namespace ?? '' }
    // The deletion is first, because without its finalizer the policy would not be identified again.
    if (deletionTimestamp === undefined)
      await kubernetes.delete(networkPolicies, key, {
        ...(uid !== undefined && { uid }),
        ...(resourceVersion !== undefined && { resourceVersion }),
      })
    const left = finalizers.filter(one => one !== finalizer)
    try {
      await kubernetes.patch(networkPolicies, key, { metadata: { uid, finalizers: left } })
    } catch (error) {
      if (!hasStatus(error, 404)) throw error
    }
    log.info('network policy of the test removed', { object: `${key.namespace}/${key.name}` })
  }
}

/** Identifies them by label, name and finalizer. */
const ownPolicies = async ({
  object,
  kubernetes,
}: Pick<PolicyStep, 'object' | 'kubernetes'>): Promise<readonly KubernetesObject[]> => {
  const labelSelector = Object.entries(nameLabels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
  const { namespace = '' } = object.metadata
  const { items } = await kubernetes.list(networkPolicies, { namespace, labelSelector })
  return items.filter(
    ({ metadata }) => metadata.name.startsWith(namePrefix) && metadata.finalizers?.includes(finalizer),
  )
}
