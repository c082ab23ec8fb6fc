import {
  createOpenStack,
  type OpenStackOptions,
  type SimulatedOpenStack,
} from '../../../../sandbox/providers/openstack/simulator/openstack.ts'
import { type VirtualClock, virtualClock } from '../../../../shared/clock/clock.ts'
import type { Cluster, Infrastructure } from '../../../../shared/contract/objects.ts'
import { recordOf } from '../../../../shared/decode/record-of.ts'
import { mergePatch } from '../../../../shared/kubernetes/kubernetes.ts'
import type { StepContext, StepResult } from '../../../../shared/lifecycle/lifecycle.ts'
import { noKubernetes } from '../../../../shared/lifecycle/testing/no-kubernetes.ts'
import type { Log } from '../../../../shared/log/log.ts'
import { withoutMemory } from '../../../../terraform-free-infra/engine/engine.ts'
import { infrastructureActuator } from '../actuator.ts'

const apiVersion = 'openstack.provider.extensions.gardener.cloud/v1alpha1'

export const sshPublicKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJTWEEGTZBxg4zPWyAO0zKfNO0BkQ7yTFNo6WyQpXLtd nodes'
export const otherKey = sshPublicKey.replace('IJTW', 'IJTX')

/** The parts of a test that differ from the default: one family, a managed network and router. */
export interface ShootParts {
  readonly name?: string
  readonly uid?: string
  readonly region?: string
  readonly floatingPoolName?: string
  readonly floatingPoolSubnetName?: string
  readonly networks?: object
  readonly ipFamilies?: readonly string[]
  readonly networking?: object
  readonly profile?: object
  readonly secret?: Readonly<Record<string, string>>
  readonly publicKey?: string
}

export const workers = '10.250.0.0/16'

const objectOf = (parts: ShootParts): Infrastructure => {
  const { name = 'shoot--os--a', uid = `uid-${name}`, publicKey = sshPublicKey } = parts
  const { floatingPoolSubnetName } = parts
  return {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'Infrastructure',
    metadata: { name: 'infrastructure', namespace: name, uid },
    spec: {
      type: 'openstack',
      region: parts.region ?? 'RegionOne',
      secretRef: { name: 'cloudprovider', namespace: name },
      sshPublicKey: Buffer.from(publicKey).toString('base64'),
      providerConfig: {
        apiVersion,
        kind: 'InfrastructureConfig',
        floatingPoolName: parts.floatingPoolName ?? 'public',
        ...(floatingPoolSubnetName !== undefined && { floatingPoolSubnetName }),
        networks: { workers, ...parts.networks },
      },
    },
  }
}

const clusterOf = ({ ipFamilies = ['IPv4'], networking, profile }: ShootParts) => {
  const ranges = { nodes: workers, pods: '100.96.0.0/11', services: '100.64.0.0/13' }
  const providerConfig = {
    apiVersion,
    kind: 'CloudProfileConfig',
    dnsServers: ['10.10.10.10', '10.10.10.11'],
    ...profile,
  }
  return {
    spec: {
      shoot: { spec: { networking: { ipFamilies, ...(networking ?? ranges) } } },
      cloudProfile: { spec: { providerConfig } },
    },
  } as unknown as Cluster
}

export type Operation = 'reconcile' | 'remove' | 'migrate'

export interface World {
  readonly clock: VirtualClock
  readonly openstack: SimulatedOpenStack
}

/** A simulated OpenStack with external networks and subnet pools. */
export const createWorld = (options: Partial<OpenStackOptions> = {}): World => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  return { clock, openstack: createOpenStack({ clock, scale: 0.05, furnished: true, ...options }) }
}

/** The death of a process at one of its calls of OpenStack. */
export interface Death {
  readonly call: number
  /** Before the call takes effect, or after it. */
  readonly when: 'before' | 'after'
}

