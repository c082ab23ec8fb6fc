import type {
  _InstanceType,
  DescribeInstanceTypesRequest,
  DescribeInstanceTypesResult,
  InstanceTypeInfo,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../../service.ts'
import { conditionsOf, type FilterFields, fulfils } from '../../core/describe/filter.ts'
import { pageOf } from '../../core/describe/page.ts'
import { operation } from '../../core/requests/operation.ts'
import type { Ec2Tag } from '../../rows/resource.ts'
import { type InstanceType, instanceTypes } from './type-catalogue.ts'

type TypeRow = InstanceType & { readonly tags: readonly Ec2Tag[] }

const isMetal = ({ name }: InstanceType): boolean => name.endsWith('.metal')

const view = (row: InstanceType): InstanceTypeInfo => ({
  InstanceType: row.name as _InstanceType,
  CurrentGeneration: true,
  FreeTierEligible: row.name === 't3.micro',
  SupportedUsageClasses: ['on-demand', 'spot'],
  SupportedRootDeviceTypes: ['ebs'],
  SupportedVirtualizationTypes: ['hvm'],
  BareMetal: isMetal(row),
  ...(isMetal(row) ? {} : { Hypervisor: 'nitro' }),
  ProcessorInfo: { SupportedArchitectures: [row.architecture], SustainedClockSpeedInGhz: 2.5 },
  VCpuInfo: {
    DefaultVCpus: row.vcpus,
    DefaultCores: row.vcpus / row.threadsPerCore,
    DefaultThreadsPerCore: row.threadsPerCore,
    ValidThreadsPerCore: row.threadsPerCore === 2 ? [1, 2] : [1],
  },
  MemoryInfo: { SizeInMiB: row.memoryMiB },
  InstanceStorageSupported: false,
  EbsInfo: { EbsOptimizedSupport: 'default', EncryptionSupport: 'supported', NvmeSupport: 'required' },
  NetworkInfo: {
    MaximumNetworkInterfaces: row.interfaces,
    MaximumNetworkCards: row.networkCards,
    DefaultNetworkCardIndex: 0,
    Ipv4AddressesPerInterface: row.addressesPerInterface,
    Ipv6AddressesPerInterface: row.addressesPerInterface,
    Ipv6Supported: true,
    EnaSupport: 'required',
    EfaSupported: row.efa,
  },
  ...(row.gpus > 0 ? { GpuInfo: { Gpus: [{ Count: row.gpus, Manufacturer: 'NVIDIA' }] } } : {}),
  PlacementGroupInfo: { SupportedStrategies: ['cluster', 'partition', 'spread'] },
  BurstablePerformanceSupported: row.burstable,
  DedicatedHostsSupported: !row.burstable,
  HibernationSupported: false,
  AutoRecoverySupported: true,
})

const fields: FilterFields<TypeRow> = {
  'bare-metal': isMetal,
  'burstable-performance-supported': row => row.burstable,
  'current-generation': () => true,
  hypervisor: row => (isMetal(row) ? undefined : 'nitro'),
  'instance-type': row => row.name,
  'memory-info.size-in-mib': row => row.memoryMiB,
  'network-info.efa-supported': row => row.efa,
  'network-info.maximum-network-interfaces': row => row.interfaces,
  'processor-info.supported-architecture': row => row.architecture,
  'supported-usage-class': () => ['on-demand', 'spot'],
  'vcpu-info.default-vcpus': row => row.vcpus,
}

const rows: readonly TypeRow[] = instanceTypes.map(row => ({ ...row, tags: [] }))

const order = (_: unknown, index: number): number => index

export const instanceTypeOperations = {
  DescribeInstanceTypes: operation<DescribeInstanceTypesRequest, DescribeInstanceTypesResult>(
    { InstanceTypes: true, Filters: true, MaxResults: true, NextToken: true },
    input => {
      const names: readonly string[] = input.InstanceTypes ?? []
      const missing = names.filter(name => !rows.some(row => row.name === name))
      if (missing.length > 0) {
        throw refuse(
          'InvalidInstanceType',
          `The following supplied instance types do not exist: [${missing.join(', ')}]`,
        )
      }
      const conditions = conditionsOf(input.Filters, fields)
      const found = rows
        .filter(({ name }) => names.length === 0 || names.includes(name))
        .filter(row => fulfils(row, conditions, fields))
      const { items, next } = pageOf(found, order, input, { most: 100 })
      return { InstanceTypes: items.map(view), NextToken: next }
    },
  ),
}
