import { expect, vi } from 'vitest'
import type { AwsCli } from '../python-client.ts'

const soon = { timeout: 180_000, interval: 100 }

/** A file system without mount targets. */
export const fileSystemLife = async ({ json }: AwsCli): Promise<void> => {
  const efs = (command: string, ...args: string[]) => json('efs', command, ...args)
  const make = ['--creation-token', 'cli', '--encrypted', '--tags', 'Key=Name,Value=cli']
  const { FileSystemId, LifeCycleState } = await efs('create-file-system', ...make)
  // On a slow machine, the file system may exist before the answer is written.
  expect(['creating', 'available']).toContain(LifeCycleState)
  const described = () => efs('describe-file-systems', '--file-system-id', FileSystemId)
  // The other lives run concurrently, where `expect.poll` does not know its test.
  await vi.waitFor(async () => {
    const [found] = (await described()).FileSystems
    expect(found).toMatchObject({ LifeCycleState: 'available', Encrypted: true })
  }, soon)
  const [{ Tags }] = await Promise.all([
    efs('list-tags-for-resource', '--resource-id', FileSystemId),
    expect(efs('create-file-system', ...make)).rejects.toThrow(/\(FileSystemAlreadyExists\)/),
  ])
  expect(Tags).toEqual([{ Key: 'Name', Value: 'cli' }])
  await efs('delete-file-system', '--file-system-id', FileSystemId)
  await vi.waitFor(() => expect(described()).rejects.toThrow(/\(FileSystemNotFound\)/), soon)
}
