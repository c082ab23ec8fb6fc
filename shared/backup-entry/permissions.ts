import type { Permission } from '../kubernetes/kubernetes.ts'
import { namespaces, secrets } from './core-resources.ts'

/** Permissions of the BackupEntry flow in the API server, for the definition of a function. */
export const backupEntryPermissions: readonly (Permission & { readonly why: string })[] = [
  {
    resource: namespaces,
    verbs: ['get'],
    why: 'Without the namespace of a shoot there is nothing to tell its etcd.',
  },
  {
    resource: secrets,
    verbs: ['create', 'delete'],
    why: "The Secret etcd-backup, from which a shoot's etcd learns where its backups go.",
  },
]
