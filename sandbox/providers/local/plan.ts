import { createProviderClusters, type LocalConnection } from '../../../functions/local/provider/local.ts'
import type { Kubernetes, KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { notedKubernetes, plannedWrite, writtenKubernetes } from '../../../shared/lifecycle/lifecycle.ts'
import type { FunctionDefinition } from '../../../shared/runtime/runtime.ts'
import { parseSettings } from '../../../shared/runtime/runtime.ts'
import { actionsOf, planStep } from '../../plan-texts/plan-step.ts'
import { stepPlan } from '../../plan-texts/step-plan.ts'
import type { ObjectPlan, PlanSurroundings } from '../provider.ts'

/** Functions by the kinds of `plans`. */
const definitions: Readonly<Record<string, () => Promise<{ readonly definition: FunctionDefinition }>>> = {
  Infrastructure: () => import('../../../functions/local/infrastructure/function.ts'),
  Bastion: () => import('../../../functions/local/bastion/function.ts'),
  SelfHostedShootExposure: () => import('../../../functions/local/selfhostedshootexposure/function.ts'),
}

/**
 * Returns the writes that the steps of a function would make, in its seed and in the provider cluster. The steps run on
 * API servers that do not forward writes. Rejects if the provider cluster cannot be read.
 */
export const planObject = async (
  object: KubernetesObject,
  { secret, connection, env, ...surroundings }: PlanSurroundings,
): Promise<ObjectPlan> => {
  const load = definitions[object.kind]
  if (load === undefined) throw new TypeError(`trellis plan does not support ${object.kind}`)
  const { definition } = await load()
  const { clock, signal, destroy } = surroundings
  // From `connect` or `simulate`.
  const given = connection as LocalConnection
  const reader = await createProviderClusters(given, clock).open(
    secret.data.kubeconfig,
    { signal, throwIfExpired: () => signal.throwIfAborted() },
    'could not create client for the provider cluster',
  )
  const server = writtenKubernetes(reader, { signal, now: clock.now() })
  const noted = notedKubernetes(server)
  const actuator = definition.create(parseSettings(definition.settings, { flags: {}, env }), {
    clock,
    // Steps use nothing else of it.
    connection: { ...given, providerCluster: noted.kubernetes as Kubernetes },
  })
  const plan = await planStep(definition, {
    ...surroundings,
    object,
    secret,
    actuator,
    isNotedOutside: true,
  })
  const shown = { secret, unknownNames: new Map(), unknownCertificates: new Set<string>() }
  const writes = noted.writes()
  const actions = await actionsOf(writes, { server, kubernetes: reader, signal, shown })
  return stepPlan(
    {
      ...plan,
      actions: [...actions, ...plan.actions],
      writes: [...writes.map(write => plannedWrite(write)), ...plan.writes],
    },
    destroy,
  )
}
