import { createHash } from 'node:crypto'
import type { Image } from '../rows/compute.ts'
import type { ImageToAdd } from './image-to-add.ts'

interface Family {
  readonly name: (architecture: string) => string
  readonly description: string
  readonly ownerId: string
  readonly ownerAlias?: string
  readonly rootDeviceName: string
  readonly rootSize: number
  /** If true, arm64 images have no boot mode. Gardener's bastion suite needs such images. */
  readonly hasNoBootModeOnArm?: boolean
}

const ubuntu = (version: string, codename: string): Family => ({
  name: arch => `ubuntu/images/hvm-ssd-gp3/ubuntu-${codename}-${version}-${arch}-server-20260101`,
  description: `Canonical, Ubuntu, ${version}`,
  ownerId: '099720109477',
  rootDeviceName: '/dev/sda1',
  rootSize: 8,
})

/** Public images. The publishers are real, the builds are not. */
const families: readonly Family[] = [
  {
    name: arch => `al2023-ami-2023.10.20260101.0-kernel-6.12-${arch === 'amd64' ? 'x86_64' : arch}`,
    description: 'Amazon Linux 2023 AMI',
    ownerId: '137112412989',
    ownerAlias: 'amazon',
    rootDeviceName: '/dev/xvda',
    rootSize: 8,
  },
  ubuntu('22.04', 'jammy'),
  ubuntu('24.04', 'noble'),
  {
    name: arch => `Flatcar-stable-4230.2.0-hvm${arch === 'arm64' ? '-arm64' : ''}`,
    description: 'Flatcar Container Linux stable 4230.2.0 (HVM)',
    ownerId: '075585003325',
    rootDeviceName: '/dev/xvda',
    rootSize: 9,
  },
  {
    name: arch => `gardenlinux-aws-gardener_prod-${arch}-1877.3`,
    hasNoBootModeOnArm: true,
    description: 'Garden Linux 1877.3',
    ownerId: '131018018270',
    rootDeviceName: '/dev/xvda',
    rootSize: 3,
  },
  {
    name: arch => `suse-sles-15-sp6-v20260101-hvm-ssd-${arch === 'amd64' ? 'x86_64' : arch}`,
    description: 'SUSE Linux Enterprise Server 15 SP6 (HVM, 64-bit, SSD-Backed)',
    ownerId: '013907871322',
    ownerAlias: 'amazon',
    rootDeviceName: '/dev/sda1',
    rootSize: 10,
  },
]

const architectures: readonly (readonly [label: string, Image['architecture']])[] = [
  ['amd64', 'x86_64'],
  ['arm64', 'arm64'],
]

/** An image has a different id in each region, but the same in every account. */
const imageId = (region: string, name: string): string =>
  `ami-0${createHash('sha256').update(`${region} ${name}`).digest('hex').slice(0, 16)}`

export const publicImages = (region: string): readonly ImageToAdd[] =>
  families.flatMap(({ name, hasNoBootModeOnArm, ...family }) =>
    architectures.map(([label, architecture]) => ({
      ...family,
      id: imageId(region, name(label)),
      name: name(label),
      architecture,
      isPublic: true,
      ...(hasNoBootModeOnArm && architecture === 'arm64' && { bootMode: null }),
    })),
  )
