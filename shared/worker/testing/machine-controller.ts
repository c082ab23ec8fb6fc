import { machineKinds } from '../../contract/machine-kinds.ts'
import type { MachineDeployment, MachineSet } from '../../contract/objects.ts'
import type { Kubernetes, KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { testNamespace } from './machine-objects.ts'

const {
  MachineDeployment: deployments,
  MachineSet: sets,
  Machine: machines,
  MachineClass: classes,
} = machineKinds
const finalizer = 'machine.sapcloud.io/machine-controller-manager'
const secrets = { group: '', version: 'v1', plural: 'secrets', namespaced: true }

/** A machine controller for tests, without delays and without a cloud. One run reconciles each MachineDeployment. */
export const machineController = (kubernetes: Kubernetes) => {
  const listed = async <O extends KubernetesObject>({
    resource,
  }: {
    resource: typeof deployments.resource
  }) => (await kubernetes.list(resource, { namespace: testNamespace })).items as readonly O[]

  const ensureSets = async (deployment: MachineDeployment, present: readonly MachineSet[]) => {
    const { name, uid } = deployment.metadata
    const className = deployment.spec?.template.spec?.class?.name ?? ''
    const own = present.filter(({ metadata }) => metadata.labels?.name === name)
    const hash = className.slice(name.length + 1)
    if (!own.some(set => set.metadata.name === `${name}-${hash}`)) {
      await kubernetes.create(sets.resource, {
        apiVersion: 'machine.sapcloud.io/v1alpha1',
        kind: 'MachineSet',
        metadata: {
          name: `${name}-${hash}`,
          namespace: testNamespace,
          labels: { name },
          ownerReferences: [
            {
              apiVersion: 'machine.sapcloud.io/v1alpha1',
              kind: 'MachineDeployment',
              name,
              uid,
              controller: true,
            },
          ],
        },
        spec: { template: { spec: { class: { kind: 'MachineClass', name: className } } } },
      })
    }
    for (const set of own.filter(set => set.metadata.name !== `${name}-${hash}`)) {
      await kubernetes.delete(sets.resource, { name: set.metadata.name, namespace: testNamespace })
    }
    const replicas = deployment.spec?.replicas ?? 0
    const held = await listed<KubernetesObject>(machines)
    const mine = held.filter(machine => machine.metadata.labels?.name === name)
    for (let i = 0; i < replicas; i++) {
      const machine = `${name}-${hash}-${i}`
      if (mine.some(({ metadata }) => metadata.name === machine)) continue
      await kubernetes.create(machines.resource, {
        apiVersion: 'machine.sapcloud.io/v1alpha1',
        kind: 'Machine',
        metadata: {
          name: machine,
          namespace: testNamespace,
          labels: { name },
          ownerReferences: [
            {
              apiVersion: 'machine.sapcloud.io/v1alpha1',
              kind: 'MachineSet',
              name: `${name}-${hash}`,
              uid: 'set',
            },
          ],
          finalizers: [finalizer],
        },
        spec: { class: { kind: 'MachineClass', name: className } },
      })
    }
    const kept = Array.from({ length: replicas }, (_, i) => `${name}-${hash}-${i}`)
    for (const { metadata } of mine) if (!kept.includes(metadata.name)) await release(machines, metadata.name)
    await kubernetes.patch(
      deployments.resource,
      { name, namespace: testNamespace },
      {
        status: {
          observedGeneration: deployment.metadata.generation,
          replicas,
          updatedReplicas: replicas,
          availableReplicas: replicas,
          conditions: [{ type: 'Available', status: 'True' }],
          failedMachines: null,
        },
      },
      { subresource: 'status' },
    )
  }

  const release = async ({ resource }: { resource: typeof deployments.resource }, name: string) => {
    const key = { name, namespace: testNamespace }
    await kubernetes.delete(resource, key)
    await kubernetes.patch(resource, key, { metadata: { finalizers: null } }).catch(() => {})
  }

  const hold = async (isNeeded: boolean) => {
    const key = { name: 'cloudprovider', namespace: testNamespace }
    await kubernetes.patch(secrets, key, { metadata: { finalizers: isNeeded ? [finalizer] : null } })
  }

  return {
    /** Adds its finalizers to present objects and removes them from deleted ones. */
    run: async () => {
      for (const deployment of await listed<MachineDeployment>(deployments)) {
        const { name, deletionTimestamp } = deployment.metadata
        if (deletionTimestamp === undefined) {
          await kubernetes.patch(
            deployments.resource,
            { name, namespace: testNamespace },
            { metadata: { finalizers: [finalizer] } },
          )
          await ensureSets(deployment, await listed<MachineSet>(sets))
          continue
        }
        for (const { metadata } of await listed(machines)) {
          if (metadata.labels?.name === name) await release(machines, metadata.name)
        }
        for (const { metadata } of await listed(sets)) {
          if (metadata.labels?.name === name) await release(sets, metadata.name)
        }
        await release(deployments, name)
      }
      const used = new Set(
        (await listed<MachineDeployment>(deployments)).map(({ spec }) => spec?.template.spec?.class?.name),
      )
      for (const { metadata } of await listed(classes)) {
        if (metadata.deletionTimestamp !== undefined) await release(classes, metadata.name)
        else if (used.has(metadata.name)) {
          await kubernetes.patch(
            classes.resource,
            { name: metadata.name, namespace: testNamespace },
            { metadata: { finalizers: [finalizer] } },
          )
        }
      }
      await hold((await listed(classes)).length > 0)
    },
  }
}
