import fc from 'fast-check'
import {
  amdImage,
  bastionOf,
  clusterOf,
  namespace,
  userData,
} from '../../../../functions/aws/bastion/testing/objects.ts'
import { addImage, addNetwork } from '../../../../sandbox/providers/aws/simulator/aws.ts'
import { kinds } from '../../../../shared/contract/kinds.ts'
import { absent, arbitraryOf, schemaOf } from '../space/arbitrary-of.ts'
import { rarely } from '../space/rarely.ts'
import { refusedCalls, withoutKey } from '../space/troubles.ts'
import type { Configuration, WalkSpace } from '../space/walk-space.ts'
import { preparedAccount } from '../world/prepared-account.ts'

const region = 'eu-west-1'
const cidrs = ['203.0.113.7/32', '198.51.100.0/24', '192.0.2.128/25', '2001:db8:7::/48', '2001:db8:8::1/128']

const spec = arbitraryOf(schemaOf(kinds.Bastion.schema.shape.spec), {
  type: fc.constant('aws'),
  class: absent,
  providerConfig: absent,
  userData: fc.constant(userData),
  ingress: rarely<readonly { readonly ipBlock: { readonly cidr: string } }[]>(
    fc.subarray(cidrs, { minLength: 1 }).map(some => some.map(cidr => ({ ipBlock: { cidr } }))),
    [{ ipBlock: { cidr: 'everywhere' } }],
  ),
})

export const awsBastion: WalkSpace = {
  name: 'aws/bastion',
  load: async () => {
    const { account } = await preparedAccount(aws => {
      addImage(aws.account(), region, { id: amdImage, name: 'gardenlinux', architecture: 'x86_64' })
      addNetwork(aws.account(), region, {
        name: namespace,
        cidr: '10.250.0.0/16',
        subnet: { name: `${namespace}-public-utility-z0`, cidr: '10.250.96.0/22' },
        group: { name: `${namespace}-nodes`, description: 'Security group for nodes' },
      })
    })
    return {
      definition: (await import('../../../../functions/aws/bastion/function.ts')).definition,
      shoots: fc.constant(fc.record({ spec }) as fc.Arbitrary<Configuration>),
      account,
      objects: configuration => {
        const { metadata, ...bastion } = bastionOf()
        return [
          clusterOf(),
          {
            apiVersion: 'v1',
            kind: 'Secret',
            metadata: { name: 'cloudprovider', namespace },
            data: {
              accessKeyID: btoa('AKIAEXAMPLE000000001'),
              secretAccessKey: btoa('not-a-real-secret-access-key'),
            },
          },
          { ...bastion, metadata: { name: metadata.name, namespace }, spec: configuration.spec },
        ]
      },
      troubles: {
        'a Secret without a key': { objects: withoutKey('cloudprovider', 'accessKeyID') },
        'no more machines': { cloud: refusedCalls('ec2', 'RunInstances', 'InstanceLimitExceeded') },
        'no permission for rules': { cloud: refusedCalls('ec2', 'Authorize*', 'UnauthorizedOperation', 403) },
        'no permission to revoke': { cloud: refusedCalls('ec2', 'Revoke*', 'UnauthorizedOperation', 403) },
      },
    }
  },
}
