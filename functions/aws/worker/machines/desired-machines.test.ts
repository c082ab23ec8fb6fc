import { describe, expect, test } from 'vitest'
import { codesOf } from '../../../../shared/contract/classify.ts'
import { apiVersion } from '../../../../terraform-free-infra/aws/account/config/config.ts'
import { desiredMachines } from './desired-machines.ts'
import type { MachinePool } from './request.ts'
import { infrastructureStatus, poolOf, requestOf } from './testing/request.ts'

const config = (fields: object) => ({ providerConfig: { apiVersion, kind: 'WorkerConfig', ...fields } })

const contentsOf = (pool: Partial<MachinePool>, request: Parameters<typeof requestOf>[0] = {}) => {
  const [classes] = desiredMachines(requestOf({ pools: [poolOf(pool)], ...request })).pools
  if (classes?.kind !== 'classes') throw classes?.error ?? new Error('there is no pool')
  return classes.zones.map(({ content }) => content)
}
const specOf = (pool: Partial<MachinePool>, request?: Parameters<typeof requestOf>[0]) =>
  contentsOf(pool, request)[0]?.providerSpec

describe('a MachineClass', () => {
  test('is in the subnet of its zone, whatever its position', () => {
    const contents = contentsOf({ zones: ['eu-west-1b', 'eu-west-1a'] })
    expect(contents.map(({ providerSpec }) => providerSpec.networkInterfaces)).toEqual([
      [{ subnetID: 'subnet-b', securityGroupIDs: ['sg-0123456789abcdef0'] }],
      [{ subnetID: 'subnet-a', securityGroupIDs: ['sg-0123456789abcdef0'] }],
    ])
  })

  test('has quantities in canonical form, where the WorkerConfig overrides the pool', () => {
    const [content] = contentsOf({
      nodeTemplate: {
        capacity: { cpu: 2, memory: '1.50Gi', pods: '1000' },
        virtualCapacity: { 'a/b': '1024' },
      },
      ...config({ nodeTemplate: { capacity: { memory: '2048Gi' }, virtualCapacity: { 'c/d': 1 } } }),
    })
    expect(content?.nodeTemplate).toEqual({
      capacity: { cpu: '2', memory: '2Ti', pods: '1k' },
      virtualCapacity: { 'a/b': '1024', 'c/d': '1' },
      instanceType: 'm5.large',
      region: 'eu-west-1',
      zone: 'eu-west-1a',
      architecture: 'amd64',
    })
  })

  test('has only the capacity of the WorkerConfig if the pool has none (W2)', () => {
    const { nodeTemplate: _, ...without } = poolOf()
    const capacityOf = (pool: MachinePool) => {
      const [classes] = desiredMachines(requestOf({ pools: [pool] })).pools
      return classes?.kind === 'classes' ? classes.zones[0]?.content.nodeTemplate?.capacity : classes?.error
    }
    expect(capacityOf({ ...without, ...config({ nodeTemplate: { capacity: { cpu: '4' } } }) })).toEqual({
      cpu: '4',
    })
    expect(capacityOf(without)).toBeUndefined()
  })

  test('has the labels of the pool as tags, which take precedence', () => {
    expect(specOf({ labels: { 'kubernetes.io/role/node': 'mine', more: 'x' } })?.tags).toEqual({
      'kubernetes.io/cluster/shoot--foo--bar': '1',
      'kubernetes.io/role/node': 'mine',
      more: 'x',
    })
  })

  test.each<[readonly string[], object, object]>([
    [['IPv4'], {}, { httpTokens: 'required', httpPutResponseHopLimit: 2 }],
    [
      ['IPv4', 'IPv6'],
      { ipv6AddressCount: 1, ipv6PrefixCount: 1 },
      { httpTokens: 'required', httpPutResponseHopLimit: 2 },
    ],
    [
      ['IPv6'],
      { ipv6AddressCount: 1, ipv6PrefixCount: 1 },
      { httpTokens: 'required', httpPutResponseHopLimit: 2, httpProtocolIpv6: 'enabled' },
    ],
  ])('has addresses of %j', (ipFamilies, ofInterface, metadata) => {
    const spec = specOf({}, { ipFamilies })
    expect(spec?.networkInterfaces).toEqual([
      { subnetID: 'subnet-a', securityGroupIDs: ['sg-0123456789abcdef0'], ...ofInterface },
    ])
    expect(spec?.instanceMetadataOptions).toEqual(metadata)
  })

  test('has an interface for each card of a range, where only the first has IPv6', () => {
    const own = config({
      networkInterfaces: [
        { deviceIndex: 0, description: 'primary', subnetID: 'subnet-own' },
        { deviceIndex: 1, type: 'efa-only', networkCardIndexRange: { from: 1, to: 2 } },
      ],
    })
    const each = {
      associatePublicIPAddress: false,
      deleteOnTermination: true,
      securityGroupIDs: ['sg-0123456789abcdef0'],
    }
    expect(specOf(own, { ipFamilies: ['IPv4', 'IPv6'] })?.networkInterfaces).toEqual([
      {
        ...each,
        deviceIndex: 0,
        networkCardIndex: 0,
        interfaceType: 'interface',
        description: 'primary',
        subnetID: 'subnet-own',
        ipv6AddressCount: 1,
        ipv6PrefixCount: 1,
      },
      { ...each, deviceIndex: 1, networkCardIndex: 1, interfaceType: 'efa-only', subnetID: 'subnet-a' },
      { ...each, deviceIndex: 1, networkCardIndex: 2, interfaceType: 'efa-only', subnetID: 'subnet-a' },
    ])
  })

  test('has its data volumes sorted by name, from /dev/sdf on', () => {
    const spec = specOf({
      volume: { size: '50Gi', type: 'gp3', encrypted: false },
      dataVolumes: [
        { name: 'b', size: '20Gi', type: 'gp3' },
        { name: 'a', size: '1Ti', type: 'st1', encrypted: true },
      ],
      ...config({
        volume: { iops: 4000 },
        dataVolumes: [{ name: 'b', throughput: 200, snapshotID: 'snap-0a' }],
      }),
    })
    expect(spec?.blockDevices).toEqual([
      {
        deviceName: '/root',
        ebs: { volumeSize: 50, volumeType: 'gp3', deleteOnTermination: true, iops: 4000 },
      },
      {
        deviceName: '/dev/sdf',
        ebs: { volumeSize: 1, volumeType: 'st1', encrypted: true, deleteOnTermination: true },
      },
      {
        deviceName: '/dev/sdg',
        ebs: {
          volumeSize: 20,
          volumeType: 'gp3',
          encrypted: true,
          deleteOnTermination: true,
          throughput: 200,
          snapshotID: 'snap-0a',
        },
      },
    ])
  })

  test('has the instance settings of the WorkerConfig unchanged', () => {
    const spec = specOf(
      config({
        iamInstanceProfile: { arn: 'arn:aws:iam::123456789012:instance-profile/p' },
        instanceMetadataOptions: { httpPutResponseHopLimit: 3 },
        cpuOptions: { amdSevSnp: 'enabled' },
        capacityReservation: { capacityReservationPreference: 'open' },
        instanceMarketOptions: { marketType: 'spot' },
        placement: {},
      }),
    )
    expect(spec).toMatchObject({
      iam: { arn: 'arn:aws:iam::123456789012:instance-profile/p' },
      cpuOptions: { coreCount: null, threadsPerCore: null, amdSevSnp: 'enabled' },
      capacityReservation: { capacityReservationPreference: 'open' },
      instanceMarketOptions: { marketType: 'spot' },
    })
    expect(spec?.instanceMetadataOptions).toEqual({ httpPutResponseHopLimit: 3 })
    expect(spec?.placement).toEqual({})
  })
})

