import {
  createOpenStack,
  type OpenStackOptions,
  type SimulatedOpenStack,
} from '../../../../sandbox/providers/openstack/simulator/openstack.ts'
import type { PassCall, TestCloud, TestThing } from '../../../../sandbox/stepped-seed/stepped-seed.ts'
import { type VirtualClock, virtualClock } from '../../../../shared/clock/clock.ts'
import type { OpenStackConnection } from '../../../../terraform-free-infra/openstack/account/openstack.ts'

/** The Secret of a user of the simulated OpenStack. */
export const simulatedSecret = {
  domainName: 'acme',
  tenantName: 'shoots',
  username: 'gardener',
  password: 'gardener-secret',
}

export interface SimulatedCloudOptions extends Partial<Omit<OpenStackOptions, 'clock'>> {
  /** That of the seed. Default: a new one. */
  readonly clock?: VirtualClock
  /** Returns the contents of the cloud, for a test of promises. Default: nothing. */
  readonly things?: (openstack: SimulatedOpenStack) => readonly TestThing[]
}

/** The simulated OpenStack as a cloud under test. Its changes take effect at once, unless `scale` is given. */
export const simulatedCloud = ({
  clock = virtualClock(Date.parse('2026-01-01T00:00:00Z')),
  things = () => [],
  ...options
}: SimulatedCloudOptions = {}) => {
  const openstack = createOpenStack({ scale: 0, ...options, clock })
  const calls: string[] = []
  const bodies: string[] = []
  const regions = new Set<string>()
  /** Called before each answer. */
  const state = { wait: async () => {} }
  let pass: PassCall = (_, work) => work()
  const connection: OpenStackConnection = {
    ...openstack.connection,
    send: request => {
      const path = decodeURIComponent(new URL(request.url).pathname)
      const isLogin = path.endsWith('/auth/tokens')
      const call = isLogin ? 'login' : `${request.method} ${path.replace(/^.*?\/(?:v2|v1\/AUTH_\w+)\//, '')}`
      return pass({ name: call, isRead: isLogin || /^(?:GET|HEAD)$/.test(request.method) }, async () => {
        await state.wait()
        calls.push(call)
        if (request.body !== undefined && !isLogin) bodies.push(request.body)
        const answer = await openstack.connection.send(request)
        const { region = '' } = openstack.calls().at(-1) ?? {}
        if (!isLogin) regions.add(region)
        return answer
      })
    },
  }
  const cloud: TestCloud = {
    things: () => things(openstack),
    passCalls: given => {
      pass = given
    },
    connection,
  }
  return { cloud, openstack, connection, clock, calls, bodies, regions, state }
}
