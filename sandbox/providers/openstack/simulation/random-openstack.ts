import type { GardenShoot } from '../../../gardenlet/gardenlet.ts'
import type { NamedCloud, RandomCloud } from '../../../simulation/random/random.ts'
import type { CloudSideOptions } from '../../../simulation/simulation.ts'
import { userIdOf } from '../simulator/openstack.ts'
import { openstackAccidentNames, openstackAccidents } from './openstack-accidents.ts'
import { createOpenStackSide } from './openstack-side.ts'
import { given } from './strangers.ts'

type Changes = RandomCloud['changes']
type Pool = GardenShoot['spec']['provider']['workers'][number]

const withPools = (shoot: GardenShoot, change: (pool: Pool) => Pool): GardenShoot => ({
  ...shoot,
  spec: {
    ...shoot.spec,
    provider: { ...shoot.spec.provider, workers: shoot.spec.provider.workers.map(change) },
  },
})

const withNetworks = (shoot: GardenShoot, more: object): GardenShoot => {
  const { provider } = shoot.spec
  const { networks, ...config } = provider.infrastructureConfig as { readonly networks: object }
  const infrastructureConfig = { ...config, networks: { ...networks, ...more } }
  return { ...shoot, spec: { ...shoot.spec, provider: { ...provider, infrastructureConfig } } }
}

const changes: Changes = {
  'change the number of machines': (shoot, pick) =>
    withPools(shoot, pool => ({ ...pool, minimum: 1 + (pick % 3), maximum: 1 + (pick % 3) })),
  'change the version of Kubernetes': (shoot, pick) => ({
    ...shoot,
    spec: { ...shoot.spec, kubernetes: { version: pick % 2 === 0 ? '1.33.3' : '1.34.1' } },
  }),
  'share the network with Manila, or not': (shoot, pick) =>
    withNetworks(shoot, { shareNetwork: { enabled: pick % 2 === 0 } }),
}

/** The networks of shoots: managed, in a given network, and behind a given router. */
const shapes: readonly ((shoot: GardenShoot) => GardenShoot)[] = [
  shoot => shoot,
  shoot =>
    withRange(withNetworks(shoot, { id: given.network, router: { id: given.router } }), '10.251.0.0/16'),
  shoot => withRange(withNetworks(shoot, { router: { id: given.router } }), '10.252.0.0/16'),
]

/** The ranges behind a router must not overlap. */
const withRange = (shoot: GardenShoot, nodes: string): GardenShoot => {
  const { spec, ...rest } = withNetworks(shoot, { workers: nodes })
  return { ...rest, spec: { ...spec, networking: { ...spec.networking, nodes } } }
}

const createRandomOpenStack = (options: CloudSideOptions): RandomCloud => {
  const random = options.random.fork('hostility')
  const first = random.int(shapes.length)
  const isAwkward = random.chance(0.6)
  const lists = { seed: random.uuid(), most: random.between(1, 3), repeated: random.pick([0, 0.3, 0.6]) }
  const side = createOpenStackSide(options, isAwkward ? { lists } : {})
  const { openstack, landscape, shoot } = side
  let generation = 0
  let refusals = 0
  let writes = 0
  openstack.onCall(({ isRead }) => {
    if (!isRead) writes += 1
  })
  const password = () => (generation === 0 ? landscape.credentials.password : `gardener-secret-${generation}`)
  /** Nova's key pairs belong to a user, so a user changes the password only. */
  const applyPassword = (): void => {
    openstack.put('user', userIdOf('gardener'), { password: refusals > 0 ? '' : password() })
    openstack.revokeTokens()
  }
  return {
    ...side,
    landscape: {
      ...landscape,
      get credentials() {
        return { ...landscape.credentials, password: String(password()) }
      },
    },
    shootNumber: index => {
      const own = index === 0 ? shoot : renamedShoot(shoot, `iris${index + 1}`, index)
      return shapes[(first + index) % shapes.length]?.(own) ?? own
    },
    changes,
    accidents: openstackAccidents(openstack, options.clock),
    refuseCredentials: () => {
      refusals += 1
      applyPassword()
      return () => {
        refusals -= 1
        applyPassword()
      }
    },
    changeCredentials: () => {
      generation += 1
      applyPassword()
    },
    // Strangers are in every world.
    addForeign: async () => {},
    isOfShoot: about => /^\S+ (?:network|compute|sharev2|share|load-balancer) /.test(about),
    writes: () => writes,
  }
}

/** The uid differs in its first characters, as those of shoots do: names of server groups begin with 18 of them. */
const renamedShoot = (shoot: GardenShoot, name: string, index: number): GardenShoot => ({
  ...shoot,
  metadata: { ...shoot.metadata, name, uid: `${index}${shoot.metadata.uid.slice(1)}` },
  spec: { ...shoot.spec, dns: { domain: shoot.spec.dns.domain.replace(shoot.metadata.name, name) } },
  status: { ...shoot.status, technicalID: `shoot--garden--${name}` },
})

export const randomOpenStack: NamedCloud = {
  name: 'openstack',
  create: createRandomOpenStack,
  changes: Object.keys(changes),
  accidents: openstackAccidentNames,
}
