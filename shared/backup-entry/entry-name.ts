/** The facts in the name of a BackupEntry (docs/contract/kinds.md#backupentry). */
export interface EntryName {
  /** The namespace of the shoot's control plane. */
  readonly technicalId: string
  /** True for the entry of the seed that the shoot leaves. */
  readonly isSource: boolean
  /** Key prefix of the shoot's objects in the bucket. */
  readonly prefix: string
  /** The Secret that configures etcd's backups. */
  readonly secretName: string
}

const sourcePrefix = 'source-'

/**
 * Parses `shoot--foo--bar--<uid>` or `source-shoot--foo--bar--<uid>`. The uid follows the last `--`.
 *
 * @example
 * parseEntryName('shoot--garden--rose--7d0c5a52').technicalId // shoot--garden--rose
 */
export const parseEntryName = (name: string): EntryName => {
  const isSource = name.startsWith(sourcePrefix)
  const plain = isSource ? name.slice(sourcePrefix.length) : name
  const end = plain.lastIndexOf('--')
  return {
    technicalId: end === -1 ? plain : plain.slice(0, end),
    isSource,
    prefix: `${plain}/`,
    secretName: isSource ? 'source-etcd-backup' : 'etcd-backup',
  }
}
