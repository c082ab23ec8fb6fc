/** gardenlet, as far as extensions meet it: writes their objects for a shoot, in its order, and waits for them. */

import type { Clock } from '../../shared/clock/clock.ts'
import type { Bastion, SelfHostedShootExposure } from '../../shared/contract/objects.ts'
import { createKubernetes } from '../../shared/kubernetes/kubernetes.ts'
import type { ApiServer } from '../kubernetes/kubernetes.ts'
import type { GardenletContext } from './context.ts'
import { deleteShoot, forgetShoot } from './delete-shoot.ts'
import { bucketOf } from './desired-objects.ts'
import { createExtensionObjects } from './extension-objects.ts'
import type { GardenShoot, Landscape, SeedFacts, ShootState } from './garden.ts'
import { migrateShoot } from './migrate-shoot.ts'
import { reconcileShoot } from './reconcile-shoot.ts'
import { namespaces, put, putBackupSecret, removeBackup } from './seed-objects.ts'

export type {
  AuthorityRotation,
  ExtensionPhase,
  GardenShoot,
  Landscape,
  SeedFacts,
  ShootState,
  ShootWorkers,
} from './garden.ts'

export interface GardenletOptions {
  /** Of its seed. */
  readonly server: ApiServer
  readonly seed: SeedFacts
  readonly landscape: Landscape
  readonly clock: Clock
  /** Ends whatever it waits for, with an error that says what that was. */
  readonly signal: AbortSignal
}

/** A gardenlet. Each method resolves when all that it asks for has succeeded. */
export interface Gardenlet {
  /** What a seed has of its own: a bucket for backups. */
  prepareSeed(): Promise<void>
  removeSeed(): Promise<void>
  /** Makes a shoot, or what has changed of it. */
  reconcile(shoot: GardenShoot): Promise<void>
  /** Takes a shoot out of this seed; no key of it is left but those that gardenlet brings itself. */
  migrate(shoot: GardenShoot): Promise<ShootState>
  /** Removes the namespace of a shoot that was migrated. */
  forget(shoot: GardenShoot): Promise<void>
  /** Takes a shoot up that another seed has migrated. */
  restore(shoot: GardenShoot, state: ShootState): Promise<void>
  delete(shoot: GardenShoot): Promise<void>
  openBastion(shoot: GardenShoot, bastion: GardenBastion): Promise<Bastion>
  closeBastion(shoot: GardenShoot, name: string): Promise<void>
  /** A load balancer for an API server that runs on nodes of the shoot itself. */
  expose(shoot: GardenShoot, exposure: GardenExposure): Promise<SelfHostedShootExposure>
  unexpose(shoot: GardenShoot, name: string): Promise<void>
}

/** What a user asks a bastion for. */
export interface GardenBastion {
  readonly name: string
  /** From where it may be reached. */
  readonly cidr: string
}

/** What a self-hosted shoot asks for. */
export interface GardenExposure {
  readonly name: string
  /** Of the nodes that the API server runs on, by their names. */
  readonly nodes: Readonly<Record<string, string>>
}

/**
 * @example
 * const gardenlet = createGardenlet({ server: seed.server, seed: facts, landscape, clock, signal })
 * await gardenlet.prepareSeed()
 * await gardenlet.reconcile(shoot)
 */
export const createGardenlet = ({ server, seed, landscape, clock, signal }: GardenletOptions): Gardenlet => {
  const kubernetes = createKubernetes({ transport: server.controllerTransport, clock })
  const objects = createExtensionObjects({ kubernetes, clock, signal })
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
    migrate: shoot => migrateShoot(context, shoot),
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