describe('a pool with running machines that today’s admission refuses', () => {
  test('may have cores without threads, and the class has neither', () => {
    const spec = specOf(config({ cpuOptions: { coreCount: 2 } }))
    expect(spec).toMatchObject({ cpuOptions: { coreCount: null, threadsPerCore: null } })
  })

  test('may have an instance profile of any name', () => {
    const spec = specOf(config({ iamInstanceProfile: { name: 'nodes/of my-shoot' } }))
    expect(spec).toMatchObject({ iam: { name: 'nodes/of my-shoot' } })
  })
})

test('gets device index 0 for an interface without one, as in the hash', () => {
  const spec = specOf(
    config({ networkInterfaces: [{ type: 'efa', networkCardIndexRange: { from: 0, to: 1 } }] }),
  )
  expect(spec?.networkInterfaces).toMatchObject([
    { deviceIndex: 0, networkCardIndex: 0 },
    { deviceIndex: 0, networkCardIndex: 1 },
  ])
})

describe('a pool with a problem', () => {
  test.each<[string, Partial<MachinePool>, string]>([
    [
      'a version that is none',
      { kubernetesVersion: 'one' },
      'invalid semantic version (worker pool "a", spec.pools[0].kubernetesVersion)',
    ],
    [
      'a profile without name and ARN',
      config({ iamInstanceProfile: {} }),
      'unable to compute IAM instance profile configuration (worker pool "a", spec.pools[0].providerConfig.iamInstanceProfile)',
    ],
    [
      'a size beyond 32 bits',
      { volume: { size: '2147483648Gi', type: 'gp3' } },
      'error when computing EBS for root disk: volume size cannot exceed 2147483647',
    ],
    [
      'a volume without a type',
      { volume: { size: '50Gi' } },
      'worker pool "a" is not valid: spec.pools[0].volume.type: expected a text that is not empty, found none',
    ],
    [
      'a field that there is not',
      config({ volume: { iop: 1 } }),
      'could not decode provider config: strict decoding error: unknown field "volume.iop" (did you mean iops?)',
    ],
    [
      'a data volume without a type',
      { dataVolumes: [{ name: 'a', size: '7Gi' }] },
      'spec.pools[0].dataVolumes[0].type: expected a text that is not empty, found none',
    ],
    [
      'a root volume of a type that the machine controller does not know',
      { volume: { size: '50Gi', type: 'io2' } },
      'spec.pools[0].volume.type: expected one of gp2, gp3, io1, st1, sc1, standard, which the machine controller supports, found "io2"',
    ],
    [
      'a data volume of such a type',
      { dataVolumes: [{ name: 'a', size: '7Gi', type: 'ssd' }] },
      'spec.pools[0].dataVolumes[0].type: expected one of gp2,',
    ],
    [
      'a root volume of no size',
      { volume: { size: '0Gi', type: 'gp3' } },
      'spec.pools[0].volume.size: expected at least 1Gi, found "0Gi"',
    ],
    [
      'a data volume of less than one GiB',
      { dataVolumes: [{ name: 'a', size: '0.5Gi', type: 'gp3' }] },
      'spec.pools[0].dataVolumes[0].size: expected at least 1Gi, found "0.5Gi"',
    ],
    [
      'a reservation by preference and id',
      config({
        capacityReservation: {
          capacityReservationPreference: 'capacity-reservations-only',
          capacityReservationId: 'cr-1',
        },
      }),
      'expected none beside an id or a group, which the machine controller refuses, found "capacity-reservations-only"',
    ],
    ['no zones', { zones: [] }, 'spec.pools[0].zones: expected at least one zone, found none'],
    [
      'a range that never ends',
      config({ networkInterfaces: [{ networkCardIndexRange: { from: 0, to: 2_000_000_000 } }] }),
      'expected at most 128 cards',
    ],
    [
      'a quantity that the API server takes for one, and that is none',
      { nodeTemplate: { capacity: { cpu: '1e1.5' } } },
      'found "1e1.5" (worker pool "a", spec.pools[0].nodeTemplate). Correct the quantity',
    ],
    [
      'a quantity that is none',
      config({ nodeTemplate: { capacity: { cpu: 'many' } } }),
      'expected a quantity such as 500m or 20Gi',
    ],
  ])('gets a problem that names the change: %s', (_, fields, message) => {
    const [problem, other] = desiredMachines(
      requestOf({ pools: [poolOf(fields), poolOf({ name: 'b' })] }),
    ).pools
    expect(problem?.kind === 'problem' && problem.error.message).toContain(message)
    expect(problem?.kind === 'problem' && codesOf(problem.error)).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    expect(other?.kind).toBe('classes')
  })

  test('may have no root volume (W1)', () => {
    const { volume: _, ...pool } = poolOf()
    const [problem] = desiredMachines(requestOf({ pools: [pool] })).pools
    expect(problem?.kind === 'problem' && problem.error.message).toBe(
      'the root volume is missing (worker pool "a", spec.pools[0].volume). Set its size and type',
    )
  })
})

