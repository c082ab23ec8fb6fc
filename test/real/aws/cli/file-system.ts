import { expect } from 'vitest'
import type { AwsCli } from '../python-client.ts'

/** A file system without mount targets. */
export const fileSystemLife = async ({ json }: AwsCli): Promise<void> => {
  const efs = (command: string, ...args: string[]) => json('efs', command, ...args)
  const make = ['--creation-token', 'cli', '--encrypted', '--tags', 'Key=Name,Value=cli']
  const { FileSystemId, LifeCycleState } = await efs('create-file-system', ...make)
  expect(LifeCycleState).toBe('creating')
  const [{ FileSystems }, { Tags }] = await Promise.all([
    efs('describe-file-systems', '--file-system-id', FileSystemId),
    efs('list-tags-for-resource', '--resource-id', FileSystemId),
    expect(efs('create-file-system', ...make)).rejects.toThrow(/\(FileSystemAlreadyExists\)/),
  ])
  expect([FileSystems[0].LifeCycleState, FileSystems[0].Encrypted]).toEqual(['available', true])
  expect(Tags).toEqual([{ Key: 'Name', Value: 'cli' }])
  await efs('delete-file-system', '--file-system-id', FileSystemId)
  await expect(efs('describe-file-systems', '--file-system-id', FileSystemId)).rejects.toThrow(
    /\(FileSystemNotFound\)/,
  )
}