/** One Infrastructure and its steps. Each operation runs in a new process. */
export const shootIn = ({ clock, openstack }: World, parts: ShootParts = {}) => {
  const stored = { object: objectOf(parts) }
  const warnings: string[] = []
  const note = (message: string): void => void warnings.push(message)
  const log: Log = { debug: () => {}, info: () => {}, warn: note, error: note }
  const namespace = stored.object.metadata.namespace ?? ''
  const data = {
    domainName: 'acme',
    tenantName: 'shoots',
    username: 'gardener',
    password: 'gardener-secret',
    authURL: openstack.connection.authUrl,
    ...parts.secret,
  }
  const patch = (status: object): void => {
    const merged = mergePatch(stored.object.status ?? {}, status) as NonNullable<Infrastructure['status']>
    stored.object = { ...stored.object, status: merged }
  }

  const step = async (operation: Operation, resumed: boolean, death?: Death): Promise<StepResult> => {
    const process = new AbortController()
    let calls = 0
    const die = (): never => {
      process.abort(new Error('the process has died'))
      throw process.signal.reason
    }
    const { send } = openstack.connection
    const actuator = infrastructureActuator({
      clock,
      connection: {
        ...openstack.connection,
        send: async request => {
          const isLast = ++calls === death?.call
          if (isLast && death?.when === 'before') die()
          const answer = await send(request)
          return isLast ? die() : answer
        },
      },
    })
    const context: StepContext<Infrastructure> = {
      object: stored.object,
      operation: 'Reconcile',
      resumed,
      cluster: clusterOf(parts),
      secret: { name: 'cloudprovider', namespace, labels: {}, data },
      signal: process.signal,
      throwIfExpired: () => process.signal.throwIfAborted(),
      kubernetes: noKubernetes,
      clock,
      log,
      saveStatus: async status => {
        process.signal.throwIfAborted()
        patch(status)
      },
    }
    if (operation === 'reconcile') {
      await actuator.check?.(context)
      await actuator.validate?.(context)
    }
    const { [operation]: act } = actuator
    if (act === undefined) throw new TypeError(`the actuator cannot ${operation}`)
    return act(context)
  }

  /** Repeats the step until it is done. Returns the messages of the waits. Throws the errors of a step. */
  const run = async (operation: Operation, death?: Death): Promise<readonly string[]> => {
    const waits: string[] = []
    for (let count = 0; count < 60; count++) {
      const result = await whileTimePasses(clock, step(operation, count > 0, count === 0 ? death : undefined))
      patch(result.status ?? {})
      if (result.kind === 'done') return waits
      waits.push(result.description)
      await clock.advance(result.afterMs)
    }
    throw new Error(`not done after 60 steps: ${waits.at(-1)}`)
  }

  return {
    run,
    warnings,
    status: () => stored.object.status ?? {},
    /** The keys of the state without the memory of the engine. */
    state: (): Readonly<Record<string, string>> =>
      withoutMemory(recordOf(recordOf(stored.object.status?.state).data) as Record<string, string>),
    setStatus: (status: NonNullable<Infrastructure['status']>) => {
      stored.object = { ...stored.object, status }
    },
    change: (next: ShootParts) => {
      stored.object = { ...stored.object, spec: objectOf({ ...parts, ...next }).spec }
    },
  }
}

const whileTimePasses = async <T>(clock: VirtualClock, work: Promise<T>): Promise<T> => {
  let isOver = false
  const end = (): void => {
    isOver = true
  }
  work.then(end, end)
  while (!isOver) await clock.advance(100)
  return work
}

/** Counts the calls during some work: all, and those that change something. */
export const counting = async ({ openstack }: World, work: () => Promise<unknown>) => {
  const before = openstack.calls().length
  await work()
  const calls = openstack.calls().slice(before)
  const writes = calls.filter(({ service, method }) => service !== 'identity' && method !== 'GET')
  return { calls: calls.length, writes: writes.map(({ method, path }) => `${method} ${path}`) }
}

/** The resources of the project, by their kinds and names, without its default group and ports of DHCP. */
export const contentOf = ({ openstack }: World): Readonly<Record<string, readonly string[]>> => {
  const kinds = ['network', 'router', 'subnet', 'securityGroup', 'keypair', 'port', 'loadBalancer'] as const
  const external = new Set(
    openstack.resources('network').flatMap(one => (one['router:external'] ? [one.id] : [])),
  )
  return Object.fromEntries(
    kinds.map(kind => [
      kind,
      openstack
        .resources(kind)
        .filter(one => !(kind === 'network' && external.has(one.id)) && !external.has(String(one.network_id)))
        .filter(one => !(kind === 'securityGroup' && one.name === 'default'))
        .map(one => String(one.name || one.device_owner))
        .sort(),
    ]),
  )
}

export const nothing = {
  network: [],
  router: [],
  subnet: [],
  securityGroup: [],
  keypair: [],
  port: [],
  loadBalancer: [],
}
