import { readdir } from 'node:fs/promises'
import { afterEach, expect, test } from 'vitest'
import type { AwsRequestHandler } from '../../terraform-free-infra/aws/account/aws.ts'
import { type Made, makeAddresses, makeSubnets, makeVpc } from './account.ts'
import { exampleObjects, type Gallery, gallery, startGallery } from './harness.ts'

const galleries: Gallery[] = []
afterEach(async () => {
  for (const running of galleries.splice(0)) await running.close()
})

interface Zone {
  readonly name: string
  readonly [field: string]: string
}
interface Config {
  readonly networks: {
    readonly vpc: { readonly gatewayEndpoints?: readonly string[] }
    readonly zones: readonly Zone[]
  }
  readonly [field: string]: unknown
}

interface Change {
  readonly what: string
  readonly config?: (config: Config, made: Made) => object
  /** Changes to the shoot before the config changes. */
  readonly shoot?: object
  /** The expected error, if the change is impossible and nothing is done. Must be the last change. */
  readonly refused?: string
}

interface Shape {
  readonly name: string
  /** Creates the user's resources before the shoot. */
  readonly given?: (handler: AwsRequestHandler) => Promise<Made>
  readonly changes: readonly Change[]
}

const withZones = (config: Config, zones: readonly Zone[]) => ({
  ...config,
  networks: { ...config.networks, zones },
})
const moreZones: readonly Zone[] = [
  {
    name: 'eu-west-1b',
    workers: '10.250.32.0/19',
    public: '10.250.100.0/22',
    internal: '10.250.116.0/22',
  },
  {
    name: 'eu-west-1c',
    workers: '10.250.64.0/19',
    public: '10.250.104.0/22',
    internal: '10.250.120.0/22',
  },
]
const addZone: Change = {
  what: 'a zone more',
  config: config => {
    const { zones } = config.networks
    const next = moreZones.find(({ name }) => !zones.some(zone => zone.name === name))
    return withZones(config, next === undefined ? zones : [...zones, next])
  },
}
const removeZone: Change = {
  what: 'a zone less',
  config: config => withZones(config, config.networks.zones.slice(0, -1)),
  refused: 'zones cannot be removed',
}
const endpoints = (...gatewayEndpoints: string[]): Change => ({
  what: `endpoints ${gatewayEndpoints.join(', ') || 'none'}`,
  config: config => ({
    ...config,
    networks: { ...config.networks, vpc: { ...config.networks.vpc, gatewayEndpoints } },
  }),
})
const dualStack: Change = {
  what: 'IPv6 beside IPv4',
  shoot: { spec: { networking: { ipFamilies: ['IPv4', 'IPv6'] } } },
  config: config => ({ ...config, dualStack: { enabled: true } }),
}

const shapes: readonly Shape[] = [
  { name: 'one-zone', changes: [addZone, endpoints('s3'), dualStack, removeZone] },
  { name: 'three-zones', changes: [removeZone] },
  { name: 'existing-vpc', given: makeVpc, changes: [endpoints('s3'), removeZone] },
  {
    name: 'own-subnets',
    given: makeSubnets,
    changes: [
      {
        what: 'a zone more',
        config: (config, made) =>
          withZones(config, [
            ...config.networks.zones,
            {
              name: 'eu-west-1c',
              workersSubnetID: made.get('subnet-0000000000000c001') ?? '',
              publicSubnetID: made.get('subnet-0000000000000c002') ?? '',
              internalSubnetID: made.get('subnet-0000000000000c003') ?? '',
            },
          ]),
      },
    ],
  },
  {
    name: 'overlay-off',
    given: makeSubnets,
    changes: [
      {
        what: 'subnets of internal load balancers',
        config: (config, made) =>
          withZones(
            config,
            config.networks.zones.map(zone => ({
              ...zone,
              internalSubnetID: made.get(`subnet-0000000000000${zone.name.at(-1)}003`) ?? '',
            })),
          ),
      },
    ],
  },
  { name: 'dual-stack', changes: [addZone, removeZone] },
  { name: 'ipv6-only', changes: [addZone] },
  { name: 'gateway-endpoints', changes: [endpoints('s3'), endpoints('s3', 'dynamodb'), addZone] },
  {
    name: 'own-addresses',
    given: makeAddresses,
    changes: [
      {
        what: 'an address of the shoot in place of a given one',
        config: config =>
          withZones(
            config,
            config.networks.zones.map(({ elasticIPAllocationID, ...zone }, index) =>
              index === 0 && elasticIPAllocationID ? { ...zone, elasticIPAllocationID } : zone,
            ),
          ),
      },
    ],
  },
  { name: 'file-system', changes: [addZone, removeZone] },
]

test('this test runs every file of the gallery', async () => {
  const files = (await readdir(gallery)).filter(file => file.endsWith('.yaml'))
  expect(shapes.map(({ name }) => `${name}.yaml`).sort()).toEqual(files.sort())
})

test.each(shapes)(
  '$name is created, left unchanged, changed and deleted without leftovers',
  async shape => {
    const running = await startGallery()
    galleries.push(running)
    const { create, reconcile, remove, contents, writes, object, handler, changeShoot } = running
    const made = (await shape.given?.(handler)) ?? new Map()
    const before = await contents()

    const leftAlone = async (what: string) => {
      const { status } = object()
      await reconcile()
      expect(writes(), `writes although nothing differs after ${what}`).toEqual([])
      const { lastOperation: _, ...rest } = status ?? {}
      expect(object().status).toMatchObject(rest)
    }

    await create(await exampleObjects(shape.name, made))
    expect((await contents()).length).toBeGreaterThan(before.length)
    await leftAlone('creation')

    for (const { what, shoot, config, refused } of shape.changes) {
      if (shoot !== undefined) await changeShoot(shoot)
      const current = object().spec.providerConfig as Config
      if (refused !== undefined) {
        const there = await contents()
        await expect(reconcile(config?.(current, made)), what).rejects.toThrow(refused)
        expect(writes(), what).toEqual([])
        expect(await contents(), what).toEqual(there)
        // Resources that the config no longer names are deleted with the shoot.
        break
      }
      await reconcile(config?.(current, made))
      expect(writes(), what).not.toEqual([])
      await leftAlone(what)
    }

    await remove()
    expect(await contents()).toEqual(before)
  },
  120_000,
)
