import type { GardenShoot } from '../../../gardenlet/gardenlet.ts'
import type { NamedCloud, RandomCloud } from '../../../simulation/random/random.ts'
import type { CloudSideOptions } from '../../../simulation/simulation.ts'
import { isRead, operatorCredentials } from '../simulator/aws.ts'
import { moveIn } from './account-of-others.ts'
import { awsAccidentNames, awsAccidents } from './aws-accidents.ts'
import { createAwsSide } from './aws-side.ts'

type AwsChanges = Readonly<Record<string, (shoot: GardenShoot, pick: number) => GardenShoot>>

type Pool = GardenShoot['spec']['provider']['workers'][number]

const withPools = (shoot: GardenShoot, change: (pool: Pool) => Pool): GardenShoot => ({
  ...shoot,
  spec: {
    ...shoot.spec,
    provider: { ...shoot.spec.provider, workers: shoot.spec.provider.workers.map(change) },
  },
})

interface AwsNetworks {
  readonly networks: { readonly vpc: object; readonly zones: readonly object[] }
}

const withInfrastructure = (
  shoot: GardenShoot,
  change: (config: AwsNetworks) => AwsNetworks,
): GardenShoot => ({
  ...shoot,
  spec: {
    ...shoot.spec,
    provider: {
      ...shoot.spec.provider,
      infrastructureConfig: change(shoot.spec.provider.infrastructureConfig as AwsNetworks),
    },
  },
})

const secondZone = {
  name: 'eu-west-1b',
  workers: '10.250.32.0/19',
  public: '10.250.100.0/22',
  internal: '10.250.116.0/22',
}

const changes: AwsChanges = {
  'change the number of machines': (shoot, pick) =>
    withPools(shoot, pool => ({ ...pool, minimum: 1 + (pick % 3), maximum: 1 + (pick % 3) })),
  'change the size of volumes': (shoot, pick) =>
    withPools(shoot, pool => ({ ...pool, volume: { ...pool.volume, size: `${50 + 10 * (pick % 3)}Gi` } })),
  'change the version of Kubernetes': (shoot, pick) => ({
    ...shoot,
    spec: { ...shoot.spec, kubernetes: { version: pick % 2 === 0 ? '1.33.3' : '1.34.1' } },
  }),
  'add a zone': shoot =>
    withInfrastructure(shoot, ({ networks, ...config }) => ({
      ...config,
      networks: { ...networks, zones: [...networks.zones.slice(0, 1), secondZone] },
    })),
  'give the pool another zone': shoot =>
    withPools(changes['add a zone']?.(shoot, 0) ?? shoot, pool => ({
      ...pool,
      zones: ['eu-west-1a', secondZone.name],
    })),
  'change the gateway endpoints': (shoot, pick) =>
    withInfrastructure(shoot, ({ networks, ...config }) => ({
      ...config,
      networks: {
        ...networks,
        vpc: { ...networks.vpc, gatewayEndpoints: pick % 2 === 0 ? ['s3'] : ['s3', 'dynamodb'] },
      },
    })),
}

const createRandomAws = (options: CloudSideOptions): RandomCloud => {
  const side = createAwsSide(options)
  const { aws, landscape } = side
  let generation = 0
  let writes = 0
  aws.calls.onCall(call => {
    if (!isRead(call) && call.accessKeyId !== operatorCredentials.accessKeyId) writes += 1
  })
  const accessKeyID = () => `${landscape.credentials.accessKeyID?.slice(0, -1)}${generation % 10}`
  const refuse = (key: string): (() => void) => {
    const ends = ['ec2', 'iam', 'elasticfilesystem', 'elb', 'elbv2'].map(service =>
      aws.faults.add({
        service,
        accessKeyId: key,
        times: null,
        effect: {
          kind: 'error',
          ...(service === 'ec2'
            ? { code: 'AuthFailure', status: 401 }
            : { code: 'InvalidClientTokenId', status: 403 }),
          message: 'The security token included in the request is invalid.',
        },
      }),
    )
    return () => {
      for (const end of ends) end()
    }
  }
  return {
    ...side,
    landscape: {
      ...landscape,
      cloudProfile: withSecondZone(landscape.cloudProfile),
      get credentials() {
        return { ...landscape.credentials, accessKeyID: accessKeyID() }
      },
    },
    shootNumber: index => (index === 0 ? side.shoot : renamedShoot(side.shoot, `iris${index + 1}`, index)),
    changes,
    accidents: awsAccidents(aws),
    refuseCredentials: () => refuse(accessKeyID()),
    changeCredentials: () => {
      refuse(accessKeyID())
      generation += 1
    },
    addForeign: () => moveIn(aws, () => options.clock.sleep(options.visibleAfterMs ?? 0)),
    // The machine controller and buckets belong to others.
    isOfShoot: about => /^POST (?:ec2|iam|elastic)/.test(about),
    writes: () => writes,
  }
}

const withSecondZone = (profile: object): object => {
  const { spec } = profile as { readonly spec: { readonly regions: readonly { readonly zones: object[] }[] } }
  const regions = spec.regions.map(region => ({
    ...region,
    zones: [...region.zones, { name: secondZone.name }],
  }))
  return { ...profile, spec: { ...spec, regions } }
}

const renamedShoot = (shoot: GardenShoot, name: string, index: number): GardenShoot => ({
  ...shoot,
  metadata: { ...shoot.metadata, name, uid: `${shoot.metadata.uid.slice(0, -4)}${1000 + index}` },
  spec: { ...shoot.spec, dns: { domain: shoot.spec.dns.domain.replace(shoot.metadata.name, name) } },
  status: { ...shoot.status, technicalID: `shoot--garden--${name}` },
})

export const randomAws: NamedCloud = {
  name: 'aws',
  create: createRandomAws,
  changes: Object.keys(changes),
  accidents: awsAccidentNames,
}
