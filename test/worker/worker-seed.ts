import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { DescribeInstancesCommand, EC2Client } from '@aws-sdk/client-ec2'
import { readObjects } from '../../cli/plan/read-objects.ts'
import { definition as infrastructure } from '../../functions/aws/infrastructure/function.ts'
import { definition as worker } from '../../functions/aws/worker/function.ts'
import { type Aws, operatorCredentials, simulatedAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { inProcessFunctions, type Seed, startSeed } from '../../sandbox/seed/seed.ts'
import type { VirtualClock } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import {
  type MachineKindName,
  type MachineObjectOf,
  machineKinds,
} from '../../shared/contract/machine-kinds.ts'
import type { Worker, WorkerPool } from '../../shared/contract/objects.ts'
import type {
  GroupVersionResource,
  Kubernetes,
  KubernetesObject,
} from '../../shared/kubernetes/kubernetes.ts'
import { dueWork } from '../../shared/lifecycle/lifecycle.ts'
import { stillnessOn } from '../infrastructure/passing-time.ts'
import { cloudProfile, namespace, region } from './shoot.ts'

const name = 'three-zones'
const key = { name, namespace }

const core = (plural: string, group = '', namespaced = true): GroupVersionResource => ({
  group,
  version: 'v1',
  plural,
  namespaced,
})
const secrets = core('secrets')
const deployments = core('deployments', 'apps')
const controller = { name: 'machine-controller-manager', namespace }
const resources: Readonly<Record<string, GroupVersionResource>> = {
  Namespace: core('namespaces', '', false),
  Secret: secrets,
  Cluster: clusterKind.resource,
  Infrastructure: kinds.Infrastructure.resource,
}

const example = async (file: string): Promise<readonly KubernetesObject[]> => {
  const text = await readFile(new URL(`../../examples/infrastructure/${file}`, import.meta.url), 'utf8')
  return readObjects('-', Readable.from([text]))
}

export interface WorkerSeedOptions {
  readonly clock: VirtualClock
  readonly aws: Aws
  readonly name?: string
  /** Wraps the API server for one process of the function. */
  readonly through?: (kubernetes: Kubernetes, death: () => void) => Kubernetes
}

/**
 * Starts a seed with the Infrastructure and Worker functions behind bridge and broker, a machine controller with
 * realistic delays, and gardenlet's actions for the example shoot with three zones.
 */
export const startWorkerSeed = async ({ clock, aws, name: seedName, through }: WorkerSeedOptions) => {
  const objects = new Map<string, KubernetesObject>()
  const checks = new Set<() => void>()
  const stillness = stillnessOn(clock, () => {
    const { lastOperation, lastError } = live()?.status ?? {}
    return JSON.stringify({ lastOperation, lastError })
  })
  const requestHandler = stillness.watch(aws.requestHandler)
  const clouds = { aws: simulatedAws({ ...aws, requestHandler }) }
  let seed: Seed<typeof clouds>
  const functionStarts: string[] = []
  const starting: Parameters<typeof startSeed<typeof clouds>>[0]['startFunction'] =
    through &&
    (() => async fn => {
      functionStarts.push(fn.name)
      const { promise: ended, resolve: die } = Promise.withResolvers<void>()
      const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
      const start = inProcessFunctions({
        kubernetes: fn.kind === 'Worker' ? through(seed.kubernetes, die) : seed.kubernetes,
        connection: clouds.aws.connection,
        clock,
        log: silent,
        settings: {},
      })
      return { ...(await start(fn)), ended }
    })
  seed = await startSeed({
    functions: [
      { ...infrastructure, file: 'functions/aws/infrastructure/function.ts' },
      { ...worker, file: 'functions/aws/worker/function.ts' },
    ],
    kinds: ['Infrastructure', 'Worker'],
    clock,
    clouds,
    machineScale: 1,
    ...(seedName !== undefined && { name: seedName }),
    ...(starting && { startFunction: starting }),
    observe: event => {
      stillness.note()
      if (event.part === 'object') {
        const { kind, metadata } = event.object
        if (event.deleted) objects.delete(`${kind}/${metadata.name}`)
        else objects.set(`${kind}/${metadata.name}`, event.object)
        for (const check of checks) check()
      }
    },
  })
  const all = <T extends KubernetesObject>(kind: string): readonly T[] =>
    [...objects.values()].filter(object => object.kind === kind) as unknown as readonly T[]
  const live = () => objects.get(`Worker/${name}`) as Worker | undefined
  const pass = stillness.pass
  /** Waits until a condition holds. Rejects if the condition throws because it can never hold. */
  const until = (what: string, holds: () => boolean, limitMs?: number): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const check = () => {
      try {
        if (!holds()) return
        resolve()
      } catch (error) {
        reject(error)
      }
      checks.delete(check)
    }
    checks.add(check)
    check()
    return pass(what, promise, limitMs)
  }
  const timestamp = () => new Date(clock.now()).toISOString().replace('Z', '000001Z')
  const asked = (operation: string) => ({
    [annotations.operation]: operation,
    [annotations.timestamp]: timestamp(),
  })
  const create = (resource: GroupVersionResource, object: KubernetesObject) =>
    pass('a create', seed.kubernetes.create(resource, object))
  const patchWorker = (patch: object) =>
    pass('a patch', seed.kubernetes.patch(kinds.Worker.resource, key, patch))

  const isSettled = (object: KubernetesObject): boolean => {
    const { status } = object as Worker
    const kind = object.kind as 'Worker' | 'Infrastructure'
    return (
      status?.lastOperation?.state === 'Succeeded' &&
      status.observedGeneration === object.metadata.generation &&
      dueWork(kind, object, clock.now()).kind === 'none'
    )
  }
  const untilReady = async (limitMs?: number): Promise<Worker> => {
    await until(
      'the Worker to be ready',
      () => {
        const found = live()
        if (found?.status?.lastError) throw new Error(found.status.lastError.description)
        return found !== undefined && isSettled(found)
      },
      limitMs,
    )
    return live() as Worker
  }
  const machineObjects = <K extends MachineKindName>(kind: K) => all<MachineObjectOf<K>>(kind)

  return {
    aws,
    clock,
    seed,
    until,
    untilReady,
    /** Ignores errors meanwhile. */
    untilHealed: (limitMs?: number) =>
      until(
        'the Worker to be ready at last',
        () => {
          const found = live()
          return found !== undefined && isSettled(found)
        },
        limitMs,
      ),
    live,
    machineObjects,
    functionStarts,
    nodes: () => seed.machines.nodes(namespace),
    classSecrets: () =>
      all('Secret').filter(({ metadata }) => metadata.labels?.['gardener.cloud/purpose'] === 'machineclass'),
    controllerReplicas: () =>
      (objects.get(`Deployment/${controller.name}`)?.spec as { readonly replicas?: number } | undefined)
        ?.replicas,
    /** Calls `check` after each change of an object, until the returned function is called. */
    atEachMoment: (check: () => void) => {
      checks.add(check)
      return () => void checks.delete(check)
    },
    /** Returns the instances of the account, without terminated and terminating ones. */
    instances: async () => {
      const ec2 = new EC2Client({
        region,
        credentials: operatorCredentials,
        requestHandler: aws.requestHandler,
      })
      const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({}))
      return Reservations.flatMap(({ Instances = [] }) => Instances).filter(({ State }) =>
        ['pending', 'running', 'stopping', 'stopped'].includes(State?.Name ?? ''),
      )
    },
    /** Creates the shoot's namespace, Cluster, credentials and machine controller. */
    makeShoot: async () => {
      for (const object of await example('three-zones.yaml')) {
        if (object.kind === 'Infrastructure') continue
        const resource = resources[object.kind]
        if (resource === undefined) throw new Error(`an example holds a ${object.kind}`)
        await create(
          resource,
          object.kind === 'Cluster'
            ? { ...object, spec: { ...(object.spec as object), cloudProfile } }
            : object,
        )
      }
      await create(deployments, {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: controller,
        spec: { replicas: 1, selector: {}, template: {} },
      })
    },
    makeInfrastructure: async (): Promise<unknown> => {
      for (const object of await example('three-zones.yaml'))
        if (object.kind === 'Infrastructure') await create(kinds.Infrastructure.resource, object)
      const found = () => objects.get(`Infrastructure/${name}`) as Worker | undefined
      await until('the Infrastructure to be ready', () => {
        const object = found()
        if (object?.status?.lastError) throw new Error(object.status.lastError.description)
        return object !== undefined && isSettled(object)
      })
      return found()?.status?.providerStatus
    },
    makeUserData: async (...pools: readonly string[]) => {
      for (const pool of pools)
        await create(secrets, {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name: `osc-result-${pool}`, namespace },
          data: { cloud_config: btoa(`#!/bin/bash\necho ${pool}\n`) },
        })
    },
    createWorker: (
      infrastructureProviderStatus: unknown,
      pools: readonly WorkerPool[],
      { operation = 'reconcile' }: { readonly operation?: string } = {},
    ) =>
      create(kinds.Worker.resource, {
        apiVersion: 'extensions.gardener.cloud/v1alpha1',
        kind: 'Worker',
        metadata: { ...key, annotations: asked(operation) },
        spec: {
          type: 'aws',
          region,
          secretRef: { name: 'cloudprovider', namespace },
          infrastructureProviderStatus,
          pools,
        },
      }),
    saveState: (state: unknown) =>
      pass(
        'a patch',
        seed.kubernetes.patch(kinds.Worker.resource, key, { status: { state } }, { subresource: 'status' }),
      ),
    /** Requests an operation, with new pools if given. */
    ask: async (operation: string, pools?: readonly WorkerPool[]) => {
      await clock.advance(2_000)
      await patchWorker({ metadata: { annotations: asked(operation) }, ...(pools && { spec: { pools } }) })
    },
    changeShoot: (shoot: object) =>
      pass('a patch', seed.kubernetes.patch(clusterKind.resource, { name: namespace }, { spec: { shoot } })),
    scaleController: (replicas: number) =>
      pass('a patch', seed.kubernetes.patch(deployments, controller, { spec: { replicas } })),
    change: (kind: MachineKindName, of: string, patch: object) =>
      pass('a patch', seed.kubernetes.patch(machineKinds[kind].resource, { name: of, namespace }, patch)),
    /** Confirms the deletion and deletes. */
    remove: async () => {
      await patchWorker({
        metadata: {
          annotations: { [annotations.deletionConfirmation]: 'true', [annotations.timestamp]: timestamp() },
        },
      })
      await pass('a deletion', seed.kubernetes.delete(kinds.Worker.resource, key))
    },
    untilGone: (limitMs?: number) => until('the Worker to be gone', () => live() === undefined, limitMs),
    /** Returns the machines in the form that gardenlet saves for another seed. */
    machineState: () => {
      const bare = ({ apiVersion, kind, metadata, spec }: KubernetesObject) => {
        const { labels, annotations: notes, name: of } = metadata
        return { apiVersion, kind, metadata: { name: of, namespace, labels, annotations: notes }, spec }
      }
      const machineDeployments = Object.fromEntries(
        machineObjects('MachineDeployment').map(({ metadata, spec }) => {
          const isOwn = (object: KubernetesObject) => object.metadata.labels?.name === metadata.name
          return [
            metadata.name,
            {
              replicas: spec?.replicas ?? 0,
              machineSets: all('MachineSet').filter(isOwn).map(bare),
              machines: all('Machine').filter(isOwn).map(bare),
            },
          ]
        }),
      )
      return { state: gzipSync(JSON.stringify({ machineDeployments })).toString('base64') }
    },
    /** Advances the clock in large steps, for a time with few events. */
    pass: async (milliseconds: number) => {
      for (let left = milliseconds; left > 0; left -= 5_000) {
        await clock.advance(Math.min(5_000, left))
        await new Promise(resolve => setTimeout(resolve, 2))
      }
    },
    /** Returns the writes since the last call, except those of the machine controller: `patch workers/status`. */
    writes: (): readonly string[] => {
      const { requests } = seed.server
      const seen = requests
        .entries()
        .filter(({ verb }) => !['get', 'list', 'watch'].includes(verb))
        .map(({ verb, resource = '', subresource }) => {
          const [plural = ''] = resource.split('.')
          return `${verb} ${plural}${subresource ? `/${subresource}` : ''}`
        })
        .filter(write => !/ (?:leases|events)$/.test(write))
      requests.clear()
      return seen
    },
    close: seed.close,
  }
}

export type WorkerSeed = Awaited<ReturnType<typeof startWorkerSeed>>
