import {
  DescribeImagesCommand,
  DescribeInstancesCommand,
  DescribeNatGatewaysCommand,
  DescribeTagsCommand,
  EC2Client,
} from '@aws-sdk/client-ec2'
import {
  CreateHostedZoneCommand,
  DeleteHostedZoneCommand,
  ListResourceRecordSetsCommand,
  Route53Client,
} from '@aws-sdk/client-route-53'
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3'
import type { GardenShoot, Landscape } from '../../sandbox/gardenlet/gardenlet.ts'
import { landscape, wholeShoot } from '../../sandbox/providers/aws/demo/whole-shoot.ts'
import type { LifeAccount } from './life-account.ts'

/**
 * Prepares an account by the credentials of the environment (`AWS_PROFILE`). Everything has the name of the run or the
 * tag `kubernetes.io/cluster/shoot--e2e--<run>`.
 */
export const openRealAccount = async (run: string, region: string): Promise<LifeAccount> => {
  const ec2 = new EC2Client({ region })
  const { accessKeyId, secretAccessKey, sessionToken } = await ec2.config.credentials()
  if (sessionToken !== undefined)
    throw new Error(
      'the profile has a session token, which Secrets of Gardener cannot carry; use a key of an IAM user',
    )
  const credentials = { accessKeyID: accessKeyId, secretAccessKey }
  const zone = `${region}a`
  const { Images = [] } = await ec2.send(
    new DescribeImagesCommand({
      Owners: ['amazon'],
      Filters: [
        { Name: 'name', Values: ['al2023-ami-2023.*-x86_64'] },
        { Name: 'state', Values: ['available'] },
      ],
    }),
  )
  const [image] = Images.toSorted((a, b) => String(b.CreationDate).localeCompare(String(a.CreationDate)))
  if (image?.ImageId === undefined) throw new Error(`${region} has no image of Amazon Linux for a bastion`)
  const route53 = new Route53Client({ region })
  const domain = `${run}.trellis.internal`
  const { HostedZone } = await route53.send(
    new CreateHostedZoneCommand({ Name: domain, CallerReference: run }),
  )
  const s3 = new S3Client({ region })
  const technicalID = `shoot--e2e--${run}`
  const tag = `kubernetes.io/cluster/${technicalID}`
  const given = structuredClone({ shoot: wholeShoot, profile: landscape.cloudProfile })
  // Region, zone and image of the sandbox stand at many places.
  const replaced = JSON.parse(
    JSON.stringify(given)
      .replaceAll('eu-west-1a', zone)
      .replaceAll('eu-west-1', region)
      .replaceAll('ami-009357e51d0a076d6', image.ImageId),
  ) as { readonly shoot: GardenShoot; readonly profile: Landscape['cloudProfile'] }
  return {
    port: undefined,
    shoot: {
      metadata: { name: run, namespace: 'garden-e2e', uid: crypto.randomUUID() },
      spec: { ...replaced.shoot.spec, dns: { domain } },
      status: { technicalID, isHibernated: false },
    },
    landscape: {
      ...landscape,
      cloudProfile: replaced.profile,
      credentials,
      dns: { ...landscape.dns, internalDomain: `internal.${domain}`, credentials },
    },
    seed: {
      name: 'kind',
      address: '192.0.2.1',
      backup: { type: 'aws', region, bucketName: `trellis-${run}`, credentials },
    },
    contents: async () => {
      const { Tags = [] } = await ec2.send(
        new DescribeTagsCommand({ Filters: [{ Name: 'key', Values: [tag] }] }),
      )
      const Filters = [{ Name: 'tag-key', Values: [tag] }]
      // Both remain visible with their tags for about an hour (documents of EC2 and VPC).
      const ended = (Name: string, Value: string) => ({ Filter: [...Filters, { Name, Values: [Value] }] })
      const { NatGateways = [] } = await ec2.send(new DescribeNatGatewaysCommand(ended('state', 'deleted')))
      const { Reservations = [] } = await ec2.send(
        new DescribeInstancesCommand({ Filters: ended('instance-state-name', 'terminated').Filter }),
      )
      const gone = new Set([
        ...NatGateways.map(({ NatGatewayId }) => NatGatewayId),
        ...Reservations.flatMap(({ Instances = [] }) => Instances).map(({ InstanceId }) => InstanceId),
      ])
      const { Buckets = [] } = await s3.send(new ListBucketsCommand({ Prefix: `trellis-${run}` }))
      const { ResourceRecordSets = [] } = await route53.send(
        new ListResourceRecordSetsCommand({ HostedZoneId: HostedZone?.Id }),
      )
      return [
        ...Tags.filter(({ ResourceId }) => !gone.has(ResourceId)).map(
          ({ ResourceType, ResourceId }) => `${ResourceType} ${ResourceId}`,
        ),
        ...Buckets.map(({ Name }) => `bucket ${Name}`),
        ...ResourceRecordSets.map(({ Name, Type }) => `record ${Type} ${Name}`),
      ].toSorted()
    },
    close: async () => {
      await route53.send(new DeleteHostedZoneCommand({ Id: HostedZone?.Id }))
    },
  }
}
