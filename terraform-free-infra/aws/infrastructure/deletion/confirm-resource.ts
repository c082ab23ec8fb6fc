import { DescribeTagsCommand } from '@aws-sdk/client-ec2'
import { DescribeMountTargetsCommand } from '@aws-sdk/client-efs'
import type { Confirm } from '../../../engine/engine.ts'
import { markTag } from '../../account/tags/mark-tag.ts'
import type { AwsCloud } from '../cloud.ts'
import type { MarkUids } from '../tags.ts'
import { ifFound } from '../with-error-codes.ts'

/**
 * Reads the mark of a surplus resource by its id, because a list may show what is not there. The state proves the
 * others, except mount targets, which carry no tags.
 */
export const confirmResource =
  ({ uid, otherUids }: MarkUids): Confirm<AwsCloud> =>
  async ({ cloud, signal: abortSignal }, { id, mark }) => {
    if (id.startsWith('fsmt-')) {
      const command = new DescribeMountTargetsCommand({ MountTargetId: id })
      const answer = await ifFound(cloud.efs.send(command, { abortSignal }))
      return (answer?.MountTargets ?? []).length > 0
    }
    if (mark === undefined) return true
    const Filters = [
      { Name: 'resource-id', Values: [mark] },
      { Name: 'key', Values: [markTag] },
      { Name: 'value', Values: [uid, ...otherUids] },
    ]
    const { Tags = [] } = await cloud.ec2.send(new DescribeTagsCommand({ Filters }), { abortSignal })
    return Tags.length > 0
  }
