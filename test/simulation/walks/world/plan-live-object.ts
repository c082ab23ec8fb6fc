import { planFunction, planText } from '../../../../cli/plan/planner.ts'
import type { ObjectPlan } from '../../../../sandbox/providers/provider.ts'
import type { Clock } from '../../../../shared/clock/clock.ts'
import type { Kubernetes, KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { clusterOf, credentialsRefOf, readSecret } from '../../../../shared/lifecycle/lifecycle.ts'
import type { FunctionDefinition } from '../../../../shared/runtime/runtime.ts'
import type { WalkCloud } from './walk-cloud.ts'

export interface Surroundings {
  readonly definition: FunctionDefinition
  readonly kubernetes: Kubernetes
  readonly cloud: WalkCloud
  readonly clock: Clock
}

const noSecret = { name: '', namespace: '', labels: {}, data: {} }

/** Returns the plan that `trellis plan` prints for a live object. Throws any error that a step would throw. */
export const planLiveObject = async (
  object: KubernetesObject,
  { definition, kubernetes, cloud, clock }: Surroundings,
): Promise<ObjectPlan> => {
  const { signal } = new AbortController()
  const ref = definition.ignoresSecret ? undefined : credentialsRefOf(object)
  const secret = ref && (await readSecret(kubernetes, ref, signal))
  const lookup = await clusterOf(kubernetes, definition.kind, object, signal)
  if (lookup.kind === 'unreadable') throw lookup.error
  const cluster = lookup.kind === 'found' ? lookup.cluster : undefined
  const { connection } = cloud
  const given = { cluster, kubernetes, env: {}, connection, clock, signal, destroy: false }
  const ofCloud = cloud.planOf(definition.kind)
  if (ofCloud !== undefined) return ofCloud(object, { ...given, secret: secret ?? noSecret })
  return planText(await planFunction(definition, { ...given, object, secret }), false)
}
