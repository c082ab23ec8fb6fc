import { DescribeTagsCommand } from '@aws-sdk/client-ec2'
import { type Ec2Page, ec2Pages } from '../../account/client/all-pages.ts'
import { markTag } from '../../account/tags/mark-tag.ts'
import type { AwsCloud } from '../cloud.ts'
import type { MarkUids } from '../tags.ts'

/** EC2 lists these for an hour after their deletion. While they really exist, their subnets exist, too. */
const listedLong: readonly string[] = ['natgateway', 'vpc-endpoint']

/** Returns the ids of the resources with a mark of the shoot. */
export const markedResources = async (
  cloud: AwsCloud,
  { uid, otherUids }: MarkUids,
  abortSignal: AbortSignal,
): Promise<readonly string[]> => {
  const Filters = [
    { Name: 'key', Values: [markTag] },
    { Name: 'value', Values: [uid, ...otherUids] },
  ]
  const tags = await ec2Pages('Tags', 'ResourceId', (page: Ec2Page) =>
    cloud.ec2.send(new DescribeTagsCommand({ Filters, ...page }), { abortSignal }),
  )
  return tags.flatMap(({ ResourceId, ResourceType = '' }) =>
    ResourceId === undefined || listedLong.includes(ResourceType) ? [] : [ResourceId],
  )
}
