import * as z from 'zod'
import { MachineCloudError } from '../../../../machine-controller/machine-controller.ts'

const volumeTypes = ['gp2', 'gp3', 'io1', 'st1', 'sc1', 'standard']

const optional = <T extends z.ZodType>(type: T) => type.nullish().transform(value => value ?? undefined)
const text = optional(z.string())
const count = optional(z.int())

/** The fields of an AWS MachineClass's `providerSpec` that are used to create a machine. */
const providerSpec = z.object({
  ami: z.string(),
  region: z.string(),
  machineType: z.string(),
  keyName: text,
  srcAndDstChecksEnabled: optional(z.boolean()),
  iam: optional(z.object({ name: text, arn: text })),
  tags: z.record(z.string(), z.string()).default({}),
  networkInterfaces: z
    .array(
      z.object({
        subnetID: text,
        securityGroupIDs: z.array(z.string()).default([]),
        deviceIndex: count,
        networkCardIndex: count,
        interfaceType: text,
        associatePublicIPAddress: optional(z.boolean()),
        deleteOnTermination: optional(z.boolean()),
        description: text,
        ipv6AddressCount: count,
        ipv6PrefixCount: count,
      }),
    )
    .default([]),
  blockDevices: z
    .array(
      z.object({
        deviceName: text,
        ebs: z.object({
          volumeSize: count,
          volumeType: text,
          encrypted: optional(z.boolean()),
          deleteOnTermination: optional(z.boolean()),
          iops: count,
          throughput: count,
          snapshotID: text,
        }),
      }),
    )
    .default([]),
  instanceMetadataOptions: optional(
    z.object({
      httpEndpoint: text,
      httpTokens: text,
      httpPutResponseHopLimit: count,
      httpProtocolIpv6: text,
    }),
  ),
  cpuOptions: optional(z.object({ coreCount: count, threadsPerCore: count, amdSevSnp: text })),
  capacityReservation: optional(
    z.object({
      capacityReservationPreference: text,
      capacityReservationId: text,
      capacityReservationResourceGroupArn: text,
    }),
  ),
  instanceMarketOptions: optional(z.object({ marketType: text })),
  placement: optional(
    z.object({ groupId: text, tenancy: text, hostId: text, partitionNumber: count, affinity: text }),
  ),
})
export type ProviderSpec = z.output<typeof providerSpec>

const required = (field: string, text: string): string => `providerSpec.${field}: Required value: ${text}`

/**
 * Returns the problems that the driver of the machine-controller-manager refuses, in its words (its
 * `ValidateAWSProviderSpec`).
 */
const problemsOf = (spec: ProviderSpec): readonly string[] => {
  const { capacityReservationPreference: preference, ...target } = spec.capacityReservation ?? {}
  const keys = Object.keys(spec.tags)
  return [
    ...spec.blockDevices.flatMap(({ ebs }, index) => [
      ...(volumeTypes.includes(ebs.volumeType ?? '')
        ? []
        : [
            required(
              `blockDevices[${index}].ebs.volumeType`,
              `Please mention a valid EBS volume type: [${volumeTypes.join(' ')}]`,
            ),
          ]),
      ...((ebs.volumeSize ?? 0) > 0
        ? []
        : [required(`blockDevices[${index}].ebs.volumeSize`, 'Please mention a valid EBS volume size')]),
      ...(ebs.volumeType === 'io1' && !ebs.iops
        ? [required(`blockDevices[${index}].ebs.iops`, 'Please mention a valid EBS volume iops')]
        : []),
    ]),
    ...(preference && Object.values(target).some(value => value !== undefined)
      ? [
          required(
            'capacityReservation',
            'CapacityReservationPreference cannot be set when also providing a CapacityReservationID or CapacityReservationResourceGroupArn',
          ),
        ]
      : []),
    ...(spec.networkInterfaces.length > 0
      ? []
      : [required('networkInterfaces', 'Mention at least one NetworkInterface')]),
    ...['kubernetes.io/cluster/', 'kubernetes.io/role/']
      .filter(prefix => !keys.some(key => key.includes(prefix)))
      .map(prefix => required('tags', `Tag required of the form ${prefix}****`)),
  ]
}

/** @throws MachineCloudError InvalidArgument */
export const readProviderSpec = (value: unknown): ProviderSpec => {
  const parsed = providerSpec.safeParse(value)
  if (!parsed.success)
    throw new MachineCloudError(
      'InvalidArgument',
      `error while decoding ProviderSpec ${z.prettifyError(parsed.error)}`,
    )
  const problems = problemsOf(parsed.data)
  if (problems.length === 0) return parsed.data
  const text = problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`
  throw new MachineCloudError('InvalidArgument', `error while validating ProviderSpec ${text}`)
}
