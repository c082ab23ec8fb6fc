import { createOpenStack, imageId } from '../../../../sandbox/providers/openstack/simulator/openstack.ts'
import { type VirtualClock, virtualClock } from '../../../../shared/clock/clock.ts'
import type { Bastion, Cluster } from '../../../../shared/contract/objects.ts'
import { type KubernetesObject, mergePatch } from '../../../../shared/kubernetes/kubernetes.ts'
import type { StepContext, StepKubernetes, StepResult } from '../../../../shared/lifecycle/lifecycle.ts'
import { noKubernetes } from '../../../../shared/lifecycle/testing/no-kubernetes.ts'
import type { OpenStackConnection } from '../../../../terraform-free-infra/openstack/account/openstack.ts'
import { createAccess } from '../../../../terraform-free-infra/openstack/account/openstack.ts'
import { bastionActuator } from '../actuator.ts'
import {
  type BastionParts,
  bastionOf,
  clusterOf,
  infrastructureOf,
  makeNetwork,
  namespace,
} from './shoot-network.ts'

export const secretData = {
  domainName: 'acme',
  tenantName: 'shoots',
  username: 'gardener',
  password: 'gardener-secret',
  authURL: 'http://openstack.example.com/identity/v3',
}

export const imageOfRegion = { regions: [{ name: 'RegionOne', id: imageId }] }

export interface BastionSurroundings {
  readonly cluster?: Cluster
  readonly infrastructure?: KubernetesObject | undefined
  readonly worker?: KubernetesObject | undefined
  readonly secret?: Readonly<Record<string, string>>
  /** Called before each call of OpenStack and each write of a status. If it throws, the process has died. */
  readonly before?: (call: string) => void
  /** Like `before`, after the call took effect. */
  readonly after?: (call: string) => void
}

/** A seed with one Bastion, and its steps, each in a new process. */
export const stepsOver = (
  connection: OpenStackConnection,
  clock: VirtualClock,
  parts: BastionParts = {},
  surroundings: BastionSurroundings = {},
) => {
  const { cluster = clusterOf(imageOfRegion), infrastructure, worker, secret = secretData } = surroundings
  const { before, after } = surroundings
  let object = bastionOf(parts)
  const get: StepKubernetes['get'] = async ({ plural }, { name }) => {
    if (plural === 'infrastructures') return infrastructure
    if (plural === 'workers') return worker
    return {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace },
      data: Object.fromEntries(Object.entries(secret).map(([key, value]) => [key, btoa(value)])),
    }
  }
  const writeStatus = (status: object) => {
    object = mergePatch(object, { status }) as Bastion
  }
  const step = async (operation: 'reconcile' | 'remove', resumed = false): Promise<StepResult> => {
    const process = new AbortController()
    /** A dead process makes no more calls. */
    const alive = (hook: ((call: string) => void) | undefined, call: string) => {
      try {
        hook?.(call)
      } catch (error) {
        process.abort(error)
        throw error
      }
    }
    const actuator = bastionActuator({
      clock,
      connection: {
        ...connection,
        send: async request => {
          const call = `${request.method} ${new URL(request.url).pathname}`
          alive(before, call)
          const answer = await connection.send(request)
          alive(after, call)
          return answer
        },
      },
    })
    const context: StepContext<Bastion> = {
      object,
      operation: operation === 'remove' ? 'Delete' : 'Reconcile',
      resumed,
      cluster,
      secret: undefined,
      signal: process.signal,
      throwIfExpired: () => {},
      kubernetes: { ...noKubernetes, get },
      clock,
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      saveStatus: async status => {
        alive(before, 'PATCH status')
        writeStatus(status)
        alive(after, 'PATCH status')
      },
    }
    if (operation === 'reconcile') await actuator.check?.(context)
    const result = await actuator[operation](context)
    if (result.status !== undefined) writeStatus(result.status)
    return result
  }
  /** Repeats the step until it is done. Returns the descriptions of the waits. */
  const until = async (operation: 'reconcile' | 'remove'): Promise<readonly string[]> => {
    const waits: string[] = []
    for (let count = 0; count < 100; count++) {
      const result = await step(operation, count > 0)
      if (result.kind === 'done') return waits
      waits.push(result.description)
      await clock.advance(result.afterMs)
    }
    throw new Error(`not done after 100 steps: ${waits.at(-1)}`)
  }
  return {
    step,
    until,
    /** Replaces the spec, as gardenlet patches it. */
    change: (spec: BastionParts['spec']) => {
      object = { ...object, spec: { ...object.spec, ...spec } }
    },
    status: () => object.status,
    loseState: () => writeStatus({ state: null }),
  }
}

/** A simulated OpenStack with the network of a shoot, and a Bastion in it. */
export const setUp = async (
  parts: BastionParts = {},
  surroundings: BastionSurroundings = {},
  { networkName, ...options }: Partial<Parameters<typeof createOpenStack>[0]> & { networkName?: string } = {},
) => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const cloud = createOpenStack({ clock, scale: 1, furnished: true, ...options })
  const access = createAccess(
    cloud.connection,
    clock,
  )({
    secret: { name: 'cloudprovider', namespace, labels: {}, data: secretData },
    region: 'RegionOne',
    signal: new AbortController().signal,
    throwIfExpired: () => {},
  })
  const network = await makeNetwork(access, networkName)
  const infrastructure = infrastructureOf(network)
  const steps = stepsOver(cloud.connection, clock, parts, { infrastructure, ...surroundings })
  const start = cloud.calls().length
  const callsSince = (from: number) =>
    cloud
      .calls()
      .slice(from)
      .filter(({ service }) => service !== 'identity')
      .map(({ method, path }) => `${method} ${path}`)
  return {
    cloud,
    clock,
    access,
    network,
    infrastructure,
    ...steps,
    /** Calls after the last mark, without logins. */
    calls: (from = start) => callsSince(from),
    mark: () => cloud.calls().length,
    writes: (from = start) => callsSince(from).filter(call => !call.startsWith('GET')),
    groups: () => cloud.resources('securityGroup').filter(({ name }) => name.includes('-bastion-')),
    servers: () => cloud.resources('server'),
    addresses: () => cloud.resources('floatingIp'),
    rules: () => cloud.resources('securityGroupRule'),
  }
}
