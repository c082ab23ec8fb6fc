import type { Timestamp } from '../../../../../shared/clock/clock.ts'
import type { DeleteFailure, S3Bucket, VersionLock, VersionRef } from '../bucket/bucket.ts'

export interface ListedBucketOptions {
  /** The keys in the bucket. Each is a separate version. */
  readonly keys: readonly string[]
  /** Keys per page. */
  readonly page: number
  /** Failures by key: code and message. */
  readonly failures?: Readonly<Record<string, readonly [code: string, message: string]>>
  readonly lock?: VersionLock
  /** Changes the keys of the n-th listed page, counted from 1. */
  readonly shown?: (keys: readonly string[], nth: number) => readonly string[]
  /** Called before each deletion of a page. */
  readonly beforeDelete?: (versions: readonly VersionRef[]) => Promise<void>
}

const notBuilt = async (): Promise<never> => {
  throw new Error('this bucket only lists and deletes')
}

/** A bucket with keys, in pages of any size. */
export const listedBucket = ({
  keys,
  page,
  failures = {},
  lock,
  shown = found => found,
  beforeDelete,
}: ListedBucketOptions) => {
  const there = new Set([...keys].sort())
  /** `list <after>`, `delete <keys>`, `lock <key>`, in order. */
  const calls: string[] = []
  let pages = 0
  const bucket: S3Bucket = {
    name: 'listed',
    region: 'eu-west-1',
    create: notBuilt,
    remove: notBuilt,
    isListed: notBuilt,
    getPolicy: notBuilt,
    putPolicy: notBuilt,
    getPublicAccess: notBuilt,
    blockPublicAccess: notBuilt,
    getEncryption: notBuilt,
    encrypt: notBuilt,
    getLifecycle: async () => ({ rules: [] }),
    putLifecycle: async () => {},
    getObjectLock: notBuilt,
    putRetention: notBuilt,
    enableVersioning: notBuilt,
    tagVersion: async ({ key }) => void calls.push(`tag ${key}`),
    listVersions: async ({ prefix, after }) => {
      calls.push(`list ${after?.key ?? ''}`.trim())
      const rest = [...there].filter(key => key.startsWith(prefix) && key > (after?.key ?? ''))
      const found = rest.slice(0, page)
      const last = found.at(-1)
      return {
        versions: shown(found, ++pages).map(key => ({
          key,
          versionId: 'null',
          modified: Number(key.replace(/\D/g, '')),
        })),
        next: last !== undefined && rest.length > page ? { key: last } : undefined,
      }
    },
    deleteVersions: async versions => {
      calls.push(`delete ${versions.map(({ key }) => key).join()}`)
      await beforeDelete?.(versions)
      const failed: DeleteFailure[] = []
      for (const { key, versionId } of versions) {
        const [code, message] = failures[key] ?? []
        if (code === undefined || message === undefined) there.delete(key)
        else failed.push({ key, versionId, code, message })
      }
      return failed
    },
    lockOf: async ({ key }: VersionRef, _: Timestamp) => {
      calls.push(`lock ${key}`)
      return lock ?? { kind: 'none' }
    },
  }
  return { bucket, calls, left: () => [...there] }
}
