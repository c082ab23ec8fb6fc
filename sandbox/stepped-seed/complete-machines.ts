import { machineApiVersion } from '../../shared/contract/constants.ts'
import {
  type MachineKindName,
  type MachineObjectOf,
  machineKinds,
} from '../../shared/contract/machine-kinds.ts'
import type { MachineDeployment } from '../../shared/contract/objects.ts'
import type { Kubernetes, KubernetesObject, ObjectKey } from '../../shared/kubernetes/kubernetes.ts'
import { secrets } from '../../shared/lifecycle/lifecycle.ts'

const finalizer = 'machine.sapcloud.io/machine-controller'

/**
 * Brings all MachineDeployments to the final state of a machine controller, without time and without a cloud. Between
 * the steps of a replay, machines are created and deleted at once, and none fails.
 */
export const completeMachines = async (kubernetes: Kubernetes): Promise<void> => {
  const list = async <K extends MachineKindName>(kind: K) =>
    (await kubernetes.list(machineKinds[kind].resource)).items as unknown as readonly MachineObjectOf<K>[]
  const [deployments, sets, machines, classes] = await Promise.all([
    list('MachineDeployment'),
    list('MachineSet'),
    list('Machine'),
    list('MachineClass'),
  ])
  await holdCredentials(kubernetes, classes)
  const desired = deployments.map(deployment => ({ deployment, ...madeOf(deployment) }))
  await retainOnly(
    kubernetes,
    'MachineSet',
    sets,
    desired.flatMap(({ set }) => set ?? []),
  )
  await retainOnly(
    kubernetes,
    'Machine',
    machines,
    desired.flatMap(({ machines: made }) => made),
  )
  for (const { deployment, machines: made } of desired) await report(kubernetes, deployment, made.length)
}

const keyOf = ({ metadata: { name, namespace } }: KubernetesObject): ObjectKey => ({
  name,
  ...(namespace !== undefined && { namespace }),
})

/** The only machine set of a deployment, and its machines. */
const madeOf = (deployment: MachineDeployment) => {
  const { namespace = '', name, uid = '' } = deployment.metadata
  const machineClass = deployment.spec?.template.spec?.class
  const className = machineClass?.name
  if (className === undefined) return { set: undefined, machines: [] }
  const spec = { class: machineClass }
  const object = (kind: string, of: string, owner: object, fields: object): KubernetesObject =>
    ({
      apiVersion: machineApiVersion,
      kind,
      metadata: { name: of, namespace, labels: { name }, ownerReferences: [owner] },
      spec: fields,
    }) as KubernetesObject
  const owner = (kind: string, of: string, ofUid: string) => ({
    apiVersion: machineApiVersion,
    kind,
    name: of,
    uid: ofUid,
    controller: true,
  })
  const replicas = deployment.spec?.replicas ?? 0
  return {
    set: object('MachineSet', className, owner('MachineDeployment', name, uid), {
      replicas,
      template: { metadata: { labels: { name } }, spec },
    }),
    machines: Array.from({ length: replicas }, (_, index) =>
      object('Machine', `${className}-${index + 1}`, owner('MachineSet', className, uid), spec),
    ),
  }
}

const retainOnly = async (
  kubernetes: Kubernetes,
  kind: MachineKindName,
  present: readonly KubernetesObject[],
  desired: readonly KubernetesObject[],
): Promise<void> => {
  const { resource } = machineKinds[kind]
  const idOf = (object: KubernetesObject) => JSON.stringify(keyOf(object))
  const wanted = new Set(desired.map(idOf))
  const there = new Set(present.map(idOf))
  for (const object of present)
    if (!wanted.has(idOf(object))) await kubernetes.delete(resource, keyOf(object))
  for (const object of desired) if (!there.has(idOf(object))) await kubernetes.create(resource, object)
}

const report = async (kubernetes: Kubernetes, deployment: MachineDeployment, machines: number) => {
  const status = {
    observedGeneration: deployment.metadata.generation,
    replicas: machines,
    updatedReplicas: machines,
    readyReplicas: machines,
    availableReplicas: machines,
    conditions: [{ type: 'Available', status: 'True' }],
  }
  const { resource } = machineKinds.MachineDeployment
  await kubernetes.patch(resource, keyOf(deployment), { status }, { subresource: 'status' })
}

/** Retains the Secrets of machine classes until the last class is deleted. */
const holdCredentials = async (
  kubernetes: Kubernetes,
  classes: readonly MachineObjectOf<'MachineClass'>[],
): Promise<void> => {
  const held = new Set(
    classes.flatMap(({ credentialsSecretRef: { namespace, name } = {} }) =>
      namespace === undefined || name === undefined ? [] : [JSON.stringify({ name, namespace })],
    ),
  )
  for (const secret of (await kubernetes.list(secrets)).items) {
    const { finalizers = [] } = secret.metadata
    const isHeld = finalizers.includes(finalizer)
    if (held.has(JSON.stringify(keyOf(secret))) === isHeld) continue
    const kept = finalizers.filter(other => other !== finalizer)
    const metadata = { finalizers: isHeld ? kept : [...kept, finalizer] }
    await kubernetes.patch(secrets, keyOf(secret), { metadata })
  }
}
