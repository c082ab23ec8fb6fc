import { DescribeFileSystemsCommand } from '@aws-sdk/client-efs'
import type { Problem } from '../../../../shared/decode/problems.ts'
import { isTargetOf } from '../storage/efs-reads.ts'
import { ifFound } from '../with-error-codes.ts'
import type { AccountInput } from './account-input.ts'

const path = 'elasticFileSystem.id'

/** Returns the problems of the user's file system. One with recorded mount targets is not read again. */
export const fileSystemProblems = async ({
  cloud,
  signal,
  state,
  desired,
}: AccountInput): Promise<readonly Problem[]> => {
  const id = desired.fileSystem?.id
  if (id === undefined || Object.keys(state).some(key => isTargetOf(key, id))) return []
  const command = new DescribeFileSystemsCommand({ FileSystemId: id })
  const answer = await ifFound(cloud.efs.send(command, { abortSignal: signal }))
  const found = answer?.FileSystems?.find(({ FileSystemId }) => FileSystemId === id)
  if (found === undefined)
    return [
      {
        path,
        message: `expected an EFS file system of the account in ${cloud.region}, found no ${id} there`,
      },
    ]
  const { LifeCycleState = 'available' } = found
  return ['deleting', 'deleted', 'error'].includes(LifeCycleState)
    ? [{ path, message: `expected a usable EFS file system, found ${id} in state ${LifeCycleState}` }]
    : []
}
