import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { AwsCli } from '../python-client.ts'

const inFolder = async (use: (folder: string) => Promise<void>): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-s3-'))
  try {
    await use(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A bucket with the objects that `aws s3` uploads: a file and a folder. */
export const bucketLife = ({ json, text }: AwsCli): Promise<void> =>
  inFolder(async folder => {
    const s3 = (...args: string[]) => text('s3', ...args)
    const large = Buffer.alloc(1024 * 1024, 'snapshot ')
    await mkdir(join(folder, 'etcd'))
    await Promise.all([
      writeFile(join(folder, 'large'), large),
      writeFile(join(folder, 'etcd', 'Full-1'), 'full'),
      writeFile(join(folder, 'etcd', 'Incr-2'), 'increment'),
    ])
    await s3('mb', 's3://cli-backup')
    await Promise.all([
      s3('cp', '--quiet', join(folder, 'large'), 's3://cli-backup/large'),
      s3('sync', '--quiet', join(folder, 'etcd'), 's3://cli-backup/etcd'),
    ])
    const [listed, printed] = await Promise.all([
      s3('ls', '--recursive', 's3://cli-backup'),
      s3('cp', 's3://cli-backup/etcd/Full-1', '-'),
      s3('cp', '--quiet', 's3://cli-backup/large', join(folder, 'copy')),
    ])
    expect(
      listed
        .trim()
        .split('\n')
        .map(line => line.replace(/^\S+ \S+ +/, '')),
    ).toEqual(['4 etcd/Full-1', '9 etcd/Incr-2', `${large.length} large`])
    expect(printed).toBe('full')
    expect((await readFile(join(folder, 'copy'))).equals(large)).toBe(true)
    const bucket = ['--bucket', 'cli-backup']
    expect(await json('s3api', 'get-bucket-location', ...bucket)).toEqual({ LocationConstraint: 'eu-west-1' })
    await expect(s3('rb', 's3://cli-backup')).rejects.toThrow(/\(BucketNotEmpty\)/)
    await s3('rb', '--force', 's3://cli-backup')
    await json('s3api', 'wait', 'bucket-not-exists', ...bucket)
  })
