import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GardenShoot } from '../../../sandbox/gardenlet/gardenlet.ts'
import { createAwsSide } from '../../../sandbox/providers/aws/simulation/aws-side.ts'
import { createLocalSide } from '../../../sandbox/providers/local/simulation/local-side.ts'
import { createOpenStackSide } from '../../../sandbox/providers/openstack/simulation/openstack-side.ts'
import type { WorldException } from '../../../sandbox/simulation/oracle/oracle.ts'
import {
  type CreateCloudSide,
  type SimulatedCode,
  simulate,
  type WorldBackup,
} from '../../../sandbox/simulation/simulation.ts'
import { BrokenWorld } from '../simulation-set.ts'

export type CloudName = 'aws' | 'local' | 'openstack'

/** The worlds in which one object begins its life. A similar shoot of another user is in both. */
export interface BaseWorlds {
  readonly cloud: CreateCloudSide
  readonly namespace: string
  /** Permitted differences between its worlds. */
  readonly exceptions: readonly WorldException[]
  /** The shoot has only what gardenlet writes itself. */
  readonly before: WorldBackup
  /** The shoot is complete. */
  readonly after: WorldBackup
  /** The objects of both complete shoots. */
  readonly complete: WorldBackup['first']
}

/** Returns the bases of a cloud. They are created with the first call. */
export type OpenBaseWorlds = (cloud: CloudName) => Promise<BaseWorlds>

export const createBaseWorlds = (code: SimulatedCode): OpenBaseWorlds => {
  const known = new Map<CloudName, Promise<BaseWorlds>>()
  const clouds = {
    aws: () => createAwsSide,
    openstack: () => createOpenStackSide,
    local: () => createLocalSide(mkdtempSync(join(tmpdir(), 'trellis-points-'))),
  }
  return name => {
    const found = known.get(name) ?? createBases(code, clouds[name]())
    known.set(name, found)
    return found
  }
}

const createBases = (code: SimulatedCode, cloud: CreateCloudSide): Promise<BaseWorlds> =>
  simulate({ seed: 'bases', code, cloud, delivery: 'in-memory' }, async world => {
    const { shoot } = world.cloud
    const gardenlet = world.first.gardenlet(new AbortController().signal)
    await gardenlet.prepareSeed()
    await gardenlet.reconcile(similarTo(shoot))
    const foreign = world.backUp()
    await gardenlet.reconcile(shoot)
    await gardenlet.openBastion(shoot, { name: 'access', cidr: '198.51.100.7/32' })
    if (shoot.spec.provider.type === 'local')
      await gardenlet.expose(shoot, { name: 'exposure', nodes: { 'node-0': '10.0.128.5' } })
    await world.clock.sleep(600_000)
    const broken = world.broken()
    if (broken.length > 0) throw new BrokenWorld('a whole shoot', broken)
    const after = world.backUp()
    const { technicalID: namespace } = shoot.status
    return {
      cloud,
      namespace,
      exceptions: world.cloud.exceptions ?? [],
      complete: after.first,
      after: { ...after, first: withoutOthers(withoutExtensions(after.first, `${namespace}h`)) },
      before: {
        ...foreign,
        at: after.at,
        first: onlyGardenlets(withoutExtensions(after.first, `${namespace}h`), namespace),
      },
    }
  })

const similarTo = (shoot: GardenShoot): GardenShoot => ({
  ...shoot,
  metadata: {
    ...shoot.metadata,
    name: `${shoot.metadata.name}h`,
    uid: '9f4f6c85-9d60-4d3e-b088-50407060904c',
  },
  spec: { ...shoot.spec, dns: { domain: shoot.spec.dns.domain.replace('.', 'h.') } },
  status: { ...shoot.status, technicalID: `${shoot.status.technicalID}h` },
})

/** Removes all objects of a namespace with which extensions and controllers would work on their own. */
const withoutExtensions = (backup: WorldBackup['first'], namespace: string): WorldBackup['first'] => ({
  ...backup,
  objects: new Map(
    [...backup.objects].map(([resource, entries]) => [
      resource,
      new Map(
        [...entries].filter(
          ([key, { object }]) =>
            !(
              (object.metadata.labels?.['resources.gardener.cloud/garbage-collectable-reference'] !==
                undefined ||
                /\.(?:extensions\.gardener|machine\.sapcloud|resources\.gardener)\./.test(`.${resource}`)) &&
              (key.startsWith(`${namespace}/`) || key.startsWith(`${namespace}--`))
            ),
        ),
      ),
    ]),
  ),
})

/** Removes the Extensions, which are due each hour. */
const withoutOthers = (backup: WorldBackup['first']): WorldBackup['first'] => ({
  ...backup,
  objects: new Map(
    [...backup.objects].filter(([resource]) => resource !== 'extensions.extensions.gardener.cloud'),
  ),
})

/** Removes everything in a namespace that extensions wrote, and the shoot's own extension objects. */
const onlyGardenlets = (backup: WorldBackup['first'], namespace: string): WorldBackup['first'] => ({
  ...backup,
  objects: new Map(
    [...backup.objects].map(([resource, entries]) => [
      resource,
      new Map(
        [...entries].filter(
          ([key]) =>
            !(resource === 'backupentries.extensions.gardener.cloud' && key.startsWith(`${namespace}--`)) &&
            (!key.startsWith(`${namespace}/`) ||
              /^secrets .*\/(?:cloudprovider|dnsrecord-.*)$/.test(`${resource} ${key}`) ||
              (resource === 'deployments.apps' &&
                /\/(?:kube-apiserver|machine-controller-manager)$/.test(key))),
        ),
      ),
    ]),
  ),
})