test.each<[string, object]>([
  ['an infrastructure without a status', { infrastructureStatus: undefined }],
  ['one with a field too many', { infrastructureStatus: { ...infrastructureStatus, more: 1 } }],
  ['a cloud profile of another form', { cloudProfile: { machineTypes: {} } }],
])('%s is a problem of the whole Worker', (_, fields) => {
  expect(() => desiredMachines(requestOf(fields))).toThrow(
    expect.objectContaining({ codes: ['ERR_CONFIGURATION_PROBLEM'] }),
  )
})

describe('a status that cannot be decoded', () => {
  const providerStatus = { apiVersion, kind: 'WorkerStatus', more: 1 }

  test('is overwritten if the cloud profile has all images', () => {
    const malformed = desiredMachines(requestOf({ providerStatus }))
    const { providerStatus: written } = desiredMachines(requestOf({ providerStatus: undefined }))
    expect(malformed.providerStatus).toEqual(written)
    expect(malformed.pools.map(({ kind }) => kind)).toEqual(['classes'])
  })

  test('is a problem only of the pool that needs its image', () => {
    const machineImage = { name: 'gone', version: '1.0.0' }
    const pools = [poolOf({ machineImage }), poolOf({ name: 'b' })]
    const [problem, other] = desiredMachines(requestOf({ providerStatus, pools })).pools
    expect(problem?.kind === 'problem' && problem.error.message).toMatch(
      /^could not decode WorkerStatus: .*\(status.providerStatus\)\. Correct it: /,
    )
    expect(problem?.kind === 'problem' && codesOf(problem.error)).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    expect(other?.kind).toBe('classes')
  })
})
