import type { Format } from '../../../shared/decode/form-problems.ts'

export { type Format, formProblems } from '../../../shared/decode/form-problems.ts'

const id = (what: string, prefix: string): Format => ({
  what: `${what} (such as ${prefix}-0123456789abcdef0)`,
  pattern: new RegExp(`^${prefix}-[a-z0-9]+$`),
  most: 255,
})

/** The formats of values of AWS (docs/contract/provider-aws.md#formats). */
export const formats = {
  accessKeyId: {
    what: 'the id of an access key: capital letters and digits',
    pattern: /^[A-Z0-9]+$/,
    least: 20,
    most: 20,
  },
  secretAccessKey: {
    what: 'the secret of an access key: letters, digits and / + =',
    pattern: /^[A-Za-z0-9/+=]+$/,
    least: 40,
    most: 40,
  },
  role: {
    what: 'the ARN of a role (such as arn:aws:iam::123456789012:role/gardener)',
    pattern: /^arn:aws[a-z0-9-]*:iam::\d{12}:role(\/[\w+=,.@-]+)*\/[\w+=,.@-]+$/,
    most: 2_048,
  },
  instanceProfileName: {
    what: 'the name of an instance profile (letters, digits and _ + = , . @ -)',
    pattern: /^[\w+=,.@-]+$/,
    most: 128,
  },
  instanceProfileArn: {
    what: 'the ARN of an instance profile (such as arn:aws:iam::123456789012:instance-profile/nodes)',
    pattern: /^arn:[\w +=,.@\-/:]+$/,
    most: 255,
  },
  capacityReservation: id('the id of a capacity reservation', 'cr'),
  resourceGroupArn: {
    what: 'the ARN of a resource group (such as arn:aws:resource-groups:eu-west-1:123456789012:group/a)',
    pattern: /^arn:[\w-]+:resource-groups:[\w+=,.@\-/:]+$/,
    most: 255,
  },
  ingressClass: {
    what: 'the name of an ingress class: lower-case letters, digits, - and .',
    pattern: /^[a-z0-9.-]+$/,
    most: 253,
  },
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
  /** RFC 1123, as in Kubernetes. */
  subdomain: {
    what: 'the name of a service of AWS (such as s3): lower-case letters, digits, - and .',
    pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
    most: 253,
  },
} as const satisfies Readonly<Record<string, Format>>
