import type { Clock, Timestamp } from '../../clock/clock.ts'
import type { Cluster, ControlPlane } from '../../contract/objects.ts'
import {
  notedKubernetes,
  plannedStep,
  type ReadKubernetes,
  type Secret,
  type StepResult,
  type WrittenKubernetes,
  writtenKubernetes,
} from '../../lifecycle/lifecycle.ts'
import {
  completeManagedResources,
  listManagedResources,
  rememberingComparison,
} from '../../resources/resources.ts'
import { type CreateKeyPair, keyPairQueue } from '../../secrets-manager/secrets-manager.ts'
import type { OpenShoot } from '../clean-up/clean-up-shoot.ts'
import { deployments } from '../core-resources.ts'
import { type ControlPlaneStep, namespaceOf } from '../flow/control-plane-step.ts'
import { reconcileControlPlane } from '../flow/reconcile.ts'
import { removeControlPlane } from '../flow/remove.ts'
import type { ControlPlaneProvider } from '../provider.ts'
import type { ControlPlanePlan } from './control-plane-plan.ts'
import type { Happening } from './happening.ts'
import { planOf } from './plan-of.ts'

export interface ControlPlanePlanInput {
  readonly object: ControlPlane
  readonly cluster: Cluster
  readonly secret: Secret
  readonly kubernetes: ReadKubernetes
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Plans the deletion instead of reconciling. */
  readonly destroy?: boolean
  /** RSA; the keys are discarded. */
  readonly createKeyPair?: CreateKeyPair
}

/** Upper limit of steps of a reconcile or a deletion. */
const mostSteps = 20

/**
 * Returns the work of a ControlPlane's next steps until none is due. Runs the flow's code step by step on an API server
 * that stores writes only locally; between two steps, all waits are fulfilled. Throws the errors of the steps.
 */
export const planControlPlane = async (
  provider: ControlPlaneProvider,
  { destroy = false, createKeyPair = keyPairQueue(), kubernetes, ...input }: ControlPlanePlanInput,
): Promise<ControlPlanePlan> => {
  const { signal, clock } = input
  const server = writtenKubernetes(kubernetes, { signal, now: clock.now() })
  const noted = notedKubernetes(server)
  const step: ControlPlaneStep = plannedStep({
    ...input,
    operation: destroy ? 'Delete' : 'Reconcile',
    kubernetes: noted.kubernetes,
  })
  const namespace = namespaceOf(step)
  const observed = await listManagedResources(server, namespace)
  const compare = rememberingComparison()
  const happenings: Happening[] = []
  for (let count = 0; ; count++) {
    const before = noted.writes().length
    const result = destroy
      ? await removeControlPlane(provider, step, 'delete')
      : await reconcileControlPlane(provider, { openShoot: noShoot, createKeyPair, compare }, step)
    happenings.push(...noted.writes().slice(before))
    if (result.kind === 'done' && result.againAfterMs === undefined) break
    if (count === mostSteps) throw new Error('the plan of a ControlPlane does not end')
    happenings.push({ verb: 'wait', ...waitOf(result) })
    await completeAll(server, namespace, clock.now())
  }
  return planOf({ happenings, observed, server, kubernetes, input: { ...input, namespace } })
}

const waitOf = (result: StepResult): { readonly waitsFor: string; readonly description: string } =>
  result.kind === 'continue'
    ? { waitsFor: result.waitsFor ?? result.description, description: result.description }
    : { waitsFor: 'API server of the shoot down', description: '' }

/** A shoot without clean-up; it receives no request. */
const noShoot: OpenShoot = async () => ({
  kubernetes: {
    get: async () => undefined,
    list: async () => ({ items: [], resourceVersion: '0' }),
    patch: async (_, { name, namespace }) => ({
      apiVersion: '',
      kind: '',
      metadata: { name, ...(namespace !== undefined && { namespace }) },
    }),
  },
  close: () => {},
})

/**
 * Fulfills the waits: the resource manager has applied or removed everything, and the API server of a hibernated shoot
 * is down.
 */
const completeAll = async (server: WrittenKubernetes, namespace: string, now: Timestamp): Promise<void> => {
  await completeManagedResources(server, namespace, now)
  const apiServer = { name: 'kube-apiserver', namespace }
  const present = await server.get(deployments, apiServer)
  if (present !== undefined)
    server.put(deployments, apiServer, { ...present, spec: { ...Object(present.spec), replicas: 0 } })
}
