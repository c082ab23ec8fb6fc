import type { Image } from '../../rows/compute.ts'

/** The properties of an instance type. */
export interface InstanceType {
  readonly name: string
  readonly vcpus: number
  readonly memoryMiB: number
  readonly architecture: Image['architecture']
  readonly threadsPerCore: 1 | 2
  readonly interfaces: number
  readonly addressesPerInterface: number
  readonly networkCards: number
  readonly efa: boolean
  readonly burstable: boolean
  readonly gpus: number
}

const type = (
  name: string,
  vcpus: number,
  memoryGiB: number,
  [interfaces, addressesPerInterface]: readonly [number, number],
  more: Partial<InstanceType> = {},
): InstanceType => ({
  name,
  vcpus,
  memoryMiB: memoryGiB * 1024,
  architecture: 'x86_64',
  threadsPerCore: more.architecture === 'arm64' ? 1 : 2,
  interfaces,
  addressesPerInterface,
  networkCards: 1,
  efa: false,
  burstable: false,
  gpus: 0,
  ...more,
})

/** Size, vCPUs, interfaces, and addresses per interface ("Maximum IP addresses per network interface"). */
const sizes: readonly (readonly [string, number, number, number])[] = [
  ['large', 2, 3, 10],
  ['xlarge', 4, 4, 15],
  ['2xlarge', 8, 4, 15],
  ['4xlarge', 16, 8, 30],
  ['8xlarge', 32, 8, 30],
  ['12xlarge', 48, 8, 30],
  ['16xlarge', 64, 15, 50],
  ['24xlarge', 96, 15, 50],
]

const family = (name: string, memoryPerVcpu: number, arm = false): readonly InstanceType[] =>
  sizes
    .filter(([size]) => !(arm && size === '24xlarge'))
    .map(([size, vcpus, interfaces, addresses]) =>
      type(`${name}.${size}`, vcpus, vcpus * memoryPerVcpu, [interfaces, addresses], {
        ...(arm ? { architecture: 'arm64' } : {}),
        efa: size === '24xlarge' || (arm && size === '16xlarge'),
      }),
    )

const burstable = (name: string, arm = false): readonly InstanceType[] =>
  (
    [
      ['nano', 2, 0.5, 2, 2],
      ['micro', 2, 1, 2, 2],
      ['small', 2, 2, 3, 4],
      ['medium', 2, 4, 3, 6],
      ['large', 2, 8, 3, 12],
      ['xlarge', 4, 16, 4, 15],
      ['2xlarge', 8, 32, 4, 15],
    ] as const
  ).map(([size, vcpus, memory, interfaces, addresses]) =>
    type(`${name}.${size}`, vcpus, memory, [interfaces, addresses], {
      burstable: true,
      ...(arm ? { architecture: 'arm64' } : {}),
    }),
  )

/** Source: "Amazon EC2 instance types". */
export const instanceTypes: readonly InstanceType[] = [
  ...burstable('t3'),
  ...burstable('t3a'),
  ...burstable('t4g', true),
  ...['m5', 'm5a', 'm6i', 'm6a', 'm7i'].flatMap(name => family(name, 4)),
  ...['m6g', 'm7g'].flatMap(name => family(name, 4, true)),
  ...['c5', 'c6i', 'c6a', 'c7i'].flatMap(name => family(name, 2)),
  ...['c6g', 'c7g'].flatMap(name => family(name, 2, true)),
  ...['r5', 'r6i', 'r6a', 'r7i'].flatMap(name => family(name, 8)),
  ...['r6g', 'r7g'].flatMap(name => family(name, 8, true)),
  type('m5.metal', 96, 384, [15, 50]),
  type('g4dn.xlarge', 4, 16, [3, 10], { gpus: 1 }),
  type('g4dn.2xlarge', 8, 32, [3, 10], { gpus: 1 }),
  type('p3.2xlarge', 8, 61, [4, 15], { gpus: 1 }),
  type('p4d.24xlarge', 96, 1152, [60, 50], { gpus: 8, networkCards: 4, efa: true }),
  type('p5.48xlarge', 192, 2048, [64, 50], { gpus: 8, networkCards: 32, efa: true }),
]

const byName: ReadonlyMap<string, InstanceType> = new Map(instanceTypes.map(entry => [entry.name, entry]))

export const instanceTypeOf = (name: string): InstanceType | undefined => byName.get(name)
