import {
  type DesiredExtensionObject,
  dropMachineObjects,
  type ExtensionObjects,
  machineState,
} from '../../../sandbox/gardenlet/gardenlet.ts'
import type { World } from '../../../sandbox/simulation/simulation.ts'
import { clusterKind } from '../../../shared/contract/kinds.ts'
import { deployments } from '../../../shared/kubernetes/core-resources.ts'
import type { BaseWorlds } from './base-worlds.ts'
import type { Subject } from './subjects.ts'

/** A part of an object's life that begins and ends at rest. */
export interface Phase {
  readonly name: string
  /** The phase after which it begins. Undefined: the object does not exist. */
  readonly after: string | undefined
  /** Its end must equal the world before it, whatever a run without faults changes. */
  readonly leavesNothing?: boolean
  /** Does what gardenlet does, and waits for the object as gardenlet does. */
  act(stage: Stage): Promise<unknown>
}

export interface Stage {
  readonly world: World
  readonly objects: ExtensionObjects
  readonly desired: DesiredExtensionObject
  readonly namespace: BaseWorlds['namespace']
  /** `status.state` before a migration. */
  readonly state: unknown
  /** Resolves when a fault strikes. Without a fault it is never settled. */
  readonly struck: Promise<void>
}

/** Returns the phases of an object, each after those that it needs. */
export const phasesOf = ({ change, clusters, canMove, canBeForced }: Subject): readonly Phase[] => {
  const changed =
    change && ((desired: DesiredExtensionObject) => ({ ...desired, spec: change(desired.spec) }))
  const apply: Phase['act'] = ({ objects, desired }) => objects.apply(desired)
  /** Patches the Cluster as gardenlet does before a reconciliation. */
  const patched =
    (name: string, act: Phase['act']): Phase['act'] =>
    async stage => {
      const { namespace, world } = stage
      const patch = clusters[name]
      if (patch !== undefined)
        await world.first.kubernetes.patch(clusterKind.resource, { name: namespace }, patch)
      const scale = async (deployment: string, replicas: number) =>
        world.first.kubernetes.patch(deployments, { name: deployment, namespace }, { spec: { replicas } })
      if (name === 'wake') await scale('kube-apiserver', 1)
      if (name === 'wake') await scale('machine-controller-manager', 1)
      await act(stage)
      if (name === 'hibernate') await scale('kube-apiserver', 0)
    }
  const remove: Phase['act'] = ({ objects, desired }) => objects.remove(desired)
  return [
    { name: 'create', after: undefined, act: apply },
    { name: 'reconcile', after: 'create', act: apply },
    ...(changed === undefined
      ? []
      : [
          {
            name: 'change',
            after: 'create',
            act: patched('change', ({ objects, desired }) => objects.apply(changed(desired))),
          },
        ]),
    ...(clusters.rotate === undefined
      ? []
      : [{ name: 'rotate', after: 'create', act: patched('rotate', apply) }]),
    ...(clusters.hibernate === undefined
      ? []
      : [
          { name: 'hibernate', after: 'create', act: patched('hibernate', apply) },
          { name: 'wake', after: 'hibernate', act: patched('wake', apply) },
        ]),
    ...(canMove
      ? [
          {
            name: 'migrate',
            after: 'create',
            act: async ({ objects, desired }: Stage) => {
              await objects.migrate(desired, 'until-migrated')
              await objects.remove(desired)
            },
          },
          {
            name: 'restore',
            after: 'migrate',
            act: async ({ world, objects, desired, state, namespace }: Stage) =>
              objects.restore(
                desired,
                desired.kind === 'Worker' ? await takenMachines(world, namespace) : state,
              ),
          },
        ]
      : []),
    { name: 'delete', after: 'create', act: remove },
    {
      name: 'deletion during creation',
      after: undefined,
      leavesNothing: true,
      act: async stage => {
        const { objects, desired, struck, world } = stage
        // gardenlet gives the creation up.
        const ended = apply(stage).catch(() => {})
        await Promise.race([struck.then(() => world.clock.sleep(deletionMs)), ended])
        await objects.remove(desired)
      },
    },
    ...(canBeForced
      ? [
          {
            name: 'forced deletion',
            after: 'create',
            act: async (stage: Stage) => {
              await stage.world.first.kubernetes.patch(
                clusterKind.resource,
                { name: stage.namespace },
                {
                  spec: {
                    shoot: {
                      metadata: {
                        annotations: { 'confirmation.gardener.cloud/force-deletion': 'true' },
                        deletionTimestamp: '2026-01-01T00:00:00Z',
                      },
                    },
                  },
                },
              )
              await remove(stage)
            },
          },
        ]
      : []),
  ]
}

/** The object is deleted this time after a fault, which is less than a repair takes, in ms. */
const deletionMs = 500

/** Removes the machine objects as a migration does, and returns the state with their machines. */
const takenMachines = async ({ first: { kubernetes } }: World, namespace: string): Promise<unknown> => {
  const name = 'machine-controller-manager'
  await kubernetes.patch(deployments, { name, namespace }, { spec: { replicas: 0 } })
  const state = await machineState(kubernetes, namespace)
  await dropMachineObjects(kubernetes, namespace)
  return state
}
