import { DescribeTagsCommand, type TagDescription } from '@aws-sdk/client-ec2'
import { allPages } from '../../account/client/all-pages.ts'
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
  const tags = await allPages(
    ({ ResourceId }: TagDescription) => ResourceId,
    async NextToken => {
      const command = new DescribeTagsCommand({ Filters, ...(NextToken && { NextToken }) })
      const answer = await cloud.ec2.send(command, { abortSignal })
      return { items: answer.Tags, next: answer.NextToken }
    },
  )
  return tags.flatMap(({ ResourceId, ResourceType = '' }) =>
    ResourceId === undefined || listedLong.includes(ResourceType) ? [] : [ResourceId],
  )
}
