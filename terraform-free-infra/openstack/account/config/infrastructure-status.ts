import * as z from 'zod'
import { head, list, optional, text } from './fields.ts'

/**
 * `spec.infrastructureProviderStatus` of a Worker or a ControlPlane: the status of an Infrastructure
 * (docs/contract/provider-openstack.md#infrastructurestatus), with empty texts and lists for absent fields.
 */
export const infrastructureStatusSchema = z.strictObject({
  ...head('InfrastructureStatus'),
  networks: z
    .strictObject({
      id: text,
      name: text,
      floatingPool: z
        .strictObject({ id: text, name: text })
        .nullish()
        .transform(value => value ?? { id: '', name: '' }),
      router: z
        .strictObject({ id: text, ip: text, externalFixedIP: list(z.string()) })
        .nullish()
        .transform(value => value ?? { id: '', ip: '', externalFixedIP: [] }),
      /** `purpose`: `nodes`, `nodes-ipv6`, `pods`, `services`. */
      subnets: list(z.strictObject({ purpose: text, id: text, cidr: text })),
      shareNetwork: optional(z.strictObject({ id: text, name: text })),
    })
    .nullish()
    .transform(
      value =>
        value ?? {
          id: '',
          name: '',
          floatingPool: { id: '', name: '' },
          router: { id: '', ip: '', externalFixedIP: [] },
          subnets: [],
        },
    ),
  node: z
    .strictObject({ keyName: text })
    .nullish()
    .transform(value => value ?? { keyName: '' }),
  securityGroups: list(z.strictObject({ purpose: text, id: text, name: text })),
})
export type InfrastructureStatus = Readonly<z.output<typeof infrastructureStatusSchema>>
