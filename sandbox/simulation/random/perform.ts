import { formatSeconds } from '../../../shared/clock/clock.ts'
import { annotations } from '../../../shared/contract/constants.ts'
import { clusterKind } from '../../../shared/contract/kinds.ts'
import { secrets } from '../../../shared/kubernetes/core-resources.ts'
import type { BridgeSlot } from '../seed/bridge-slot.ts'
import type { World, WorldSeed } from '../simulate.ts'
import type { RandomCloud } from './random-cloud.ts'
import type { Replicas } from './replicas.ts'
import { seedAccidents } from './seed-accidents.ts'
import type { ShootLife } from './shoot-life.ts'
import type { Target, WorldAction } from './world-plan.ts'

export interface ActingWorld {
  readonly world: World<RandomCloud>
  readonly lives: readonly ShootLife[]
  readonly replicas: Replicas
  /** Called when etcd returns to a backup. */
  readonly onRestore: () => void
  /** The seeds that run. */
  readonly seeds: () => Readonly<Record<'first' | 'second', WorldSeed | undefined>>
}

/** Carries out one action of a plan now. Fault windows are part of the fates. */
export const perform = async (
  { world, lives, replicas, seeds, onRestore }: ActingWorld,
  action: WorldAction,
): Promise<void> => {
  const { clock, cloud, trace } = world
  const processes = ({ of, seed }: Target) => {
    const running = seeds()[seed]
    if (running === undefined) return []
    return (of === 'bridge' ? running.bridges() : running.instances()).map(({ process }) => process)
  }
  const hit = (target: Target) => {
    const running = processes(target).filter(process => process.isAlive())
    return running[target.pick % Math.max(running.length, 1)]
  }
  switch (action.kind) {
    case 'faults':
      return
    case 'kill':
      return hit(action)?.kill()
    case 'stop': {
      const bridges =
        seeds()
          [action.seed]?.bridges()
          .filter(({ process }) => process.isAlive()) ?? []
      const bridge = bridges[action.pick % Math.max(bridges.length, 1)]
      if (bridge === undefined) return
      trace.note('people', `${bridge.process.name} is stopped`)
      bridge.stop().catch(error => trace.note('people', `failed: ${String(error)}`))
      return
    }
    case 'freeze':
      return hit(action)?.freeze(action.forMs)
    case 'skew':
      return hit(action)?.skew(action.ms)
    case 'cut watches': {
      const { server } = seeds()[action.seed] ?? {}
      if (action.compact) server?.compact()
      return server?.dropWatches(action.compact ? 'disconnect' : 'close')
    }
    case 'lag': {
      const { server } = seeds()[action.seed] ?? {}
      if (server) replicas.lag(server, action.replica, action.lagMs, clock.now() + action.forMs)
      return trace.note('people', `replica ${action.replica} of the ${action.seed} API server lags`)
    }
    case 'restore etcd': {
      const seed = seeds()[action.seed]
      if (seed === undefined) return
      trace.note('people', `etcd of the ${action.seed} seed is backed up`)
      if (lives.some(life => life.isBusy())) return
      const backup = seed.server.backUp()
      const before = lives.map(life => life.presence())
      clock.after(action.forMs, () => {
        // An operator restores no seed to a time before a move, a deletion, a hibernation or its end.
        if (lives.some((life, index) => life.isBusy() || life.presence() !== before[index])) return
        trace.note('people', `etcd of the ${action.seed} seed is restored`)
        onRestore()
        seed.restoreEtcd(backup, { bumpRevision: action.bump ? 1_000_000 : 0 })
        for (const life of lives) life.restored()
      })
      return
    }
    case 'replace dispatchers':
      trace.note('people', `the dispatchers of the ${action.seed} seed get ${action.by}`)
      return seeds()[action.seed]?.broker.replaceDispatchers(action.by)
    case 'take storage away': {
      const broker = seeds()[action.seed]?.broker
      trace.note('people', `the broker of the ${action.seed} seed loses its storage`)
      broker?.storage(false)
      clock.after(action.forMs, () => broker?.storage(true))
      return
    }
    case 'refuse credentials': {
      trace.note('people', 'the credentials are refused')
      const accept = cloud.refuseCredentials()
      clock.after(action.forMs, accept)
      return
    }
    case 'change credentials':
      trace.note('people', 'the credentials change')
      cloud.changeCredentials()
      for (const life of lives) {
        if (life.shoot() !== undefined) life.request({ kind: 'reconcile' })
        // A deletion or a migration goes on with the new ones.
        for (const seed of Object.values(seeds()))
          if (seed !== undefined) await replaceCredentials(seed, life.namespace, cloud.landscape.credentials)
      }
      return
    case 'pause': {
      const life = lives[action.shoot]
      const kubernetes = life && seeds()[life.home()]?.kubernetes
      if (life === undefined || kubernetes === undefined) return
      const pause = (text: string | null) =>
        kubernetes.patch(
          clusterKind.resource,
          { name: life.namespace },
          { metadata: { annotations: { [annotations.pause]: text } } },
        )
      await pause(`${formatSeconds(clock.now() + action.forMs)} people`)
      trace.note('people', `shoot ${action.shoot + 1} is paused`)
      if (action.resume)
        clock.after(action.forMs / 2, () => {
          pause(null).catch(error => trace.note('people', `failed: ${String(error)}`))
        })
      return
    }
    case 'accident in the cloud': {
      const changed = await cloud.accidents[action.accident]?.(action.pick)
      return trace.note('people', `${action.accident}: ${changed ?? 'there is none'}`)
    }
    case 'accident in the seed': {
      const life = lives[action.pick % lives.length]
      const seed = life && seeds()[life.home()]
      const accident = seedAccidents[action.accident]
      const changed = seed && (await accident?.(seed.kubernetes, life.namespace, action.pick))
      return trace.note('people', `${action.accident}: ${changed ?? 'there is none'}`)
    }
    case 'request':
      return lives[action.shoot]?.request(action.request)
  }
}

const replaceCredentials = async (
  { kubernetes }: WorldSeed,
  namespace: string,
  credentials: Readonly<Record<string, string>>,
): Promise<void> => {
  const key = { name: 'cloudprovider', namespace }
  if ((await kubernetes.get(secrets, key)) === undefined) return
  const data = Object.entries(credentials).map(([name, text]) => [name, Buffer.from(text).toString('base64')])
  await kubernetes.patch(secrets, key, { data: Object.fromEntries(data) })
}

/** A container starts again after this time, in ms. */
const restartMs = 3_000

/** Starts each replica of the bridge again after its end. Returns a function that ends this. */
export const restartBridges = (
  seed: WorldSeed,
  after: (ms: number, act: () => void) => void,
): (() => void) => {
  let isEnded = false
  const follow = ({ process }: BridgeSlot, replica: number): void => {
    void process.ended.then(() => {
      if (isEnded) return
      after(restartMs, () => {
        if (isEnded) return
        seed.restart(replica)
        const slot = seed.bridges()[replica]
        if (slot !== undefined) follow(slot, replica)
      })
    })
  }
  seed.bridges().forEach(follow)
  return () => {
    isEnded = true
  }
}
