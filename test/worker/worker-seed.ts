import { DescribeInstancesCommand, EC2Client } from '@aws-sdk/client-ec2'
import { definition as infrastructure } from '../../functions/aws/infrastructure/function.ts'
import { definition as worker } from '../../functions/aws/worker/function.ts'
import { machineState } from '../../sandbox/gardenlet/gardenlet.ts'
import { type Aws, operatorCredentials } from '../../sandbox/providers/aws/simulator/aws.ts'
import type { VirtualClock } from '../../shared/clock/clock.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import {
  type MachineKindName,
  type MachineObjectOf,
  machineKinds,
} from '../../shared/contract/machine-kinds.ts'
import type { Worker, WorkerPool } from '../../shared/contract/objects.ts'
import { deployments } from '../../shared/kubernetes/core-resources.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { exampleObjects, type RunningSeed, startRunningSeed } from '../running-seed.ts'
import { cloudProfile, namespace, region } from './shoot.ts'

const name = 'three-zones'
const key = { name, namespace }
const controller = { name: 'machine-controller-manager', namespace }

export interface WorkerSeedOptions {
  readonly clock: VirtualClock
  readonly aws: Aws
  readonly name?: string
}

/**
 * Starts a seed with the Infrastructure and Worker functions, a machine controller with realistic delays, and
 * gardenlet's actions for the example shoot with three zones.
 */
export const startWorkerSeed = async ({ clock, aws, name: seedName }: WorkerSeedOptions) => {
  const running: RunningSeed = await startRunningSeed({
    functions: [
      { ...infrastructure, file: 'functions/aws/infrastructure/function.ts' },
      { ...worker, file: 'functions/aws/worker/function.ts' },
    ],
    kinds: ['Infrastructure', 'Worker'],
    clock,
    aws,
    machineScale: 1,
    ...(seedName !== undefined && { name: seedName }),
  })
  const { seed, all, pass, kubernetes } = running
  const live = () => running.live('Worker', name) as Worker | undefined
  const until = (what: string, holds: () => boolean, limitMs?: number) =>
    running.until(what, () => holds() || undefined, limitMs)
  const machineObjects = <K extends MachineKindName>(kind: K) => all<MachineObjectOf<K>>(kind)

  return {
    aws,
    until,
    untilReady: async (limitMs?: number) =>
      (await running.untilReady('Worker', name, { limitMs })) as unknown as Worker,
    /** Ignores errors meanwhile. */
    untilHealed: (limitMs?: number) => running.untilReady('Worker', name, { limitMs, mayFail: true }),
    live,
    machineObjects,
    nodes: () => seed.machines.nodes(namespace),
    classSecrets: () =>
      all('Secret').filter(({ metadata }) => metadata.labels?.['gardener.cloud/purpose'] === 'machineclass'),
    controllerReplicas: () =>
      (running.live('Deployment', controller.name)?.spec as { readonly replicas?: number } | undefined)
        ?.replicas,
    atEachMoment: running.atEachMoment,
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
      const given = await exampleObjects('infrastructure/three-zones.yaml')
      const withProfile = (object: KubernetesObject) =>
        object.kind === 'Cluster' ? { ...object, spec: { ...Object(object.spec), cloudProfile } } : object
      await running.create(...given.filter(({ kind }) => kind !== 'Infrastructure').map(withProfile))
      const deployment = {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: controller,
        spec: { replicas: 1, selector: {}, template: {} },
      }
      await pass('a create', kubernetes.create(deployments, deployment))
    },
    makeInfrastructure: async (): Promise<unknown> => {
      const given = await exampleObjects('infrastructure/three-zones.yaml')
      await running.create(...given.filter(({ kind }) => kind === 'Infrastructure'))
      return (await running.untilReady('Infrastructure', name)).status?.providerStatus
    },
    makeUserData: (...pools: readonly string[]) =>
      running.create(
        ...pools.map(pool => ({
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name: `osc-result-${pool}`, namespace },
          data: { cloud_config: btoa(`#!/bin/bash\necho ${pool}\n`) },
        })),
      ),
    createWorker: (
      infrastructureProviderStatus: unknown,
      pools: readonly WorkerPool[],
      { operation = 'reconcile' }: { readonly operation?: string } = {},
    ) =>
      running.create({
        apiVersion: 'extensions.gardener.cloud/v1alpha1',
        kind: 'Worker',
        metadata: { ...key, annotations: running.asked(operation) },
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
        kubernetes.patch(kinds.Worker.resource, key, { status: { state } }, { subresource: 'status' }),
      ),
    /** Requests an operation, with new pools if given. */
    ask: async (operation: string, pools?: readonly WorkerPool[]) => {
      await clock.advance(2_000)
      await running.ask('Worker', key, operation, pools && { spec: { pools } })
    },
    changeShoot: (shoot: object) => running.changeShoot(namespace, shoot),
    scaleController: (replicas: number) =>
      pass('a patch', kubernetes.patch(deployments, controller, { spec: { replicas } })),
    change: (kind: MachineKindName, of: string, patch: object) =>
      pass('a patch', kubernetes.patch(machineKinds[kind].resource, { name: of, namespace }, patch)),
    /** Confirms the deletion and deletes. */
    remove: () => running.remove('Worker', key),
    untilGone: (limitMs?: number) => running.untilGone('Worker', name, limitMs),
    /** Returns the machines in the form that gardenlet saves for another seed. */
    machineState: () => pass('a read', machineState(kubernetes, namespace)),
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
