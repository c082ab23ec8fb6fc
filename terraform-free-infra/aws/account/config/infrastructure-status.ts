import * as z from 'zod'
import { head, list, text } from './fields.ts'

const empty = { ec2: { keyName: '' }, iam: { instanceProfiles: [], roles: [] } }

/**
 * `spec.infrastructureProviderStatus` of a Worker or a ControlPlane: the status of an Infrastructure
 * (docs/contract/provider-aws.md#infrastructurestatus), with empty texts and lists for absent fields.
 */
export const infrastructureStatusSchema = z.strictObject({
  ...head('InfrastructureStatus'),
  ec2: z
    .strictObject({ keyName: text })
    .nullish()
    .transform(value => value ?? empty.ec2),
  iam: z
    .strictObject({
      instanceProfiles: list(z.strictObject({ purpose: text, name: text })),
      roles: list(z.strictObject({ purpose: text, arn: text })),
    })
    .nullish()
    .transform(value => value ?? empty.iam),
  vpc: z
    .strictObject({
      id: text,
      subnets: list(z.strictObject({ purpose: text, id: text, zone: text })),
      securityGroups: list(z.strictObject({ purpose: text, id: text })),
    })
    .nullish()
    .transform(value => value ?? { id: '', subnets: [], securityGroups: [] }),
  elasticFileSystem: z.strictObject({ ID: text }).nullish(),
})
