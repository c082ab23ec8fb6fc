import { machineKinds } from '../../../../shared/contract/machine-kinds.ts'
import type {
  Machine,
  MachineClass,
  MachineDeployment,
  MachineSet,
} from '../../../../shared/contract/objects.ts'
import { secrets } from '../../../../shared/kubernetes/core-resources.ts'
import type { Kubernetes, KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'

const finalizer = 'machine.sapcloud.io/machine-controller-manager'
const ownerOf = (
  kind: string,
  { name, uid }: { readonly name: string; readonly uid?: string | undefined },
) => ({
  apiVersion: 'machine.sapcloud.io/v1alpha1',
  kind,
  name,
  uid,
  controller: true,
})

/** The error text of each failed machine, by its position in its deployment. */
export type FailedMachines = readonly { readonly name: string; readonly text: string }[]

/**
 * The machine controller of the recordings. One run creates all machines of each MachineDeployment at once and releases
 * those being deleted.
 */
export const imitatedController = (kubernetes: Kubernetes, namespace: string, credentials: string) => {
  const list = async <O extends KubernetesObject>(kind: keyof typeof machineKinds): Promise<readonly O[]> =>
    (await kubernetes.list(machineKinds[kind].resource, { namespace })).items as readonly O[]
  const create = (
    kind: keyof typeof machineKinds,
    object: object,
    name: string,
    labels: object,
    owner?: object,
  ) =>
    kubernetes.create(machineKinds[kind].resource, {
      apiVersion: 'machine.sapcloud.io/v1alpha1',
      kind,
      metadata: {
        name,
        namespace,
        labels: labels as Readonly<Record<string, string>>,
        finalizers: [finalizer],
        ...(owner && { ownerReferences: [owner] }),
      },
      ...object,
    } as KubernetesObject)
  const remove = async (kind: keyof typeof machineKinds, name: string) => {
    const { resource } = machineKinds[kind]
    await kubernetes.delete(resource, { name, namespace })
    // It may already be gone.
    await kubernetes.patch(resource, { name, namespace }, { metadata: { finalizers: null } }).catch(() => {})
  }

  const ensureMachines = async (deployment: MachineDeployment, failed: FailedMachines) => {
    const { name, uid, generation } = deployment.metadata
    const { template, replicas = 0 } = deployment.spec ?? {}
    const className = template?.spec?.class?.name ?? ''
    const sets = (await list<MachineSet>('MachineSet')).filter(
      ({ metadata }) => metadata.labels?.name === name,
    )
    const spec = { class: { kind: 'MachineClass', name: className } }
    const set =
      sets.find(({ metadata }) => metadata.name === className) ??
      (await create(
        'MachineSet',
        { spec: { template: { spec } } },
        className,
        { name },
        ownerOf('MachineDeployment', { name, uid }),
      ))
    const setOwner = ownerOf('MachineSet', set.metadata)
    for (const { metadata } of sets)
      if (metadata.name !== className) await remove('MachineSet', metadata.name)
    const machines = (await list<Machine>('Machine')).filter(({ metadata }) => metadata.labels?.name === name)
    const names = Array.from({ length: replicas }, (_, i) => `${className}-${String.fromCharCode(97 + i)}`)
    for (const { metadata } of machines)
      if (!names.includes(metadata.name)) await remove('Machine', metadata.name)
    for (const machine of names)
      if (!machines.some(({ metadata }) => metadata.name === machine))
        await create('Machine', { spec }, machine, { name }, setOwner)
    await kubernetes.patch(
      machineKinds.MachineDeployment.resource,
      { name, namespace },
      { metadata: { finalizers: [finalizer] } },
    )
    const available = replicas - failed.length
    await kubernetes.patch(
      machineKinds.MachineDeployment.resource,
      { name, namespace },
      {
        status: {
          observedGeneration: generation,
          replicas,
          updatedReplicas: replicas,
          availableReplicas: available,
          conditions: [{ type: 'Available', status: available === replicas ? 'True' : 'False' }],
          failedMachines:
            failed.length === 0
              ? null
              : failed.map(machine => ({
                  name: machine.name,
                  lastOperation: { description: machine.text, state: 'Failed', type: 'Create' },
                })),
        },
      },
      { subresource: 'status' },
    )
  }

  return {
    run: async (failed: FailedMachines = []): Promise<void> => {
      for (const deployment of await list<MachineDeployment>('MachineDeployment')) {
        const { name, deletionTimestamp } = deployment.metadata
        if (deletionTimestamp === undefined) await ensureMachines(deployment, failed)
        else {
          for (const kind of ['Machine', 'MachineSet'] as const)
            for (const { metadata } of await list(kind))
              if (metadata.labels?.name === name) await remove(kind, metadata.name)
          await remove('MachineDeployment', name)
        }
      }
      const classes = await list<MachineClass>('MachineClass')
      for (const { metadata } of classes)
        if (metadata.deletionTimestamp !== undefined) await remove('MachineClass', metadata.name)
      const isNeeded = (await list<MachineClass>('MachineClass')).length > 0
      await kubernetes.patch(
        secrets,
        { name: credentials, namespace },
        { metadata: { finalizers: isNeeded ? [finalizer] : null } },
      )
    },
  }
}
