import type { Timestamp } from '../../clock/clock.ts'
import { kinds } from '../../contract/kinds.ts'
import type { Cluster, ControlPlane, ManagedResource } from '../../contract/objects.ts'
import { managedResourceKind } from '../../contract/resource-kinds.ts'
import { deployments, secrets } from '../../kubernetes/core-resources.ts'
import {
  type NotedWrite,
  notedKubernetes,
  plannedStep,
  plannedWrite,
  type ReadKubernetes,
  type Secret,
  type SeedPlanInput,
  type StepResult,
  type WrittenKubernetes,
  withCluster,
  writtenKubernetes,
} from '../../lifecycle/lifecycle.ts'
import {
  completeManagedResources,
  listManagedResources,
  managedResourceChange,
  rememberingComparison,
  type ShownOptions,
} from '../../resources/resources.ts'
import { type CreateKeyPair, keyPairQueue } from '../../secrets-manager/secrets-manager.ts'
import type { OpenShoot } from '../clean-up/clean-up-shoot.ts'
import { type ControlPlaneStep, namespaceOf } from '../flow/control-plane-step.ts'
import { reconcileControlPlane } from '../flow/reconcile.ts'
import { removeControlPlane } from '../flow/remove.ts'
import type { ControlPlaneProvider } from '../provider.ts'
import type { ControlPlaneAction, ControlPlanePlan } from './control-plane-plan.ts'
import { secretActions } from './secret-actions.ts'
import { unknownAfter } from './unknown-after.ts'

/** A write or a wait of a step. */
type Happening =
  | NotedWrite
  | { readonly verb: 'wait'; readonly waitsFor: string; readonly description: string }

interface RecordedPlan {
  readonly happenings: readonly Happening[]
  /** The ManagedResources before the plan. */
  readonly observed: ReadonlyMap<string, ManagedResource>
  /** The state after all writes of the plan. */
  readonly server: WrittenKubernetes
  /** The current state. */
  readonly kubernetes: ReadKubernetes
  readonly input: {
    readonly namespace: string
    readonly cluster: Cluster
    readonly secret: Secret
    readonly signal: AbortSignal
  }
}

interface ControlPlanePlanInput extends SeedPlanInput<ControlPlane> {
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
  { createKeyPair = keyPairQueue(), ...given }: ControlPlanePlanInput,
): Promise<ControlPlanePlan> => {
  const { destroy = false, kubernetes, ...input } = withCluster(given)
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

/** Returns the plan of the recorded writes and waits. */
const planOf = async (recorded: RecordedPlan): Promise<ControlPlanePlan> => {
  const { happenings, input } = recorded
  const writes = happenings.filter(one => one.verb !== 'wait')
  const made = writes.flatMap(write =>
    write.verb === 'create' && isOf(write, secrets) ? [write.object] : [],
  )
  const unknown = unknownAfter(made)
  const shown = { secret: input.secret, ...unknown }
  const { items } = await recorded.kubernetes.list(secrets, {
    namespace: input.namespace,
    signal: input.signal,
  })
  const ofSecrets = secretActions({ writes, cluster: input.cluster, present: items })
  const actions: ControlPlaneAction[] = []
  const written = new Set<string>()
  for (const happening of happenings) {
    if (happening.verb === 'wait') actions.push(waitAction(happening, written))
    else if (happening.resource.plural === managedResourceKind.resource.plural) {
      const { name } = happening.key
      // An object with several writes is shown in its final form.
      if (!written.has(name)) actions.push(await managedResourceAction(name, recorded, shown))
      written.add(name)
    } else if (isOf(happening, secrets)) actions.push(...ofSecrets(happening))
    else if (isOf(happening, kinds.ControlPlane.resource)) actions.push(...cleanUpAction(happening))
  }
  return {
    actions,
    writes: writes
      .filter(write => !isOf(write, kinds.ControlPlane.resource))
      .map(write => plannedWrite(write, unknown.unknownNames.get(write.key.name))),
  }
}

const isOf = ({ resource }: NotedWrite, { group, plural }: NotedWrite['resource']): boolean =>
  resource.group === group && resource.plural === plural

const plain = (kind: ControlPlaneAction['kind'], sentence: string, notes: readonly string[] = []) => ({
  kind,
  sentence,
  notes,
  objects: [],
})

/** `extension-controlplane-seed healthy`: the object of the wait and its desired state. */
const waitAction = (
  { waitsFor, description }: Extract<Happening, { readonly verb: 'wait' }>,
  written: ReadonlySet<string>,
): ControlPlaneAction => {
  const [, what = waitsFor, how = 'there'] = /^(.*) (\S+)$/.exec(waitsFor) ?? []
  const article = what.includes('-') ? '' : 'the '
  // A message about objects that the plan writes adds nothing.
  const isNews = description !== '' && ![...written].some(name => description.includes(name))
  return plain('wait', `wait until ${article}${what} is ${how}`, isNews ? [`now: ${description}`] : [])
}

/** An annotation of the ControlPlane records the clean-up in the shoot. */
const cleanUpAction = (write: NotedWrite): readonly ControlPlaneAction[] => {
  const patched = write.verb === 'patch' ? Object(Object(write.patch).metadata).annotations : undefined
  return Object.entries(Object(patched)).map(([annotation, value]) =>
    value === null
      ? plain('update', 'remove the record that the shoot was cleaned up', [
          `annotation ${annotation} is removed`,
        ])
      : plain('update', 'clean up the shoot, once', [`annotation ${annotation}: ${value}`]),
  )
}

/** Describes the write of a ManagedResource and the changes of its objects. */
const managedResourceAction = async (
  name: string,
  { observed, server, kubernetes, input }: RecordedPlan,
  shown: ShownOptions,
): Promise<ControlPlaneAction> => {
  const { namespace, signal } = input
  const before = observed.get(name)
  const after = (await server.get(managedResourceKind.resource, { namespace, name })) as
    | ManagedResource
    | undefined
  const change = await managedResourceChange(
    { managedResource: before, kubernetes },
    { managedResource: after, kubernetes: server },
    shown,
    signal,
  )
  return { ...change, sentence: `${change.kind} the ManagedResource ${name}` }
}
