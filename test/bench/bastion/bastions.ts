import { bastionOf, clusterOf, namespace } from '../../../functions/aws/bastion/testing/objects.ts'
import { addImage, addNetwork } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { labels } from '../../../shared/contract/constants.ts'
import { askedAt } from '../shoot.ts'
import type { StartedKind } from '../start-world.ts'

/** A bastion takes 10 calls to AWS, a record 3. */
export const bastions: StartedKind = {
  kind: 'Bastion',
  bundle: 'dist/bundles/aws-bastion/main.cjs',
  objects: [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace, labels: { [labels.role]: 'shoot' } },
    },
    clusterOf(),
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'cloudprovider', namespace },
      data: { accessKeyID: btoa('AKIABENCH00000000000'), secretAccessKey: btoa('made-up-for-the-benchmark') },
    },
  ],
  prepare: aws => {
    const region = 'eu-west-1'
    addImage(aws.account(), region, { id: 'ami-0aaaaaaaaaaaaaaa1', name: 'bench', architecture: 'x86_64' })
    addNetwork(aws.account(), region, {
      name: namespace,
      cidr: '10.250.0.0/16',
      subnet: { name: `${namespace}-public-utility-z0`, cidr: '10.250.96.0/22' },
      group: { name: `${namespace}-nodes`, description: 'Security group for nodes' },
    })
  },
  objectNumber: index => {
    const { metadata, ...object } = bastionOf()
    const { uid: _, ...named } = metadata
    return { ...object, metadata: { ...named, name: `cli-${index}`, annotations: askedAt(index) } }
  },
}
