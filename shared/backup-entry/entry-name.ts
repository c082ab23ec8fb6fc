/** What the name of a BackupEntry tells (docs/contract/kinds.md#backupentry). */
export interface EntryName {
  /** The namespace of the shoot's control plane. */
  readonly technicalId: string
  /** The entry of the seed that the shoot is moved from. */
  readonly isSource: boolean
  /** Keys of the shoot's objects in the bucket begin so. */
  readonly prefix: string
  /** The Secret from which etcd's backups learn where to go. */
  readonly secretName: string
}

const sourcePrefix = 'source-'

/** `shoot--foo--bar--<uid>` or `source-shoot--foo--bar--<uid>`; the uid is what follows the last `--`. */
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
