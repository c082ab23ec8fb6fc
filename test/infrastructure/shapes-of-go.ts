import * as z from 'zod'
import { withoutMemory } from '../../terraform-free-infra/engine/engine.ts'

// The schemas of Gardener's Go extension. Its Worker and ControlPlane decode strictly: an unknown field is an error.
const apiVersion = z.literal('aws.provider.extensions.gardener.cloud/v1alpha1')
const id = (prefix: string) => z.string().regex(new RegExp(`^${prefix}-[0-9a-f]{8,17}$`))
const purposeNodes = z.literal('nodes')

/** `status.providerStatus`. */
export const infrastructureStatus = z.strictObject({
  apiVersion,
  kind: z.literal('InfrastructureStatus'),
  ec2: z.strictObject({ keyName: z.string() }),
  iam: z.strictObject({
    instanceProfiles: z.array(z.strictObject({ purpose: purposeNodes, name: z.string() })).nullable(),
    roles: z
      .array(z.strictObject({ purpose: purposeNodes, arn: z.string().startsWith('arn:aws:iam::') }))
      .nullable(),
  }),
  vpc: z.strictObject({
    id: id('vpc'),
    subnets: z
      .array(
        z.strictObject({
          purpose: z.enum(['nodes', 'public', 'internal']),
          id: id('subnet'),
          zone: z.string().startsWith('eu-west-1'),
        }),
      )
      .nullable(),
    securityGroups: z.array(z.strictObject({ purpose: purposeNodes, id: id('sg') })).nullable(),
  }),
  elasticFileSystem: z.strictObject({ ID: z.union([z.literal(''), id('fs')]) }),
})

const cidr = z.string().regex(/^[0-9a-f.:]+\/\d{1,3}$/)
const subnetKinds = ['SubnetWorkers', 'SubnetPublicUtility', 'SubnetPrivateUtility']

/** The keys that the Go extension ignores and does not change. */
const ownKeys: readonly string[] = ['CreatedFor', 'AccountID']

/** Schemas by the last part of a state key. */
const values: Readonly<Record<string, z.ZodType<string>>> = {
  VPC: id('vpc'),
  DHCPOptions: id('dopt'),
  DefaultSecurityGroup: id('sg'),
  InternetGateway: id('igw'),
  EgressOnlyInternetGateway: id('eigw'),
  MainRouteTable: id('rtb'),
  NodesSecurityGroup: id('sg'),
  VPCIPv6CidrBlock: cidr,
  ServiceCIDR: cidr,
  EgressCIDRs: z.string().regex(/^\d+\.\d+\.\d+\.\d+\/32(,\d+\.\d+\.\d+\.\d+\/32)*$/),
  IAMRoleName: z.literal('shoot--foo--bar-nodes'),
  IAMRoleARN: z.string().startsWith('arn:aws:iam::'),
  IAMInstanceProfileName: z.literal('shoot--foo--bar-nodes'),
  IAMRolePolicyName: z.literal('shoot--foo--bar-nodes'),
  KeyPair: z.literal('shoot--foo--bar-ssh-publickey'),
  KeyPairFingerprint: z.string().min(1),
  KeyPairSpecFingerprint: z.string().regex(/^[0-9a-f]{32}$/),
  efsSystemID: id('fs'),
}
const zoneValues: Readonly<Record<string, z.ZodType<string>>> = {
  Suffix: z.string().regex(/^z\d+$/),
  NATGateway: id('nat'),
  NATGatewayElasticIP: id('eipalloc'),
  ZoneRouteTable: id('rtb'),
  SubnetPublicRouteTableAssoc: id('rtbassoc'),
  SubnetPrivateRouteTableAssoc: id('rtbassoc'),
  SubnetWorkersRouteTableAssoc: id('rtbassoc'),
  ...Object.fromEntries(
    subnetKinds.flatMap(kind => [
      [kind, id('subnet')],
      [`${kind}CIDR`, cidr],
      [`${kind}IPv6CIDR`, cidr],
    ]),
  ),
}

const schemaOf = (key: string): z.ZodType<string> | undefined => {
  if (/^VPCEndpoints\/[a-z0-9.-]+$/.test(key)) return id('vpce')
  if (/^efsMountTargets\/fs-[0-9a-f]+_subnet-[0-9a-f]+_sg-[0-9a-f]+$/.test(key)) return id('fsmt')
  const zone = /^Zones\/eu-west-1[a-c]\/(\w+)$/.exec(key)
  return zone ? zoneValues[zone[1] ?? ''] : values[key]
}

/** `status.state`, flat, with the keys and value types that the Go extension reads. */
export const infrastructureState = z.strictObject({
  apiVersion,
  kind: z.literal('InfrastructureState'),
  data: z.record(z.string(), z.string()).superRefine((data, { addIssue }) => {
    for (const [key, value] of Object.entries(withoutMemory(data))) {
      if (ownKeys.includes(key)) continue
      const schema = schemaOf(key)
      if (schema === undefined) addIssue({ code: 'custom', message: `the Go extension knows no ${key}` })
      else if (!schema.safeParse(value).success) addIssue({ code: 'custom', message: `${key}: ${value}` })
    }
  }),
})
