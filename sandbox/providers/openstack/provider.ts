import type { Provider } from '../provider.ts'
import { madeUpCluster } from './made-up-cluster.ts'
import type { ProvidedOpenStack } from './simulate.ts'

export const provider: Provider<ProvidedOpenStack> = {
  name: 'openstack',
  title: 'OpenStack',
  texts: {
    owner: 'the cloud of the Secret',
    scale: 'with 0.01, a load balancer takes half a second',
    howToStart: port =>
      `Start an OpenStack there with: trellis dev --provider openstack --openstack-port ${port ?? 'PORT'}`,
    welcome: url => ({
      about:
        'user gardener with password gardener-secret, in project shoots of domain acme; owns the zone example.com.',
      lines: [
        `export OS_AUTH_URL=${url}/identity/v3 OS_USERNAME=gardener OS_PASSWORD=gardener-secret OS_PROJECT_NAME=shoots`,
        'export OS_USER_DOMAIN_NAME=acme OS_PROJECT_DOMAIN_NAME=acme OS_REGION_NAME=RegionOne',
        'openstack network list; openstack zone list',
      ],
    }),
  },
  credentials: {
    domainName: 'acme',
    tenantName: 'shoots',
    username: 'gardener',
    password: 'gardener-secret',
  },
  cluster: madeUpCluster,
  plans: {
    Infrastructure: 'openstack',
    DNSRecord: 'openstack-designate',
    BackupBucket: 'openstack',
    BackupEntry: 'openstack',
    Bastion: 'openstack',
    Worker: 'openstack',
    ControlPlane: 'openstack',
  },
  simulate: async settings => (await import('./simulate.ts')).simulateOpenStack(settings),
  connect: async settings => (await import('./connect.ts')).connectOpenStack(settings),
  // A sign-in creates a token, and nothing else that lasts.
  reads: {
    isRead: ({ method, url }) => {
      const { pathname, search, hash } = new URL(url)
      const isLogin = pathname.endsWith('/v3/auth/tokens') && search === '' && hash === ''
      return method === 'GET' || method === 'HEAD' || (method === 'POST' && isLogin)
    },
    perSecond: () => 20,
    accountOf: headers =>
      Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-auth-token')?.[1] ?? '',
    ignored: /^x-openstack-request-id$/,
  },
  parseState: async value => (await import('./parse-state.ts')).parseState(value),
  functionSettings: scale => ({ waitScale: Math.min(1, Math.max(0.001, 2 * scale)) }),
  plan: async (object, surroundings) => (await import('./plan.ts')).planObject(object, surroundings),
  accounts: async request => (await import('./accounts.ts')).openstackAccounts(request),
  resources: async () => (await import('./resources.ts')).openstackResources,
  simulation: async () => (await import('./simulation/random-openstack.ts')).randomOpenStack,
  stops: async cloud => (await import('./demo/stops.ts')).openstackStops(cloud),
}
