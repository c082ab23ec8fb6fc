/** gardenlet as extensions see it: writes their objects for a shoot, in gardenlet's order, and waits for them. */

import type { Clock } from '../../shared/clock/clock.ts'
import type { Bastion, SelfHostedShootExposure } from '../../shared/contract/objects.ts'
import { namespaces } from '../../shared/kubernetes/core-resources.ts'
import type { Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import type { GardenletContext } from './context.ts'
import { deleteShoot, forgetShoot } from './delete-shoot.ts'
import { bucketOf } from './desired-objects.ts'
import { createExtensionObjects } from './extension-objects.ts'
import type { GardenShoot, Landscape, SeedFacts, ShootState, StoredState } from './garden.ts'
import { migrateShoot } from './migrate-shoot.ts'
import { reconcileShoot } from './reconcile-shoot.ts'
import { put, putBackupSecret, removeBackup } from './seed-objects.ts'

export { type DesiredExtensionObject, nodeAgentNameOf } from './desired-objects.ts'
export { createExtensionObjects, type ExtensionObjects } from './extension-objects.ts'
export type {
  AuthorityRotation,
  GardenShoot,
  Landscape,
  SeedFacts,
  ShootState,
  StoredState,
} from './garden.ts'
export { dropMachineObjects, machineState } from './shoot-state.ts'

export interface GardenletOptions {
  /** The seed. */
  readonly kubernetes: Kubernetes
  readonly seed: SeedFacts
  readonly landscape: Landscape
  readonly clock: Clock
  /** Ends every wait with an error that names the awaited object. */
  readonly signal: AbortSignal
  /** Interval in ms for reads of an awaited object. Default: 20. */
  readonly pollMs?: number
}

/** A gardenlet. Each method resolves when all its requests have succeeded. */
export interface Gardenlet {
  /** Creates the seed's own resources: a bucket for backups. */
  prepareSeed(): Promise<void>
  removeSeed(): Promise<void>
  /** Creates a shoot or applies its changes. */
  reconcile(shoot: GardenShoot): Promise<void>
  /**
   * Removes a shoot from this seed. Leaves only objects that gardenlet itself creates. It can be repeated after a
   * failure at any time, with the garden that has the state of the first run.
   */
  migrate(shoot: GardenShoot, garden?: StoredState): Promise<ShootState>
  /** Removes the namespace of a migrated shoot. */
  forget(shoot: GardenShoot): Promise<void>
  /** Restores a shoot that another seed has migrated. */
  restore(shoot: GardenShoot, state: ShootState): Promise<void>
  delete(shoot: GardenShoot): Promise<void>
  openBastion(shoot: GardenShoot, bastion: GardenBastion): Promise<Bastion>
  closeBastion(shoot: GardenShoot, name: string): Promise<void>
  /** Creates a load balancer for an API server that runs on nodes of the shoot itself. */
  expose(shoot: GardenShoot, exposure: GardenExposure): Promise<SelfHostedShootExposure>
  unexpose(shoot: GardenShoot, name: string): Promise<void>
}

export interface GardenBastion {
  readonly name: string
  /** The range that may reach it. */
  readonly cidr: string
}

export interface GardenExposure {
  readonly name: string
  /** The addresses of the nodes that run the API server, by node name. */
  readonly nodes: Readonly<Record<string, string>>
}

/**
 * @example
 * const gardenlet = createGardenlet({ kubernetes, seed: facts, landscape, clock, signal })
 * await gardenlet.prepareSeed()
 * await gardenlet.reconcile(shoot)
 */
export const createGardenlet = ({
  kubernetes,
  seed,
  landscape,
  clock,
  signal,
  pollMs,
}: GardenletOptions): Gardenlet => {
  const objects = createExtensionObjects({ kubernetes, clock, signal, pollMs })
  const context: GardenletContext = { kubernetes, objects, seed, landscape }
  const bucket = bucketOf(seed.backup)
  return {
    prepareSeed: async () => {
      await put(kubernetes, namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'garden' } })
      await putBackupSecret(context, bucket, seed.backup)
      await objects.apply(bucket)
    },
    removeSeed: () => removeBackup(context, bucket),
    reconcile: shoot => reconcileShoot(context, shoot),
    migrate: (shoot, garden) => migrateShoot(context, shoot, garden),
    forget: shoot => forgetShoot(context, shoot),
    restore: (shoot, state) => reconcileShoot(context, shoot, state),
    delete: shoot => deleteShoot(context, shoot),
    openBastion: async ({ spec, status }, { name, cidr }) =>
      (await objects.apply({
        kind: 'Bastion',
        key: { name, namespace: status.technicalID },
        spec: {
          type: spec.provider.type,
          userData: Buffer.from('#!/bin/bash\n').toString('base64'),
          ingress: [{ ipBlock: { cidr } }],
        },
      })) as unknown as Bastion,
    closeBastion: ({ status }, name) =>
      objects.remove({ kind: 'Bastion', key: { name, namespace: status.technicalID } }),
    expose: async ({ spec, status }, { name, nodes }) =>
      (await objects.apply({
        kind: 'SelfHostedShootExposure',
        key: { name, namespace: status.technicalID },
        spec: {
          type: spec.provider.type,
          port: 443,
          credentialsRef: {
            apiVersion: 'v1',
            kind: 'Secret',
            name: 'cloudprovider',
            namespace: status.technicalID,
          },
          endpoints: Object.entries(nodes).map(([nodeName, address]) => ({
            nodeName,
            addresses: [{ type: 'InternalIP', address }],
          })),
        },
      })) as unknown as SelfHostedShootExposure,
    unexpose: ({ status }, name) =>
      objects.remove({ kind: 'SelfHostedShootExposure', key: { name, namespace: status.technicalID } }),
  }
}
