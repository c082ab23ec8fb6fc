import {
  createOpenStack,
  type OpenStackOptions,
  type SimulatedOpenStack,
} from '../../../../sandbox/providers/openstack/simulator/openstack.ts'
import type { PassCall, TestCloud, TestThing } from '../../../../sandbox/stepped-seed/stepped-seed.ts'

/** The Secret of a user of the simulated OpenStack. */
export const simulatedSecret = {
  domainName: 'acme',
  tenantName: 'shoots',
  username: 'gardener',
  password: 'gardener-secret',
}

/** The simulated OpenStack as a cloud under test, with zones. Its changes take effect at once, unless `scale` is given. */
export const simulatedCloud = (
  options: OpenStackOptions,
  things: (openstack: SimulatedOpenStack) => readonly TestThing[],
): { readonly cloud: TestCloud; readonly openstack: SimulatedOpenStack } => {
  const openstack = createOpenStack({ furnished: true, scale: 0, ...options })
  const { connection } = openstack
  let pass: PassCall = (_, work) => work()
  return {
    openstack,
    cloud: {
      things: () => things(openstack),
      passCalls: given => {
        pass = given
      },
      connection: {
        ...connection,
        send: request => {
          const { pathname } = new URL(request.url)
          const isRead = /^(?:GET|HEAD)$/.test(request.method) || pathname.endsWith('/auth/tokens')
          return pass({ name: `${request.method} ${pathname}`, isRead }, () => connection.send(request))
        },
      } satisfies SimulatedOpenStack['connection'],
    },
  }
}
