import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFunctions } from '../../functions/find-functions.ts'
import { createGardenlet } from '../../sandbox/gardenlet/gardenlet.ts'
import { landscape, seeds, wholeShoot } from '../../sandbox/providers/aws/demo/whole-shoot.ts'
import { furnishedZone } from '../../sandbox/providers/aws/furnished-zone.ts'
import { addHostedZone, createAws, simulatedAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { createShoots, type ShootCluster } from '../../sandbox/resource-manager/resource-manager.ts'
import { type SeedPlaces, startSeed } from '../../sandbox/seed/seed.ts'
import type { WorldBackup } from '../../sandbox/simulation/simulation.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { parseStepAnnotation } from '../../shared/contract/step-annotation.ts'
import { createKubernetes } from '../../shared/kubernetes/kubernetes.ts'
import type { BridgeProcess } from '../bridge/bridge-process.ts'
import { cloudWrites } from '../shoot/whole-shoot-world.ts'
import { type VersionPrograms, versionPrograms } from './version-programs.ts'
import type { Version } from './versions.ts'

const namespace = wholeShoot.status.technicalID

/** A version with its sources. */
export interface Installed {
  readonly version: Version
  readonly folder: string
}

/**
 * Starts this version's API server, cloud, broker and gardenlet. Bridges and functions run in processes of any version.
 *
 * @param first the version of the functions until `roll` replaces it
 */
export const startVersionWorld = async (first: Installed) => {
  const clock = systemClock
  const aws = createAws({ clock })
  addHostedZone(aws.account(), furnishedZone)
  const cloud = simulatedAws(aws)
  const folder = await mkdtemp(join(tmpdir(), 'trellis-upgrade-'))
  const kubeconfig = join(folder, 'kubeconfig')
  const servers = new Map<string, ShootCluster>()
  const shoots = createShoots({ clock })
  const open = async (namespace: string): Promise<ShootCluster> => {
    const cluster = await shoots.open(namespace)
    servers.set(namespace, cluster)
    return cluster
  }
  const installed = new Map<string, VersionPrograms>()
  const programsOf = ({ version, folder: sources }: Installed): VersionPrograms => {
    const known = installed.get(version.name) ?? versionPrograms({ version, folder: sources, kubeconfig })
    installed.set(version.name, known)
    return known
  }
  const functions = (await findFunctions()).filter(({ file }) => !file.includes('/functions/local/'))
  const versionOf = new Map(functions.map(({ name }) => [name, first]))
  const start = (places: SeedPlaces) => (fn: (typeof functions)[number]) =>
    programsOf(versionOf.get(fn.name) ?? first).startFunction(fn, places.cloudEnvironment(fn))
  const seed = await startSeed({
    functions,
    name: seeds.first.name,
    clock,
    clouds: { aws: cloud },
    shoots: { open, close: shoots.close },
    startFunction: start,
    // Its own bridge has nothing to do.
    kinds: ['SelfHostedShootExposure'],
  })
  await writeFile(kubeconfig, seed.kubeconfig)
  const kubernetes = createKubernetes({ transport: seed.server.controllerTransport, clock })
  const ended = new AbortController()
  return {
    seed,
    aws,
    kubernetes,
    gardenlet: createGardenlet({ kubernetes, seed: seeds.first, landscape, clock, signal: ended.signal }),
    cloudWrites: () => cloudWrites(aws),
    /** Returns the ids of the nodes' machines. */
    machines: () =>
      seed.machines
        .nodes(namespace)
        .map(({ providerId }) => providerId)
        .toSorted(),
    /** Resolves at the next claim of a step. */
    claimed: () =>
      new Promise<void>(resolve => {
        const end = seed.server.store.subscribe((_, { entry: { object } }) => {
          const text = object.metadata.annotations?.[annotations.step]
          if (parseStepAnnotation(text)?.phase !== 'claimed') return
          end()
          resolve()
        })
      }),
    /** Starts a bridge of a version. Several elect a leader. */
    startBridge: (of: Installed): BridgeProcess =>
      programsOf(of).startBridge({
        TRELLIS_SEED: seeds.first.name,
        TRELLIS_SERVED: functions
          .flatMap(({ kind, types }) => types.map(one => `${kind}/${one}/shoot+seed+garden`))
          .join(),
        K_SINK: seed.broker.ingress('trellis', 'default'),
        TRELLIS_LEADER_ELECTION: 'true',
      }),
    /** Replaces the version of functions, as a new revision does. */
    roll: async (to: Installed, names: readonly string[] = functions.map(({ name }) => name)) => {
      for (const name of names) versionOf.set(name, to)
      for (const name of names) if (seed.isAwake(name)) await seed.restart(name)
    },
    functionNames: functions.map(({ name }) => name),
    /** Copies the whole world within one turn of the event loop. */
    backUp: (): WorldBackup => ({
      at: clock.now(),
      first: seed.server.backUp(),
      shoots: new Map([...servers].map(([namespace, { server }]) => [namespace, server.backUp()])),
      cloud: aws.account().snapshot(),
      keys: 0,
    }),
    /** Returns the address of a shoot's API server. */
    shootUrl: (namespace: string) => servers.get(namespace)?.url,
    close: async () => {
      ended.abort(new Error('the test has ended'))
      for (const programs of installed.values()) programs.killAll()
      await seed.close()
      await shoots.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type VersionWorld = Awaited<ReturnType<typeof startVersionWorld>>
