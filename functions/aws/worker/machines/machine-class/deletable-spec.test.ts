import { expect, test } from 'vitest'
import { deletableSpec } from './deletable-spec.ts'

const spec = {
  ami: 'ami-1',
  region: 'eu-west-1',
  machineType: 'm5.large',
  iam: { name: 'nodes' },
  tags: { 'kubernetes.io/cluster/a': '1', 'kubernetes.io/role/node': '1' },
  networkInterfaces: [{ subnetID: 'subnet-a', securityGroupIDs: ['sg-a'] }],
  blockDevices: [{ ebs: { volumeSize: 50, volumeType: 'gp3', deleteOnTermination: true } }],
  instanceMetadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 2 },
}
const device = (ebs: object) => ({ blockDevices: [...spec.blockDevices, { deviceName: '/dev/sdf', ebs }] })

test.each<[what: string, fields: object]>([
  ['as Trellis writes it', {}],
  ['without volumes', { blockDevices: undefined }],
  ['with cores that are null', { cpuOptions: { coreCount: null, threadsPerCore: null } }],
  ['with a preference alone', { capacityReservation: { capacityReservationPreference: 'open' } }],
  ['with IOPS of io1', device({ volumeType: 'io1', volumeSize: 10, iops: 100 })],
])('a class %s remains unchanged', (_, fields) => {
  expect(deletableSpec({ ...spec, ...fields })).toBeUndefined()
})

test.each<[what: string, part: string, fields: object]>([
  ['a volume without a type', 'blockDevices', device({ volumeSize: 7 })],
  ['a volume of a type that it does not know', 'blockDevices', device({ volumeType: 'io2', volumeSize: 7 })],
  ['a volume of no size', 'blockDevices', device({ volumeType: 'gp3', volumeSize: 0 })],
  ['a volume of io1 without IOPS', 'blockDevices', device({ volumeType: 'io1', volumeSize: 7 })],
  [
    'a volume without throughput',
    'blockDevices',
    device({ volumeType: 'gp3', volumeSize: 7, throughput: 0 }),
  ],
  [
    'a reservation by preference and id',
    'capacityReservation',
    {
      capacityReservation: {
        capacityReservationPreference: 'capacity-reservations-only',
        capacityReservationId: 'cr-1',
      },
    },
  ],
  [
    'a reservation by id and group',
    'capacityReservation',
    {
      capacityReservation: { capacityReservationId: 'cr-1', capacityReservationResourceGroupArn: 'arn:x' },
    },
  ],
  [
    'more hops than there are',
    'instanceMetadataOptions',
    { instanceMetadataOptions: { httpPutResponseHopLimit: 65 } },
  ],
  ['tokens of another kind', 'instanceMetadataOptions', { instanceMetadataOptions: { httpTokens: 'no' } }],
  ['cores without threads', 'cpuOptions', { cpuOptions: { coreCount: 2, threadsPerCore: null } }],
  ['three threads', 'cpuOptions', { cpuOptions: { coreCount: 2, threadsPerCore: 3 } }],
])(
  'a class with %s loses that part, so that the machine controller can delete the machines',
  (_, part, fields) => {
    const refused: Readonly<Record<string, unknown>> = { ...spec, ...fields }
    const { [part]: __, ...rest } = refused
    expect(deletableSpec(refused)).toEqual(rest)
  },
)
