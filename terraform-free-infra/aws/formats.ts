import { type Problem, shown } from '../../shared/contract/problems.ts'

/** How a value of AWS is written (docs/contract/provider-aws.md#formats). */
export interface Format {
  /** `the id of a VPC (vpc-0123456789abcdef0)` */
  readonly what: string
  readonly pattern: RegExp
  readonly most: number
}

const id = (what: string, prefix: string): Format => ({
  what: `${what} (such as ${prefix}-0123456789abcdef0)`,
  pattern: new RegExp(`^${prefix}-[a-z0-9]+$`),
  most: 255,
})

export const formats = {
  vpc: id('the id of a VPC', 'vpc'),
  subnet: id('the id of a subnet', 'subnet'),
  securityGroup: id('the id of a security group', 'sg'),
  snapshot: id('the id of a snapshot', 'snap'),
  allocation: id('the allocation id of an elastic IP address', 'eipalloc'),
  zone: { what: 'the name of an availability zone (such as eu-west-1a)', pattern: /^[a-z0-9-]+$/, most: 255 },
  region: { what: 'the name of a region (such as eu-west-1)', pattern: /^[a-z-]+-\d+$/, most: 32 },
  tagKey: {
    what: 'the key of a tag (letters, digits, spaces and _ + - = . : / @)',
    pattern: /^[\w +\-=.:/@]+$/,
    most: 128,
  },
  /** RFC 1123, as Kubernetes reads it. */
  subdomain: {
    what: 'the name of a service of AWS (such as s3): lower-case letters, digits, - and .',
    pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
    most: 253,
  },
} as const satisfies Readonly<Record<string, Format>>

/** What is wrong with the form of a value; nothing is wrong with one that is not there. */
export const formProblems = (
  path: string,
  value: string | undefined,
  { what, pattern, most }: Format,
): readonly Problem[] => {
  if (value === undefined) return []
  if (value === '') return [{ path, message: `expected ${what}, found an empty string` }]
  if (value.length > most) {
    return [
      { path, message: `expected ${what} of at most ${most} characters, found ${value.length} characters` },
    ]
  }
  return pattern.test(value) ? [] : [{ path, message: `expected ${what}, found ${shown(value)}` }]
}
